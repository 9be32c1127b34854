/* A heightfield answers as a mesh of its triangles does, to the last bit. */
#include "support/scene.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 38, /* samples; an odd number of cells, and more than one leaf */
    ROWS = 27,
    CELLS = (COLUMNS - 1) * (ROWS - 1),
    AGENTS = 120,
    TICKS = 90,
    CASTS = 3000,
    PLACES = 600
};

typedef struct Ground
{
    uint16_t heights[ROWS * COLUMNS];
    float heights_f[ROWS * COLUMNS];
    uint8_t surfaces[CELLS];
    sidle_field_desc desc;
} Ground;

/* Hills of 2 units, with steps, and holes in a tenth of the cells. */
static void ground_set(Ground *ground, bool floats)
{
    Random random = random_seeded(floats ? 3 : 4);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
    {
        int x = i % COLUMNS, z = i / COLUMNS;
        double y = sin(x * .35) * cos(z * .4) + (random_between(&random, 0, 1) < .1 ? .3 : 0);
        ground->heights[i] = (uint16_t)(32768 + 8000 * y);
        ground->heights_f[i] = (float)y;
    }
    for (int i = 0; i < CELLS; ++i)
    {
        double dice = random_between(&random, 0, 1);
        ground->surfaces[i] = dice < .1 ? SIDLE_FIELD_HOLE : (uint8_t)(dice * 10);
    }
    ground->desc = (sidle_field_desc){.size = sizeof ground->desc,
                                      .heights = floats ? NULL : ground->heights,
                                      .heights_f = floats ? ground->heights_f : NULL,
                                      .columns = COLUMNS,
                                      .rows = ROWS,
                                      .spacing_x = .7f,
                                      .spacing_z = .9f,
                                      .scale = 1.f / 7000,
                                      .base = -4.7f,
                                      .surfaces = ground->surfaces,
                                      .origin = {-12.5, 0, -11.25}};
}

static sidle_mesh *field_of(const Ground *ground)
{
    sidle_mesh *field = NULL;
    demand(sidle_mesh_create_field(&ground->desc, NULL, &field), "sidle_mesh_create_field");
    return field;
}

/* The same triangles, numbered alike; those of holes are far below. */
static sidle_mesh *mesh_of(const Ground *ground, const sidle_mesh *field)
{
    static sidle_triangle triangles[2 * CELLS];
    static double corners[2 * CELLS][9];
    static uint16_t surfaces[2 * CELLS];
    demand(sidle_mesh_get_triangles(field, 0, 2 * CELLS, triangles), "sidle_mesh_get_triangles");
    for (int t = 0; t < 2 * CELLS; ++t)
    {
        bool is_hole = ground->surfaces[t / 2] == SIDLE_FIELD_HOLE;
        surfaces[t] = triangles[t].surface;
        for (int i = 0; i < 3; ++i)
        {
            sidle_position v = triangles[t].vertices[i];
            cr_assert(!is_hole || (v.x == 0 && v.y == 0 && v.z == 0), "a hole");
            corners[t][3 * i] = v.x;
            corners[t][3 * i + 1] = is_hole ? -1e5 : v.y;
            corners[t][3 * i + 2] = v.z;
        }
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = corners[0],
                            .vertex_count = 6 * CELLS,
                            .triangle_count = 2 * CELLS,
                            .surfaces = surfaces,
                            .origin = &ground->desc.origin};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    return mesh;
}

/* The ground as a field or a mesh, placed by one of these poses. */
static const sidle_pose poses[] = {{.rotation = {0, 0, 0, 1}},
                                   {{.5, -.25, 1}, {0, .3f, 0, .9f}, {1, 1, 1}},
                                   {{.5, -.25, 1}, {.05f, .3f, 0, .9f}, {1.25f, 1.25f, 1.25f}},
                                   {{0, 0, 0}, {.05f, .3f, .1f, .9f}, {1.5f, 1, -1.25f}}};

static sidle_snapshot *place(sidle_mesh *mesh, const sidle_pose *pose, bool moves, sidle_world **world)
{
    sidle_instance id;
    sidle_snapshot *snapshot = NULL;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose = *pose, .key = 7};
    demand(sidle_world_create(NULL, NULL, world), "sidle_world_create");
    demand(sidle_world_add(*world, &desc, &id), "sidle_world_add");
    if (moves)
    {
        sidle_pose to = *pose;
        to.position.y += .05;
        to.rotation.y += .01f;
        demand(sidle_world_move(*world, id, NULL, &to), "sidle_world_move");
    }
    demand(sidle_world_commit(*world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(*world, &snapshot), "sidle_world_snapshot");
    return snapshot;
}

typedef void Run(sidle_snapshot *snapshot, uint32_t lanes, void *out);

