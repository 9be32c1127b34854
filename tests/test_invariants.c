/* What holds for every agent in any level and any tick: no agent moves farther than asked, comes closer than
 * the swept shell, or jitters in a corner. */
#include "support/scene.h"

#include <criterion/criterion.h>

typedef struct Kind
{
    uint32_t mode;
    Vector radii;
    float skin;
} Kind;

static const Kind kinds[] = {
    {SIDLE_FLY, {1, 1, 1}, 0.02f},         {SIDLE_SLIDE, {1, 1, 1}, 0.02f},
    {SIDLE_WALK, {1, 1, 1}, 0.02f},        {SIDLE_FLY, {0.4, 0.9, 0.4}, 0.02f},
    {SIDLE_SLIDE, {0.4, 0.9, 0.4}, 0.05f}, {SIDLE_WALK, {0.4, 0.9, 0.4}, 0.02f},
    {SIDLE_FLY, {2, 0.3, 1}, 0.005f},      {SIDLE_SLIDE, {0.3, 0.3, 0.3}, 0.1f},
};

static SceneOptions options_of(const Kind *kind)
{
    SceneOptions options = flying_ball();
    options.profile.mode = kind->mode;
    options.profile.skin = kind->skin;
    options.profile.shape.radii =
        (sidle_vec3){(float)kind->radii.x, (float)kind->radii.y, (float)kind->radii.z};
    return options;
}

/* Ground and triangles of any size standing about in it. */
static Soup drawn_level(Random *random)
{
    Soup soup = {0};
    soup_terrain(&soup, 12, 2.0, 0.8, random_bits(random));
    for (int index = 0; index < 120; ++index)
    {
        Vector place = random_in_box(random, vector(-12, -1, -12), vector(12, 6, 12)), v[3];
        double size = random_scale(random, 0.05, 4.0);
        for (int corner = 0; corner < 3; ++corner)
        {
            v[corner] = vector_along(place, size, random_direction(random));
        }
        soup_triangle(&soup, v[0], v[1], v[2]);
    }
    return soup;
}

/* The path that fly and slide mode were asked for: the wish, and what falling adds to it. */
static double asked(const Scene *scene, const Agent *before, Vector wish)
{
    double dt = (double)scene->options.dt, path = vector_length(wish);
    if (scene->options.profile.mode == SIDLE_SLIDE)
    {
        bool grounded = (before->body.flags & SIDLE_BODY_GROUNDED) != 0;
        double speed = grounded ? 0.0 : -(double)before->body.velocity.y;
        path += fabs(speed * dt + 0.5 * 9.81 * dt * dt);
    }
    return path;
}

/* What the law and the rule about grazes (docs/numerics.md) allow below the swept shell, in radii. */
static double allowed_depth(const Scene *scene, double path)
{
    sidle_vec3 r = scene->options.profile.shape.radii;
    double least = fmin((double)r.x, fmin((double)r.y, (double)r.z)), size = 30.0 / least; /* of the level */
    return 6.0 * 0x1p-24 * size + fmin(0.125 * (double)scene->options.profile.skin, 1e-4 * path / least);
}

typedef struct Tally
{
    uint32_t ticks, in_contact, long_paths, deep_ends, overlaps;
} Tally;

static void run_agent(Random *random, const Scene *scene, Tally *tally)
{
    Agent agent = agent_in(random_in_box(random, vector(-10, 0, -10), vector(10, 6, 10)));
    double skin = (double)scene->options.profile.skin, longest = random_chance(random, 0.3) ? 5.0 : 1.0;
    bool walks = scene->options.profile.mode == SIDLE_WALK;
    Vector wish = {0, 0, 0};
    for (int tick = 0; tick < 60 && (tick > 0 || scene_clearance(scene, &agent) > 1.0 + skin); ++tick)
    {
        if (tick % 10 == 0)
        {
            wish = vector_scale(random_direction(random), random_scale(random, 0.01, longest));
        }
        Agent before = agent;
        scene_tick(scene, &agent, wish);
        double path = vector_distance(agent_center(&agent), agent_center(&before));
        double most = asked(scene, &before, wish), depth = 1.0 + 0.5 * skin - scene_clearance(scene, &agent);
        tally->ticks += 1;
        tally->in_contact += agent.contact_count > 0;
        tally->overlaps += (agent.reasons & SIDLE_REASON_OVERLAP) != 0;
        tally->long_paths += !walks && !(path <= most + 1e-7 * vector_length(wish)); /* a wish is float */
        tally->deep_ends += !(depth <= allowed_depth(scene, path));
    }
}

Test(invariants, no_agent_moves_farther_than_asked_or_ends_below_the_swept_shell)
{
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
    {
        Random random = random_seeded(700 + kind);
        Tally tally = {0};
        for (int level = 0; level < 6; ++level)
        {
            Scene scene = scene_of(drawn_level(&random), options_of(&kinds[kind]));
            for (int agent = 0; agent < 40; ++agent)
            {
                run_agent(&random, &scene, &tally);
            }
            scene_close(&scene);
        }
        cr_expect(tally.ticks > 5000 && tally.in_contact > 1000, "kind %zu: %u ticks, %u in contact", kind,
                  tally.ticks, tally.in_contact);
        cr_expect_eq(tally.long_paths, 0, "kind %zu: %u paths too long", kind, tally.long_paths);
        cr_expect_eq(tally.deep_ends, 0, "kind %zu: %u ends too deep", kind, tally.deep_ends);
        cr_expect_eq(tally.overlaps, 0, "kind %zu: %u begin in what was no overlap before", kind,
                     tally.overlaps);
    }
}

/* ---- corners ---- */

