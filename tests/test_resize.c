/* Crouching and standing up by sidle_place_resize. Metres and seconds. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <string.h>

enum
{
    STANDING,
    CROUCHED
};

typedef struct Kind
{
    const char *name;
    sidle_shape shapes[2]; /* standing, crouched */
} Kind;

/* From a height of 1.8 m to 1 m or .8 m. */
static const Kind kinds[3] = {
    {"capsule", {{{.4f, .4f, .4f}, .5f}, {{.4f, .4f, .4f}, .1f}}},
    {"ellipsoid", {{{.4f, .9f, .4f}, 0}, {{.4f, .5f, .4f}, 0}}},
    {"ball", {{{.4f, .4f, .4f}, .5f}, {{.4f, .4f, .4f}, 0}}},
};

static Scene scene_with(Soup soup, const Kind *kind)
{
    Scene scene = scene_of(soup, walking_ball());
    sidle_profile profiles[2] = {{.size = sizeof *profiles}, {.size = sizeof *profiles}};
    for (int i = 0; i < 2; ++i)
    {
        profiles[i].shape = kind->shapes[i];
        profiles[i].step_up = profiles[i].step_down = .3f;
    }
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2};
    sidle_crowd_destroy(scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &scene.crowd), "sidle_crowd_create");
    return scene;
}

static bool resize(const Scene *scene, const Kind *kind, Agent *agent, uint32_t profile)
{
    sidle_place place = {.center = agent->body.center, .shape = kind->shapes[agent->profile]};
    sidle_position center;
    uint32_t fits;
    demand(sidle_place_resize(scene->snapshot, 0, &place, &kind->shapes[profile], (sidle_vec3){0, 0, 0},
                              &center, &fits),
           "sidle_place_resize");
    if (fits)
    {
        agent->profile = profile;
        agent->body.center = center;
    }
    return fits;
}

static Agent crouched_at(const Scene *scene, double x, double height)
{
    Agent agent = agent_at(x, height, .1);
    agent.profile = CROUCHED;
    for (int tick = 0; tick < 600 && !(agent.body.flags & SIDLE_BODY_GROUNDED); ++tick)
    {
        scene_tick(scene, &agent, vector(0, 0, 0));
    }
    cr_assert(agent.body.flags & SIDLE_BODY_GROUNDED);
    return agent;
}

/* Stands up, stays, crouches again: all without a contact that was not there. */
static void expect_up_and_down(const Scene *scene, const Kind *kind, Agent *agent, const char *what)
{
    double foot = agent->body.center.y - (double)kind->shapes[CROUCHED].radii.y -
                  (double)kind->shapes[CROUCHED].half_height;
    cr_expect(resize(scene, kind, agent, STANDING), "%s, %s: refused", kind->name, what);
    double top = agent->body.center.y - (double)kind->shapes[STANDING].radii.y -
                 (double)kind->shapes[STANDING].half_height;
    cr_expect(fabs(foot - top) < 1e-12, "%s, %s: the foot moved by %g", kind->name, what, top - foot);
    scene_tick(scene, agent, vector(0, 0, 0));
    cr_expect(agent->body.flags == SIDLE_BODY_GROUNDED && !(agent->reasons & SIDLE_REASON_OVERLAP),
              "%s, %s: flags %u, reasons %u", kind->name, what, agent->body.flags, agent->reasons);
    cr_expect(resize(scene, kind, agent, CROUCHED), "%s, %s: cannot crouch", kind->name, what);
    scene_ticks(scene, agent, vector(0, 0, 0), 6);
    cr_expect(agent->body.flags == SIDLE_BODY_GROUNDED, "%s, %s: flags %u", kind->name, what,
              agent->body.flags);
}

Test(resize, on_level_ground_and_beside_walls_an_agent_stands_up)
{
    for (int k = 0; k < 3; ++k)
    {
        Soup soup = {0};
        soup_floor(&soup, 20, 0);
        soup_wall(&soup, 20, 3);
        Scene scene = scene_with(soup, &kinds[k]);
        Agent agent = crouched_at(&scene, 0, 1.5);
        expect_up_and_down(&scene, &kinds[k], &agent, "free");
        scene_ticks(&scene, &agent, vector(.05, 0, 0), 120);
        cr_expect(agent.body.center.x > 2.5 && (agent.reasons & SIDLE_REASON_WALL));
        expect_up_and_down(&scene, &kinds[k], &agent, "beside a wall");
        scene_close(&scene);
    }
}

