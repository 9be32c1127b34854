/* A refit answers as a bake of the same triangles. */
#include "support/heap.h"
#include "support/sheet.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASTS 2000

/* Rays, balls, ellipsoids and capsules, that start above, in and below the sheet. */
static sidle_cast cast_of(Random *random, uint32_t i)
{
    float r = (float)random_between(random, .05, .6);
    sidle_cast cast = {.origin = {random_between(random, -13, 13), random_between(random, -2, 4),
                                  random_between(random, -13, 13)},
                       .displacement = {(float)random_between(random, -4, 4),
                                        (float)random_between(random, -6, 2),
                                        (float)random_between(random, -4, 4)}};
    cast.shape.radii = (sidle_vec3){r, i % 4 == 2 ? 2 * r : r, r};
    cast.shape.half_height = i % 4 == 3 ? r : 0;
    cast.shape.radii = i % 4 == 0 ? (sidle_vec3){0, 0, 0} : cast.shape.radii;
    return cast;
}

/* The bits of all answers; zeros where fields leave gaps. */
static uint32_t answers_that_differ(sidle_snapshot *one, sidle_snapshot *other, uint32_t *hits)
{
    Random random = random_seeded(5);
    uint32_t wrong = 0;
    *hits = 0;
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        sidle_cast cast = cast_of(&random, i);
        sidle_cast_hit a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        demand(sidle_cast_closest(one, 0, &cast, &a), "sidle_cast_closest");
        demand(sidle_cast_closest(other, 0, &cast, &b), "sidle_cast_closest");
        wrong += a.hit != b.hit || a.t != b.t || a.triangle != b.triangle || a.surface != b.surface ||
                 a.feature != b.feature || a.point.x != b.point.x || a.point.y != b.point.y ||
                 a.normal.x != b.normal.x || a.normal.z != b.normal.z;
        *hits += a.hit != SIDLE_CAST_MISS;
    }
    return wrong;
}

static void expect_equal_answers(sidle_mesh *one, sidle_mesh *other)
{
    sidle_instance instance;
    sidle_world *a = sheet_world(one, &instance), *b = sheet_world(other, &instance);
    sidle_snapshot *of_a = sheet_snapshot(a), *of_b = sheet_snapshot(b);
    uint32_t hits, wrong = answers_that_differ(of_a, of_b, &hits);
    cr_expect(wrong == 0 && hits > CASTS / 4, "%u of %u answers differ, %u hits", wrong, CASTS, hits);
    sidle_snapshot_release(of_a);
    sidle_snapshot_release(of_b);
    sidle_world_destroy(a);
    sidle_world_destroy(b);
}

Test(refit, answers_as_a_bake_of_the_same_triangles)
{
    Sheet *flat = sheet_at(0);
    for (int step = 0; step < 4; ++step)
    {
        Sheet *moved = sheet_at(.7 * step);
        sidle_mesh *first = sheet_baked(flat);
        expect_equal_answers(sheet_refitted(first, moved, NULL), sheet_baked(moved));
        sidle_mesh_release(first);
        free(moved);
    }
    free(flat);
}

/* Triangles without an index, each shrunk about its first corner; 1: they touch, and the bake merges their vertices. */
static sidle_mesh *soup_of(const sidle_mesh *from, const Sheet *sheet, float size)
{
    float(*corners)[3] = calloc(3 * SHEET_TRIANGLES, sizeof *corners);
    for (uint32_t i = 0; i < 3 * SHEET_TRIANGLES; ++i)
    {
        const float *first = sheet->vertices[sheet->indices[i / 3][0]],
                    *own = sheet->vertices[sheet->indices[i / 3][i % 3]];
        for (int axis = 0; axis < 3; ++axis)
        {
            corners[i][axis] = i % 3 ? first[axis] + size * (own[axis] - first[axis]) : first[axis];
        }
    }
    sidle_mesh *mesh;
    sidle_mesh_desc desc = sheet_desc(sheet);
    desc.vertices_f = &corners[0][0];
    desc.vertex_count = 3 * SHEET_TRIANGLES;
    desc.indices = NULL;
    demand(from ? sidle_mesh_refit(from, &desc, NULL, NULL, &mesh)
                : sidle_mesh_create(&desc, NULL, NULL, &mesh),
           "sidle_mesh_create or _refit");
    free(corners);
    return mesh;
}

Test(refit, triangles_that_shared_vertices_can_part_and_join)
{
    Sheet *sheet = sheet_at(1);
    sidle_mesh *joined = soup_of(NULL, sheet, 1), *apart = soup_of(joined, sheet, .75f),
               *again = soup_of(apart, sheet, 1);
    expect_equal_answers(apart, soup_of(NULL, sheet, .75f));
    expect_equal_answers(again, joined);
    free(sheet);
}

