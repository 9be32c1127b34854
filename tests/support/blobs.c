#include "support/blobs.h"

#include "support/hash.h"
#include "support/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALKERS 12

sidle_mesh *mesh_of(Soup soup)
{
    uint16_t *surfaces = calloc(soup.count + 1, sizeof *surfaces);
    for (size_t i = 0; i < soup.count; ++i)
    {
        surfaces[i] = (uint16_t)(3 * i + 1);
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = soup.count > 0 ? &soup.triangles[0].v[0].x : NULL,
                            .vertex_count = (uint32_t)(3 * soup.count),
                            .triangle_count = (uint32_t)soup.count,
                            .surfaces = surfaces};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    free(surfaces);
    soup_free(&soup);
    return mesh;
}

static Blob blob_sized(size_t size)
{
    Blob blob = {malloc(size ? size : 1), size}; /* malloc aligns to 16 */
    if (!blob.bytes)
    {
        abort();
    }
    return blob;
}

Blob blob_of(const sidle_mesh *mesh)
{
    size_t size = 0;
    demand(sidle_mesh_save(mesh, NULL, 0, &size), "sidle_mesh_save");
    Blob blob = blob_sized(size);
    demand(sidle_mesh_save(mesh, blob.bytes, size, &size), "sidle_mesh_save");
    return blob;
}

Blob blob_of_terrain(int cells)
{
    Soup soup = {0};
    soup_terrain(&soup, cells, cells > 0 ? 3.0 / cells : 1, .3, 7);
    sidle_mesh *mesh = mesh_of(soup);
    Blob blob = blob_of(mesh);
    sidle_mesh_release(mesh);
    return blob;
}

Blob blob_begin(const Blob *blob, size_t size)
{
    Blob begin = blob_sized(size);
    memcpy(begin.bytes, blob->bytes, size < blob->size ? size : blob->size);
    return begin;
}

void blob_free(Blob *blob)
{
    free(blob->bytes);
    *blob = (Blob){NULL, 0};
}

BlobHeader *blob_header(const Blob *blob)
{
    return (BlobHeader *)(void *)blob->bytes;
}

BvhNode *blob_nodes(const Blob *blob)
{
    return (BvhNode *)(void *)(blob->bytes + sizeof(BlobHeader));
}

void blob_seal(const Blob *blob)
{
    blob_header(blob)->checksum = sidle_blob_checksum(blob->bytes, blob->size);
}

sidle_status blob_open(const Blob *blob, uint32_t flags, sidle_error *error, sidle_mesh **out)
{
    sidle_blob_desc desc = {
        .size = sizeof desc, .bytes = blob->bytes, .byte_count = blob->size, .flags = flags, .error = error};
    return sidle_mesh_open(&desc, NULL, out);
}

struct Walkers
{
    sidle_crowd *crowd;
    sidle_move moves[WALKERS];
    sidle_result results[WALKERS];
    sidle_contact contacts[WALKERS * 8];
};

Walkers *walkers_create(void)
{
    sidle_profile profiles[3];
    for (uint32_t mode = 0; mode < 3; ++mode)
    {
        profiles[mode] =
            (sidle_profile){.size = sizeof *profiles, .shape = {.radii = {.2f, .4f, .2f}}, .mode = mode};
    }
    Walkers *walkers = calloc(1, sizeof *walkers);
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 3};
    demand(walkers ? sidle_crowd_create(&desc, NULL, &walkers->crowd) : SIDLE_ERROR_MEMORY,
           "sidle_crowd_create");
    return walkers;
}

void walkers_destroy(Walkers *walkers)
{
    sidle_crowd_destroy(walkers->crowd);
    free(walkers);
}

/* Half of them above what lies around the origin, half of them in it. */
static void place_walkers(Walkers *walkers, Vector place)
{
    for (uint32_t i = 0; i < WALKERS; ++i)
    {
        double x = (i % 4) * .8 - 1.2, z = (i / 4) * .9 - .9, y = i % 2 ? .1 : .8;
        walkers->moves[i] = (sidle_move){.id = i + 1, .profile = i % 3};
        walkers->moves[i].body.center = (sidle_position){place.x + x, place.y + y, place.z + z};
    }
}