Test(resize, on_slopes_an_agent_stands_up)
{
    for (int k = 0; k < 3; ++k)
    {
        for (int degrees = 10; degrees <= 40; degrees += 10)
        {
            Soup soup = {0};
            soup_slope(&soup, 20, degrees);
            Scene scene = scene_with(soup, &kinds[k]);
            Agent agent = crouched_at(&scene, 0, 2);
            for (int tick = 0; tick < 60; ++tick)
            {
                expect_up_and_down(&scene, &kinds[k], &agent, "on a slope");
                scene_ticks(&scene, &agent, vector(.03, 0, .02), 3);
            }
            scene_close(&scene);
        }
    }
}

/* Rough ground inside a ring of walls. */
Test(resize, wherever_a_crouched_agent_walks_in_the_open_it_stands_up)
{
    for (int k = 0; k < 3; ++k)
    {
        Soup soup = {0};
        soup_terrain(&soup, 16, 1, .25, 7);
        soup_ring(&soup, 24, 6, 5);
        Scene scene = scene_with(soup, &kinds[k]);
        Agent agent = crouched_at(&scene, 0, 3);
        Random random = random_seeded(5);
        int refused = 0, touched = 0;
        Vector wish = vector(0, 0, 0);
        for (int tick = 0; tick < 3000; ++tick)
        {
            if (tick % 40 == 0)
            {
                wish = random_in_box(&random, vector(-.08, 0, -.08), vector(.08, 0, .08));
            }
            scene_tick(&scene, &agent, wish);
            Agent upright = agent;
            refused += !resize(&scene, &kinds[k], &upright, STANDING);
            touched += (agent.reasons & SIDLE_REASON_WALL) != 0;
        }
        cr_expect(refused == 0 && touched > 100, "%s: refused in %d ticks; %d along walls", kinds[k].name,
                  refused, touched);
        scene_close(&scene);
    }
}

/* A slab from x = 2 to 6 whose lower side is 1.3 m high. */
Test(resize, under_a_slab_an_agent_does_not_stand_up_until_it_has_left)
{
    for (int k = 0; k < 3; ++k)
    {
        Soup soup = {0};
        soup_floor(&soup, 20, 0);
        soup_plate(&soup, 2, 6, -5, 5, 1.3);
        Scene scene = scene_with(soup, &kinds[k]);
        Agent agent = crouched_at(&scene, 0, 1);
        int refused = 0;
        for (int tick = 0; tick < 160; ++tick)
        {
            scene_tick(&scene, &agent, vector(.05, 0, 0));
            double x = agent.body.center.x;
            Agent upright = agent;
            bool fits = resize(&scene, &kinds[k], &upright, STANDING);
            cr_expect(x > 2 && x < 6 ? !fits : fits || (x > 1.55 && x < 6.45), "%s: %d at %g", kinds[k].name,
                      fits, x);
            cr_expect(fits || memcmp(&upright, &agent, sizeof agent) == 0);
            refused += !fits;
        }
        cr_expect(refused > 80 && agent.body.center.x > 7);
        expect_up_and_down(&scene, &kinds[k], &agent, "behind the slab");
        scene_close(&scene);
    }
}

static bool fits_below(const Scene *scene, sidle_place place, sidle_shape shape, sidle_vec3 up,
                       Vector *center)
{
    sidle_position out;
    uint32_t fits;
    demand(sidle_place_resize(scene->snapshot, 0, &place, &shape, up, &out, &fits), "sidle_place_resize");
    *center = vector(out.x, out.y, out.z);
    return fits;
}

Test(resize, a_shape_that_touches_the_ground_exactly_or_within_a_thousandth_grows)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    Scene scene = scene_of(soup, walking_ball());
    const sidle_shape low = {{.5f, .5f, .5f}, 0}, high = {{.5f, .5f, .5f}, .5f};
    Vector center;
    for (int i = 0; i < 40; ++i)
    {
        double depth = i * .00013;
        sidle_place place = {.center = {i * .1, .5 - depth, 0}, .shape = low};
        bool fits = fits_below(&scene, place, high, (sidle_vec3){0, 2, 0}, &center);
        cr_expect(fits == (depth <= .0005), "%g inside the ground: %d", depth, fits);
        cr_expect(fabs(center.y - (1 - depth)) < 1e-12 && center.z == 0 && center.x == i * .1);
        place.shape = high; /* what shrinks always fits */
        cr_expect(fits_below(&scene, place, low, (sidle_vec3){0, 0, 0}, &center));
    }
    scene_close(&scene);
}

