/* Places inside closed instances, against the solid angle of the mesh (A. van Oosterom, J. Strackee, "The Solid Angle of a Plane
 * Triangle", 1983). SIDLE_PLACES says how many points are compared for each mesh. */
#include "support/oracle.h"
#include "support/scene.h"
#include "support/shells.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

/* ---- worlds ---- */

#define INSTANCES 4

typedef struct World
{
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_instance ids[INSTANCES];
} World;

/* Takes the meshes. `to`: where an instance moves; NULL: they rest. */
static World world_of(const sidle_instance_desc *descs, uint32_t count, const sidle_pose *to)
{
    World w = {0};
    demand(sidle_world_create(NULL, NULL, &w.world), "sidle_world_create");
    for (uint32_t i = 0; i < count; ++i)
    {
        demand(sidle_world_add(w.world, &descs[i], &w.ids[i]), "sidle_world_add");
        if (to)
        {
            demand(sidle_world_move(w.world, w.ids[i], &descs[i].pose, &to[i]), "sidle_world_move");
        }
    }
    demand(sidle_world_commit(w.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(w.world, &w.snapshot), "sidle_world_snapshot");
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_mesh_release(descs[i].mesh);
    }
    return w;
}

static void world_close(World *w)
{
    sidle_snapshot_release(w->snapshot);
    sidle_world_destroy(w->world);
}

static sidle_instance_desc closed(sidle_mesh *mesh, sidle_pose pose, uint64_t key)
{
    return (sidle_instance_desc){.size = sizeof(sidle_instance_desc),
                                 .mesh = mesh,
                                 .pose = pose,
                                 .key = key,
                                 .flags = SIDLE_INSTANCE_CLOSED};
}

static sidle_inside inside_at(const World *w, float time, const sidle_place *place)
{
    sidle_inside out;
    demand(sidle_place_inside(w->snapshot, time, place, &out), "sidle_place_inside");
    return out;
}

static bool is_inside(const World *w, float time, Vector point)
{
    sidle_place place = {.center = {point.x, point.y, point.z}};
    return inside_at(w, time, &place).found;
}

static int places(int least)
{
    const char *given = getenv("SIDLE_PLACES");
    return given ? atoi(given) : least;
}

/* ---- random points ---- */

static sidle_pose random_pose(Random *random, int style)
{
    double size = style % 3 == 0 ? 1e4 : 1;
    Vector position = random_in_box(random, vector(-9 * size, -9, -9), vector(9 * size, 9, 9));
    sidle_pose pose = {.position = {position.x, position.y, position.z}};
    Vector axis = random_direction(random);
    double half = random_between(random, 0, 3);
    pose.rotation = (sidle_quat){(float)(axis.x * sin(half)), (float)(axis.y * sin(half)),
                                 (float)(axis.z * sin(half)), (float)cos(half)};
    float *scale[3] = {&pose.scale.x, &pose.scale.y, &pose.scale.z};
    for (int i = 0; i < 3; ++i)
    {
        *scale[i] = (float)random_scale(random, style % 2 ? .01 : .5, style % 2 ? 30 : 2) *
                    (random_chance(random, .5) ? 1.f : -1.f);
    }
    return pose;
}

/* The place of a point of the mesh in the world. */
static Vector placed_at(const sidle_pose *pose, Vector p)
{
    Vector v = vector(p.x * (double)pose->scale.x, p.y * (double)pose->scale.y, p.z * (double)pose->scale.z);
    const sidle_quat *q = &pose->rotation;
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double n = x * x + y * y + z * z + w * w;
    Vector u = vector(x, y, z), uv = vector_cross(u, v), uuv = vector_cross(u, uv);
    v = vector_add(v, vector_scale(vector_add(vector_scale(uv, w), uuv), 2 / n));
    return vector_add(v, vector(pose->position.x, pose->position.y, pose->position.z));
}

/* Far enough from the surface that rounding does not decide. */
static bool is_clear(const Soup *soup, Vector p)
{
    bool clear = true;
    for (size_t i = 0; i < soup->count && clear; ++i)
    {
        clear = oracle_closest(soup->triangles[i].v, p).distance > 1e-7;
    }
    return clear;
}

static void compare(Shell shell, const char *what)
{
    Random random = random_seeded(5);
    int count = places(400), held = 0;
    for (int style = 0; style < 4; ++style)
    {
        sidle_pose pose = random_pose(&random, style);
        sidle_mesh_retain(shell.mesh);
        sidle_instance_desc desc = closed(shell.mesh, pose, 7);
        World w = world_of(&desc, 1, NULL);
        for (int i = 0; i < count; ++i)
        {
            Vector p = random_in_box(&random, vector(-2.2, -2.2, -2.2), vector(2.2, 2.2, 2.2));
            bool expected = shell_holds(&shell, p), got = is_inside(&w, 0, placed_at(&pose, p));
            held += expected;
            cr_expect(got == expected || !is_clear(&shell.soup, p), "%s, style %d: (%a %a %a) is %s", what,
                      style, p.x, p.y, p.z, expected ? "inside" : "outside");
        }
        world_close(&w);
    }
    cr_expect(held > count / 10 && held < 4 * count - count / 10, "%s: %d of %d are inside", what, held,
              4 * count);
    shell_close(&shell);
}

