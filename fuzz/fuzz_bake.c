/* sidle_mesh_create on any arrays: refused with the status, the place and a sentence, or a mesh that accounts
 * for every triangle, is saved and opened again as the same bytes, and answers casts with the same bits at
 * every width. */
#include "fuzz.h"
#include "input.h"

#include "support/blobs.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VERTICES  64
#define MOST_TRIANGLES 80
#define MOST_STRIDE    5 /* numbers from one vertex or triangle to the next */
#define CASTS          12

typedef struct Arrays
{
    sidle_mesh_desc desc;
    float floats[MOST_VERTICES * MOST_STRIDE];
    double doubles[MOST_VERTICES * MOST_STRIDE];
    uint32_t indices[MOST_TRIANGLES * MOST_STRIDE];
    uint16_t surfaces[MOST_TRIANGLES];
} Arrays;

enum /* bits of the first byte */
{
    IN_DOUBLE = 1,
    INDEXED = 2,
    SURFACES = 4,
    WIDE_STRIDES = 8,
    ANY_NUMBERS = 16 /* also no numbers at all */
};

/* ---- the input ---- */

static double decode_coordinate(Input *input, uint32_t flags)
{
    if (!(flags & ANY_NUMBERS))
    {
        return (double)input_number(input);
    }
    if (!(flags & IN_DOUBLE))
    {
        return (double)input_any(input);
    }
    uint64_t bits = input_bits(input, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void decode_vertices(Input *input, uint32_t flags, uint32_t stride, Arrays *arrays)
{
    for (uint32_t i = 0; i < arrays->desc.vertex_count; ++i)
    {
        Vector v = {0, 0, 0};
        if (flags & ANY_NUMBERS)
        {
            v.x = decode_coordinate(input, flags);
            v.y = decode_coordinate(input, flags);
            v.z = decode_coordinate(input, flags);
        }
        else
        {
            v = input_corner(input);
        }
        const double xyz[3] = {v.x, v.y, v.z};
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            arrays->floats[stride * i + axis] = (float)xyz[axis];
            arrays->doubles[stride * i + axis] = xyz[axis];
        }
    }
}

/* Most of them in range. */
static uint32_t decode_index(Input *input, uint32_t vertex_count)
{
    uint32_t byte = input_byte(input);
    return byte == 255 ? (uint32_t)input_bits(input, 4) : byte % (vertex_count + (byte == 254));
}

static void decode(Input *input, Arrays *arrays)
{
    uint32_t flags = input_byte(input), stride = flags & WIDE_STRIDES ? MOST_STRIDE : 3;
    memset(arrays, 0, sizeof *arrays);
    sidle_mesh_desc *desc = &arrays->desc;
    desc->size = sizeof *desc;
    desc->vertex_count = 1 + input_below(input, MOST_VERTICES);
    desc->triangle_count = input_below(input, MOST_TRIANGLES + 1);
    if (flags & IN_DOUBLE)
    {
        desc->vertices_d = arrays->doubles;
    }
    else
    {
        desc->vertices_f = arrays->floats;
    }
    decode_vertices(input, flags, stride, arrays);
    desc->vertex_stride = flags & WIDE_STRIDES ? stride * (flags & IN_DOUBLE ? 8 : 4) : 0;
    desc->index_stride = flags & WIDE_STRIDES ? stride * 4 : 0;
    desc->indices = flags & INDEXED ? arrays->indices : NULL;
    desc->surfaces = flags & SURFACES ? arrays->surfaces : NULL;
    for (uint32_t i = 0; i < desc->triangle_count; ++i)
    {
        for (uint32_t corner = 0; corner < 3 && desc->indices; ++corner)
        {
            arrays->indices[stride * i + corner] = decode_index(input, desc->vertex_count);
        }
        arrays->surfaces[i] = (uint16_t)(i * 40503u);
    }
}

/* ---- what was given ---- */

static Vector given_vertex(const Arrays *arrays, uint32_t index)
{
    const sidle_mesh_desc *desc = &arrays->desc;
    size_t stride = desc->vertex_stride ? MOST_STRIDE : 3, at = stride * index;
    const float *f = arrays->floats + at;
    const double *d = arrays->doubles + at;
    return desc->vertices_d ? vector(d[0], d[1], d[2]) : vector((double)f[0], (double)f[1], (double)f[2]);
}

static uint32_t given_index(const Arrays *arrays, uint32_t triangle, uint32_t corner)
{
    size_t stride = arrays->desc.index_stride ? MOST_STRIDE : 3;
    return arrays->desc.indices ? arrays->indices[stride * triangle + corner] : 3 * triangle + corner;
}

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
        uint32_t faults = faults_of_vertex(given_vertex(arrays, i));
        *index = i;
        if (faults)
        {
            return faults;
        }
    }
    for (uint32_t i = 0; i < 3 * arrays->desc.triangle_count; ++i)
    {
        *index = i / 3;
        if (given_index(arrays, i / 3, i % 3) >= arrays->desc.vertex_count)
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
        Vector stored = vector(p.x, p.y, p.z), given = given_vertex(arrays, given_index(arrays, i, corner));
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
        Vector from = given_vertex(arrays, given_index(arrays, a, i % 3));
        Vector to = given_vertex(arrays, given_index(arrays, b, (i + 1) % 3));
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
        for (uint32_t i = 0; i < CASTS; ++i)
        {
            fuzz_demand(hits[0][i].hit == hits[1][i].hit && hits[0][i].triangle == hits[1][i].triangle &&
                            memcmp(&hits[0][i].t, &hits[1][i].t, sizeof hits[0][i].t) == 0,
                        "the opened mesh answers otherwise");
        }
    }
    sidle_mesh_release(opened);
    blob_free(&blob);
    blob_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arrays arrays;
    Input input = input_of(data, size);
    decode(&input, &arrays);
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
        sidle_mesh_release(mesh);
        return 0;
    }
    fuzz_demand(!mesh && error.status == status && error.index == index && error.text[0] &&
                    memchr(error.text, 0, sizeof error.text),
                "a refusal without its reason");
    return 0;
}
