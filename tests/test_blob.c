/* The contract of blobs: what is restored, what is refused with which reason, and when memory is released. */
#include "base/memory.h"
#include "support/blobs.h"
#include "support/scene.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define TERRAIN_CELLS 12

static Soup terrain_at(Vector place)
{
    Soup soup = {0};
    soup_terrain(&soup, TERRAIN_CELLS, .5, .3, 7);
    soup_shift(&soup, place);
    return soup;
}

static sidle_mesh *open_or_die(const Blob *blob, uint32_t flags)
{
    sidle_mesh *mesh = NULL;
    sidle_error error = {0};
    sidle_status status = blob_open(blob, flags, &error, &mesh);
    cr_assert_eq(status, SIDLE_OK, "%s", error.text);
    return mesh;
}

/* ---- What comes back. ---- */

static void agents_move_the_same(Vector place)
{
    sidle_mesh *baked = mesh_of(terrain_at(place));
    Blob blob = blob_of(baked);
    Walkers *walkers = walkers_create();
    uint64_t expected = walkers_run(walkers, baked, place, 200);
    sidle_mesh_release(baked);
    sidle_mesh *nothing = mesh_of((Soup){0});
    cr_expect_neq(walkers_run(walkers, nothing, place, 200), expected, "no agent touched the mesh");
    sidle_mesh_release(nothing);
    for (uint32_t flags = 0; flags <= SIDLE_BLOB_TRUSTED; ++flags)
    {
        sidle_mesh *opened = open_or_die(&blob, flags);
        cr_expect_eq(walkers_run(walkers, opened, place, 200), expected, "flags %u", flags);
        sidle_mesh_release(opened);
    }
    walkers_destroy(walkers);
    blob_free(&blob);
}

Test(blob, agents_move_to_the_same_bits_in_a_mesh_that_was_saved_and_opened)
{
    agents_move_the_same(vector(0, 0, 0));
}

Test(blob, agents_move_to_the_same_bits_far_from_the_origin)
{
    agents_move_the_same(vector(1234567.25, -54321.5, 7654321.125));
}

Test(blob, an_opened_mesh_saves_the_same_bytes_and_reports_the_same_info)
{
    sidle_mesh *baked = mesh_of(terrain_at(vector(1e6, 0, 3)));
    Blob blob = blob_of(baked);
    sidle_mesh *opened = open_or_die(&blob, 0);
    Blob again = blob_of(opened);
    cr_assert_eq(again.size, blob.size);
    cr_expect_eq(memcmp(again.bytes, blob.bytes, blob.size), 0);
    sidle_mesh_info one = {.size = sizeof one}, other = {.size = sizeof other};
    sidle_mesh_get_info(baked, &one);
    sidle_mesh_get_info(opened, &other);
    cr_expect_eq(memcmp(&one, &other, sizeof one), 0);
    sidle_mesh_release(baked);
    sidle_mesh_release(opened);
    blob_free(&blob);
    blob_free(&again);
}

static bool is_stored_form_of(const sidle_triangle *triangle, const SoupTriangle *given, Vector origin)
{
    bool same = true;
    for (int corner = 0; corner < 3; ++corner)
    {
        sidle_position v = triangle->vertices[corner];
        Vector stored = vector_add(origin, vector_as_float(vector_sub(given->v[corner], origin)));
        same = same && vector_same_bits(vector(v.x, v.y, v.z), stored);
    }
    return same;
}

