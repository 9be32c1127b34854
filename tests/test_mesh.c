/* Meshes as promised in sidle/mesh.h: what goes in, what is refused and how it is reported, what owns memory. Blobs
 * have tests of their own. */
#include "support/heap.h"
#include "support/scene.h"
#include "support/schedulers.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Saved
{
    void *bytes;
    size_t size;
} Saved;

/* Takes the mesh. */
static Saved saved(sidle_mesh *mesh)
{
    Saved out = {0};
    demand(sidle_mesh_save(mesh, NULL, 0, &out.size), "sidle_mesh_save");
    out.bytes = malloc(out.size);
    cr_assert_not_null(out.bytes);
    demand(sidle_mesh_save(mesh, out.bytes, out.size, &out.size), "sidle_mesh_save");
    sidle_mesh_release(mesh);
    return out;
}

static sidle_mesh *baked(const sidle_mesh_desc *desc)
{
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(desc, NULL, NULL, &mesh), "sidle_mesh_create");
    return mesh;
}

/* The bake of this desc and that of the other have the same bytes. */
static void expect_same_bake(const sidle_mesh_desc *one, const sidle_mesh_desc *other, const char *what)
{
    Saved a = saved(baked(one)), b = saved(baked(other));
    cr_expect(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0, "%s", what);
    free(a.bytes);
    free(b.bytes);
}

/* ---- what goes in ---- */

#define CORNERS   60
#define TRIANGLES 100

/* A heap of triangles between common corners, in every form that a desc takes. */
typedef struct Input
{
    float floats[3 * CORNERS];
    double doubles[3 * CORNERS];
    uint32_t indices[3 * TRIANGLES];
    uint16_t surfaces[TRIANGLES];
    double unshared[9 * TRIANGLES];
    struct
    {
        float normal[3], place[3], uv[2];
    } fat[CORNERS];
    struct
    {
        uint32_t material, corners[3], flags;
    } faces[TRIANGLES];
} Input;

static Input input_drawn(void)
{
    Input input;
    Random random = random_seeded(401);
    memset(&input, 0x55, sizeof input);
    for (uint32_t i = 0; i < 3 * CORNERS; ++i)
    {
        input.floats[i] = (float)random_between(&random, -100.0, 300.0);
        input.doubles[i] = (double)input.floats[i];
        input.fat[i / 3].place[i % 3] = input.floats[i];
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; ++i)
    {
        input.indices[i] = random_below(&random, CORNERS);
        input.faces[i / 3].corners[i % 3] = input.indices[i];
        memcpy(&input.unshared[3 * i], &input.doubles[3 * input.indices[i]], 3 * sizeof(double));
        input.surfaces[i / 3] = (uint16_t)(7 * i);
    }
    return input;
}

static sidle_mesh_desc desc_of(const Input *input)
{
    return (sidle_mesh_desc){.size = sizeof(sidle_mesh_desc),
                             .vertices_f = input->floats,
                             .vertex_count = CORNERS,
                             .triangle_count = TRIANGLES,
                             .indices = input->indices,
                             .surfaces = input->surfaces};
}

Test(mesh, the_same_triangles_bake_to_the_same_bytes_in_any_form_of_input)
{
    Input input = input_drawn();
    const sidle_mesh_desc plain = desc_of(&input);
    sidle_mesh_desc desc = plain;
    desc.vertices_f = NULL;
    desc.vertices_d = input.doubles;
    expect_same_bake(&plain, &desc, "doubles");
    desc.vertices_d = input.unshared;
    desc.vertex_count = 3 * TRIANGLES;
    desc.indices = NULL;
    expect_same_bake(&plain, &desc, "without indices");
    desc = plain;
    desc.vertices_f = input.fat[0].place;
    desc.vertex_stride = sizeof input.fat[0];
    desc.indices = input.faces[0].corners;
    desc.index_stride = sizeof input.faces[0];
    expect_same_bake(&plain, &desc, "strides");
}

Test(mesh, the_arrays_of_a_desc_are_the_caller_s_again_after_the_bake)
{
    Input input = input_drawn();
    sidle_mesh_desc desc = desc_of(&input);
    Saved expected = saved(baked(&desc));
    sidle_mesh *mesh = baked(&desc);
    memset(&input, 0xFF, sizeof input);
    Saved kept = saved(mesh);
    cr_expect(kept.size == expected.size && memcmp(kept.bytes, expected.bytes, kept.size) == 0);
    free(kept.bytes);
    free(expected.bytes);
}

