#include "patch.h"

#include "tools/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Distances in ellipsoid space, where the shape's surface is at 1: beyond the default skin of 2 %. */
#define FREE_DISTANCE  1.021
#define START_DISTANCE 1.022

/* On slopes and beside kerbs the shape must stand higher than on level ground. */
#define LIFT_STEPS 6
#define LIFT       .1 /* metres each */

/* Two agents begin at least this far apart: two radii and a little more. */
#define LEAST_DISTANCE .845

/* No agent starts nearer to the end of the level than this [m]. */
#define EDGE 4.0

typedef struct Site
{
    double x, z, distance; /* to the middle, along the longer axis */
} Site;

static bool fail(const Patch *patch, const char *message)
{
    fprintf(stderr, "%s: %s\n", patch->level.name, message);
    return false;
}

static bool place_level(Patch *patch)
{
    const Level *level = &patch->level;
    sidle_mesh_desc soup = {.size = sizeof soup,
                            .vertices_d = level->vertices,
                            .vertex_count = level->vertex_count,
                            .triangle_count = level->triangle_count,
                            .indices = level->indices};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    if (sidle_mesh_create(&soup, NULL, NULL, &patch->mesh) || sidle_world_create(NULL, NULL, &patch->world))
    {
        return false;
    }
    placed.mesh = patch->mesh;
    return !sidle_world_add(patch->world, &placed, &instance) && !sidle_world_commit(patch->world, NULL) &&
           !sidle_world_snapshot(patch->world, &patch->snapshot);
}

bool patch_open(Patch *patch, const char *level)
{
    char message[512];
    *patch = (Patch){.shape.radii = {PATCH_RADIUS, PATCH_HEIGHT, PATCH_RADIUS}};
    if (!level_load(level, &(LevelOptions){0}, &patch->level, message, sizeof message))
    {
        fprintf(stderr, "%s\n", message);
        return false;
    }
    patch->grid = check_create(&patch->level);
    if (!patch->grid || !place_level(patch))
    {
        fail(patch, "cannot be set up");
        patch_close(patch);
        return false;
    }
    return true;
}

void patch_close(Patch *patch)
{
    free(patch->places);
    sidle_snapshot_release(patch->snapshot);
    sidle_world_destroy(patch->world);
    sidle_mesh_release(patch->mesh);
    check_destroy(patch->grid);
    level_free(&patch->level);
    *patch = (Patch){.count = 0};
}

static int by_distance(const void *a, const void *b)
{
    const Site *left = a, *right = b;
    return (left->distance > right->distance) - (left->distance < right->distance);
}

/* Returns all sites of a triangular lattice over the level, the innermost first. NULL if memory is short. */
static Site *list_sites(const Patch *patch, const sidle_mesh_info *info, double density, size_t *count)
{
    const double apart = sqrt(2 / (sqrt(3) * density)), row = apart * sqrt(.75);
    const double jitter = fmax(0, (apart - LEAST_DISTANCE) / 2);
    double width = info->max.x - info->min.x - 2 * EDGE, depth = info->max.z - info->min.z - 2 * EDGE;
    uint32_t across = (uint32_t)(width / apart), rows = (uint32_t)(depth / row);
    Site *sites = malloc(((size_t)across * rows + 1) * sizeof *sites);
    *count = 0;
    for (uint32_t j = 0; sites && j < rows; ++j)
    {
        for (uint32_t i = 0; i < across; ++i)
        {
            Random random = {.state = hash_cell(1, i, j)};
            double turn = random_between(&random, 0, 6.28318530717958648),
                   out = sqrt(random_between(&random, 0, 1));
            double x = (i + .5 * (j & 1) - .5 * across) * apart + jitter * out * cos(turn);
            double z = (j - .5 * rows) * row + jitter * out * sin(turn);
            sites[(*count)++] = (Site){patch->x + x, patch->z + z, fmax(fabs(x), fabs(z))};
        }
    }
    if (sites)
    {
        qsort(sites, *count, sizeof *sites, by_distance);
    }
    return sites;
}

/* Finds the ground from below, since houses and trees stand on it. */
static bool stand_at(const Patch *patch, const Site *site, double highest, sidle_position *center)
{
    const sidle_shape shape = {.radii = {PATCH_RADIUS, PATCH_HEIGHT, PATCH_RADIUS}};
    CheckHit ground =
        check_above(patch->grid, (sidle_position){site->x, check_lowest(patch->grid) - 1, site->z});
    if (!ground.hit || ground.faces_down || ground.height > check_lowest_floor(patch->grid) + highest)
    {
        return false;
    }
    for (int step = 0; step <= LIFT_STEPS; ++step)
    {
        double height = START_DISTANCE * (double)PATCH_HEIGHT + step * LIFT;
        *center = (sidle_position){site->x, ground.height + height, site->z};
        if (check_is_free(patch->grid, *center, shape, FREE_DISTANCE))
        {
            return true;
        }
    }
    return false;
}

/* An engine's array of agents is in no order of places. R. Durstenfeld, "Algorithm 235: Random permutation",
 * 1964. */
static void shuffle(Patch *patch)
{
    for (uint32_t i = 0; i < patch->count; ++i)
    {
        uint32_t other = hash_cell(2, i, 0) % (i + 1);
        sidle_position place = patch->places[other];
        patch->places[other] = patch->places[i];
        patch->places[i] = place;
    }
}

/* Returns the bounds of the level, after a fresh start of the patch at its middle. */
static sidle_mesh_info begin_places(Patch *patch, uint32_t count)
{
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(patch->mesh, &info);
    patch->x = (info.min.x + info.max.x) / 2;
    patch->z = (info.min.z + info.max.z) / 2;
    free(patch->places);
    patch->places = malloc((count ? count : 1) * sizeof *patch->places);
    patch->count = 0;
    return info;
}

bool patch_fill(Patch *patch, uint32_t count, double density, double highest)
{
    sidle_mesh_info info = begin_places(patch, count);
    size_t site_count;
    Site *sites = list_sites(patch, &info, density, &site_count);
    for (size_t i = 0; sites && patch->places && i < site_count && patch->count < count; ++i)
    {
        if (stand_at(patch, &sites[i], highest, &patch->places[patch->count]))
        {
            patch->half = sites[i].distance;
            ++patch->count;
        }
    }
    free(sites);
    shuffle(patch);
    return patch->count == count || fail(patch, "has too little room for these agents at this density");
}

bool patch_spread(Patch *patch, uint32_t count, double highest)
{
    sidle_mesh_info info = begin_places(patch, count);
    Random random = {.state = 3};
    double half_x = (info.max.x - info.min.x) / 2 - EDGE, half_z = (info.max.z - info.min.z) / 2 - EDGE;
    patch->half = fmax(half_x, half_z);
    for (uint64_t i = 0; patch->places && i < 100 * (uint64_t)count && patch->count < count; ++i)
    {
        double x = random_between(&random, -half_x, half_x);
        Site site = {.x = patch->x + x, .z = patch->z + random_between(&random, -half_z, half_z)};
        patch->count += stand_at(patch, &site, highest, &patch->places[patch->count]);
    }
    return patch->count == count || fail(patch, "has too little ground where an agent can stand");
}
