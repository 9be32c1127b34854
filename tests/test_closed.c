/* Closed meshes and instances: which meshes are closed, which instances may be, and free places beside them. SIDLE_PLACES says how many
 * places are compared. */
#include "support/scene.h"
#include "support/shells.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- meshes ---- */

static bool is_closed(Shell shell)
{
    bool closed = sidle_mesh_is_closed(shell.mesh);
    shell_close(&shell);
    return closed;
}

/* Without the last triangle, or with its corners exchanged. */
static Shell damaged(Shell shell, bool flipped)
{
    Soup soup = soup_copy(&shell.soup);
    SoupTriangle last = soup.triangles[--soup.count];
    if (flipped)
    {
        soup_triangle(&soup, last.v[0], last.v[2], last.v[1]);
    }
    shell_close(&shell);
    return shell_of(soup);
}

Test(closed, meshes_whose_edges_match_are_closed)
{
    for (uint32_t kind = SIDLE_SOLID_BOX; kind <= SIDLE_SOLID_HULL; ++kind)
    {
        cr_expect(is_closed(shell_solid(kind)), "solid %u", kind);
    }
    cr_expect(is_closed(shell_torus(7, 9)));
    cr_expect(is_closed(shell_hollow()));
    cr_expect(is_closed(shell_flipped(shell_torus(7, 9))));
    for (uint64_t seed = 1; seed < 20; ++seed)
    {
        cr_expect(is_closed(shell_voxels(seed)), "edges of four triangles, seed %u", (unsigned)seed);
    }
}

Test(closed, a_missing_or_a_flipped_triangle_opens_a_mesh)
{
    for (uint32_t kind = SIDLE_SOLID_BOX; kind <= SIDLE_SOLID_HULL; ++kind)
    {
        cr_expect_not(is_closed(damaged(shell_solid(kind), false)), "solid %u", kind);
        cr_expect_not(is_closed(damaged(shell_solid(kind), true)), "solid %u", kind);
    }
    Soup plate = {0};
    soup_plate(&plate, -1, 1, -1, 1, 0);
    cr_expect_not(is_closed(shell_of(plate)));
    cr_expect_not(is_closed(shell_of((Soup){0})), "nothing");
    cr_expect_eq(sidle_mesh_is_closed(NULL), 0);
}

/* -0 and 0 are one number, and a triangle without an area opens nothing. */
Test(closed, equal_numbers_and_degenerate_triangles_close)
{
    Soup soup = {0};
    Vector o = vector(0, 0, 0), minus = vector(-0., -0., -0.), x = vector(1, 0, 0), y = vector(0, 1, 0),
           z = vector(0, 0, 1);
    soup_triangle(&soup, o, y, x);
    soup_triangle(&soup, minus, x, z);
    soup_triangle(&soup, o, z, y);
    soup_triangle(&soup, x, y, z);
    soup_triangle(&soup, x, x, z);
    cr_expect(is_closed(shell_of(soup)));
}

Test(closed, a_refit_without_a_triangle_is_open_and_one_with_all_is_closed)
{
    const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = 4,
                            .triangle_count = 4,
                            .indices = indices};
    sidle_mesh *mesh, *open, *whole;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    cr_expect(sidle_mesh_is_closed(mesh));
    indices[6] = SIDLE_NO_TRIANGLE;
    demand(sidle_mesh_refit(mesh, &desc, NULL, NULL, &open), "sidle_mesh_refit");
    cr_expect_not(sidle_mesh_is_closed(open));
    indices[6] = 0;
    demand(sidle_mesh_refit(open, &desc, NULL, NULL, &whole), "sidle_mesh_refit");
    cr_expect(sidle_mesh_is_closed(whole));
    sidle_mesh_release(mesh);
    sidle_mesh_release(open);
    sidle_mesh_release(whole);
}

static sidle_mesh *field_mesh(void)
{
    const uint16_t heights[9] = {0, 1, 0, 1, 2, 1, 0, 1, 0};
    sidle_field_desc desc = {.size = sizeof desc,
                             .heights = heights,
                             .columns = 3,
                             .rows = 3,
                             .spacing_x = 1,
                             .spacing_z = 1,
                             .scale = 1};
    sidle_mesh *mesh;
    demand(sidle_mesh_create_field(&desc, NULL, &mesh), "sidle_mesh_create_field");
    return mesh;
}