/* A part of a mesh, baked alone with the origin of the whole, rounds to the same floats. */
Test(mesh, meshes_of_one_origin_round_the_same_place_alike)
{
    double vertices[18] = {1e6 + .1, .2, .3, 1e6 + 9.7, .2, .3, 1e6 + .1, 7.7, .3};
    const double far_away[9] = {1e6 + 5e4, 1, 2, 1e6 + 5e4, 3, 4, 1e6 + 5e4, 5, 7};
    memcpy(vertices + 9, far_away, sizeof far_away);
    sidle_mesh_desc whole = {
        .size = sizeof whole, .vertices_d = vertices, .vertex_count = 6, .triangle_count = 2};
    sidle_mesh_desc part = whole, loose = whole;
    sidle_mesh *a = baked(&whole), *b, *c;
    sidle_mesh_info info = {.size = sizeof info}, other = {.size = sizeof other};
    demand(sidle_mesh_get_info(a, &info), "sidle_mesh_get_info");
    part.vertex_count = loose.vertex_count = 3;
    part.triangle_count = loose.triangle_count = 1;
    part.origin = &info.origin;
    b = baked(&part);
    c = baked(&loose);
    demand(sidle_mesh_get_info(b, &other), "sidle_mesh_get_info");
    cr_expect(memcmp(&info.origin, &other.origin, sizeof info.origin) == 0);
    sidle_triangle in_whole, in_part, in_loose;
    demand(sidle_mesh_get_triangles(a, 0, 1, &in_whole), "sidle_mesh_get_triangles");
    demand(sidle_mesh_get_triangles(b, 0, 1, &in_part), "sidle_mesh_get_triangles");
    demand(sidle_mesh_get_triangles(c, 0, 1, &in_loose), "sidle_mesh_get_triangles");
    cr_expect(memcmp(in_whole.vertices, in_part.vertices, sizeof in_part.vertices) == 0);
    cr_expect(memcmp(in_whole.vertices, in_loose.vertices, sizeof in_part.vertices) != 0,
              "no difference to be seen");
    sidle_mesh_release(a);
    sidle_mesh_release(b);
    sidle_mesh_release(c);
}

Test(mesh, an_invalid_origin_is_refused)
{
    const sidle_position nowhere = {0, NAN, 0}, beyond = {0, 0, 2 * SIDLE_MAX_COORDINATE};
    sidle_error error = {.text = ""};
    sidle_mesh_desc desc = {.size = sizeof desc, .origin = &nowhere, .error = &error};
    sidle_mesh *mesh = NULL;
    cr_expect(sidle_mesh_create(&desc, NULL, NULL, &mesh) == SIDLE_ERROR_NOT_FINITE && error.text[0]);
    desc.origin = &beyond;
    cr_expect(sidle_mesh_create(&desc, NULL, NULL, &mesh) == SIDLE_ERROR_LIMIT && !mesh);
}

Test(mesh, triangles_without_an_area_are_counted_and_kept)
{
    const float corners[12] = {0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 3, 0};
    const uint32_t indices[12] = {0, 1, 3, 0, 1, 2, 1, 1, 3, 2, 2, 2};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = corners,
                            .vertex_count = 4,
                            .triangle_count = 4,
                            .indices = indices};
    sidle_mesh *mesh = baked(&desc);
    sidle_mesh_info info = {.size = sizeof info};
    cr_expect_eq(sidle_mesh_get_info(mesh, &info), SIDLE_OK);
    cr_expect_eq(info.triangle_count, 4);
    cr_expect_eq(info.degenerate_count, 3);
    sidle_mesh_release(mesh);
}

Test(mesh, an_info_reports_the_bounds_and_fills_the_fields_that_fit)
{
    Input input = input_drawn();
    sidle_mesh_desc desc = desc_of(&input);
    sidle_mesh *mesh = baked(&desc);
    sidle_mesh_info info = {.size = sizeof info}, short_info;
    cr_expect_eq(sidle_mesh_get_info(mesh, &info), SIDLE_OK);
    Vector low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3 * TRIANGLES; ++i)
    {
        const double *v = &input.unshared[3 * i];
        low = vector(fmin(low.x, v[0]), fmin(low.y, v[1]), fmin(low.z, v[2]));
        high = vector(fmax(high.x, v[0]), fmax(high.y, v[1]), fmax(high.z, v[2]));
    }
    cr_expect(vector_distance(low, vector(info.min.x, info.min.y, info.min.z)) < 1e-4);
    cr_expect(vector_distance(high, vector(info.max.x, info.max.y, info.max.z)) < 1e-4);
    cr_expect(info.bytes > 20 * TRIANGLES && info.bytes < 200 * TRIANGLES && info.sah_cost > 0.0);
    memset(&short_info, 0x55, sizeof short_info);
    short_info.size = offsetof(sidle_mesh_info, node_count);
    cr_expect_eq(sidle_mesh_get_info(mesh, &short_info), SIDLE_OK);
    cr_expect_eq(short_info.triangle_count, TRIANGLES);
    cr_expect_eq(short_info.node_count, 0x55555555u, "written beyond the size");
    short_info.size = 0;
    cr_expect_eq(sidle_mesh_get_info(mesh, &short_info), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_get_info(NULL, &info), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_get_info(mesh, NULL), SIDLE_ERROR_ARGUMENT);
    sidle_mesh_release(mesh);
}

