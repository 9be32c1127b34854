/* Steering: which agents step aside, and where to; which requests are refused; results depend on the requests alone. */
#include "support/heap.h"
#include "support/schedulers.h"
#include "support/steered.h"

#include <criterion/criterion.h>

#include <string.h>

static Steered *on_a_floor(void)
{
    Soup soup = {0};
    soup_plate(&soup, -60, 60, -60, 60, 0);
    return steered_open(soup, (SteeredForm){0});
}

/* Two that walk along x, head on, and meet at `middle`: the first to the right of the page. */
static Steered *head_on_at(double middle, double distance)
{
    Steered *steered = on_a_floor();
    steered_add(steered, middle - distance / 2, 0, middle + 20, 0);
    steered_add(steered, middle + distance / 2, 0, middle - 20, 0);
    return steered;
}

static Steered *head_on(double distance)
{
    return head_on_at(0, distance);
}

/* Wishes and steers; no tick. */
static void steer(Steered *steered)
{
    steered_wish(steered);
    sidle_steer_desc desc = steered_desc(steered);
    demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
}

/* Sideways, of the speed; positive: to the right of an agent that walks along x. */
static double aside(const Steered *steered, uint32_t person)
{
    sidle_vec3 d = steered->moves[person].displacement;
    return (double)(d.x > 0 ? d.z : -d.z) * steered->form.rate / STEERED_PACE;
}