/* ---- instances ---- */

Test(closed, a_heightfield_is_refused_as_a_closed_instance)
{
    sidle_world *world;
    sidle_instance instance;
    sidle_mesh *field = field_mesh(), *box = shell_mesh(shell_solid(SIDLE_SOLID_BOX));
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = field, .flags = SIDLE_INSTANCE_CLOSED}, read;
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    cr_expect_eq(sidle_mesh_is_closed(field), 0);
    cr_expect_eq(sidle_world_add(world, &desc, &instance), SIDLE_ERROR_UNSUPPORTED);
    cr_expect(strstr(sidle_world_error(world)->text, "never closed") != NULL);
    desc.mesh = box;
    demand(sidle_world_add(world, &desc, &instance), "sidle_world_add");
    cr_expect_eq(sidle_world_replace(world, instance, field), SIDLE_ERROR_UNSUPPORTED);
    demand(sidle_world_get(world, instance, &read), "sidle_world_get");
    cr_expect(read.flags == SIDLE_INSTANCE_CLOSED && read.mesh == box);
    sidle_world_destroy(world);
    sidle_mesh_release(field);
    sidle_mesh_release(box);
}

/* ---- free places ---- */

#define MOST 16

typedef struct Solids
{
    sidle_world *world;
    sidle_snapshot *snapshot;
} Solids;

static void solids_add(Solids *solids, sidle_mesh *mesh, sidle_pose pose, uint32_t flags)
{
    sidle_instance instance;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose = pose, .flags = flags};
    if (!solids->world)
    {
        demand(sidle_world_create(NULL, NULL, &solids->world), "sidle_world_create");
    }
    demand(sidle_world_add(solids->world, &desc, &instance), "sidle_world_add");
    sidle_mesh_release(mesh);
}

static void solids_commit(Solids *solids)
{
    demand(sidle_world_commit(solids->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(solids->world, &solids->snapshot), "sidle_world_snapshot");
}

static void solids_close(Solids *solids)
{
    sidle_snapshot_release(solids->snapshot);
    sidle_world_destroy(solids->world);
}

static bool find(const Solids *solids, const sidle_shape *shape, Vector center, double radius, Vector *out)
{
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = {center.x, center.y, center.z}, .shape = *shape},
                            .radius = (float)radius};
    sidle_position found;
    uint32_t any;
    demand(sidle_place_find_free(solids->snapshot, 0, &desc, &found, &any), "sidle_place_find_free");
    *out = vector(found.x, found.y, found.z);
    return any;
}

static const sidle_shape ball = {{.25f, .25f, .25f}, 0}, capsule = {{.2f, .2f, .2f}, .3f};

/* Half extents 6, 4, 3. */
Test(closed, from_within_a_box_the_nearest_free_place_is_past_its_nearest_face)
{
    Solids solids = {0};
    solids_add(&solids, shell_mesh(shell_solid(SIDLE_SOLID_BOX)), (sidle_pose){.scale = {-4, 4, 4}},
               SIDLE_INSTANCE_CLOSED);
    solids_commit(&solids);
    Random random = random_seeded(12);
    for (int i = 0; i < 300; ++i)
    {
        Vector p = random_in_box(&random, vector(-6, -4, -3), vector(6, 4, 3)), out;
        double least = fmin(6 - fabs(p.x), fmin(4 - fabs(p.y), 3 - fabs(p.z))) + .25 * 1.02;
        cr_assert(find(&solids, &ball, p, 8, &out), "(%g %g %g)", p.x, p.y, p.z);
        double distance = vector_distance(p, out);
        cr_expect(distance >= least * (1 - 1e-4) && distance < least * 1.1, "(%g %g %g): by %g, not %g", p.x,
                  p.y, p.z, distance, least);
        cr_expect_not(find(&solids, &ball, p, least * .99, &out), "within less than %g", least);
    }
    solids_close(&solids);
}

