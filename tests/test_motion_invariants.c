/* What holds in every tick of every agent on random levels: how much work a move may be, that it follows the path
 * it was asked, that idling is rest, and that nothing is lost without a word. */
#include "support/motion_scenes.h"

#include <criterion/criterion.h>

static const sidle_shape shapes[3] = {{.radii = {0.4f, 0.9f, 0.4f}},
                                      {.radii = {0.4f, 0.4f, 0.4f}},
                                      {.radii = {0.3f, 0.3f, 0.3f}, .half_height = 0.6f}};

/* A tick that also counts. */
static sidle_stats counted_tick(Actor *actor, Vector velocity)
{
    double dt = (double)actor->scene.options.dt;
    Agent *agent = &actor->agent;
    sidle_stats stats = {.size = sizeof stats};
    sidle_move move = {
        .id = 1,
        .body = agent->body,
        .displacement = {(float)(velocity.x * dt), (float)(velocity.y * dt), (float)(velocity.z * dt)}};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = actor->scene.snapshot,
                            .dt = actor->scene.options.dt,
                            .moves = &move,
                            .count = 1,
                            .results = &result,
                            .stats = &stats};
    demand(sidle_crowd_tick(actor->scene.crowd, &tick), "sidle_crowd_tick");
    agent->body = result.body;
    agent->reasons = result.reasons;
    actor->grounded = (result.body.flags & SIDLE_BODY_GROUNDED) != 0;
    return stats;
}

typedef struct Tally
{
    uint32_t ticks, at_walls, recovered, busy, backwards, silent, far, cut;
    uint64_t most_sweeps;
    double farthest;
} Tally;

/* Whether a tick took from the path that was asked, and by how much it went against it or beyond it. */
static void check_tick(const Actor *actor, Vector before, Vector wish, Tally *tally)
{
    const uint32_t recovered = SIDLE_REASON_OVERLAP | SIDLE_REASON_STUCK;
    uint32_t reasons = actor->agent.reasons;
    Vector moved = vector_sub(actor_place(actor), before);
    bool walks = actor->setting.subject != MOTION_FLY;
    moved.y = walks ? 0.0 : moved.y;
    double asked = vector_length(wish), along = vector_dot(moved, vector_unit(wish));
    ++tally->ticks;
    tally->at_walls += (reasons & SIDLE_REASON_WALL) != 0;
    tally->cut += (reasons & SIDLE_REASON_TRUNCATED) != 0;
    if ((reasons & recovered) != 0)
    {
        ++tally->recovered;
        return;
    }
    bool steered = walks && !actor->grounded; /* a falling agent follows its velocity */
    tally->backwards += !steered && along < -1e-6;
    tally->silent += !walks && reasons == 0 && vector_distance(moved, wish) > 1e-5;
    double longer = vector_length(moved) - asked;
    tally->far += !steered && longer > 1e-6 + 1e-6 * asked;
    tally->farthest = worse(tally->farthest, steered ? 0.0 : longer);
}

static void run_agent(Random *random, const MotionSetting *setting, Tally *tally)
{
    const uint64_t limits[] = {[MOTION_WALK] = 20, [MOTION_SLIDE] = 16, [MOTION_FLY] = 8};
    Soup level = motion_wild_level(random);
    Vector start = random_in_box(random, vector(-9, 3, -9), vector(9, 4, 9)), velocity = {0, 0, 0};
    Actor actor = actor_of(setting, level, start);
    for (int tick = 0; tick < 240; ++tick)
    {
        if (tick % 20 == 0)
        {
            double speed = random_scale(random, 0.1, 20.0); /* drawn first: arguments come in any order */
            velocity = vector_scale(random_direction(random), speed);
            velocity.y = setting->subject == MOTION_FLY ? velocity.y : 0.0;
        }
        bool grounded = actor.grounded;
        Vector before = actor_place(&actor);
        sidle_stats stats = counted_tick(&actor, velocity);
        tally->busy += stats.gathers <= 2 && stats.sweeps > limits[setting->subject];
        tally->most_sweeps = stats.sweeps > tally->most_sweeps ? stats.sweeps : tally->most_sweeps;
        if (grounded || setting->subject == MOTION_FLY)
        {
            check_tick(&actor, before, vector_scale(velocity, (double)actor.scene.options.dt), tally);
        }
    }
    actor_end(&actor);
}

