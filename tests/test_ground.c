/* What can be stood on, where rounding, copies and what lies elsewhere must have no say in it. Metres and seconds. */
#include "support/random.h"
#include "support/ride.h"

#include <criterion/criterion.h>

/* ---- six faces, equally flat ---- */

static double on_grid(double x)
{
    return rint(1024 * x) / 1024;
}

/* Flaps that hang from one corner: three turned by a third about the diagonal, and their mirror images, so that along it
 * they rise alike but for rounding. Their coordinates are exact in every mesh. */
static Soup flaps(Random *random)
{
    Soup soup = {0};
    double down = .34 + .02 * random_unit(random), wide = .1 + .02 * random_unit(random);
    const double radial[3] = {2 / sqrt(6), -1 / sqrt(6), -1 / sqrt(6)},
                 aside[3] = {0, 1 / sqrt(2), -1 / sqrt(2)};
    double a[3], b[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        a[axis] = on_grid(radial[axis] - down / sqrt(3) + wide * aside[axis]);
        b[axis] = on_grid(radial[axis] - down / sqrt(3) - .9 * wide * aside[axis]);
    }
    for (int turn = 0; turn < 3; ++turn)
    {
        int x = (3 - turn) % 3, y = (4 - turn) % 3, z = (5 - turn) % 3;
        soup_triangle(&soup, vector(0, 0, 0), vector(a[x], a[y], a[z]), vector(b[x], b[y], b[z]));
        soup_triangle(&soup, vector(0, 0, 0), vector(b[x], b[z], b[y]), vector(a[x], a[z], a[y]));
    }
    return soup;
}

/* Of any size, anywhere, but 1.9 m and more away. */
static void add_far_away(Soup *soup, Random *random, int count)
{
    Vector center = random_in_box(random, vector(-1.5, -1.5, -1.5), vector(1.5, 1.5, 1.5));
    double spread = random_scale(random, .4, 8);
    for (int i = 0; i < count; ++i)
    {
        Vector at =
            vector_along(center, spread, random_in_box(random, vector(-.5, -.5, -.5), vector(.5, .5, .5)));
        at = vector_length(at) > 2 ? at : vector_along(at, 9, vector(1, 1, 1));
        Vector v[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector off = random_in_box(random, vector(0, 0, 0), vector(.05, .05, .05));
            v[corner] = vector(on_grid(at.x + off.x), on_grid(at.y + off.y), on_grid(at.z + off.z));
        }
        soup_triangle(soup, v[0], v[1], v[2]);
    }
}

static Agent agent_on_flaps(Soup soup)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.5f, .5f, .5f};
    options.profile.max_slope_cos = .1f;
    options.up = (sidle_vec3){1, 1, 1};
    Scene scene = scene_of(soup, options);
    double up = cos(.43) / sqrt(3), out = sin(.43) / sqrt(6), reach = .5 * 1.03;
    Agent agent =
        agent_at(on_grid(reach * (up - 2 * out)), on_grid(reach * (up + out)), on_grid(reach * (up + out)));
    agent.body.ground_normal = (sidle_vec3){(float)(up - 2 * out), (float)(up + out), (float)(up + out)};
    agent.body.flags = SIDLE_BODY_GROUNDED;
    scene_ticks(&scene, &agent, vector(0, 0, 0), 10); /* it falls the last centimetre */
    scene_tick(&scene, &agent, vector(.01, -.01, 0));
    scene_close(&scene);
    return agent;
}

Test(ground, the_tree_does_not_choose_among_equally_flat_faces)
{
    Random random = random_seeded(3);
    int edges = 0;
    for (int scene = 0; scene < 40; ++scene)
    {
        Soup few = flaps(&random);
        Agent alone = agent_on_flaps(soup_copy(&few));
        edges += alone.body.overhang > 0;
        for (int more = 20; more <= 480; more += 20)
        {
            Soup many = soup_copy(&few);
            add_far_away(&many, &random, more);
            Agent agent = agent_on_flaps(many);
            cr_assert(agent_same_bits(&alone, &agent), "scene %d: %d triangles far away change the path",
                      scene, more);
        }
        soup_free(&few);
    }
    cr_expect(edges > 20, "only %d stand on an edge or a corner", edges);
}

/* ---- needles ---- */

/* Too steep to walk on. Across it, a tenth of a millimetre off it, needles whose third corner lies on their longest
 * edge but for rounding. */
static Soup steep_slope(Random *random, bool has_needles)
{
    const double per_rise = 1 / tan(1.0471975511965976), half = 10, high = 6;
    Vector base = random_in_box(random, vector(0, 10, 10), vector(0, 90, 90));
    Soup soup = {0};
    for (int k = 1; k < 60 && has_needles; ++k)
    {
        double y = base.y + .05 * k + .5e-4, z = base.z + (.05 * k - 1.5e-4) * per_rise, rise = .01 * sin(k);
        double share = random_between(random, .3, .7);
        Vector from = vector(-half, y, z), along = vector(2 * half, rise, rise * per_rise);
        soup_triangle(&soup, from, vector_along(from, share, along), vector_add(from, along));
    }
    soup_quad(&soup, vector(-half, base.y, base.z - 20), vector(-half, base.y, base.z),
              vector(half, base.y, base.z), vector(half, base.y, base.z - 20));
    soup_quad(&soup, vector(-half, base.y, base.z), vector(-half, base.y + high, base.z + high * per_rise),
              vector(half, base.y + high, base.z + high * per_rise), vector(half, base.y, base.z));
    return soup;
}

