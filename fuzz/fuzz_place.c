/* What is at a place: any triangles and any shape. The lists of two worlds of the same triangles are equal, the closest triangle agrees
 * with what overlaps, and a place that is found is free. The same corners, four by four, are closed tetrahedra: one mesh of them holds a
 * place if one of them does. */
#include "fuzz.h"

#include "base/exact.h"
#include "input.h"

#include <math.h>
#include <string.h>

#define MOST 24 /* triangles */

/* Relative to the sizes: of distances in double, after corners in float. */
#define TOLERANCE 1e-5

typedef struct Worlds
{
    sidle_snapshot *together, *apart; /* one mesh; an instance a triangle, with its number as key */
    float vertices[9 * MOST];
    uint32_t count;
    sidle_snapshot *solid,
        *solids; /* tetrahedra: one mesh; an instance each. NULL with fewer than four corners */
} Worlds;

static sidle_mesh *mesh_of(const float *vertices, uint32_t triangles)
{
    const sidle_position origin = {0, 0, 0};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = 3 * triangles,
                            .triangle_count = triangles,
                            .origin = &origin};
    sidle_mesh *mesh = NULL;
    return sidle_mesh_create(&desc, NULL, NULL, &mesh) == SIDLE_OK ? mesh : NULL;
}

static sidle_snapshot *snapshot_of(const float *vertices, uint32_t triangles, uint32_t each, uint32_t flags)
{
    sidle_world *world;
    sidle_snapshot *snapshot = NULL;
    fuzz_demand(sidle_world_create(NULL, NULL, &world) == SIDLE_OK, "no world");
    for (uint32_t i = 0; i < triangles; i += each)
    {
        sidle_instance_desc placed = {
            .size = sizeof placed, .mesh = mesh_of(vertices + 9 * i, each), .key = i, .flags = flags};
        sidle_instance instance;
        fuzz_demand(placed.mesh && sidle_world_add(world, &placed, &instance) == SIDLE_OK, "no instance");
        sidle_mesh_release(placed.mesh);
    }
    fuzz_demand(sidle_world_commit(world, NULL) == SIDLE_OK &&
                    sidle_world_snapshot(world, &snapshot) == SIDLE_OK,
                "no snapshot");
    sidle_world_destroy(world);
    return snapshot;
}

/* Four triangles that look outwards. */
static void write_tetrahedron(const float *corners, float *out)
{
    static const int faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    Vec3 v[4];
    for (int i = 0; i < 4; ++i)
    {
        v[i] = vec3((double)corners[3 * i], (double)corners[3 * i + 1], (double)corners[3 * i + 2]);
    }
    int swaps = exact_orient3d_sign(v[0], v[1], v[2], v[3]) < 0;
    for (int i = 0; i < 12; ++i)
    {
        int corner = faces[i];
        corner = swaps && corner < 2 ? 1 - corner : corner;
        memcpy(out + 3 * i, corners + 3 * corner, 3 * sizeof *out);
    }
}

static void make_solids(Worlds *worlds)
{
    float vertices[9 * 4 * (3 * MOST / 4)];
    uint32_t count = 3 * worlds->count / 4;
    for (uint32_t i = 0; i < count; ++i)
    {
        write_tetrahedron(worlds->vertices + 12 * i, vertices + 36 * i);
    }
    worlds->solid = worlds->solids = NULL;
    if (count > 0)
    {
        sidle_mesh *mesh = mesh_of(vertices, 4 * count);
        fuzz_demand(mesh && sidle_mesh_is_closed(mesh), "tetrahedra are not closed");
        sidle_mesh_release(mesh);
        worlds->solid = snapshot_of(vertices, 4 * count, 4 * count, SIDLE_INSTANCE_CLOSED);
        worlds->solids = snapshot_of(vertices, 4 * count, 4, SIDLE_INSTANCE_CLOSED);
    }
}

static bool read_worlds(Input *input, Worlds *worlds)
{
    worlds->count = 1 + input_below(input, MOST);
    for (uint32_t i = 0; i < 3 * worlds->count; ++i)
    {
        Vector v = input_corner(input);
        const double at[3] = {v.x, v.y, v.z};
        for (int axis = 0; axis < 3; ++axis)
        {
            if (!(fabs(at[axis]) < 1e6))
            {
                return false;
            }
            worlds->vertices[3 * i + (uint32_t)axis] = (float)at[axis];
        }
    }
    worlds->together = snapshot_of(worlds->vertices, worlds->count, worlds->count, 0);
    worlds->apart = snapshot_of(worlds->vertices, worlds->count, 1, 0);
    make_solids(worlds);
    return true;
}

static sidle_place read_place(Input *input)
{
    Vector center = input_corner(input);
    sidle_place place = {.center = {center.x, center.y, center.z}};
    float size = (float)fabs(input_within(input, 8)) + 1e-3f;
    place.shape.radii = (sidle_vec3){size, size, size};
    switch (input_below(input, 6))
    {
    case 0:
        place.shape.half_height = 2 * size;
        break;
    case 1:
        place.shape.radii.y *= 1 + (float)fabs(input_within(input, 8));
        break;
    case 2:
        place.flags = SIDLE_PLACE_BOX;
        place.shape.radii.z *= 1 + (float)fabs(input_within(input, 8));
        break;
    case 3:
        place.shape.radii = (sidle_vec3){input_any(input), input_any(input), input_any(input)};
        break;
    case 4:
        place.shape.radii.z *= 1 + (float)fabs(input_within(input, 4));
        place.shape.half_height = size;
        break;
    default:
        break;
    }
    place.rotation = (sidle_quat){(float)input_within(input, 1), (float)input_within(input, 1),
                                  (float)input_within(input, 1), (float)input_within(input, 1)};
    return place;
}