Test(blob, the_triangles_come_back_in_their_order_with_their_surfaces)
{
    Soup soup = terrain_at(vector(1e6, 0, 3));
    sidle_mesh *baked = mesh_of(soup_copy(&soup));
    Blob blob = blob_of(baked);
    sidle_mesh *opened = open_or_die(&blob, 0);
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(opened, &info);
    Vector origin = vector(info.origin.x, info.origin.y, info.origin.z);
    sidle_triangle *triangles = calloc(soup.count, sizeof *triangles);
    for (uint32_t first = 0; first < soup.count; first += 97) /* from the first one, and from others */
    {
        uint32_t count = (uint32_t)soup.count - first;
        cr_assert_eq(sidle_mesh_get_triangles(opened, first, count, triangles), SIDLE_OK);
        for (uint32_t i = 0; i < count; ++i)
        {
            cr_expect(is_stored_form_of(&triangles[i], &soup.triangles[first + i], origin), "%u", first + i);
            cr_expect_eq(triangles[i].surface, 3 * (first + i) + 1);
        }
    }
    uint32_t all = (uint32_t)soup.count;
    cr_expect_eq(sidle_mesh_get_triangles(opened, all, 0, NULL), SIDLE_OK);
    cr_expect_eq(sidle_mesh_get_triangles(opened, 1, all, triangles), SIDLE_ERROR_INDEX);
    cr_expect_eq(sidle_mesh_get_triangles(opened, all + 1, 0, triangles), SIDLE_ERROR_INDEX);
    cr_expect_eq(sidle_mesh_get_triangles(opened, 0, 1, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_get_triangles(NULL, 0, 1, triangles), SIDLE_ERROR_ARGUMENT);
    free(triangles);
    sidle_mesh_release(baked);
    sidle_mesh_release(opened);
    blob_free(&blob);
    soup_free(&soup);
}

/* The origin of its choice is a round number, and must not be one beyond the limit. */
Test(blob, a_mesh_at_the_limit_of_coordinates_comes_back)
{
    for (double share = -1; share < 1; share += .05)
    {
        Soup soup = {0};
        double far = SIDLE_MAX_COORDINATE, near = share * far;
        soup_triangle(&soup, vector(near, 0, -far), vector(far, 0, -near), vector(far, 1e6, -far));
        sidle_mesh *mesh = mesh_of(soup);
        Blob blob = blob_of(mesh);
        sidle_mesh_release(open_or_die(&blob, 0));
        sidle_mesh_release(mesh);
        blob_free(&blob);
    }
}

Test(blob, an_empty_mesh_comes_back_empty)
{
    sidle_mesh *baked = mesh_of((Soup){0});
    Blob blob = blob_of(baked);
    sidle_mesh *opened = open_or_die(&blob, 0);
    Walkers *walkers = walkers_create();
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(opened, &info);
    cr_expect_eq(info.triangle_count, 0);
    cr_expect_gt(info.min.x, info.max.x);
    cr_expect_eq(walkers_run(walkers, opened, vector(0, 0, 0), 10),
                 walkers_run(walkers, baked, vector(0, 0, 0), 10));
    walkers_destroy(walkers);
    sidle_mesh_release(baked);
    sidle_mesh_release(opened);
    blob_free(&blob);
}

/* ---- What is refused. ---- */

Test(blob, save_asks_for_room_and_alignment)
{
    sidle_mesh *mesh = mesh_of(terrain_at(vector(0, 0, 0)));
    Blob blob = blob_of(mesh);
    size_t size = 77;
    cr_expect_eq(sidle_mesh_save(mesh, blob.bytes, blob.size - 1, &size), SIDLE_ERROR_LIMIT);
    cr_expect_eq(sidle_mesh_save(mesh, blob.bytes + 8, blob.size, &size), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_save(NULL, blob.bytes, blob.size, &size), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_save(mesh, blob.bytes, blob.size, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(size, 77, "a failure leaves the output alone");
    sidle_mesh_release(mesh);
    blob_free(&blob);
}

static void is_refused(const Blob *blob, sidle_status expected, uint64_t index, const char *text)
{
    for (uint32_t flags = 0; flags <= SIDLE_BLOB_TRUSTED; ++flags)
    {
        sidle_error error = {0};
        sidle_mesh *mesh = NULL;
        cr_expect_eq(blob_open(blob, flags, &error, &mesh), expected);
        cr_expect_null(mesh);
        cr_expect_eq(error.status, expected);
        cr_expect_eq(error.index, index, "byte %u", (unsigned)error.index);
        cr_expect_not_null(strstr(error.text, text), "'%s' does not say '%s'", error.text, text);
    }
}

Test(blob, unsupported_blobs_are_refused_with_a_reason)
{
    sidle_mesh *mesh = mesh_of(terrain_at(vector(0, 0, 0)));
    Blob blob = blob_of(mesh);
    BlobHeader *header = blob_header(&blob), good = *header;
    header->version = 42;
    blob_seal(&blob);
    is_refused(&blob, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, version), "version 42");
    *header = good;
    header->byte_order = 0x04030201u;
    blob_seal(&blob);
    is_refused(&blob, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, byte_order), "byte order");
    *header = good;
    header->magic[0] = 'S';
    blob_seal(&blob);
    is_refused(&blob, SIDLE_ERROR_ARGUMENT, 0, "not a sidle mesh");
    *header = good;
    sidle_mesh_release(open_or_die(&blob, 0));
    sidle_mesh_release(mesh);
    blob_free(&blob);
}

Test(blob, bytes_that_are_not_aligned_are_refused)
{
    sidle_mesh *mesh = mesh_of(terrain_at(vector(0, 0, 0)));
    Blob blob = blob_of(mesh), room = blob_begin(&blob, blob.size + 16);
    for (size_t shift = 1; shift < 16; ++shift)
    {
        memcpy(room.bytes + shift, blob.bytes, blob.size);
        Blob shifted = {room.bytes + shift, blob.size};
        sidle_mesh *none = NULL;
        cr_expect_eq(blob_open(&shifted, 0, NULL, &none), SIDLE_ERROR_ARGUMENT, "shifted by %zu", shift);
        cr_expect_null(none);
    }
    sidle_mesh_release(mesh);
    blob_free(&blob);
    blob_free(&room);
}

/* ---- Ownership. ---- */

typedef struct Owner
{
    const void *bytes;
    size_t byte_count;
    int releases, allocations, frees, allowed; /* allowed: allocations that still succeed */
} Owner;

static void on_release(void *user, const void *bytes, size_t byte_count)
{
    Owner *owner = user;
    owner->releases += bytes == owner->bytes && byte_count == owner->byte_count ? 1 : 1000;
}

static void *allocate(void *user, size_t size, size_t alignment)
{
    Owner *owner = user;
    if (owner->allocations == owner->allowed)
    {
        return NULL;
    }
    ++owner->allocations;
    sidle_allocator heap;
    sidle_memory_choose(NULL, &heap);
    return heap.allocate(heap.user, size, alignment);
}

static void give_back(void *user, void *memory, size_t size)
{
    Owner *owner = user;
    sidle_allocator heap;
    sidle_memory_choose(NULL, &heap);
    ++owner->frees;
    heap.free(heap.user, memory, size);
}

static sidle_status open_owned(const Blob *blob, Owner *owner, sidle_error *error, sidle_mesh **out)
{
    owner->bytes = blob->bytes;
    owner->byte_count = blob->size;
    sidle_allocator allocator = {allocate, give_back, owner};
    sidle_blob_desc desc = {.size = sizeof desc,
                            .bytes = blob->bytes,
                            .byte_count = blob->size,
                            .on_release = on_release,
                            .user = owner,
                            .error = error};
    return sidle_mesh_open(&desc, &allocator, out);
}

Test(blob, the_bytes_are_released_once_with_the_last_reference)
{
    sidle_mesh *baked = mesh_of(terrain_at(vector(0, 0, 0))), *mesh = NULL;
    Blob blob = blob_of(baked);
    Owner owner = {.allowed = 100};
    cr_assert_eq(open_owned(&blob, &owner, NULL, &mesh), SIDLE_OK);
    sidle_world_desc world_desc = {.size = sizeof world_desc};
    sidle_instance_desc instance_desc = {.size = sizeof instance_desc, .mesh = mesh};
    sidle_instance instance;
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = NULL;
    demand(sidle_world_create(&world_desc, NULL, &world), "sidle_world_create");
    demand(sidle_world_add(world, &instance_desc, &instance), "sidle_world_add");
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    sidle_mesh_release(mesh);
    cr_expect_eq(owner.releases, 0, "the world has it");
    sidle_world_destroy(world);
    cr_expect_eq(owner.releases, 0, "the snapshot has it");
    sidle_snapshot_release(snapshot);
    cr_expect_eq(owner.releases, 1);
    cr_expect_eq(owner.allocations, owner.frees);
    sidle_mesh_release(baked);
    blob_free(&blob);
}

Test(blob, a_failure_releases_nothing_and_keeps_nothing)
{
    sidle_mesh *baked = mesh_of(terrain_at(vector(0, 0, 0))), *mesh = NULL;
    Blob blob = blob_of(baked);
    Owner poor = {.allowed = 0};
    sidle_error error = {0};
    cr_expect_eq(open_owned(&blob, &poor, &error, &mesh), SIDLE_ERROR_MEMORY);
    cr_expect_eq(error.status, SIDLE_ERROR_MEMORY);
    cr_expect_eq(poor.releases + poor.frees, 0);
    cr_expect_null(mesh);
    blob.bytes[blob.size - 1] ^= 1;
    Owner owner = {.allowed = 100};
    cr_expect_eq(open_owned(&blob, &owner, &error, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(owner.releases, 0);
    cr_expect_eq(owner.allocations, owner.frees);
    cr_expect_null(mesh);
    sidle_mesh_release(baked);
    blob_free(&blob);
}

Test(blob, an_invalid_desc_is_refused)
{
    sidle_mesh *baked = mesh_of(terrain_at(vector(0, 0, 0))), *mesh = NULL;
    Blob blob = blob_of(baked);
    const sidle_blob_desc good = {.size = sizeof good, .bytes = blob.bytes, .byte_count = blob.size};
    sidle_blob_desc desc = good;
    const sidle_allocator half = {.allocate = allocate};
    cr_expect_eq(sidle_mesh_open(NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_open(&desc, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_mesh_open(&desc, &half, &mesh), SIDLE_ERROR_ARGUMENT);
    desc.size = sizeof desc - 1;
    cr_expect_eq(sidle_mesh_open(&desc, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    desc = good;
    desc.bytes = NULL;
    cr_expect_eq(sidle_mesh_open(&desc, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    desc = good;
    desc.flags = 2;
    cr_expect_eq(sidle_mesh_open(&desc, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(mesh);
    sidle_mesh_release(baked);
    blob_free(&blob);
}