static bool triangles_are_equal(const sidle_mesh *one, const sidle_mesh *other)
{
    sidle_triangle *a = calloc(SHEET_TRIANGLES, sizeof *a), *b = calloc(SHEET_TRIANGLES, sizeof *b);
    demand(sidle_mesh_get_triangles(one, 0, SHEET_TRIANGLES, a), "sidle_mesh_get_triangles");
    demand(sidle_mesh_get_triangles(other, 0, SHEET_TRIANGLES, b), "sidle_mesh_get_triangles");
    bool equal = memcmp(a, b, SHEET_TRIANGLES * sizeof *a) == 0;
    free(a);
    free(b);
    return equal;
}

/* The other triangles alone, in the same order: their numbers are those of the desc, so only hits are compared. */
static sidle_mesh *baked_without(const Sheet *sheet, uint32_t first, uint32_t end)
{
    Sheet *rest = malloc(sizeof *rest);
    *rest = *sheet;
    memmove(rest->indices[first], rest->indices[end], (SHEET_TRIANGLES - end) * sizeof *rest->indices);
    sidle_mesh *mesh;
    sidle_mesh_desc desc = sheet_desc(rest);
    desc.triangle_count = SHEET_TRIANGLES - (end - first);
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    free(rest);
    return mesh;
}

Test(refit, absent_triangles_are_not_hit_and_come_back)
{
    const uint32_t first = 300, end = 700;
    Sheet *whole = sheet_at(1), *holed = sheet_at(1);
    sheet_cut(holed, first, end);
    holed->vertices[10 * (SHEET_SIDE + 1) + 12][1] = NAN; /* only absent triangles have it */
    sidle_mesh *baked_whole = sheet_baked(whole), *with_hole = sheet_refitted(baked_whole, holed, NULL),
               *back = sheet_refitted(with_hole, whole, NULL);
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(with_hole, &info);
    cr_expect(triangles_are_equal(back, baked_whole) && !triangles_are_equal(with_hole, baked_whole));
    cr_expect_eq(info.triangle_count, SHEET_TRIANGLES);
    sidle_triangle absent;
    cr_expect_eq(sidle_mesh_get_triangles(with_hole, first, 1, &absent), SIDLE_OK);
    cr_expect(absent.vertices[0].x == 0 && absent.vertices[2].z == 0);
    size_t size;
    cr_expect_eq(sidle_mesh_save(with_hole, NULL, 0, &size), SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(sidle_mesh_save(back, NULL, 0, &size), SIDLE_OK);
    sidle_instance instance;
    sidle_world *a = sheet_world(with_hole, &instance),
                *b = sheet_world(baked_without(whole, first, end), &instance);
    sidle_snapshot *of_a = sheet_snapshot(a), *of_b = sheet_snapshot(b);
    Random random = random_seeded(8);
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        sidle_cast cast = cast_of(&random, i);
        sidle_cast_hit x, y;
        demand(sidle_cast_closest(of_a, 0, &cast, &x), "sidle_cast_closest");
        demand(sidle_cast_closest(of_b, 0, &cast, &y), "sidle_cast_closest");
        uint32_t number = y.triangle + (y.triangle >= first ? end - first : 0);
        cr_expect(x.hit == y.hit && x.t == y.t && (x.hit == SIDLE_CAST_MISS || x.triangle == number),
                  "cast %u: %u at %g on %u, %u at %g on %u", i, x.hit, x.t, x.triangle, y.hit, y.t, number);
    }
    sidle_snapshot_release(of_a);
    sidle_snapshot_release(of_b);
    sidle_world_destroy(a);
    sidle_world_destroy(b);
    expect_equal_answers(back, baked_whole);
    free(whole);
    free(holed);
}

Test(refit, a_mesh_without_triangles_left_is_empty_until_they_come_back)
{
    Sheet *whole = sheet_at(2), *none = sheet_at(2);
    sheet_cut(none, 0, SHEET_TRIANGLES);
    sidle_mesh *first = sheet_baked(whole), *empty = sheet_refitted(first, none, NULL);
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(empty, &info);
    cr_expect(info.node_count == 0 && info.leaf_count == 0 && info.min.x > info.max.x);
    sidle_mesh *back = sheet_refitted(empty, whole, NULL);
    sidle_instance instance;
    sidle_world *world = sheet_world(empty, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world);
    sidle_cast down = {.origin = {0, 5, .3}, .displacement = {0, -10, 0}};
    sidle_cast_hit hit;
    demand(sidle_cast_closest(snapshot, 0, &down, &hit), "sidle_cast_closest");
    cr_expect_eq(hit.hit, SIDLE_CAST_MISS);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    expect_equal_answers(back, first);
    free(whole);
    free(none);
}

