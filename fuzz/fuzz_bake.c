/* sidle_mesh_create on any arrays: refused with the status, the place and a sentence, or a mesh that accounts
 * for every triangle, is saved and opened again as the same bytes, and answers casts with the same bits at
 * every width. Refitted to other arrays, and back, it answers as a bake of those. */
#include "arrays.h"
#include "fuzz.h"

#include "support/blobs.h"

#include <stdlib.h>
#include <string.h>

#define CASTS 12

static double largest(Vector v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/* The statuses that one vertex deserves, as bits: it may have several faults. */
static uint32_t faults_of_vertex(Vector v)
{
    const double xyz[3] = {v.x, v.y, v.z};
    uint32_t faults = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        bool is_good = fabs(xyz[axis]) <= SIDLE_MAX_COORDINATE;
        faults |= is_good ? 0 : 1u << (isfinite(xyz[axis]) ? SIDLE_ERROR_LIMIT : SIDLE_ERROR_NOT_FINITE);
    }
    return faults;
}

/* What the bake may say, as bits, and of which vertex or triangle. */
static uint32_t expected(const Arrays *arrays, uint64_t *index)
{
    for (uint32_t i = 0; i < arrays->desc.vertex_count; ++i)
    {
        uint32_t faults = faults_of_vertex(arrays_vertex(arrays, i));
        *index = i;
        if (faults)
        {
            return faults;
        }
    }
    for (uint32_t i = 0; i < 3 * arrays->desc.triangle_count; ++i)
    {
        *index = i / 3;
        if (arrays_index(arrays, i / 3, i % 3) >= arrays->desc.vertex_count)
        {
            return 1u << SIDLE_ERROR_INDEX;
        }
    }
    return 1u << SIDLE_OK;
}

/* ---- what is demanded ---- */

static void check_triangle(const Arrays *arrays, const sidle_mesh_info *info, uint32_t i,
                           const sidle_triangle *triangle)
{
    fuzz_demand(triangle->surface == (arrays->desc.surfaces ? arrays->surfaces[i] : 0), "another surface");
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        sidle_position p = triangle->vertices[corner], o = info->origin;
        Vector stored = vector(p.x, p.y, p.z), given = arrays_vertex(arrays, arrays_index(arrays, i, corner));
        double size = largest(vector_sub(given, vector(o.x, o.y, o.z)));
        double rounding = 0x1p-24 * size + 0x1p-52 * largest(given) + 0x1p-149;
        fuzz_demand(largest(vector_sub(stored, given)) <= rounding, "a corner is elsewhere");
        fuzz_demand(p.x >= info->min.x && p.y >= info->min.y && p.z >= info->min.z && p.x <= info->max.x &&
                        p.y <= info->max.y && p.z <= info->max.z,
                    "a corner lies outside of the bounds");
    }
}

static void check_triangles(const Arrays *arrays, const sidle_mesh *mesh)
{
    sidle_mesh_info info = {.size = sizeof info};
    sidle_triangle triangles[MOST_TRIANGLES];
    fuzz_demand(sidle_mesh_get_info(mesh, &info) == SIDLE_OK, "no info");
    fuzz_demand(info.triangle_count == arrays->desc.triangle_count, "another number of triangles");
    fuzz_demand(info.degenerate_count <= info.triangle_count && isfinite(info.sah_cost), "odd info");
    fuzz_demand(sidle_mesh_get_triangles(mesh, 0, info.triangle_count, triangles) == SIDLE_OK,
                "no triangles");
    for (uint32_t i = 0; i < info.triangle_count; ++i)
    {
        check_triangle(arrays, &info, i, &triangles[i]);
    }
}

static sidle_cast cast_along(Vector from, Vector to, sidle_shape shape)
{
    Vector path = vector_sub(to, from);
    return (sidle_cast){.origin = {from.x, from.y, from.z},
                        .displacement = {(float)path.x, (float)path.y, (float)path.z},
                        .shape = shape};
}