Test(closed, an_instance_that_is_not_closed_is_empty)
{
    Solids solids = {0};
    solids_add(&solids, shell_mesh(shell_solid(SIDLE_SOLID_BOX)), (sidle_pose){.scale = {4, 4, 4}}, 0);
    solids_commit(&solids);
    Vector out;
    cr_expect(find(&solids, &ball, vector(1, 0, .5), 8, &out) && vector_same_bits(out, vector(1, 0, .5)));
    solids_close(&solids);
}

/* The nearest faces of a box of half extents 6, 4, 3 are within two others, of 12, 8, 3.75: those leave a gap between them or none. */
Test(closed, a_place_beyond_other_solids_is_found)
{
    for (int gap = 0; gap < 2; ++gap)
    {
        Solids solids = {0};
        solids_add(&solids, shell_mesh(shell_solid(SIDLE_SOLID_BOX)), (sidle_pose){.scale = {4, 4, 4}},
                   SIDLE_INSTANCE_CLOSED);
        for (int side = -1; side <= 1; side += 2)
        {
            solids_add(&solids, shell_mesh(shell_solid(SIDLE_SOLID_BOX)),
                       (sidle_pose){.position = {0, 0, (gap ? 6 : 3.9) * side}, .scale = {8, 8, 5}},
                       SIDLE_INSTANCE_CLOSED);
        }
        solids_commit(&solids);
        Vector out, from = vector(.5, .25, .125);
        double least = (gap ? 4 : 7.65) + .25 * 1.02;
        cr_assert(find(&solids, &ball, from, 20, &out), "none is found, gap %d", gap);
        double moved = gap ? fabs(out.y) : fabs(out.z);
        cr_expect(moved >= least - 1e-4 && vector_distance(from, out) < least * 1.1, "(%g %g %g), gap %d",
                  out.x, out.y, out.z, gap);
        solids_close(&solids);
    }
}

/* Shells of all kinds at random. */
static uint32_t add_at_random(Solids *solids, Random *random, Shell shells[MOST], sidle_pose poses[MOST])
{
    uint32_t count = 1 + random_below(random, MOST);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t kind = random_below(random, 7);
        shells[i] = kind < 5 ? shell_solid(kind) : kind == 5 ? shell_torus(9, 7) : shell_hollow();
        Vector at = random_in_box(random, vector(-6, -2, -6), vector(6, 2, 6));
        float size = (float)random_between(random, .7, 2);
        poses[i] = (sidle_pose){.position = {at.x, at.y, at.z}, .scale = {size, -size, size}};
        sidle_mesh_retain(shells[i].mesh);
        solids_add(solids, shells[i].mesh, poses[i], SIDLE_INSTANCE_CLOSED);
    }
    solids_commit(solids);
    return count;
}

Test(closed, no_place_that_is_found_is_inside)
{
    const char *given = getenv("SIDLE_PLACES");
    int rounds = given ? atoi(given) : 60, found = 0, asked = 0;
    Random random = random_seeded(13);
    for (int round = 0; round < rounds; ++round)
    {
        Solids solids = {0};
        Shell shells[MOST];
        sidle_pose poses[MOST];
        uint32_t count = add_at_random(&solids, &random, shells, poses);
        for (int i = 0; i < 20; ++i)
        {
            Vector p = random_in_box(&random, vector(-6, -2, -6), vector(6, 2, 6)), out;
            bool any = find(&solids, i % 2 ? &ball : &capsule, p, 12, &out);
            found += any;
            asked += 1;
            for (uint32_t k = 0; k < count && any; ++k)
            {
                const sidle_position *at = &poses[k].position;
                double size = (double)poses[k].scale.x;
                Vector local =
                    vector((out.x - at->x) / size, -(out.y - at->y) / size, (out.z - at->z) / size);
                cr_expect_not(shell_holds(&shells[k], local), "round %d: (%g %g %g) is inside", round, out.x,
                              out.y, out.z);
            }
        }
        for (uint32_t k = 0; k < count; ++k)
        {
            shell_close(&shells[k]);
        }
        solids_close(&solids);
    }
    cr_expect_gt(found, asked * 9 / 10, "%d of %d are found", found, asked);
}
