#include "support/variants.h"

#include "support/scene.h"

#include <stdlib.h>

/* Some triangles of a soup by number. */
typedef struct Pick
{
    const Soup *soup;
    const size_t *numbers;
    size_t count;
    uint32_t more; /* triangles far away */
} Pick;

static SoupTriangle far_triangle(Random *random)
{
    SoupTriangle triangle;
    double side = random_chance(random, 0.5) ? 1.0 : -1.0;
    Vector middle = random_in_box(random, vector(1000, -900, -3900), vector(3900, 900, 3900));
    for (int corner = 0; corner < 3; ++corner)
    {
        Vector place = vector_along(middle, 20.0, random_direction(random));
        triangle.v[corner] = vector_scale(place, side);
    }
    return triangle;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
    {
        abort();
    }
    return memory;
}

static sidle_mesh *mesh_of_pick(const Pick *pick)
{
    Random random = random_seeded(pick->count);
    size_t count = pick->count + pick->more;
    SoupTriangle *triangles = zeroed(count, sizeof *triangles);
    uint16_t *surfaces = zeroed(count, sizeof *surfaces);
    for (size_t index = 0; index < count; ++index)
    {
        bool is_own = index < pick->count;
        triangles[index] = is_own ? pick->soup->triangles[pick->numbers[index]] : far_triangle(&random);
        surfaces[index] = is_own ? (uint16_t)pick->numbers[index] : 0;
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &triangles[0].v[0].x,
                            .vertex_count = (uint32_t)(3 * count),
                            .triangle_count = (uint32_t)count,
                            .surfaces = surfaces};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    free(triangles);
    free(surfaces);
    return mesh;
}

static void add_pick(Variant *variant, const Pick *pick, uint64_t key)
{
    sidle_instance instance;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh_of_pick(pick), .key = key};
    demand(sidle_world_add(variant->world, &desc, &instance), "sidle_world_add");
    sidle_mesh_release(desc.mesh);
}

/* `step` triangles an instance, in the order of `numbers`; an instance's key is its first triangle. */
static void add_pieces(Variant *variant, const Soup *soup, const size_t *numbers, size_t step)
{
    for (size_t first = 0; first < soup->count; first += step)
    {
        size_t left = soup->count - first;
        Pick pick = {soup, numbers + first, step < left ? step : left, 0};
        add_pick(variant, &pick, numbers[first]);
    }
}

static void add_far_instances(Variant *variant)
{
    Random random = random_seeded(5);
    const size_t number = 0;
    for (uint64_t index = 0; index < 300; ++index)
    {
        SoupTriangle triangle = far_triangle(&random);
        Soup soup = {&triangle, 1, 1};
        Pick pick = {&soup, &number, 1, 0};
        add_pick(variant, &pick, 1000000 + index);
    }
}

static size_t *numbers_of(const Soup *soup, bool shuffled)
{
    size_t *numbers = zeroed(soup->count, sizeof *numbers);
    Random random = random_seeded(soup->count);
    for (size_t index = 0; index < soup->count; ++index)
    {
        size_t other = shuffled ? random_below(&random, (uint32_t)index + 1) : index;
        numbers[index] = numbers[other];
        numbers[other] = index;
    }
    return numbers;
}

Variant variant_of(const Soup *soup, VariantForm form)
{
    Variant variant = {0};
    bool shuffled = form == VARIANT_INSTANCES_SHUFFLED || form == VARIANT_MESH_SHUFFLED;
    size_t *numbers = numbers_of(soup, shuffled);
    sidle_world_desc world = {.size = sizeof world};
    demand(sidle_world_create(&world, NULL, &variant.world), "sidle_world_create");
    if (form == VARIANT_QUADS)
    {
        add_pieces(&variant, soup, numbers, 2);
    }
    else if (form == VARIANT_TRIANGLES || form == VARIANT_INSTANCES_SHUFFLED)
    {
        add_pieces(&variant, soup, numbers, 1);
    }
    else
    {
        Pick all = {soup, numbers, soup->count, form == VARIANT_MORE_IN_MESH ? 5000 : 0};
        add_pick(&variant, &all, 0);
    }
    if (form == VARIANT_MORE_INSTANCES)
    {
        add_far_instances(&variant);
    }
    free(numbers);
    variant_renew(&variant);
    return variant;
}

void variant_renew(Variant *variant)
{
    sidle_snapshot_release(variant->snapshot);
    demand(sidle_world_commit(variant->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(variant->world, &variant->snapshot), "sidle_world_snapshot");
}

void variant_close(Variant *variant)
{
    sidle_snapshot_release(variant->snapshot);
    sidle_world_destroy(variant->world);
    *variant = (Variant){0};
}

static double on_grid(double value)
{
    return rint(value * 0x1p14) * 0x1p-14;
}

sidle_position variant_on_grid(sidle_position place)
{
    return (sidle_position){on_grid(place.x), on_grid(place.y), on_grid(place.z)};
}

void variant_soup_on_grid(Soup *soup)
{
    for (size_t index = 0; index < 3 * soup->count; ++index)
    {
        Vector *v = &soup->triangles[index / 3].v[index % 3];
        *v = vector(on_grid(v->x), on_grid(v->y), on_grid(v->z));
    }
}