/* From corners of triangles to others, by rays, balls, ellipsoids and capsules about as large as all of it. */
static void make_casts(const Arrays *arrays, const sidle_mesh_info *info, sidle_cast casts[CASTS])
{
    double extent =
        fmax(info->max.x - info->min.x, fmax(info->max.y - info->min.y, info->max.z - info->min.z));
    float size = (float)fmin(fmax(extent, 1e-4), 1e5);
    const sidle_shape shapes[5] = {{.radii = {0, 0, 0}},
                                   {.radii = {.1f * size, .1f * size, .1f * size}},
                                   {.radii = {.01f * size, .02f * size, .1f * size}},
                                   {.radii = {1, 1, 1}},
                                   {{.05f * size, .05f * size, .05f * size}, .1f * size}};
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        uint32_t a = i * 7 % arrays->desc.triangle_count, b = (i * 5 + 1) % arrays->desc.triangle_count;
        Vector from = arrays_vertex(arrays, arrays_index(arrays, a, i % 3));
        Vector to = arrays_vertex(arrays, arrays_index(arrays, b, (i + 1) % 3));
        from.x += (double)size * (i % 2);
        from.y += 2 * (double)size * (i % 3);
        casts[i] = cast_along(from, to, shapes[i % 5]);
    }
}

static void cast_into(const Arrays *arrays, sidle_mesh *mesh, sidle_cast_hit hits[CASTS])
{
    sidle_mesh_info info = {.size = sizeof info};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh};
    sidle_instance instance;
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = NULL;
    sidle_cast casts[CASTS];
    fuzz_demand(sidle_mesh_get_info(mesh, &info) == SIDLE_OK, "no info");
    fuzz_demand(sidle_world_create(NULL, NULL, &world) == SIDLE_OK, "no world");
    if (sidle_world_add(world, &desc, &instance) == SIDLE_OK)
    {
        fuzz_demand(sidle_world_commit(world, NULL) == SIDLE_OK, "no commit");
        fuzz_demand(sidle_world_snapshot(world, &snapshot) == SIDLE_OK, "no snapshot");
        make_casts(arrays, &info, casts);
        fuzz_cast(snapshot, casts, CASTS, hits);
        sidle_snapshot_release(snapshot);
    }
    sidle_world_destroy(world);
}

static void check_hits(const sidle_cast_hit hits[CASTS], uint32_t triangle_count)
{
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        const sidle_cast_hit *hit = &hits[i];
        Vector normal = vector((double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z);
        Vector point = vector(hit->point.x, hit->point.y, hit->point.z);
        bool is_hit = hit->hit == SIDLE_CAST_HIT || hit->hit == SIDLE_CAST_OVERLAP;
        fuzz_demand(isfinite(hit->t) && vector_is_finite(point) && vector_is_finite(normal),
                    "a hit is not finite");
        fuzz_demand(!is_hit || (hit->t >= 0 && hit->t <= 1 && hit->triangle < triangle_count &&
                                fabs(vector_length(normal) - 1) < 1e-5),
                    "an odd hit");
    }
}

/* `numbers`: of the triangles of the second; NULL: the same. */
static void expect_equal_hits(const sidle_cast_hit one[CASTS], const sidle_cast_hit other[CASTS],
                              const uint32_t *numbers, const char *otherwise)
{
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        bool is_hit = other[i].hit == SIDLE_CAST_HIT || other[i].hit == SIDLE_CAST_OVERLAP;
        uint32_t triangle = numbers && is_hit ? numbers[other[i].triangle] : other[i].triangle;
        fuzz_demand(one[i].hit == other[i].hit && (one[i].triangle == triangle || !is_hit) &&
                        memcmp(&one[i].t, &other[i].t, sizeof one[i].t) == 0,
                    otherwise);
    }
}

/* Once as it was baked, once as it comes back from its bytes. */
static void check_mesh(const Arrays *arrays, sidle_mesh *mesh)
{
    Blob blob = blob_of(mesh);
    sidle_mesh *opened = NULL;
    sidle_error error = {.text = ""};
    check_triangles(arrays, mesh);
    fuzz_demand(blob_open(&blob, 0, &error, &opened) == SIDLE_OK, error.text);
    check_triangles(arrays, opened);
    Blob again = blob_of(opened);
    fuzz_demand(again.size == blob.size && memcmp(again.bytes, blob.bytes, blob.size) == 0, "another blob");
    if (arrays->desc.triangle_count > 0)
    {
        sidle_cast_hit hits[2][CASTS] = {{{.t = 0}}};
        cast_into(arrays, mesh, hits[0]);
        cast_into(arrays, opened, hits[1]);
        check_hits(hits[0], arrays->desc.triangle_count);
        expect_equal_hits(hits[0], hits[1], NULL, "the opened mesh answers otherwise");
    }
    sidle_mesh_release(opened);
    blob_free(&blob);
    blob_free(&again);
}

/* ---- refits ---- */