static bool same_displacement(sidle_vec3 a, sidle_vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- two agents ---- */

/* Also on the border of two of the squares that coordinates are rounded in: multiples of 64 m lie in the middle of one. */
Test(steer, two_agents_head_on_pass_on_the_right)
{
    for (double middle = -32; middle <= 32; middle += 32)
    {
        Steered *steered = head_on_at(middle, 12);
        for (int tick = 0; tick < 20 * steered->form.rate && steered_place(steered, 0).x < middle; ++tick)
        {
            steered_step(steered);
        }
        double x = steered_place(steered, 0).x;
        cr_expect(x >= middle, "the first stands at %g", x);
        cr_expect(steered_place(steered, 0).z > .4 && steered_place(steered, 1).z < -.4, "at %g", middle);
        steered_close(steered);
    }
}

Test(steer, two_agents_head_on_block_without_steering)
{
    Steered *steered = head_on(12);
    steered->is_unsteered = true;
    steered_walk(steered, 20 * steered->form.rate);
    double x = steered_place(steered, 0).x, other = steered_place(steered, 1).x;
    /* Neither pushes the other back. */
    cr_expect(x < 0 && fabs(x + other) < .01, "they stand at %g and %g", x, other);
    steered_close(steered);
}

Test(steer, mirrored_agents_get_mirrored_displacements)
{
    Steered *steered = head_on(8);
    steered_walk(steered, 10);
    steer(steered);
    sidle_vec3 a = steered->moves[0].displacement, b = steered->moves[1].displacement;
    cr_expect(a.x == -b.x && a.z == -b.z && a.z > 0, "%g %g and %g %g", (double)a.x, (double)a.z, (double)b.x,
              (double)b.z);
    steered_close(steered);
}

Test(steer, an_agent_alone_keeps_its_displacement)
{
    Steered *steered = on_a_floor();
    steered_add(steered, 0, 0, 10, 3);
    steered_walk(steered, 10);
    steered_wish(steered);
    sidle_vec3 wish = steered->moves[0].displacement;
    steer(steered);
    cr_expect(same_displacement(steered->moves[0].displacement, wish));
    steered_close(steered);
}

Test(steer, agents_of_one_direction_keep_their_displacements)
{
    Steered *steered = on_a_floor();
    steered_add(steered, 0, 0, 30, 0);
    steered_add(steered, 2, .1, 32, .1);
    steered_walk(steered, 30);
    steered_wish(steered);
    sidle_vec3 wish = steered->moves[0].displacement;
    steer(steered);
    cr_expect(same_displacement(steered->moves[0].displacement, wish));
    steered_close(steered);
}

Test(steer, the_speed_does_not_exceed_max_speed)
{
    for (int i = 0; i < 3; ++i)
    {
        const float most[3] = {1, 1.05f, 2};
        Steered *steered = head_on(4);
        steered_walk(steered, 10);
        steered_wish(steered);
        sidle_steer_desc desc = steered_desc(steered);
        desc.max_speed = most[i];
        demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
        sidle_vec3 d = steered->moves[0].displacement;
        double speed = hypot((double)d.x, (double)d.z) * steered->form.rate / STEERED_PACE;
        cr_expect(speed < (double)most[i] + 1e-6 && aside(steered, 0) > .1, "%g of %g", speed,
                  (double)most[i]);
        steered_close(steered);
    }
}

/* ---- agents that are not steered ---- */

/* Whether the first of two head on steps aside after a change to the second or to itself. */
static bool steps_aside(void (*change)(Steered *steered))
{
    Steered *steered = head_on(4);
    steered_walk(steered, 10);
    steered_wish(steered);
    change(steered);
    sidle_vec3 wish = steered->moves[0].displacement;
    sidle_steer_desc desc = steered_desc(steered);
    demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
    bool differs = !same_displacement(steered->moves[0].displacement, wish);
    steered_close(steered);
    return differs;
}

static void change_nothing(Steered *steered)
{
    (void)steered;
}

static void make_it_heavy(Steered *steered)
{
    steered->moves[0].mass = INFINITY;
}

static void make_the_other_heavy(Steered *steered)
{
    steered->moves[1].mass = INFINITY;
}

static void let_it_pass_agents(Steered *steered)
{
    steered->moves[0].flags = SIDLE_MOVE_NO_AGENTS;
}

static void let_the_other_pass_agents(Steered *steered)
{
    steered->moves[1].flags = SIDLE_MOVE_NO_AGENTS;
}

static void join_a_group(Steered *steered)
{
    steered->moves[0].group = steered->moves[1].group = 3;
}

static void part_the_layers(Steered *steered)
{
    steered->moves[1].member_of = 2;
    steered->moves[0].collides_with_agents = 4;
}

static void make_it_stand(Steered *steered)
{
    steered->moves[0].displacement = (sidle_vec3){0, 0, 0};
}

static void put_the_other_on_a_bridge(Steered *steered)
{
    steered->moves[1].body.center.y += 3;
}

static void put_the_other_on_a_step(Steered *steered)
{
    steered->moves[1].body.center.y += .3;
}

static void spoil_the_other(Steered *steered)
{
    steered->moves[1].displacement.x = NAN;
}

Test(steer, an_agent_steps_aside_for_those_that_it_collides_with_at_its_height)
{
    cr_expect(steps_aside(change_nothing));
    cr_expect(steps_aside(make_the_other_heavy));
    cr_expect(steps_aside(put_the_other_on_a_step));
    cr_expect_not(steps_aside(make_it_heavy));
    cr_expect_not(steps_aside(let_it_pass_agents));
    cr_expect_not(steps_aside(let_the_other_pass_agents));
    cr_expect_not(steps_aside(join_a_group));
    cr_expect_not(steps_aside(part_the_layers));
    cr_expect_not(steps_aside(make_it_stand));
    cr_expect_not(steps_aside(put_the_other_on_a_bridge));
    cr_expect_not(steps_aside(spoil_the_other));
}

Test(steer, an_agent_does_not_step_into_a_wall)
{
    double steps[2];
    for (int i = 0; i < 2; ++i)
    {
        Steered *steered = steered_streams(0, (SteeredForm){0});
        double z = i == 0 ? 0 : 1.56; /* 40 mm from the wall to its right */
        steered_add(steered, -2, z, 30, z);
        steered_add(steered, 2, z, -30, z);
        steered_walk(steered, 10);
        steer(steered);
        steps[i] = aside(steered, 0);
        steered_close(steered);
    }
    cr_expect(steps[0] > .3 && steps[1] < .1, "%g in the middle, %g at the wall", steps[0], steps[1]);
}

static void lay_ground(Soup *soup, int kind)
{
    if (kind < 2)
    {
        soup_plate(soup, -60, 60, -9, kind == 0 ? 9 : .5, 0);
    }
    else /* its edge runs at 45 degrees to the path */
    {
        soup_triangle(soup, vector(-60, 0, -57.8), vector(60, 0, 62.2), vector(60, 0, -57.8));
    }
    soup_plate(soup, -60, 60, -60, 60, -5);
}

Test(steer, an_agent_does_not_step_over_a_ledge)
{
    double steps[3];
    for (int i = 0; i < 3; ++i)
    {
        Soup soup = {0};
        lay_ground(&soup, i);
        Steered *steered = steered_open(soup, (SteeredForm){0});
        steered_add(steered, -2, 0, 30, 0);
        steered_add(steered, 2, 0, -30, 0);
        steered_walk(steered, 10);
        steer(steered);
        steps[i] = aside(steered, 0);
        cr_expect(aside(steered, 1) > .3, "the other's right is free");
        steered_close(steered);
    }
    cr_expect(steps[0] > .3 && fabs(steps[1]) < 1e-3 && fabs(steps[2]) < 1e-3, "%g, and %g and %g at ledges",
              steps[0], steps[1], steps[2]);
}

/* ---- the same bits ---- */

static void shuffle(Steered *steered)
{
    Random random = random_seeded(5);
    for (uint32_t i = steered->count; i > 1; --i)
    {
        uint32_t other = random_below(&random, i);
        sidle_move move = steered->moves[i - 1];
        Vector goal = steered->goals[i - 1];
        steered->moves[i - 1] = steered->moves[other];
        steered->goals[i - 1] = steered->goals[other];
        steered->moves[other] = move;
        steered->goals[other] = goal;
    }
}

static uint64_t hash_of(uint32_t lanes, const sidle_jobs *jobs, bool shuffled)
{
    Steered *steered = steered_streams(96, (SteeredForm){.lanes = lanes});
    steered->jobs = jobs;
    if (shuffled)
    {
        shuffle(steered);
    }
    steered_walk(steered, 6 * steered->form.rate);
    uint64_t hash = steered_hash(steered);
    steered_close(steered);
    return hash;
}

Test(steer, a_result_depends_on_the_set_of_requests_alone)
{
    uint64_t expected = hash_of(0, NULL, false);
    cr_expect_eq(hash_of(0, NULL, true), expected, "another order");
    cr_expect_eq(hash_of(1, NULL, false), expected, "1 lane");
    cr_expect_eq(hash_of(4, NULL, true), expected, "4 lanes");
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 3);
        cr_expect_eq(hash_of(0, &scheduler.jobs, order % 2), expected, "scheduler %d", order);
    }
}

