/* Triangles stored many times: casts and places find the first copy, with the bits that the triangle has when it is stored once. */
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum
{
    DIFFERENT = 12,
    PAIRED = 4, /* the first: two pairs of triangles that share an edge, so that a cast along it ties */
    STORED = 600,
    CASTS = 40,
    SURFACE = 3 /* of every other copy, where surfaces are ignored */
};

typedef struct Heap
{
    float triangles[DIFFERENT][9];
    uint32_t kind[STORED]; /* of the triangles, in the order in which they are stored */
    uint32_t first[DIFFERENT], order[DIFFERENT];
    uint16_t surface[STORED];
    sidle_mesh *many, *once; /* `once`: in the order of the first copies */
    sidle_world *worlds[2];
    sidle_snapshot *snapshots[2];
} Heap;

static void draw_triangles(Random *random, Heap *heap)
{
    static const float quad[2][9] = {{-1, 0, 0, 0, 0, 1, 1, 0, 0}, {-1, 0, 0, 1, 0, 0, 0, 0, -1}};
    for (uint32_t i = 0; i < DIFFERENT; ++i)
    {
        for (uint32_t k = 0; k < 9; ++k)
        {
            heap->triangles[i][k] = (float)random_between(random, -2, 2);
        }
        if (i < PAIRED)
        {
            memcpy(heap->triangles[i], quad[i % 2], sizeof quad[0]);
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                heap->triangles[i][3 * corner + 1] = i < 2 ? 0 : .75f;
            }
        }
    }
}

static sidle_mesh *mesh_of(const Heap *heap, const uint32_t *kinds, const uint16_t *surfaces, uint32_t count)
{
    static float vertices[STORED][9];
    const sidle_position origin = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i)
    {
        memcpy(vertices[i], heap->triangles[kinds[i]], sizeof vertices[i]);
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices[0],
                            .vertex_count = 3 * count,
                            .triangle_count = count,
                            .surfaces = surfaces,
                            .origin = &origin};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    return mesh;
}

/* Every other copy has the surface, but no first one. */
static void heap_make(Heap *heap, uint64_t seed, bool has_surfaces)
{
    Random random = random_seeded(seed);
    uint32_t found = 0;
    uint16_t none[DIFFERENT] = {0};
    uint32_t kinds = seed % 2 ? DIFFERENT : PAIRED;
    memset(heap, 0, sizeof *heap);
    draw_triangles(&random, heap);
    bool is_known[DIFFERENT] = {false};
    for (uint32_t i = 0; i < STORED; ++i)
    {
        uint32_t kind = random_below(&random, kinds);
        kind = has_surfaces && i < kinds ? i : kind;
        heap->kind[i] = kind;
        heap->surface[i] = has_surfaces && i % 2 == 0 ? SURFACE : 0;
        if (!is_known[kind] && heap->surface[i] == 0)
        {
            is_known[kind] = true;
            heap->first[found] = i;
            heap->order[found++] = kind;
        }
    }
    heap->many = mesh_of(heap, heap->kind, heap->surface, STORED);
    heap->once = mesh_of(heap, heap->order, none, found);
    for (int i = 0; i < 2; ++i)
    {
        sidle_instance id;
        sidle_world_desc world = {.size = sizeof world};
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = i == 0 ? heap->many : heap->once};
        demand(sidle_world_create(&world, NULL, &heap->worlds[i]), "sidle_world_create");
        demand(sidle_world_add(heap->worlds[i], &desc, &id), "sidle_world_add");
        demand(sidle_world_commit(heap->worlds[i], NULL), "sidle_world_commit");
        demand(sidle_world_snapshot(heap->worlds[i], &heap->snapshots[i]), "sidle_world_snapshot");
    }
}

static void heap_free(Heap *heap)
{
    for (int i = 0; i < 2; ++i)
    {
        sidle_snapshot_release(heap->snapshots[i]);
        sidle_world_destroy(heap->worlds[i]);
    }
    sidle_mesh_release(heap->many);
    sidle_mesh_release(heap->once);
}

static sidle_shape shape_drawn(Random *random)
{
    float r = (float)random_between(random, .1, .6);
    switch (random_below(random, 4))
    {
    case 0:
        return (sidle_shape){.radii = {r, r, r}};
    case 1:
        return (sidle_shape){.radii = {r, 2 * r, r}};
    case 2:
        return (sidle_shape){.radii = {r, r, r}, .half_height = r};
    default:
        return (sidle_shape){.radii = {0, 0, 0}};
    }
}