static double climbed(Random *random, bool has_needles)
{
    SceneOptions options = person_at(60);
    options.profile.step_up = .45f;
    Scene scene = scene_of(steep_slope(random, has_needles), options);
    Vector foot = scene.soup.triangles[scene.soup.count - 2].v[0];
    Agent agent = agent_at(.3, foot.y + .92, foot.z - 2);
    agent.body.flags = SIDLE_BODY_GROUNDED;
    scene_ticks(&scene, &agent, vector(0, 0, .025), 300);
    scene_close(&scene);
    return agent.body.center.y - foot.y;
}

Test(ground, a_needle_makes_no_slope_walkable)
{
    Random random = random_seeded(4);
    double without = climbed(&random, false);
    for (int i = 0; i < 40; ++i)
    {
        double with = climbed(&random, true);
        cr_expect_lt(with, without + .1, "slope %d: %g m up, without needles %g", i, with, without);
    }
}

/* ---- copies ---- */

/* A groove whose sides are there so many times, each triangle written down from another corner, and some turned over. */
static Soup groove_of_copies(int copies)
{
    Soup once = {0}, soup = {0};
    soup_groove(&once, 60, 8, 8);
    for (int copy = 0; copy < copies; ++copy)
    {
        for (size_t i = 0; i < once.count; ++i)
        {
            const Vector *v = once.triangles[i].v;
            int turn = copy % 3, step = 1 + copy / 3 % 2;
            soup_triangle(&soup, v[turn], v[(turn + step) % 3], v[(turn + 2 * step) % 3]);
        }
    }
    soup_free(&once);
    return soup;
}

Test(ground, copies_of_one_side_of_a_groove_leave_room_for_the_other)
{
    const int copies[4] = {1, 17, 33, 64};
    for (int i = 0; i < 4; ++i)
    {
        Scene scene = scene_of(groove_of_copies(copies[i]), person_at(60));
        Agent agent = agent_at(.05, 2.5, -4);
        scene_ticks(&scene, &agent, vector(0, 0, 0), 120);
        cr_expect(is_grounded(&agent), "%d copies: hangs in the air", copies[i]);
        double from = agent.body.center.z;
        scene_ticks(&scene, &agent, vector(0, 0, .02), 300);
        cr_expect(is_grounded(&agent) && agent.body.center.z - from > 5.88, "%d copies: %g m", copies[i],
                  agent.body.center.z - from);
        scene_close(&scene);
    }
}

/* ---- large triangles ---- */

/* A kerb .2 m high whose every triangle is thousands of metres long, across the path of an agent in direction z. The
 * riser comes first. */
static Soup long_kerb(double half, double turn)
{
    Soup soup = {0};
    Rotation rotation = rotation_about_y(turn);
    soup_quad(&soup, vector(-half, 0, 0), vector(-half, .2, 0), vector(half, .2, 0), vector(half, 0, 0));
    soup_triangle(&soup, vector(-half, .2, 0), vector(0, .2, half), vector(half, .2, 0));
    soup_triangle(&soup, vector(-half, 0, 0), vector(half, 0, 0), vector(0, 0, -half));
    soup_turn(&soup, &rotation);
    return soup;
}

static bool steps_up(double skin, double half, Random *random)
{
    double turn = random_between(random, 0, 6.28), aside = random_between(random, -.1, .1) * half;
    Rotation rotation = rotation_about_y(turn);
    SceneOptions options = person_at(60);
    options.profile.step_up = .3f;
    options.profile.skin = (float)skin;
    Scene scene = scene_of(long_kerb(half, turn), options);
    Agent agent = agent_in(vector_rotated(&rotation, vector(aside, .9 * (1 + skin) + .01, -1.05)));
    agent.body.flags = SIDLE_BODY_GROUNDED;
    uint32_t reasons = 0;
    for (int tick = 0; tick < 100; ++tick)
    {
        scene_tick(&scene, &agent, vector_rotated(&rotation, vector(0, 0, .025)));
        reasons |= agent.reasons;
    }
    scene_close(&scene);
    return reasons == 0 && agent.body.center.y > .9 * (1 + skin) + .18;
}

Test(ground, a_kerb_is_climbed_with_any_skin_and_length_of_its_triangles)
{
    const double skins[3] = {.005, .02, .1}, halves[5] = {5, 1000, 2000, 3000, 5000};
    Random random = random_seeded(6);
    for (int i = 0; i < 15; ++i)
    {
        int hindered = 0;
        for (int walk = 0; walk < 40; ++walk)
        {
            hindered += !steps_up(skins[i % 3], halves[i / 3], &random);
        }
        cr_expect_eq(hindered, 0, "skin %g, triangles of %g m: %d of 40", skins[i % 3], halves[i / 3],
                     hindered);
    }
}