Test(steer, an_array_apart_and_the_tasks_of_begin_get_the_bits_of_a_call_in_place)
{
    Steered *steered = steered_streams(60, (SteeredForm){0});
    steered_walk(steered, 60);
    steered_wish(steered);
    sidle_vec3 apart[60];
    sidle_steer_desc desc = steered_desc(steered), other = desc;
    other.displacements = apart;
    other.displacement_stride = 0;
    sidle_work work;
    demand(sidle_steer_begin(steered->scene.crowd, &other, 2, &work), "sidle_steer_begin");
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), SIDLE_ERROR_BUSY);
    for (uint32_t phase = 0; phase < sidle_work_phase_count(&work); ++phase)
    {
        for (uint32_t task = sidle_work_task_count(&work, phase); task-- > 0;)
        {
            sidle_work_run(&work, phase, task, task % 2);
        }
    }
    demand(sidle_steer_end(steered->scene.crowd, &work), "sidle_steer_end");
    demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
    uint32_t steps = 0;
    for (uint32_t i = 0; i < steered->count; ++i)
    {
        cr_expect(same_displacement(apart[i], steered->moves[i].displacement), "agent %u", i);
        steps += apart[i].z != 0;
    }
    cr_expect(steps > 20, "%u of 60 step aside", steps);
    steered_close(steered);
}