/* The lowest point along `up` of a shape that is turned by a quarter about z is the end of its x axis. */
Test(resize, the_lowest_point_follows_up_and_the_rotation)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    Scene scene = scene_of(soup, walking_ball());
    sidle_place place = {.center = {0, 5, 0}, .shape = {{1, 2, 3}, 0}};
    Vector center;
    fits_below(&scene, place, (sidle_shape){{1.5f, 2.5f, 3.25f}, 0}, (sidle_vec3){0, 0, -4}, &center);
    cr_expect(vector_distance(center, vector(0, 5, -.25)) < 1e-12);
    place.rotation = (sidle_quat){0, 0, 1, 1};
    fits_below(&scene, place, (sidle_shape){{1.5f, 2, 3}, 0}, (sidle_vec3){0, 1, 0}, &center);
    cr_expect(vector_distance(center, vector(0, 5.5, 0)) < 1e-12);
    /* A capsule that lies, and one that leans by 45 degrees. */
    place.shape = (sidle_shape){{1, 1, 1}, 1};
    fits_below(&scene, place, (sidle_shape){{1.25f, 1.25f, 1.25f}, 4}, (sidle_vec3){0, 1, 0}, &center);
    cr_expect(vector_distance(center, vector(0, 5.25, 0)) < 1e-12);
    place.rotation = (sidle_quat){0, 0, .38268343f, .92387953f};
    fits_below(&scene, place, (sidle_shape){{1, 1, 1}, 2}, (sidle_vec3){0, 1, 0}, &center);
    cr_expect(vector_distance(center, vector(0, 5 + sqrt(.5), 0)) < 1e-6);
    scene_close(&scene);
}

Test(resize, beside_a_wall_a_shape_does_not_grow_wider)
{
    Soup soup = {0};
    soup_wall(&soup, 20, 3);
    Scene scene = scene_of(soup, walking_ball());
    sidle_place place = {.center = {2.49, 1, 0}, .shape = {{.5f, .5f, .5f}, 0}};
    Vector center;
    cr_expect(!fits_below(&scene, place, (sidle_shape){{.6f, .6f, .6f}, 0}, (sidle_vec3){0, 0, 0}, &center));
    cr_expect(!fits_below(&scene, place, (sidle_shape){{.6f, .5f, .5f}, 0}, (sidle_vec3){0, 0, 0}, &center));
    cr_expect(fits_below(&scene, place, (sidle_shape){{.5f, .9f, .6f}, 0}, (sidle_vec3){0, 0, 0}, &center));
    scene_close(&scene);
}

Test(resize, it_sees_what_the_place_sees)
{
    Soup soup = {0};
    soup_plate(&soup, -5, 5, -5, 5, 1);
    Scene scene = scene_of(soup, walking_ball());
    const sidle_shape low = {{.5f, .5f, .5f}, 0}, high = {{.5f, .5f, .5f}, .5f};
    sidle_place place = {.center = {0, .4, 0}, .shape = low};
    Vector center;
    cr_expect(!fits_below(&scene, place, high, (sidle_vec3){0, 0, 0}, &center));
    place.collides_with = 2;
    cr_expect(fits_below(&scene, place, high, (sidle_vec3){0, 0, 0}, &center));
    place.collides_with = 1;
    place.ignore = scene.instances[0];
    cr_expect(fits_below(&scene, place, high, (sidle_vec3){0, 0, 0}, &center));
    scene_close(&scene);
}

Test(resize, what_it_cannot_do_is_refused_and_changes_nothing)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    Scene scene = scene_of(soup, walking_ball());
    const sidle_shape ball = {{.5f, .5f, .5f}, 0}, capsule = {{.5f, .5f, .5f}, .5f}, point = {{0, 0, 0}, 0},
                      negative = {{.5f, .5f, .5f}, -1};
    const sidle_vec3 y = {0, 0, 0}, nan_up = {0, NAN, 0};
    const sidle_place good = {.shape = ball}, box = {.shape = ball, .flags = SIDLE_PLACE_BOX},
                      nowhere = {.shape = point}, far = {.shape = ball, .center = {0, 1e9, 0}};
    sidle_position center = {7, 7, 7};
    uint32_t fits = 7;
    const sidle_snapshot *s = scene.snapshot;
    cr_expect_eq(sidle_place_resize(NULL, 0, &good, &capsule, y, &center, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, NULL, &capsule, y, &center, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, &good, NULL, y, &center, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, &good, &capsule, y, NULL, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, &good, &capsule, y, &center, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 2, &good, &capsule, y, &center, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, &good, &capsule, nan_up, &center, &fits), SIDLE_ERROR_NOT_FINITE);
    cr_expect_eq(sidle_place_resize(s, 0, &good, &negative, y, &center, &fits), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_resize(s, 0, &box, &capsule, y, &center, &fits), SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(sidle_place_resize(s, 0, &nowhere, &ball, y, &center, &fits), SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(sidle_place_resize(s, 0, &good, &point, y, &center, &fits), SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(sidle_place_resize(s, 0, &far, &capsule, y, &center, &fits), SIDLE_ERROR_LIMIT);
    cr_expect(center.x == 7 && center.y == 7 && center.z == 7 && fits == 7);
    scene_close(&scene);
}