Test(inside, points_are_where_the_solid_angle_has_them)
{
    for (uint32_t kind = SIDLE_SOLID_BOX; kind <= SIDLE_SOLID_HULL; ++kind)
    {
        compare(shell_solid(kind), "a solid");
    }
    compare(shell_torus(12, 9), "a torus");
    compare(shell_hollow(), "a hollow ball");
    compare(shell_voxels(3), "cubes");
    compare(shell_flipped(shell_torus(5, 5)), "a torus that faces inwards");
}

/* ---- rays through edges and corners ---- */

/* Points above, below and within each corner of the mesh, and each middle of an edge. */
static void compare_columns(Shell shell, const char *what)
{
    Random random = random_seeded(6);
    sidle_mesh_retain(shell.mesh);
    sidle_instance_desc desc = closed(shell.mesh, (sidle_pose){.position = {0, 0, 0}}, 7);
    World w = world_of(&desc, 1, NULL);
    int compared = 0;
    for (size_t i = 0; i < 6 * shell.soup.count; ++i)
    {
        const Vector *v = shell.soup.triangles[i / 6].v;
        Vector a = v[i % 3], b = i % 6 < 3 ? a : v[(i + 1) % 3];
        Vector p = vector((a.x + b.x) / 2, random_between(&random, -2.2, 2.2), (a.z + b.z) / 2);
        if (is_clear(&shell.soup, p))
        {
            bool expected = shell_holds(&shell, p);
            cr_expect_eq(is_inside(&w, 0, p), expected, "%s: (%a %a %a) is %s", what, p.x, p.y, p.z,
                         expected ? "inside" : "outside");
            ++compared;
        }
    }
    cr_expect_gt(compared, 30, "%s", what);
    world_close(&w);
    shell_close(&shell);
}

Test(inside, a_ray_through_an_edge_or_a_corner_counts_once)
{
    for (uint32_t kind = SIDLE_SOLID_BOX; kind <= SIDLE_SOLID_HULL; ++kind)
    {
        compare_columns(shell_solid(kind), "a solid");
    }
    compare_columns(shell_torus(12, 9), "a torus");
    compare_columns(shell_hollow(), "a hollow ball");
    for (uint64_t seed = 1; seed < 30; ++seed)
    {
        compare_columns(shell_voxels(seed), "cubes");
    }
}

/* The wall is as thick as a float's last bit, and so are the steps of the points. */
Test(inside, points_next_to_a_face_are_on_the_right_side_of_it)
{
    sidle_instance_desc desc =
        closed(shell_mesh(shell_solid(SIDLE_SOLID_BOX)), (sidle_pose){.position = {0, 0, 0}}, 7);
    World w = world_of(&desc, 1, NULL);
    const double size[3] = {1.5, 1, .75};
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            double at[3] = {.25, .125, -.25}, face = side * size[axis];
            at[axis] = nextafter(face, 0);
            cr_expect(is_inside(&w, 0, vector(at[0], at[1], at[2])), "axis %d, side %d", axis, side);
            at[axis] = nextafter(face, 9 * face);
            cr_expect_not(is_inside(&w, 0, vector(at[0], at[1], at[2])), "axis %d, side %d", axis, side);
        }
    }
    world_close(&w);
}

/* ---- motion, several instances, filters ---- */

Test(inside, a_moving_instance_holds_what_it_reaches_at_that_time)
{
    sidle_pose to = {.position = {8, 0, 0}};
    sidle_instance_desc desc =
        closed(shell_mesh(shell_solid(SIDLE_SOLID_BOX)), (sidle_pose){.position = {0, 0, 0}}, 7);
    World w = world_of(&desc, 1, &to);
    for (int i = 0; i <= 8; ++i)
    {
        float time = i > 0 ? (float)i / 8 : SIDLE_MOTION_BEGIN;
        cr_expect(is_inside(&w, time, vector(i + 1.25, 0, 0)), "at %d", i);
        cr_expect_not(is_inside(&w, time, vector(i + 1.75, 0, 0)), "at %d", i);
        cr_expect_not(is_inside(&w, time, vector(i - 1.75, 0, 0)), "at %d", i);
    }
    world_close(&w);
}

/* Keys 9, 5 and 5 hold the origin; one more is not closed, with key 1. */
static World overlapping(void)
{
    sidle_instance_desc descs[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; ++i)
    {
        sidle_solid_desc solid = {
            .size = sizeof solid, .kind = SIDLE_SOLID_BALL, .radius = 1 + (float)i, .surface = i};
        sidle_mesh *mesh;
        demand(sidle_mesh_create_solid(&solid, NULL, &mesh), "sidle_mesh_create_solid");
        descs[i] = closed(mesh, (sidle_pose){.position = {.3, .2, .1}}, i == 0 ? 9 : 5);
        descs[i].member_of = 1u << i;
        descs[i].group = 10 + i;
    }
    descs[3].key = 1;
    descs[3].flags = 0;
    return world_of(descs, INSTANCES, NULL);
}