Test(steer, only_the_first_call_takes_memory)
{
    Heap heap = {.allocations = 0};
    sidle_allocator allocator = heap_allocator(&heap);
    Steered *steered = steered_streams(60, (SteeredForm){0});
    sidle_crowd_desc crowd_desc = {
        .size = sizeof crowd_desc, .profiles = &steered->scene.options.profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&crowd_desc, &allocator, &crowd), "sidle_crowd_create");
    size_t after_first = 0;
    for (uint32_t i = 0; i < 5; ++i)
    {
        steered_wish(steered);
        sidle_steer_desc desc = steered_desc(steered);
        desc.count -= 3 * i;
        demand(sidle_steer(crowd, &desc), "sidle_steer");
        after_first = i == 0 ? heap.allocations : after_first;
    }
    cr_expect_eq(heap.allocations, after_first);
    sidle_crowd_destroy(crowd);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    steered_close(steered);
}

/* ---- refused ---- */

static void expect_refused(Steered *steered, sidle_steer_desc desc, sidle_status expected, const char *what)
{
    sidle_vec3 before = steered->moves[0].displacement;
    sidle_work work;
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), expected, "%s", what);
    cr_expect_eq(sidle_steer_begin(steered->scene.crowd, &desc, 1, &work), expected, "begin: %s", what);
    cr_expect(same_displacement(before, steered->moves[0].displacement), "%s: writes", what);
}

Test(steer, invalid_arguments_are_refused_and_nothing_is_written)
{
    Steered *steered = head_on(4);
    steered_walk(steered, 10);
    steered_wish(steered);
    const sidle_steer_desc good = steered_desc(steered);
    const sidle_status argument = SIDLE_ERROR_ARGUMENT;
#define REFUSED(field, value, status)                                                                        \
    do                                                                                                       \
    {                                                                                                        \
        sidle_steer_desc bad = good;                                                                         \
        bad.field = value;                                                                                   \
        expect_refused(steered, bad, status, #field " = " #value);                                           \
    }                                                                                                        \
    while (0)
    REFUSED(size, 8, argument);
    REFUSED(snapshot, NULL, argument);
    REFUSED(moves, NULL, argument);
    REFUSED(displacements, NULL, argument);
    REFUSED(displacements, (sidle_vec3 *)(void *)&steered->moves[0].up, argument);
    REFUSED(displacement_stride, 1, argument);
    REFUSED(displacement_stride, 0, argument);
    REFUSED(move_stride, sizeof(sidle_move) - 1, argument);
    REFUSED(dt, 0, argument);
    REFUSED(dt, 2, argument);
    REFUSED(dt, NAN, argument);
    REFUSED(reach, -1, argument);
    REFUSED(reach, NAN, argument);
    REFUSED(reach, 2e4f, argument);
    REFUSED(max_speed, .5f, argument);
    REFUSED(max_speed, 11, argument);
    REFUSED(count, SIDLE_MAX_AGENTS + 1, SIDLE_ERROR_LIMIT);
#undef REFUSED
    cr_expect_eq(sidle_steer(NULL, &good), argument);
    cr_expect_eq(sidle_steer(steered->scene.crowd, NULL), argument);
    cr_expect_eq(sidle_steer(steered->scene.crowd, &good), SIDLE_OK);
    cr_expect(aside(steered, 0) > 0);
    steered_close(steered);
}

Test(steer, no_agents_are_no_error)
{
    Steered *steered = on_a_floor();
    sidle_steer_desc desc = steered_desc(steered);
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), SIDLE_OK);
    desc.moves = NULL;
    desc.displacements = NULL;
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), SIDLE_OK);
    steered_close(steered);
}