/* Runs on both, in every pose, at rest and in motion. */
static void expect_same(Run *run, size_t size)
{
    static Ground ground;
    char *of_field = malloc(size), *of_mesh = malloc(size);
    cr_assert(of_field && of_mesh);
    for (int variant = 0; variant < 16; ++variant)
    {
        ground_set(&ground, variant & 1);
        sidle_mesh *field = field_of(&ground), *mesh = mesh_of(&ground, field);
        const sidle_pose *pose = &poses[variant / 4];
        sidle_world *worlds[2];
        sidle_snapshot *snapshots[2] = {place(field, pose, variant & 2, &worlds[0]),
                                        place(mesh, pose, variant & 2, &worlds[1])};
        const uint32_t lanes[] = {1, 4, 8};
        for (int i = 0; i < 3; ++i)
        {
            if (sidle_cast_lanes(lanes[i]) != lanes[i])
            {
                continue; /* not on this processor */
            }
            memset(of_field, 0, size);
            memset(of_mesh, 0, size);
            run(snapshots[0], lanes[i], of_field);
            run(snapshots[1], lanes[i], of_mesh);
            cr_expect_eq(memcmp(of_field, of_mesh, size), 0, "variant %d, %u lanes", variant, lanes[i]);
        }
        for (int i = 0; i < 2; ++i)
        {
            sidle_snapshot_release(snapshots[i]);
            sidle_world_destroy(worlds[i]);
        }
        sidle_mesh_release(field);
        sidle_mesh_release(mesh);
    }
    free(of_field);
    free(of_mesh);
}

static sidle_position somewhere(Random *random, double low, double high)
{
    return (sidle_position){random_between(random, -12, 12), random_between(random, low, high),
                            random_between(random, -11, 11)};
}

static sidle_vec3 some_displacement(Random *random, double size)
{
    return (sidle_vec3){(float)random_between(random, -size, size),
                        (float)random_between(random, -size, size),
                        (float)random_between(random, -size, size)};
}

/* ---- ticks ---- */

static void run_ticks(sidle_snapshot *snapshot, uint32_t lanes, void *out)
{
    const sidle_profile profiles[2] = {{.size = sizeof *profiles, .shape.radii = {.3f, .9f, .3f}},
                                       {.size = sizeof *profiles, .shape = {{.3f, .3f, .3f}, .6f}}};
    const sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = profiles, .profile_count = 2, .lanes = lanes};
    static sidle_move moves[AGENTS];
    sidle_crowd *crowd = NULL;
    sidle_result *results = out;
    Random random = random_seeded(9);
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    memset(moves, 0, sizeof moves);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].profile = i % 2;
        moves[i].body.center = somewhere(&random, 1, 4);
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .results = results,
                            .count = AGENTS};
    for (int t = 0; t < TICKS; ++t)
    {
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            sidle_vec3 step = some_displacement(&random, .1);
            moves[i].displacement = (sidle_vec3){step.x, 0, step.z};
        }
        demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
    }
    uint32_t standing = 0;
    for (int i = 0; i < AGENTS; ++i)
    {
        standing += results[i].body.ground.generation > 0;
    }
    cr_assert_gt(standing, AGENTS / 4);
    sidle_crowd_destroy(crowd);
}

Test(field, agents_move_as_on_a_mesh)
{
    expect_same(run_ticks, AGENTS * sizeof(sidle_result));
}

/* ---- casts ---- */

static const sidle_shape shapes[] = {
    {{0, 0, 0}, 0}, {{.4f, .4f, .4f}, 0}, {{.3f, .8f, .4f}, 0}, {{.3f, .3f, .3f}, .5f}};

static void run_casts(sidle_snapshot *snapshot, uint32_t lanes, void *out)
{
    static sidle_cast casts[CASTS];
    Random random = random_seeded(10);
    for (int i = 0; i < CASTS; ++i)
    {
        casts[i] = (sidle_cast){.origin = somewhere(&random, -1, 3),
                                .rotation = {.1f, .2f, 0, .9f},
                                .displacement = some_displacement(&random, i % 3 ? .4 : 15),
                                .shape = shapes[i % 4]};
    }
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = snapshot,
                                   .motion_time = .5f,
                                   .lanes = lanes,
                                   .casts = casts,
                                   .count = CASTS,
                                   .hits = out};
    demand(sidle_cast_batch(&batch), "sidle_cast_batch");
    uint32_t hit = 0;
    for (int i = 0; i < CASTS; ++i)
    {
        hit += batch.hits[i].hit != SIDLE_CAST_MISS;
    }
    cr_assert(hit > CASTS / 8 && hit < CASTS, "%u hits", hit);
}

Test(field, casts_hit_as_on_a_mesh)
{
    expect_same(run_casts, CASTS * sizeof(sidle_cast_hit));
}

/* ---- places ---- */

typedef struct Answers
{
    sidle_overlap overlaps[16];
    uint32_t count, hit_count;
    sidle_closest closest;
    sidle_cast_hit hits[8];
    sidle_position free;
} Answers;

