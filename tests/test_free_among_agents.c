/* Free places among agents on a floor: nothing overlaps them, and they are hardly farther than an exhaustive search finds them. */
#include "sidle/agents.h"
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

enum
{
    AGENTS = 60,
    PLACES = 300
};

#define CLEARANCE .02 /* the default, radii */
#define RADIUS    3.0

typedef struct Crowd
{
    Scene scene;
    sidle_move moves[AGENTS];
    sidle_profile profile;
    sidle_agents *agents;
} Crowd;

static void build(Crowd *crowd)
{
    sidle_agents_desc desc = {.size = sizeof desc,
                              .moves = crowd->moves,
                              .count = AGENTS,
                              .profiles = &crowd->profile,
                              .profile_count = 1};
    demand(sidle_agents_build(crowd->agents, &desc), "sidle_agents_build");
}

/* They stand on a floor at y = 0. */
static Crowd crowd_of(sidle_shape shape, Random *random)
{
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    Crowd crowd = {.scene = scene_of(soup, flying_ball()),
                   .profile = {.size = sizeof crowd.profile, .shape = shape}};
    double height = (double)shape.radii.y + (double)shape.half_height;
    for (int i = 0; i < AGENTS; ++i)
    {
        crowd.moves[i] = (sidle_move){.id = 100 + (uint64_t)i};
        crowd.moves[i].body.center =
            (sidle_position){random_between(random, -4, 4), height + 1e-3, random_between(random, -4, 4)};
    }
    demand(sidle_agents_create(NULL, &crowd.agents), "sidle_agents_create");
    build(&crowd);
    return crowd;
}

static void close_crowd(Crowd *crowd)
{
    sidle_agents_destroy(crowd->agents);
    scene_close(&crowd->scene);
}

static uint32_t overlaps(const Crowd *crowd, sidle_shape shape, sidle_position center,
                         const uint64_t *ignored)
{
    sidle_place place = {.center = center, .shape = shape};
    uint32_t agents, triangles;
    demand(sidle_agents_overlaps(crowd->agents, &place, ignored, NULL, 0, &agents), "sidle_agents_overlaps");
    demand(sidle_place_overlaps(crowd->scene.snapshot, 0, &place, NULL, 0, &triangles),
           "sidle_place_overlaps");
    return agents + triangles;
}

static sidle_shape wider(sidle_shape shape, double by)
{
    shape.radii.x += (float)by;
    shape.radii.y += (float)by;
    shape.radii.z += (float)by;
    return shape;
}

/* The distance of the nearest free place on the floor, along rays in all directions. */
static double nearest_on_floor(const Crowd *crowd, sidle_shape shape, sidle_position from)
{
    double nearest = INFINITY;
    for (int turn = 0; turn < 180; ++turn)
    {
        double angle = turn * (3.14159265358979 / 90);
        for (double distance = 0; distance < fmin(nearest, RADIUS); distance += .01)
        {
            sidle_position at = {from.x + distance * cos(angle), from.y, from.z + distance * sin(angle)};
            nearest = overlaps(crowd, shape, at, NULL) ? nearest : distance;
        }
    }
    return nearest;
}

static const sidle_shape shapes[3] = {{{.4f, .4f, .4f}, .5f}, {{.3f, .9f, .5f}, 0}, {{.4f, .4f, .4f}, 0}};

Test(free_among_agents, places_on_the_floor_are_free_and_hardly_farther_than_the_nearest)
{
    Random random = random_seeded(71);
    double worst = 0;
    int moved = 0, missing = 0, farther = 0;
    for (int i = 0; i < PLACES; ++i)
    {
        sidle_shape shape = shapes[i % 3];
        double apart = CLEARANCE * (double)shape.radii.x;
        Crowd crowd = crowd_of(shape, &random);
        sidle_position from = {random_between(&random, -3, 3), crowd.moves[0].body.center.y + apart,
                               random_between(&random, -3, 3)};
        sidle_free_desc desc = {.size = sizeof desc,
                                .place = {.center = from, .shape = shape},
                                .radius = (float)RADIUS,
                                .drop = 1,
                                .agents = crowd.agents};
        sidle_position center;
        uint32_t found;
        demand(sidle_place_find_free(crowd.scene.snapshot, 0, &desc, &center, &found), "find_free");
        double nearest = nearest_on_floor(&crowd, wider(shape, apart), from);
        missing += !found && nearest < INFINITY;
        if (found)
        {
            double distance = hypot(center.x - from.x, center.z - from.z);
            cr_expect(overlaps(&crowd, wider(shape, .9 * apart), center, NULL) == 0, "place %d is not free",
                      i);
            moved += distance > 0;
            double ratio = distance / fmax(nearest, .1);
            worst = fmax(worst, ratio);
            farther += ratio > 1.1;
        }
        close_crowd(&crowd);
    }
    cr_expect(worst < 1.5 && farther <= PLACES / 20 && missing == 0,
              "%g times as far, %d more than a tenth, %d missing", worst, farther, missing);
    cr_expect(moved > PLACES / 2, "%d", moved);
}

Test(free_among_agents, a_shape_in_the_air_leaves_on_any_side)
{
    Random random = random_seeded(72);
    int above = 0;
    for (int i = 0; i < PLACES; ++i)
    {
        sidle_shape shape = shapes[i % 3];
        Crowd crowd = crowd_of(shape, &random);
        sidle_position from = crowd.moves[i % AGENTS].body.center;
        from.y += 1.5 * ((double)shape.radii.y + (double)shape.half_height);
        sidle_free_desc desc = {.size = sizeof desc,
                                .place = {.center = from, .shape = shape},
                                .radius = (float)RADIUS,
                                .agents = crowd.agents};
        sidle_position center;
        uint32_t found;
        demand(sidle_place_find_free(crowd.scene.snapshot, 0, &desc, &center, &found), "find_free");
        cr_expect(found && overlaps(&crowd, wider(shape, .9 * CLEARANCE * (double)shape.radii.x), center,
                                    NULL) == 0,
                  "place %d", i);
        above += center.y > from.y + .1;
        close_crowd(&crowd);
    }
    cr_expect(above > PLACES / 4, "%d went up", above);
}

Test(free_among_agents, an_ignored_agent_and_other_layers_do_not_count)
{
    Random random = random_seeded(73);
    Crowd crowd = crowd_of(shapes[0], &random);
    for (int i = 1; i < AGENTS; ++i)
    {
        crowd.moves[i].body.center.x += 100;
    }
    build(&crowd);
    uint64_t own = 100;
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = crowd.moves[0].body.center, .shape = shapes[0]},
                            .radius = (float)RADIUS,
                            .agents = crowd.agents};
    desc.place.center.y += .1;
    sidle_position center;
    uint32_t found;
    demand(sidle_place_find_free(crowd.scene.snapshot, 0, &desc, &center, &found), "find_free");
    cr_expect(found && overlaps(&crowd, shapes[0], center, NULL) == 0);
    desc.ignored_agent = &own;
    demand(sidle_place_find_free(crowd.scene.snapshot, 0, &desc, &center, &found), "find_free");
    cr_expect(found && center.x == desc.place.center.x && center.y == desc.place.center.y);
    close_crowd(&crowd);
}