/* A pool of workers writes the bytes that one thread writes; a blob is refitted as the mesh that it was. */
Test(refit, has_the_same_bytes_by_any_schedule_and_from_a_blob)
{
    Sheet *flat = sheet_at(0), *moved = sheet_at(.3);
    sidle_mesh *first = sheet_baked(flat), *alone = sheet_refitted(first, moved, NULL);
    size_t size, other_size, blob_size;
    demand(sidle_mesh_save(alone, NULL, 0, &size), "sidle_mesh_save");
    demand(sidle_mesh_save(first, NULL, 0, &blob_size), "sidle_mesh_save");
    char *bytes = aligned_alloc(16, (size + 15) / 16 * 16),
         *others = aligned_alloc(16, (size + 15) / 16 * 16);
    char *blob = aligned_alloc(16, (blob_size + 15) / 16 * 16);
    demand(sidle_mesh_save(alone, bytes, size, &size), "sidle_mesh_save");
    demand(sidle_mesh_save(first, blob, blob_size, &blob_size), "sidle_mesh_save");
    sidle_mesh *opened;
    sidle_blob_desc open = {.size = sizeof open, .bytes = blob, .byte_count = blob_size};
    demand(sidle_mesh_open(&open, NULL, &opened), "sidle_mesh_open");
    sidle_pool_desc pool_desc = {.size = sizeof pool_desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    bool has_pool = sidle_pool_create(&pool_desc, NULL, &pool) == SIDLE_OK;
    sidle_mesh *with_pool = sheet_refitted(opened, moved, has_pool ? sidle_pool_jobs(pool) : NULL);
    demand(sidle_mesh_save(with_pool, NULL, 0, &other_size), "sidle_mesh_save");
    cr_assert_eq(size, other_size);
    demand(sidle_mesh_save(with_pool, others, size, &size), "sidle_mesh_save");
    cr_expect(memcmp(bytes, others, size) == 0);
    sidle_pool_destroy(pool);
    sidle_mesh_release(with_pool);
    sidle_mesh_release(opened);
    sidle_mesh_release(first);
    sidle_mesh_release(alone);
    free(bytes);
    free(others);
    free(blob);
    free(flat);
    free(moved);
}

typedef struct Hole
{
    Sheet *holed;
    sidle_mesh *mesh;
} Hole;

static sidle_status refit_and_release(const sidle_allocator *allocator, void *context)
{
    const Hole *hole = context;
    sidle_error error;
    sidle_mesh_desc desc = sheet_desc(hole->holed);
    desc.error = &error;
    sidle_mesh *mesh = NULL;
    sidle_status status = sidle_mesh_refit(hole->mesh, &desc, NULL, allocator, &mesh);
    cr_expect(status == SIDLE_OK ? mesh != NULL : !mesh && error.status == status);
    sidle_mesh_release(mesh);
    return status;
}

Test(refit, returns_all_memory_whichever_allocation_fails)
{
    Hole hole = {sheet_at(.3), NULL};
    Heap heap = {.failing = 0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_mesh_desc desc = sheet_desc(hole.holed);
    demand(sidle_mesh_create(&desc, NULL, &allocator, &hole.mesh), "sidle_mesh_create");
    sheet_cut(hole.holed, 100, 200);
    HeapTrial trial = heap_try(&heap, refit_and_release, &hole);
    cr_expect(trial.failures >= 5 && trial.wrong == 0 && trial.left == 0 && trial.end == SIDLE_OK,
              "%zu failures, %zu wrong, %zu blocks left", trial.failures, trial.wrong, trial.left);
    sidle_mesh_release(hole.mesh);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    free(hole.holed);
}

Test(refit, refuses_what_it_cannot_do)
{
    Sheet *sheet = sheet_at(0);
    sidle_mesh *mesh = sheet_baked(sheet), *out = NULL;
    sidle_error error;
    sidle_mesh_desc desc = sheet_desc(sheet);
    desc.error = &error;
    desc.triangle_count -= 1;
    cr_expect_eq(sidle_mesh_refit(mesh, &desc, NULL, NULL, &out), SIDLE_ERROR_ARGUMENT);
    desc = sheet_desc(sheet);
    desc.error = &error;
    sheet->indices[77][1] = SHEET_VERTICES;
    cr_expect(sidle_mesh_refit(mesh, &desc, NULL, NULL, &out) == SIDLE_ERROR_INDEX && error.index == 77);
    sheet->indices[77][1] = 3;
    sheet->vertices[3][1] = NAN;
    cr_expect(sidle_mesh_refit(mesh, &desc, NULL, NULL, &out) == SIDLE_ERROR_NOT_FINITE && error.index == 3);
    sheet->vertices[3][1] = 2e9f;
    cr_expect(sidle_mesh_refit(mesh, &desc, NULL, NULL, &out) == SIDLE_ERROR_LIMIT && error.index == 3);
    cr_expect_null(out);
    uint16_t heights[4] = {0};
    sidle_field_desc field = {.size = sizeof field,
                              .heights = heights,
                              .columns = 2,
                              .rows = 2,
                              .spacing_x = 1,
                              .spacing_z = 1,
                              .scale = 1};
    sidle_mesh *ground;
    demand(sidle_mesh_create_field(&field, NULL, &ground), "sidle_mesh_create_field");
    desc.triangle_count = 2;
    cr_expect_eq(sidle_mesh_refit(ground, &desc, NULL, NULL, &out), SIDLE_ERROR_UNSUPPORTED);
    sidle_mesh_release(ground);
    sidle_mesh_release(mesh);
    free(sheet);
}