/* I1, I2, I3 and I10 of walk and fly. */
Test(motion_invariants,
     no_move_is_too_much_work_or_leads_backwards_or_farther_than_asked_or_stops_without_a_word)
{
    const MotionSubject modes[2] = {MOTION_WALK, MOTION_FLY};
    for (int form = 0; form < 6; ++form)
    {
        Random random = random_seeded(8000 + (uint64_t)form);
        MotionSetting setting = motion_person(modes[form / 3]);
        setting.shape = shapes[form % 3];
        Tally tally = {0};
        for (int agent = 0; agent < 60; ++agent)
        {
            run_agent(&random, &setting, &tally);
        }
        cr_expect(tally.ticks > 5000 && tally.at_walls > 500, "form %d: %u ticks, %u at walls", form,
                  tally.ticks, tally.at_walls);
        cr_expect_eq(tally.busy, 0, "form %d: %u ticks with up to %llu sweeps", form, tally.busy,
                     (unsigned long long)tally.most_sweeps);
        cr_expect(tally.backwards == 0 || setting.subject == MOTION_WALK, "form %d: %u ticks lead backwards",
                  form, tally.backwards);
        cr_expect_eq(tally.silent, 0, "form %d: %u ticks stop without a word", form, tally.silent);
        cr_expect_eq(tally.far, 0, "form %d: %u ticks too far, by up to %g", form, tally.far, tally.farthest);
        cr_expect_lt(tally.cut, 1 + tally.ticks / 10000, "form %d: %u ticks cut short", form, tally.cut);
    }
}

Test(motion_invariants, no_walk_leads_backwards)
{
    for (int form = 0; form < 2; ++form)
    {
        Random random = random_seeded(8000 + (uint64_t)form);
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form];
        Tally tally = {0};
        for (int agent = 0; agent < 60; ++agent)
        {
            run_agent(&random, &setting, &tally);
        }
        cr_expect_eq(tally.backwards, 0, "form %d: %u ticks of %u", form, tally.backwards, tally.ticks);
    }
}

/* I6 on levels of any kind: an agent that stands without a displacement does not move by a bit. */
Test(motion_invariants, an_agent_that_stands_without_a_displacement_does_not_move_by_a_bit)
{
    Random random = random_seeded(8100);
    uint32_t stood = 0;
    for (int number = 0; number < 150; ++number)
    {
        MotionSetting setting = motion_person(number % 2 == 0 ? MOTION_WALK : MOTION_SLIDE);
        setting.shape = shapes[number % 3];
        Actor actor = actor_of(&setting, motion_wild_level(&random),
                               random_in_box(&random, vector(-9, 3, -9), vector(9, 4, 9)));
        actor_land(&actor);
        actor_go(&actor, vector(0, 0, 0), 1.0);
        Agent before = actor.agent;
        bool stands = actor.grounded;
        stood += stands;
        actor_go(&actor, vector(0, 0, 0), 5.0);
        double crept = vector_distance(agent_center(&before), agent_center(&actor.agent));
        cr_expect(!stands || agent_same_bits(&before, &actor.agent),
                  "level %d, shape %d, mode %d: moves by %g", number, number % 3, number % 2, crept);
        actor_end(&actor);
    }
    cr_expect_gt(stood, 60, "only %u stood", stood);
}

/* I8: stairs of any shape that a walker may descend. */
Test(motion_invariants, an_agent_that_walks_down_any_stairs_is_grounded_in_every_tick)
{
    Random random = random_seeded(8200);
    for (int number = 0; number < 200; ++number)
    {
        const int rates[4] = {15, 30, 60, 240};
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[number % 3];
        setting.rate = rates[number / 3 % 4];
        MotionFlight flight = {.riser = random_between(&random, 0.02, 0.39), .down = true};
        flight.tread = random_between(&random, fmax(flight.riser, 0.1), 1.2);
        flight.degrees = random_between(&random, 0, 80);
        MotionStairs stairs = motion_stairs(&setting, flight);
        cr_expect(stairs.passed && stairs.airborne == 0.0,
                  "%d: riser %g, tread %g, %g degrees, %d Hz: %s, airborne %g", number, flight.riser,
                  flight.tread, flight.degrees, setting.rate, stairs.passed ? "passed" : "not passed",
                  stairs.airborne);
    }
}