/* Both worlds list the same triangles. Returns how many; UINT32_MAX if the place is refused. */
static uint32_t check_lists(const Worlds *worlds, const sidle_place *place)
{
    sidle_overlap one[MOST], other[MOST];
    uint32_t count, same, any;
    sidle_status status = sidle_place_overlaps(worlds->together, 0, place, one, MOST, &count);
    fuzz_demand(sidle_place_overlaps(worlds->apart, 0, place, other, MOST, &same) == status,
                "one is refused");
    if (status != SIDLE_OK)
    {
        return UINT32_MAX;
    }
    fuzz_demand(count == same && count <= worlds->count, "lists of different length");
    for (uint32_t i = 0; i < count; ++i)
    {
        fuzz_demand(one[i].triangle == other[i].instance_key, "lists of different triangles");
        fuzz_demand(i == 0 || one[i - 1].triangle < one[i].triangle, "no order");
    }
    fuzz_demand(sidle_place_overlaps(worlds->together, 0, place, NULL, 1, &any) == SIDLE_OK &&
                    any == (count > 0),
                "the count is no list");
    return count;
}

static void check_closest(const Worlds *worlds, const sidle_place *place, uint32_t count)
{
    sidle_closest one, other;
    float most = 4 * place->shape.radii.x;
    sidle_status status = sidle_place_closest(worlds->together, 0, place, most, &one);
    fuzz_demand(sidle_place_closest(worlds->apart, 0, place, most, &other) == status, "one is refused");
    if (status != SIDLE_OK)
    {
        return;
    }
    double slack = TOLERANCE * (double)place->shape.radii.x;
    fuzz_demand(one.found == other.found && (!one.found || one.triangle == other.instance_key),
                "another is closest");
    fuzz_demand(!one.found || (isfinite(one.distance) && one.distance <= (double)most), "too far");
    fuzz_demand(!(count > 0) || (one.found && one.distance < slack), "an overlap is not closest");
    fuzz_demand(!(one.found && one.distance < -slack) || count > 0, "a depth without an overlap");
}

static void check_free(const sidle_snapshot *snapshot, const sidle_place *place, bool on_ground)
{
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = *place,
                            .radius = 4 * place->shape.radii.x,
                            .drop = on_ground ? 2 * place->shape.radii.x : 0};
    sidle_position center;
    uint32_t found, any;
    if (sidle_place_find_free(snapshot, 0, &desc, &center, &found) != SIDLE_OK || !found)
    {
        return;
    }
    double x = center.x - place->center.x, y = center.y - place->center.y, z = center.z - place->center.z;
    fuzz_demand_at_most(sqrt(x * x + y * y + z * z), (double)(desc.radius + desc.drop) * (1 + TOLERANCE),
                        "too far");
    sidle_place at = *place;
    at.center = center;
    fuzz_demand(sidle_place_overlaps(snapshot, 0, &at, NULL, 1, &any) == SIDLE_OK && any == 0,
                "a place that is found is not free");
    sidle_inside inside;
    fuzz_demand(sidle_place_inside(snapshot, 0, &at, &inside) == SIDLE_OK && !inside.found,
                "a place that is found is inside");
}

/* At the place, and at its height on the line along y through a corner. */
static void check_inside(const Worlds *worlds, const sidle_place *place, uint32_t corner)
{
    const float *column = worlds->vertices + 3 * corner;
    sidle_place at = *place;
    for (int i = 0; i < 2; ++i)
    {
        sidle_inside one, other;
        sidle_status status = sidle_place_inside(worlds->solid, 0, &at, &one);
        fuzz_demand(sidle_place_inside(worlds->solids, 0, &at, &other) == status, "one is refused");
        fuzz_demand(status != SIDLE_OK || one.found == other.found, "one holds what the other does not");
        at.center = (sidle_position){(double)column[0], place->center.y, (double)column[2]};
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = input_of(data, size);
    Worlds worlds;
    if (!read_worlds(&input, &worlds))
    {
        return 0;
    }
    for (int i = 0; i < 8 && !input_ended(&input); ++i)
    {
        sidle_place place = read_place(&input);
        uint32_t count = check_lists(&worlds, &place);
        if (count != UINT32_MAX)
        {
            check_closest(&worlds, &place, count);
            check_free(worlds.together, &place, i % 2);
            if (worlds.solid)
            {
                check_inside(&worlds, &place, (uint32_t)i % (3 * worlds.count));
                check_free(worlds.solids, &place, i % 2);
            }
        }
    }
    sidle_snapshot_release(worlds.together);
    sidle_snapshot_release(worlds.apart);
    sidle_snapshot_release(worlds.solid);
    sidle_snapshot_release(worlds.solids);
    return 0;
}
