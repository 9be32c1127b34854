/* A room full of things that fly about and turn, and agents of all modes among them: whatever happens to
 * them, they stay in the room, no faster than what moves there, and with the same bits at every width. */
#include "support/stage.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define ROOM   4.0 /* half of its side, and its height */
#define AGENTS 24
/* Twice the speed of a corner of a body, .35 m a tick along each axis and 8 rad/s at 2.1 m: one carries, one pushes. */
#define FASTEST  108.0
#define TICK     (1.0f / 60.0f)
#define DISTANCE 0.35 /* largest step of a body in a tick */

static int ticks_of_a_room(void)
{
    const char *given = getenv("SIDLE_ROOM_TICKS");
    return given ? atoi(given) : 240;
}

/* Slabs, posts and boxes. */
static Soup any_body(Random *random)
{
    Soup soup = {0};
    Vector half = vector(random_between(random, 0.02, 1.2), random_between(random, 0.02, 1.2),
                         random_between(random, 0.02, 1.2));
    soup_box(&soup, vector_scale(half, -1), half);
    return soup;
}

static Stage room_of(uint32_t mode, uint32_t lanes, Random *random)
{
    Soup walls = {0};
    soup_box(&walls, vector(-ROOM, 0, -ROOM), vector(ROOM, ROOM, ROOM));
    soup_flip(&walls);
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.7f, 0.4f};
    options.profile.mode = mode;
    options.lanes = lanes;
    options.dt = TICK;
    Stage stage = stage_of(walls, options);
    for (int body = 0; body < 4; ++body)
    {
        sidle_pose pose = pose_at(random_between(random, -3, 3), random_between(random, 0, 4),
                                  random_between(random, -3, 3));
        (void)stage_add(&stage, any_body(random), pose);
    }
    stage_commit(&stage);
    return stage;
}

static double wander(Random *random, double at, double low, double high)
{
    return fmin(fmax(at + random_between(random, -DISTANCE, DISTANCE), low), high);
}

static void stir(Stage *stage, Random *random, int tick)
{
    for (uint32_t body = 0; body < stage->body_count; ++body)
    {
        sidle_position at = stage->bodies[body].pose.position;
        at = (sidle_position){wander(random, at.x, -5, 5), wander(random, at.y, -1, 5),
                              wander(random, at.z, -5, 5)};
        Vector axis = vector(body == 1, 1, body == 2 ? 0.3 : 0);
        double rate = (body % 2 ? 8.0 : -3.0) * (double)TICK;
        stage_move(stage, body, pose_turned(pose_at(at.x, at.y, at.z), axis, rate * tick));
    }
    stage_commit(stage);
}

static void check_agent(const Agent *agent, double speed_before, int tick)
{
    Vector c = agent_center(agent);
    sidle_vec3 v = agent->body.velocity;
    double speed = vector_length(vector((double)v.x, (double)v.y, (double)v.z));
    cr_assert(agent_is_finite(agent), "tick %d: no number", tick);
    cr_assert(fabs(c.x) < ROOM && fabs(c.z) < ROOM && c.y > 0 && c.y < ROOM,
              "tick %d: left the room at %g %g %g", tick, c.x, c.y, c.z);
    cr_assert(speed < fmax(FASTEST, speed_before + 1), "tick %d: launched at %g m/s", tick, speed);
    cr_assert(!(agent->reasons & (SIDLE_REASON_CANDIDATES | SIDLE_REASON_INVALID)), "tick %d: %x", tick,
              agent->reasons);
}

/* The hash of the agents at the end. */
static uint64_t stirred(uint32_t mode, uint32_t lanes, uint64_t seed, int ticks)
{
    Random random = random_seeded(seed);
    Stage stage = room_of(mode, lanes, &random);
    Agent agents[AGENTS];
    Vector wishes[AGENTS];
    for (uint32_t agent = 0; agent < AGENTS; ++agent)
    {
        agents[agent] =
            agent_at(random_between(&random, -3.5, 3.5), 0.75, random_between(&random, -3.5, 3.5));
        agents[agent].id = agent;
    }
    for (int tick = 1; tick <= ticks; ++tick)
    {
        double speeds[AGENTS];
        stir(&stage, &random, tick);
        for (uint32_t agent = 0; agent < AGENTS; ++agent)
        {
            sidle_vec3 v = agents[agent].body.velocity;
            speeds[agent] = vector_length(vector((double)v.x, (double)v.y, (double)v.z));
            wishes[agent] =
                vector(random_between(&random, -0.06, 0.06), 0, random_between(&random, -0.06, 0.06));
        }
        scene_tick_all(&stage.scene, agents, wishes, AGENTS, NULL);
        for (uint32_t agent = 0; agent < AGENTS; ++agent)
        {
            check_agent(&agents[agent], speeds[agent], tick);
        }
    }
    uint64_t hash = agents_hash(agents, AGENTS);
    stage_close(&stage);
    return hash;
}

Test(motion_room, no_agent_is_pressed_out_of_a_room_full_of_moving_instances)
{
    int ticks = ticks_of_a_room();
    for (uint64_t seed = 1; seed <= 9; ++seed)
    {
        (void)stirred((uint32_t)(seed % 3), 0, seed, ticks);
    }
}

Test(motion_room, moving_instances_move_agents_with_the_same_bits_at_every_width)
{
    for (uint32_t mode = SIDLE_WALK; mode <= SIDLE_FLY; ++mode)
    {
        uint64_t one = stirred(mode, 1, 77, 90), four = stirred(mode, 4, 77, 90),
                 best = stirred(mode, 0, 77, 90);
        cr_expect(one == four && one == best, "mode %u", mode);
    }
}