/* ---- what is refused ---- */

Test(mesh, every_status_has_a_sentence_of_its_own)
{
    for (int status = -1; status <= SIDLE_STATUS_COUNT; ++status)
    {
        const char *text = sidle_status_text((sidle_status)status);
        cr_assert(text != NULL && strlen(text) > 10);
        cr_expect(status <= 0 || strcmp(text, sidle_status_text((sidle_status)(status - 1))) != 0);
    }
}

static void expect_refused(sidle_mesh_desc desc, sidle_status expected, const char *what)
{
    sidle_error error = {.status = SIDLE_OK};
    desc.error = &error;
    sidle_mesh *mesh = NULL;
    cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), expected, "%s", what);
    cr_expect(error.status == expected && strlen(error.text) > 10, "%s: reports %d, '%s'", what,
              (int)error.status, error.text);
    cr_expect_null(mesh, "%s", what);
    desc.error = NULL;
    cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), expected, "%s, without an error to fill", what);
}

Test(mesh, an_invalid_desc_is_refused_with_a_sentence)
{
    Input input = input_drawn();
    const sidle_mesh_desc good = desc_of(&input);
    sidle_mesh_desc desc = good;
    desc.vertices_f = NULL;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, "no vertices");
    desc.vertices_f = input.floats;
    desc.vertices_d = input.doubles;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, "vertices of both kinds");
    const size_t strides[3] = {1, 8, 14};
    for (int i = 0; i < 3; ++i)
    {
        desc = good;
        desc.vertex_stride = strides[i];
        expect_refused(desc, SIDLE_ERROR_ARGUMENT, "vertex stride");
        desc = good;
        desc.index_stride = strides[i];
        expect_refused(desc, SIDLE_ERROR_ARGUMENT, "index stride");
    }
    desc = good;
    desc.triangle_count = SIDLE_MAX_TRIANGLES + 1;
    expect_refused(desc, SIDLE_ERROR_LIMIT, "too many triangles");
    desc = good;
    desc.vertex_count = SIDLE_MAX_TRIANGLES + 1;
    expect_refused(desc, SIDLE_ERROR_LIMIT, "too many vertices");
    desc = good;
    desc.indices = NULL;
    expect_refused(desc, SIDLE_ERROR_INDEX, "fewer vertices than three a triangle");
    input.doubles[100] = 1.01 * SIDLE_MAX_COORDINATE;
    desc = good;
    desc.vertices_f = NULL;
    desc.vertices_d = input.doubles;
    expect_refused(desc, SIDLE_ERROR_LIMIT, "a coordinate beyond the limit");
}