/* Vertices take the places of others, and triangles go. */
static void deform(Input *input, Arrays *arrays)
{
    static Arrays old;
    uint32_t stride = arrays->desc.vertex_stride ? MOST_STRIDE : 3, count = arrays->desc.vertex_count,
             by = input_below(input, count);
    old = *arrays;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t from = input_below(input, 2) ? (i + by) % count : i;
        memcpy(arrays->floats + stride * i, old.floats + stride * from, 3 * sizeof(float));
        memcpy(arrays->doubles + stride * i, old.doubles + stride * from, 3 * sizeof(double));
    }
    for (uint32_t i = 0; i < arrays->desc.triangle_count && arrays->desc.indices; ++i)
    {
        uint32_t *first = &arrays->indices[i * (arrays->desc.index_stride ? MOST_STRIDE : 3)];
        *first = input_below(input, 4) ? *first : SIDLE_NO_TRIANGLE;
    }
}

/* The triangles that are there, and their numbers. */
static void take_present(const Arrays *arrays, Arrays *rest, uint32_t numbers[MOST_TRIANGLES])
{
    uint32_t count = 0;
    *rest = *arrays;
    for (uint32_t i = 0; i < arrays->desc.triangle_count; ++i)
    {
        if (arrays_index(arrays, i, 0) != SIDLE_NO_TRIANGLE)
        {
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                rest->indices[3 * count + corner] = arrays_index(arrays, i, corner);
            }
            rest->surfaces[count] = arrays->surfaces[i];
            numbers[count++] = i;
        }
    }
    rest->desc.indices = rest->indices;
    rest->desc.index_stride = 0;
    rest->desc.surfaces = arrays->desc.surfaces ? rest->surfaces : NULL;
    rest->desc.triangle_count = count;
}

/* Two refits keep the origin of the first mesh, so the bake is given it. */
static sidle_mesh *expect_as_baked(const Arrays *arrays, const sidle_mesh *from)
{
    static Arrays rest;
    uint32_t numbers[MOST_TRIANGLES];
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh *refitted = NULL, *baked = NULL;
    fuzz_demand(sidle_mesh_get_info(from, &info) == SIDLE_OK, "no info");
    take_present(arrays, &rest, numbers);
    rest.desc.origin = &info.origin;
    fuzz_demand(sidle_mesh_refit(from, &arrays->desc, NULL, NULL, &refitted) == SIDLE_OK &&
                    sidle_mesh_create(&rest.desc, NULL, NULL, &baked) == SIDLE_OK,
                "no refit");
    if (rest.desc.triangle_count > 0)
    {
        sidle_cast_hit hits[2][CASTS] = {{{.t = 0}}};
        cast_into(&rest, refitted, hits[0]);
        cast_into(&rest, baked, hits[1]);
        expect_equal_hits(hits[0], hits[1], numbers, "the refit answers otherwise");
    }
    sidle_mesh_release(baked);
    return refitted;
}

static void check_refits(Input *input, Arrays *arrays, const sidle_mesh *mesh)
{
    static Arrays whole;
    whole = *arrays;
    deform(input, arrays);
    sidle_mesh *deformed = expect_as_baked(arrays, mesh);
    memcpy(arrays->floats, whole.floats, sizeof whole.floats);
    memcpy(arrays->doubles, whole.doubles, sizeof whole.doubles);
    memcpy(arrays->indices, whole.indices, sizeof whole.indices);
    sidle_mesh *again = expect_as_baked(arrays, deformed);
    check_triangles(arrays, again);
    sidle_mesh_release(again);
    sidle_mesh_release(deformed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arrays arrays;
    Input input = input_of(data, size);
    arrays_decode(&input, &arrays);
    sidle_mesh *mesh = NULL;
    sidle_error error = {.text = ""};
    arrays.desc.error = &error;
    uint64_t index = 0;
    uint32_t deserved = expected(&arrays, &index);
    sidle_status status = sidle_mesh_create(&arrays.desc, NULL, NULL, &mesh);
    fuzz_demand(deserved >> status & 1, "another status than the arrays deserve");
    if (status == SIDLE_OK)
    {
        check_mesh(&arrays, mesh);
        check_refits(&input, &arrays, mesh);
        sidle_mesh_release(mesh);
        return 0;
    }
    fuzz_demand(!mesh && error.status == status && error.index == index && error.text[0] &&
                    memchr(error.text, 0, sizeof error.text),
                "a refusal without its reason");
    return 0;
}
