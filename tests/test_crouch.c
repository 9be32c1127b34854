/* Crouching and standing up with two profiles, as docs/integration.md says. Metres and seconds. */
#include "support/scene.h"

#include <criterion/criterion.h>

enum
{
    STANDING,
    CROUCHED
};

#define LOWER .4f /* how much lower the centre is while crouching */

typedef struct Level
{
    Scene scene;
    sidle_profile profiles[2];
} Level;

/* Takes the soup. Capsules of radius .4 are 1.8 and 1 m high, ellipsoids as well. */
static Level level_of(Soup soup, bool capsule)
{
    Level level = {.scene = scene_of(soup, walking_ball())};
    for (int i = 0; i < 2; ++i)
    {
        level.profiles[i] = (sidle_profile){.size = sizeof level.profiles[i]};
        level.profiles[i].shape.radii = (sidle_vec3){.4f, capsule ? .4f : i ? .5f : .9f, .4f};
        level.profiles[i].shape.half_height = !capsule ? 0 : i ? .1f : .5f;
        level.profiles[i].step_up = level.profiles[i].step_down = .3f;
    }
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = level.profiles, .profile_count = 2};
    sidle_crowd_destroy(level.scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &level.scene.crowd), "sidle_crowd_create");
    return level;
}

static void crouch(Agent *agent)
{
    agent->profile = CROUCHED;
    agent->body.center.y -= (double)LOWER;
}

static void stand_up(Agent *agent)
{
    agent->profile = STANDING;
    agent->body.center.y += (double)LOWER;
}

/* The lines of docs/integration.md. */
static bool has_room(const Level *level, const Agent *agent)
{
    sidle_place place = {.center = agent->body.center, .shape = level->profiles[CROUCHED].shape};
    uint32_t fits;
    demand(sidle_place_resize(level->scene.snapshot, 0, &place, &level->profiles[STANDING].shape,
                              (sidle_vec3){0, 0, 0}, &place.center, &fits),
           "sidle_place_resize");
    double rise = place.center.y - agent->body.center.y - (double)LOWER;
    cr_expect(fabs(rise) < 1e-6, "raised by %g more", rise);
    return fits;
}

/* The same by a move of the standing profile that goes nowhere. */
static bool has_room_by_what_if(const Level *level, const Agent *agent)
{
    Agent upright = *agent;
    stand_up(&upright);
    sidle_move move = {.id = upright.id, .body = upright.body, .profile = upright.profile};
    sidle_vec3 nowhere = {0, 0, 0};
    sidle_what_if result;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = level->scene.snapshot,
                               .dt = level->scene.options.dt,
                               .move = &move,
                               .displacements = &nowhere,
                               .count = 1,
                               .results = &result};
    demand(sidle_crowd_what_if(level->scene.crowd, &desc), "sidle_crowd_what_if");
    return !(result.reasons & SIDLE_REASON_OVERLAP);
}

static Agent landed(const Level *level, double x, double height)
{
    Agent agent = agent_at(x, height, .1);
    for (int tick = 0; tick < 600 && !(agent.body.flags & SIDLE_BODY_GROUNDED); ++tick)
    {
        scene_tick(&level->scene, &agent, vector(0, 0, 0));
    }
    cr_assert(agent.body.flags & SIDLE_BODY_GROUNDED);
    return agent;
}

/* No tick in the air, in an overlap, or with an impact. */
static void expect_calm(const Agent *agent, const char *what)
{
    cr_expect(agent->body.flags == SIDLE_BODY_GROUNDED && agent->reasons == 0 && agent->impact_speed == 0,
              "%s: flags %d, reasons %u", what, agent->body.flags, agent->reasons);
}

static Soup floor_soup(void)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    return soup;
}

Test(crouch, on_level_ground_an_agent_crouches_and_stands_up_without_leaving_it)
{
    for (int capsule = 0; capsule < 2; ++capsule)
    {
        Level level = level_of(floor_soup(), capsule);
        Agent agent = landed(&level, 0, 1.5);
        for (int round = 0; round < 8; ++round)
        {
            (round % 2 ? stand_up : crouch)(&agent);
            for (int tick = 0; tick < 10; ++tick)
            {
                scene_tick(&level.scene, &agent, vector(.02 * (round / 4), 0, 0));
                expect_calm(&agent, round % 2 ? "stands up" : "crouches");
            }
            cr_expect_lt(fabs(agent.body.center.y - (round % 2 ? .91 : .51)), .011, "at %g",
                         agent.body.center.y);
        }
        scene_close(&level.scene);
    }
}