/* A third goes down on the edge that two triangles share. */
static sidle_cast cast_drawn_at(Random *random)
{
    sidle_cast cast = {.origin = {random_between(random, -2, 2), random_between(random, -2, 3), 0},
                       .shape = shape_drawn(random)};
    cast.origin.z = random_between(random, -2, 2);
    cast.displacement =
        (sidle_vec3){(float)random_between(random, -2, 2), (float)random_between(random, -4, 1),
                     (float)random_between(random, -2, 2)};
    if (random_below(random, 3) == 0)
    {
        cast.origin.x = .25 * (double)random_below(random, 4);
        cast.origin.z = 0;
        cast.displacement = (sidle_vec3){0, -4, 0};
    }
    return cast;
}

static bool is_same_hit(const Heap *heap, sidle_cast_hit once, const sidle_cast_hit *many)
{
    once.triangle = once.hit ? heap->first[once.triangle] : 0;
    once.instance = many->instance;
    return memcmp(&once, many, sizeof once) == 0;
}

static void check_casts(const Heap *heap, uint64_t seed, uint32_t lanes, uint32_t ignored, uint32_t *hits)
{
    Random random = random_seeded(seed);
    sidle_cast casts[CASTS];
    sidle_cast_hit found[2][CASTS];
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        casts[i] = cast_drawn_at(&random);
        casts[i].ignored_surfaces = ignored;
    }
    for (int i = 0; i < 2; ++i)
    {
        sidle_cast_batch_desc batch = {.size = sizeof batch,
                                       .snapshot = heap->snapshots[i],
                                       .lanes = lanes,
                                       .casts = casts,
                                       .count = CASTS,
                                       .hits = found[i]};
        demand(sidle_cast_batch(&batch), "sidle_cast_batch");
    }
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        cr_expect(is_same_hit(heap, found[1][i], &found[0][i]), "seed %llu cast %u: triangle %u for %u",
                  (unsigned long long)seed, i, found[0][i].triangle, heap->first[found[1][i].triangle]);
        *hits += found[0][i].hit != SIDLE_CAST_MISS;
    }
}

/* ignored: surfaces; with SURFACE, half of the copies. */
static void check_heaps(bool has_surfaces)
{
    static const uint32_t widths[] = {4, 8, 16};
    uint32_t hits = 0, casts = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed)
    {
        Heap heap;
        heap_make(&heap, seed, has_surfaces);
        for (uint32_t width = 0; width < 3; ++width)
        {
            if (sidle_cast_lanes(widths[width]))
            {
                check_casts(&heap, 100 * seed + width, widths[width], has_surfaces ? 1u << SURFACE : 0,
                            &hits);
                casts += CASTS;
            }
        }
        heap_free(&heap);
    }
    cr_expect(hits > casts / 3, "only %u of %u hit", hits, casts);
}

Test(copies, a_cast_hits_the_first_copy_with_the_bits_of_one)
{
    check_heaps(false);
}

Test(copies, a_cast_hits_copies_whose_surface_is_not_ignored)
{
    check_heaps(true);
}

Test(copies, the_closest_triangle_is_the_first_copy)
{
    uint32_t found = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed)
    {
        Heap heap;
        heap_make(&heap, seed, false);
        Random random = random_seeded(200 + seed);
        for (uint32_t i = 0; i < CASTS; ++i)
        {
            sidle_cast drawn = cast_drawn_at(&random);
            sidle_place place = {.center = drawn.origin, .shape = drawn.shape};
            bool is_point = !(place.shape.radii.x > 0);
            place.flags =
                !is_point && !(place.shape.half_height > 0) && i % 2 ? (uint32_t)SIDLE_PLACE_BOX : 0;
            sidle_closest many, once;
            demand(sidle_place_closest(heap.snapshots[0], 0, &place, 2, &many), "sidle_place_closest");
            demand(sidle_place_closest(heap.snapshots[1], 0, &place, 2, &once), "sidle_place_closest");
            once.triangle = once.found ? heap.first[once.triangle] : 0;
            once.instance = many.instance;
            answers_keep_fields(NULL, 0, &many);
            answers_keep_fields(NULL, 0, &once);
            cr_expect(memcmp(&many, &once, sizeof many) == 0, "seed %llu place %u: triangle %u for %u",
                      (unsigned long long)seed, i, many.triangle, once.triangle);
            found += many.found;
        }
        heap_free(&heap);
    }
    cr_expect(found > 600, "only %u found", found);
}