static void run_places(sidle_snapshot *snapshot, uint32_t lanes, void *out)
{
    uint32_t overlapping = 0;
    Random random = random_seeded(11);
    for (int i = 0; i < PLACES && lanes == 1; ++i)
    {
        Answers *a = (Answers *)out + i;
        sidle_place place = {.center = somewhere(&random, -1, 2), .shape = shapes[1 + i % 3]};
        sidle_cast cast = {.origin = place.center,
                           .displacement = some_displacement(&random, i % 4 ? 4 : 20),
                           .shape = shapes[i % 4]};
        uint32_t found;
        demand(sidle_place_overlaps(snapshot, .5f, &place, a->overlaps, 16, &a->count), "overlaps");
        demand(sidle_cast_all(snapshot, .5f, &cast, a->hits, 8, &a->hit_count), "sidle_cast_all");
        sidle_free_desc free_desc = {.size = sizeof free_desc, .place = place, .radius = 3};
        demand(sidle_place_find_free(snapshot, .5f, &free_desc, &a->free, &found), "find_free");
        demand(sidle_place_closest(snapshot, .5f, &place, 2, &a->closest), "closest");
        answers_keep_fields(a->overlaps, a->count < 16 ? a->count : 16, &a->closest);
        overlapping += a->count > 0;
    }
    cr_assert(lanes > 1 || overlapping > PLACES / 8);
}

Test(field, places_are_as_on_a_mesh)
{
    expect_same(run_places, PLACES * sizeof(Answers));
}

/* ---- limits ---- */

Test(field, takes_few_bytes_a_sample)
{
    enum
    {
        SIDE = 500
    };
    static uint16_t heights[SIDE * SIDE];
    static uint8_t surfaces[(SIDE - 1) * (SIDE - 1)];
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (uint16_t)(i * 7919);
    }
    sidle_field_desc desc = {.size = sizeof desc,
                             .heights = heights,
                             .columns = SIDE,
                             .rows = SIDE,
                             .spacing_x = 1,
                             .spacing_z = 1,
                             .scale = 1e-3f,
                             .surfaces = surfaces};
    sidle_mesh *mesh = NULL;
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_create_field(&desc, NULL, &mesh), "sidle_mesh_create_field");
    demand(sidle_mesh_get_info(mesh, &info), "sidle_mesh_get_info");
    cr_expect_lt((double)info.bytes / (SIDE * SIDE), 4, "%g bytes a sample",
                 (double)info.bytes / (SIDE * SIDE));
    cr_expect(info.triangle_count == 2 * (SIDE - 1) * (SIDE - 1) && info.max.x == SIDE - 1 &&
              info.min.z == 0);
    size_t size;
    cr_expect_eq(sidle_mesh_save(mesh, NULL, 0, &size), SIDLE_ERROR_UNSUPPORTED);
    sidle_mesh_release(mesh);
}

Test(field, a_field_of_holes_is_empty)
{
    static Ground ground;
    ground_set(&ground, false);
    memset(ground.surfaces, SIDLE_FIELD_HOLE, sizeof ground.surfaces);
    sidle_mesh *field = field_of(&ground);
    sidle_world *world;
    sidle_snapshot *snapshot = place(field, &poses[0], false, &world);
    sidle_cast cast = {.origin = {0, 9, 0}, .displacement = {0, -20, 0}};
    sidle_cast_hit hit;
    demand(sidle_cast_closest(snapshot, 0, &cast, &hit), "sidle_cast_closest");
    cr_expect_eq(hit.hit, SIDLE_CAST_MISS);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    sidle_mesh_release(field);
}

static void is_refused(const sidle_field_desc *desc, sidle_status status, const char *text)
{
    sidle_error error = {0};
    sidle_field_desc with_error = *desc;
    sidle_mesh *mesh = NULL;
    with_error.error = &error;
    cr_expect_eq(sidle_mesh_create_field(&with_error, NULL, &mesh), status, "%s", text);
    cr_expect_null(mesh);
    cr_expect(strstr(error.text, text) != NULL, "'%s' does not say '%s'", error.text, text);
}

Test(field, an_invalid_desc_is_refused_with_a_sentence)
{
    static Ground ground;
    ground_set(&ground, false);
    sidle_field_desc desc = ground.desc;
    desc.heights_f = ground.heights_f;
    is_refused(&desc, SIDLE_ERROR_ARGUMENT, "both given");
    desc = ground.desc;
    desc.columns = 1;
    is_refused(&desc, SIDLE_ERROR_ARGUMENT, "at least 2");
    desc.columns = UINT32_MAX;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "triangles");
    desc = ground.desc;
    desc.spacing_x = 0;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "spacing_x");
    desc.spacing_x = NAN;
    is_refused(&desc, SIDLE_ERROR_NOT_FINITE, "spacing_x");
    desc.spacing_x = 1e8f;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "extent along x");
    desc = ground.desc;
    desc.scale = 1e9f;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "height of a sample");
    ground_set(&ground, true);
    ground.heights_f[77] = INFINITY;
    is_refused(&ground.desc, SIDLE_ERROR_NOT_FINITE, "sample 77");
}