/* The foot of a capsule stays what it is, so its centre moves by the same height on any slope. */
Test(crouch, on_slopes_a_capsule_crouches_and_stands_up_without_leaving_it)
{
    for (int degrees = 10; degrees <= 40; degrees += 10)
    {
        Soup soup = {0};
        soup_slope(&soup, 20, degrees);
        Level level = level_of(soup, true);
        Agent agent = landed(&level, 0, 2);
        double before = agent.body.center.y;
        crouch(&agent);
        scene_tick(&level.scene, &agent, vector(0, 0, 0));
        expect_calm(&agent, "crouches");
        cr_expect(has_room(&level, &agent) && has_room_by_what_if(&level, &agent));
        stand_up(&agent);
        scene_tick(&level.scene, &agent, vector(0, 0, 0));
        expect_calm(&agent, "stands up");
        cr_expect_lt(fabs(agent.body.center.y - before), 1e-3, "%d degrees: by %g", degrees,
                     agent.body.center.y - before);
        scene_close(&level.scene);
    }
}

/* A lower ellipsoid has a flatter foot, which begins in the slope. Recovery takes it out. */
Test(crouch, on_slopes_an_ellipsoid_is_out_of_the_ground_within_a_tenth_of_a_second)
{
    for (int degrees = 10; degrees <= 40; degrees += 10)
    {
        Soup soup = {0};
        soup_slope(&soup, 20, degrees);
        Level level = level_of(soup, false);
        Agent agent = landed(&level, 0, 3);
        crouch(&agent);
        scene_ticks(&level.scene, &agent, vector(0, 0, 0), 6);
        expect_calm(&agent, "crouched");
        stand_up(&agent);
        scene_ticks(&level.scene, &agent, vector(0, 0, 0), 6);
        cr_expect(agent.body.flags == SIDLE_BODY_GROUNDED, "%d degrees: flags %d", degrees, agent.body.flags);
        scene_close(&level.scene);
    }
}

/* A tunnel 1.3 m high from x = 2 to 6. */
Test(crouch, under_a_low_ceiling_there_is_no_room_to_stand_up)
{
    for (int capsule = 0; capsule < 2; ++capsule)
    {
        Soup soup = floor_soup();
        soup_quad(&soup, vector(2, 1.3, -5), vector(6, 1.3, -5), vector(6, 1.3, 5), vector(2, 1.3, 5));
        soup_quad(&soup, vector(2, 1.3, -5), vector(2, 1.3, 5), vector(2, 9, 5), vector(2, 9, -5));
        Level level = level_of(soup, capsule);
        Agent agent = landed(&level, 0, 1.5);
        scene_ticks(&level.scene, &agent, vector(.05, 0, 0), 60);
        cr_expect(agent.body.center.x < 1.75 && agent.reasons, "walked in: at %g", agent.body.center.x);
        crouch(&agent);
        int without_room = 0;
        for (int tick = 0; tick < 140; ++tick)
        {
            scene_tick(&level.scene, &agent, vector(.05, 0, 0));
            expect_calm(&agent, "crouched");
            bool is_under = agent.body.center.x > 2 && agent.body.center.x < 6,
                 room = has_room(&level, &agent);
            bool is_outside = agent.body.center.x < 1.5 || agent.body.center.x > 6.5;
            cr_expect(is_under ? !room : room || !is_outside, "room at %g: %d", agent.body.center.x, room);
            cr_expect(!has_room_by_what_if(&level, &agent) || room, "at %g", agent.body.center.x);
            cr_expect(!is_outside || has_room_by_what_if(&level, &agent), "at %g", agent.body.center.x);
            without_room += !room;
        }
        cr_expect(without_room > 70 && agent.body.center.x > 7, "at %g", agent.body.center.x);
        stand_up(&agent);
        scene_tick(&level.scene, &agent, vector(0, 0, 0));
        expect_calm(&agent, "stands up");
        scene_close(&level.scene);
    }
}