/* Field by field: the padding between them may differ. */
static uint64_t hash_tick(uint64_t hash, const Walkers *walkers, uint32_t contact_count)
{
    for (uint32_t i = 0; i < WALKERS; ++i)
    {
        const sidle_body *body = &walkers->results[i].body;
        hash = hash_memory(hash, &body->center, sizeof body->center);
        hash = hash_memory(hash, &body->velocity, sizeof body->velocity);
        hash = hash_memory(hash, &body->ground_triangle, sizeof body->ground_triangle);
        hash = hash_memory(hash, &body->ground_surface, sizeof body->ground_surface);
        hash = hash_memory(hash, &body->flags, sizeof body->flags);
        hash = hash_memory(hash, &walkers->results[i].reasons, sizeof walkers->results[i].reasons);
    }
    for (uint32_t i = 0; i < contact_count; ++i)
    {
        const sidle_contact *contact = &walkers->contacts[i];
        hash = hash_memory(hash, &contact->point, sizeof contact->point);
        hash = hash_memory(hash, &contact->normal, sizeof contact->normal);
        hash = hash_memory(hash, &contact->triangle, sizeof contact->triangle);
        hash = hash_memory(hash, &contact->surface, sizeof contact->surface);
    }
    return hash;
}

static void take_results(Walkers *walkers)
{
    for (uint32_t i = 0; i < WALKERS; ++i)
    {
        const sidle_body *body = &walkers->results[i].body;
        if (!isfinite(body->center.x) || !isfinite(body->center.y) || !isfinite(body->center.z))
        {
            fprintf(stderr, "walkers: agent %u is nowhere\n", i);
            abort();
        }
        walkers->moves[i].body = *body;
    }
}

static uint64_t run(Walkers *walkers, sidle_snapshot *snapshot, int ticks)
{
    uint64_t hash = 0xCBF29CE484222325u;
    uint32_t contact_count = 0;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = snapshot,
                            .dt = 1.0f / 60.0f,
                            .moves = walkers->moves,
                            .count = WALKERS,
                            .results = walkers->results,
                            .contacts = walkers->contacts,
                            .contact_capacity = WALKERS * 8,
                            .contact_count = &contact_count};
    for (int t = 0; t < ticks; ++t)
    {
        for (int i = 0; i < WALKERS; ++i)
        {
            float turn = (float)((t / 20 + i) % 4 - 1) * .03f; /* to and fro, with rests */
            walkers->moves[i].displacement = (sidle_vec3){turn, i % 3 == 2 ? -.02f : 0, .03f - turn};
        }
        demand(sidle_crowd_tick(walkers->crowd, &tick), "sidle_crowd_tick");
        hash = hash_tick(hash, walkers, contact_count);
        take_results(walkers);
    }
    return hash;
}

uint64_t walkers_run(Walkers *walkers, sidle_mesh *mesh, Vector place, int ticks)
{
    sidle_world_desc world_desc = {.size = sizeof world_desc};
    sidle_instance_desc instance_desc = {.size = sizeof instance_desc, .mesh = mesh};
    sidle_instance instance;
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = NULL;
    uint64_t hash = 0;
    demand(sidle_world_create(&world_desc, NULL, &world), "sidle_world_create");
    if (sidle_world_add(world, &instance_desc, &instance) == SIDLE_OK)
    {
        demand(sidle_world_commit(world, NULL), "sidle_world_commit");
        demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
        place_walkers(walkers, place);
        hash = run(walkers, snapshot, ticks);
        sidle_snapshot_release(snapshot);
    }
    sidle_world_destroy(world);
    return hash;
}

static void read_back(const sidle_mesh *mesh)
{
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_get_info(mesh, &info), "sidle_mesh_get_info");
    sidle_triangle *triangles = calloc((size_t)info.triangle_count + 1, sizeof *triangles);
    demand(sidle_mesh_get_triangles(mesh, 0, info.triangle_count, triangles), "sidle_mesh_get_triangles");
    free(triangles);
}

/* A refusal has to come with a sentence and a place in the blob. */
static void demand_reason(const Blob *blob, sidle_status status, const sidle_error *error)
{
    bool known = status == SIDLE_ERROR_ARGUMENT || status == SIDLE_ERROR_UNSUPPORTED;
    if (!known || error->status != status || !error->text[0] || error->index > blob->size)
    {
        fprintf(stderr, "blob: refused with status %d: '%s'\n", (int)status, error->text);
        abort();
    }
}

bool blob_survives(const Blob *blob, Walkers *walkers)
{
    sidle_mesh *mesh = NULL;
    sidle_error error = {0};
    sidle_status status = blob_open(blob, 0, &error, &mesh);
    if (status != SIDLE_OK)
    {
        demand_reason(blob, status, &error);
        return false;
    }
    read_back(mesh);
    walkers_run(walkers, mesh, vector(0, 0, 0), 2);
    sidle_mesh_release(mesh);
    return true;
}