Test(mesh, invalid_calls_are_refused)
{
    Input input = input_drawn();
    const sidle_mesh_desc good = desc_of(&input);
    sidle_mesh_desc desc = good;
    sidle_mesh *mesh = NULL;
    sidle_work work;
    Heap heap = {0};
    sidle_allocator half = heap_allocator(&heap);
    half.free = NULL;
    const sidle_jobs none = {.size = sizeof none, .worker_count = 1};
    cr_expect_eq(sidle_mesh_create(NULL, NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create(&good, NULL, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create(&good, NULL, &half, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create(&good, &none, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    desc.size -= 1;
    cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create_begin(&good, 0, NULL, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create_begin(&good, SIDLE_MAX_WORKERS + 1, NULL, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create_begin(&good, 1, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    work = (sidle_work){.run = NULL};
    cr_expect_eq(sidle_mesh_create_end(&work, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_create_end(NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(mesh);
    sidle_mesh_release(NULL);
}

/* Enough vertices and triangles for several tasks a phase. */
typedef struct Large
{
    uint32_t vertex_count, triangle_count;
    float *vertices;
    uint32_t *indices;
} Large;

static Large large_grid(void)
{
    const uint32_t side = 300;
    Large large = {side * side, 2 * (side - 1) * (side - 1), NULL, NULL};
    large.vertices = calloc(large.vertex_count, 3 * sizeof *large.vertices);
    large.indices = calloc(large.triangle_count, 3 * sizeof *large.indices);
    cr_assert(large.vertices != NULL && large.indices != NULL);
    for (uint32_t i = 0; i < large.vertex_count; ++i)
    {
        large.vertices[3 * i] = (float)(i % side);
        large.vertices[3 * i + 2] = (float)(i / side);
    }
    for (uint32_t i = 0; i < large.triangle_count / 2; ++i)
    {
        uint32_t first = i / (side - 1) * side + i % (side - 1);
        const uint32_t own[6] = {first, first + side, first + side + 1, first, first + side + 1, first + 1};
        memcpy(&large.indices[6 * i], own, sizeof own);
    }
    return large;
}

Test(mesh, the_first_of_several_mistakes_is_reported_with_any_schedule)
{
    Large large = large_grid();
    const uint32_t first_bad = 123, later_bad = 89000;
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 3);
        sidle_error error = {.status = SIDLE_OK};
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_f = large.vertices,
                                .vertex_count = large.vertex_count,
                                .triangle_count = large.triangle_count,
                                .indices = large.indices,
                                .error = &error};
        sidle_mesh *mesh = NULL;
        large.indices[3 * first_bad + 1] = large.indices[3 * later_bad] = large.vertex_count;
        cr_expect_eq(sidle_mesh_create(&desc, &scheduler.jobs, NULL, &mesh), SIDLE_ERROR_INDEX);
        cr_expect_eq(error.index, first_bad);
        large.vertices[3 * first_bad] = large.vertices[3 * later_bad + 2] = NAN;
        cr_expect_eq(sidle_mesh_create(&desc, &scheduler.jobs, NULL, &mesh), SIDLE_ERROR_NOT_FINITE);
        cr_expect_eq(error.index, first_bad);
        cr_expect_null(mesh);
        large.vertices[3 * first_bad] = large.vertices[3 * later_bad + 2] = 0.0f;
    }
    free(large.vertices);
    free(large.indices);
}

/* ---- ownership ---- */

static void run_some(sidle_work *work, uint32_t phases)
{
    for (uint32_t phase = 0; phase < phases; ++phase)
    {
        for (uint32_t task = 0; task < sidle_work_task_count(work, phase); ++task)
        {
            sidle_work_run(work, phase, task, 0);
        }
    }
}

Test(mesh, work_that_ends_early_is_busy_and_leaves_nothing)
{
    Input input = input_drawn();
    sidle_error error = {.status = SIDLE_OK};
    sidle_mesh_desc desc = desc_of(&input);
    desc.error = &error;
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    uint32_t phases = 1;
    for (uint32_t run = 0; run <= phases; ++run)
    {
        sidle_work work;
        sidle_mesh *mesh = NULL;
        cr_assert_eq(sidle_mesh_create_begin(&desc, 1, &allocator, &work), SIDLE_OK);
        phases = sidle_work_phase_count(&work);
        run_some(&work, run);
        cr_expect_eq(sidle_mesh_create_end(&work, &mesh), run < phases ? SIDLE_ERROR_INCOMPLETE : SIDLE_OK);
        cr_expect(run == phases || error.status == SIDLE_ERROR_INCOMPLETE);
        cr_expect_eq(mesh != NULL, run == phases);
        cr_expect_eq(sidle_mesh_create_end(&work, &mesh), SIDLE_ERROR_ARGUMENT, "ended twice");
        sidle_mesh_release(mesh);
        cr_expect_eq(heap.blocks, 0, "after %u phases", run);
    }
    cr_expect_eq(heap.wrong, 0);
}

Test(mesh, a_mesh_lives_until_its_last_reference_is_released)
{
    Input input = input_drawn();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_mesh_desc mesh_desc = desc_of(&input);
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&mesh_desc, NULL, &allocator, &mesh), "sidle_mesh_create");
    sidle_world_desc world_desc = {.size = sizeof world_desc};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh};
    sidle_world *world = NULL;
    sidle_instance instance;
    sidle_snapshot *snapshot = NULL;
    demand(sidle_world_create(&world_desc, NULL, &world), "sidle_world_create");
    demand(sidle_world_add(world, &desc, &instance), "sidle_world_add");
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    sidle_mesh_retain(mesh);
    sidle_mesh_release(mesh);
    sidle_mesh_release(mesh);
    cr_expect_gt(heap.blocks, 0, "the world has it");
    demand(sidle_world_remove(world, instance), "sidle_world_remove");
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    sidle_world_destroy(world);
    cr_expect_gt(heap.blocks, 0, "the snapshot has it");
    sidle_snapshot_release(snapshot);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
}