static void expect_holder(const World *w, const sidle_place *place, int expected)
{
    sidle_inside inside = inside_at(w, 0, place);
    cr_expect_eq(inside.found, expected >= 0, "%d expected", expected);
    if (expected >= 0)
    {
        cr_expect(inside.instance.index == w->ids[expected].index &&
                      inside.instance.generation == w->ids[expected].generation,
                  "instance %u, not %d", inside.instance.index, expected);
        cr_expect_eq(inside.instance_key, expected == 0 ? 9 : 5);
    }
    else
    {
        cr_expect(inside.instance_key == 0 && inside.instance.generation == 0);
    }
}

Test(inside, the_first_instance_is_found_that_no_filter_skips)
{
    World w = overlapping();
    sidle_place place = {.center = {0, 0, 0}};
    expect_holder(&w, &place, 1);
    place.ignore = w.ids[1];
    expect_holder(&w, &place, 2);
    place.ignored_group = 12;
    expect_holder(&w, &place, 0);
    place.ignored_surfaces = 1;
    expect_holder(&w, &place, -1);
    place = (sidle_place){.center = {0, 0, 0}, .collides_with = 4};
    expect_holder(&w, &place, 2);
    place.collides_with = 8;
    expect_holder(&w, &place, -1);
    place = (sidle_place){.center = {2.5, 0, 0}};
    expect_holder(&w, &place, 2);
    place.center.x = 3.5;
    expect_holder(&w, &place, -1);
    world_close(&w);
}

/* Of two slots: each is closed, open or empty in each epoch, and its mesh is replaced now and then. */
Test(inside, an_instance_holds_places_from_the_epoch_on_in_which_it_is_closed)
{
    Random random = random_seeded(15);
    sidle_mesh *box = shell_mesh(shell_solid(SIDLE_SOLID_BOX)),
               *ball = shell_mesh(shell_solid(SIDLE_SOLID_BALL));
    World w = world_of(NULL, 0, NULL);
    bool is_there[2] = {false, false}, is_closed[2] = {false, false};
    for (int epoch = 0; epoch < 200; ++epoch)
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            uint32_t what = random_below(&random, 5);
            if (what < 3 && is_there[i])
            {
                demand(sidle_world_remove(w.world, w.ids[i]), "sidle_world_remove");
                is_there[i] = is_closed[i] = false;
            }
            if (what < 2)
            {
                sidle_instance_desc desc = closed(box, (sidle_pose){.position = {20 * i, 0, 0}}, i);
                desc.flags = what == 0 ? SIDLE_INSTANCE_CLOSED : 0;
                demand(sidle_world_add(w.world, &desc, &w.ids[i]), "sidle_world_add");
                is_there[i] = true;
                is_closed[i] = what == 0;
            }
            if (what == 3 && is_there[i])
            {
                demand(sidle_world_replace(w.world, w.ids[i], epoch % 2 ? box : ball), "sidle_world_replace");
            }
        }
        sidle_snapshot_release(w.snapshot);
        demand(sidle_world_commit(w.world, NULL), "sidle_world_commit");
        demand(sidle_world_snapshot(w.world, &w.snapshot), "sidle_world_snapshot");
        for (uint32_t i = 0; i < 2; ++i)
        {
            cr_expect_eq(is_inside(&w, 0, vector(20 * i, .1, .2)), is_closed[i], "epoch %d, slot %u", epoch,
                         i);
        }
    }
    world_close(&w);
    sidle_mesh_release(box);
    sidle_mesh_release(ball);
}

/* The shape does not matter, but must be valid. */
Test(inside, invalid_requests_are_refused)
{
    World w = overlapping();
    sidle_place place = {.center = {0, 0, 0}, .shape = {{.4f, .4f, .4f}, .5f}};
    sidle_inside out;
    cr_expect_eq(sidle_place_inside(w.snapshot, 0, &place, &out), SIDLE_OK);
    cr_expect(out.found);
    cr_expect_eq(sidle_place_inside(NULL, 0, &place, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_inside(w.snapshot, 2, &place, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_inside(w.snapshot, 0, &place, NULL), SIDLE_ERROR_ARGUMENT);
    place.flags = 2;
    cr_expect_eq(sidle_place_inside(w.snapshot, 0, &place, &out), SIDLE_ERROR_ARGUMENT);
    place.flags = 0;
    place.center.y = NAN;
    cr_expect_eq(sidle_place_inside(w.snapshot, 0, &place, &out), SIDLE_ERROR_NOT_FINITE);
    cr_expect(out.found, "a refused call changes nothing");
    place.center.y = 1e12;
    cr_expect_eq(sidle_place_inside(w.snapshot, 0, &place, &out), SIDLE_ERROR_LIMIT);
    world_close(&w);
}