/* 1000 ticks to get there, and 600 in which nothing moves by a bit. */
static void expect_rest(const Scene *scene, Vector from, Vector wish, const char *what, int number)
{
    Agent agent = agent_in(from);
    scene_ticks(scene, &agent, wish, 1000);
    Agent before = agent;
    for (int tick = 0; tick < 600; ++tick)
    {
        scene_tick(scene, &agent, wish);
        cr_assert(agent_same_bits(&agent, &before), "%s %d: tick %d moves by %g", what, number, tick,
                  vector_distance(agent_center(&agent), agent_center(&before)));
    }
    cr_expect(scene_clearance(scene, &agent) < 1.0 + 2.0 * (double)scene->options.profile.skin,
              "%s %d: far from it", what, number);
}

/* Three walls that meet at any angles; the corner is the origin. `into` is pushed back by all three. */
static Soup drawn_corner(Random *random, Vector *inside, Vector *into)
{
    Vector edges[3];
    double volume;
    do
    {
        for (int i = 0; i < 3; ++i)
        {
            edges[i] = random_direction(random);
        }
        volume = vector_dot(edges[0], vector_cross(edges[1], edges[2]));
    }
    while (fabs(volume) < 0.3);
    Soup soup = {0};
    *inside = *into = vector(0, 0, 0);
    for (int i = 0; i < 3; ++i)
    {
        Vector a = vector_scale(edges[i], 30), b = vector_scale(edges[(i + 1) % 3], 30);
        soup_quad(&soup, vector(0, 0, 0), a, vector_add(a, b), b);
        Vector normal = vector_scale(vector_unit(vector_cross(a, b)), volume < 0.0 ? -1.0 : 1.0);
        *inside = vector_add(*inside, edges[i]);
        *into = vector_along(*into, -random_between(random, 0.05, 0.2), normal);
    }
    return soup;
}

Test(invariants, an_agent_pushed_into_a_corner_comes_to_rest_to_the_last_bit)
{
    Random random = random_seeded(710);
    for (int number = 0; number < 60; ++number)
    {
        Vector inside, into;
        Soup soup = drawn_corner(&random, &inside, &into);
        Scene scene = scene_of(soup, options_of(&kinds[number % 2 ? 3 : 0]));
        expect_rest(&scene, vector_scale(inside, 5), into, "corner", number);
        scene_close(&scene);
    }
}

/* Two walls on a floor that enclose 30 to 150 degrees. */
Test(invariants, an_agent_that_walks_into_a_corner_comes_to_rest_to_the_last_bit)
{
    Random random = random_seeded(711);
    for (int number = 0; number < 60; ++number)
    {
        Soup soup = {0};
        soup_wedge(&soup, 30 + 2 * number, 5, 20);
        soup_plate(&soup, -25, 5, -25, 25, 0);
        Rotation turn = rotation_about_y(random_between(&random, 0.0, 6.3));
        soup_turn(&soup, &turn);
        const Kind *kind = &kinds[number % 4 == 0 ? 1 : number % 4 == 1 ? 2 : number % 4 == 2 ? 4 : 5];
        Scene scene = scene_of(soup, options_of(kind));
        double aside = random_between(&random, -0.02, 0.02);
        Vector wish = vector_rotated(&turn, vector(0.4, 0, aside)),
               start = vector(-10, kind->radii.y + 0.1, 0);
        expect_rest(&scene, vector_rotated(&turn, start), wish, "wedge", number);
        scene_close(&scene);
    }
}

/* ---- slopes too steep to stand on ---- */

/* How far a ball slides down a slope in its first second. */
static double distance_down(uint32_t mode, double degrees, int rate)
{
    Soup slope = {0};
    SceneOptions options = walking_ball();
    options.profile.mode = mode;
    options.dt = 1.0f / (float)rate;
    soup_slope(&slope, 200, degrees);
    Scene scene = scene_of(slope, options);
    Vector start = vector_scale(vector(-sin(radians(degrees)), cos(radians(degrees)), 0), 1.02);
    Agent agent = agent_in(start);
    scene_ticks(&scene, &agent, vector(0, 0, 0), rate);
    double path = vector_distance(agent_center(&agent), start);
    scene_close(&scene);
    return path;
}

Test(invariants, sliding_down_a_slope_above_the_limit_does_not_depend_on_the_rate)
{
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 18; ++form)
    {
        double degrees = 50.0 + 15.0 * (form / 6), free_of_friction = 0.5 * 9.81 * sin(radians(degrees));
        double path = distance_down(form / 3 % 2 ? SIDLE_SLIDE : SIDLE_WALK, degrees, rates[form % 3]);
        cr_expect_float_eq(path, free_of_friction, 0.002, "form %d, %g degrees, %d Hz: %g m", form, degrees,
                           rates[form % 3], path);
    }
}

/* In ellipsoid space a millionth of the smallest radius may be any fraction of that. */
Test(invariants, a_displacement_of_some_millionths_of_the_radius_is_moved_along_every_axis)
{
    const double longest[] = {1, 2.25, 50, 100};
    for (size_t i = 0; i < sizeof longest / sizeof *longest; ++i)
    {
        Scene scene = scene_of((Soup){0}, flying_ellipsoid(1, 1, longest[i]));
        Agent agent = agent_at(0, 0, 0);
        scene_ticks(&scene, &agent, vector(0, 0, 1.001e-6), 1000);
        cr_expect_float_eq(agent_center(&agent).z, 1.001e-3, 1e-9, "radius %g: %g", longest[i],
                           agent_center(&agent).z);
        agent = agent_at(0, 0, 0);
        scene_ticks(&scene, &agent, vector(0, 0, 0.999e-6), 1000);
        cr_expect_eq(agent_center(&agent).z, 0, "less is no motion");
        scene_close(&scene);
    }
}
