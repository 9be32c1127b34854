/* Blobs that something has happened to. An accident shows in the checksum; malice makes the checksum fit, and
 * then every offset, index and box must be refused or lead nowhere that it should not. What opens is walked
 * on, under the sanitizers where the build has them. */
#include "support/blobs.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 2

static Blob blob_of_terrain(int cells)
{
    Soup soup = {0};
    soup_terrain(&soup, cells, 3.0 / cells, .3, 7);
    sidle_mesh *mesh = mesh_of(soup);
    Blob blob = blob_of(mesh);
    sidle_mesh_release(mesh);
    return blob;
}

static Blob blob_of_nothing(void)
{
    sidle_mesh *mesh = mesh_of((Soup){0});
    Blob blob = blob_of(mesh);
    sidle_mesh_release(mesh);
    return blob;
}

/* Opens, and if it does, looks at everything that a mesh can be asked for. */
static bool opens_and_survives(const Blob *blob, Walkers *walkers)
{
    sidle_mesh *mesh = NULL;
    sidle_error error = {0};
    sidle_status status = blob_open(blob, 0, &error, &mesh);
    if (status != SIDLE_OK)
    {
        cr_expect(status == SIDLE_ERROR_ARGUMENT || status == SIDLE_ERROR_UNSUPPORTED, "status %d",
                  (int)status);
        cr_expect(error.text[0] && error.index <= blob->size, "'%s'", error.text);
        return false;
    }
    sidle_mesh_info info = {.size = sizeof info};
    sidle_mesh_get_info(mesh, &info);
    sidle_triangle *triangles = calloc((size_t)info.triangle_count + 1, sizeof *triangles);
    cr_assert_eq(sidle_mesh_get_triangles(mesh, 0, info.triangle_count, triangles), SIDLE_OK);
    free(triangles);
    walkers_run(walkers, mesh, vector(0, 0, 0), TICKS);
    sidle_mesh_release(mesh);
    return true;
}

Test(blob_damage, every_truncation_is_refused)
{
    Blob blob = blob_of_terrain(3);
    Walkers *walkers = walkers_create();
    for (size_t size = 0; size < blob.size; ++size)
    {
        Blob begin = blob_begin(&blob, size);
        cr_expect_not(opens_and_survives(&begin, walkers), "%zu of %zu bytes", size, blob.size);
        if (size >= sizeof(BlobHeader))
        {
            blob_header(&begin)->byte_count = size;
            blob_seal(&begin);
            cr_expect_not(opens_and_survives(&begin, walkers), "%zu of %zu bytes, sealed", size, blob.size);
        }
        blob_free(&begin);
    }
    Blob longer = blob_begin(&blob, blob.size + 64);
    memset(longer.bytes + blob.size, 0, 64);
    cr_expect_not(opens_and_survives(&longer, walkers), "something behind it");
    blob_free(&longer);
    walkers_destroy(walkers);
    blob_free(&blob);
}

Test(blob_damage, every_flipped_bit_is_noticed)
{
    Blob blob = blob_of_terrain(3);
    Walkers *walkers = walkers_create();
    for (size_t bit = 0; bit < 8 * blob.size; ++bit)
    {
        blob.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        cr_expect_not(opens_and_survives(&blob, walkers), "bit %zu of byte %zu", bit % 8, bit / 8);
        blob.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cr_expect(opens_and_survives(&blob, walkers));
    walkers_destroy(walkers);
    blob_free(&blob);
}

/* How many of the bits could be flipped without being noticed by anything but the checksum. */
static size_t flip_each_bit(const Blob *blob, size_t first_byte, size_t end_byte)
{
    Walkers *walkers = walkers_create();
    Blob flipped = blob_begin(blob, blob->size);
    size_t opened = 0;
    for (size_t bit = 8 * first_byte; bit < 8 * end_byte; ++bit)
    {
        memcpy(flipped.bytes, blob->bytes, blob->size);
        flipped.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        blob_seal(&flipped);
        opened += opens_and_survives(&flipped, walkers);
    }
    blob_free(&flipped);
    walkers_destroy(walkers);
    return opened;
}

Test(blob_damage, every_flipped_bit_is_refused_or_harmless_with_a_checksum_made_to_fit)
{
    Blob blob = blob_of_terrain(3);
    size_t opened = flip_each_bit(&blob, 0, blob.size);
    cr_log_info("%zu of %zu flips opened", opened, 8 * blob.size);
    cr_expect_gt(opened, 0, "the seal does not fit");
    blob_free(&blob);
}

Test(blob_damage, every_flipped_bit_of_a_deeper_tree_is_refused_or_harmless)
{
    Blob blob = blob_of_terrain(12);
    cr_assert_gt(blob_header(&blob)->node_count, 8);
    cr_expect_gt(flip_each_bit(&blob, 0, blob.size), 0);
    blob_free(&blob);
}

Test(blob_damage, every_flipped_bit_of_an_empty_mesh_is_refused_or_harmless)
{
    Blob blob = blob_of_nothing();
    cr_expect_gt(flip_each_bit(&blob, 0, blob.size), 0);
    blob_free(&blob);
}

Test(blob_damage, words_of_the_worst_kind_are_refused_or_harmless)
{
    static const uint32_t words[] = {0,           1,           0x7FFFFFFFu, 0x80000000u,
                                     0xFFFFFFFFu, 0x7F800000u, 0xFF800000u, 0x7FC00000u,
                                     0x7F7FFFFFu, 0xFF7FFFFFu, 0x00000001u, 0x80000001u};
    Blob blob = blob_of_terrain(12), changed = blob_begin(&blob, blob.size);
    Walkers *walkers = walkers_create();
    Random random = random_seeded(20);
    for (int round = 0; round < 20000; ++round)
    {
        memcpy(changed.bytes, blob.bytes, blob.size);
        for (uint32_t i = 0; i <= random_below(&random, 3); ++i)
        {
            uint32_t word = words[random_below(&random, sizeof words / sizeof *words)];
            size_t at = 4 * (size_t)random_below(&random, (uint32_t)(blob.size / 4));
            memcpy(changed.bytes + at, &word, sizeof word);
        }
        blob_seal(&changed);
        opens_and_survives(&changed, walkers);
    }
    walkers_destroy(walkers);
    blob_free(&changed);
    blob_free(&blob);
}

Test(blob_damage, an_empty_mesh_that_claims_to_lie_somewhere_is_refused_or_harmless)
{
    Blob blob = blob_of_nothing();
    Walkers *walkers = walkers_create();
    for (int axis = 0; axis < 3; ++axis)
    {
        blob_header(&blob)->bounds_min[axis] = -2;
        blob_header(&blob)->bounds_max[axis] = 2;
    }
    blob_seal(&blob);
    opens_and_survives(&blob, walkers);
    walkers_destroy(walkers);
    blob_free(&blob);
}

/* ---- Trees that are none. ---- */

static uint32_t *first_inner_child(BvhNode *nodes, uint32_t node)
{
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        if (nodes[node].child[i] && !(nodes[node].child[i] & BVH_LEAF))
        {
            return &nodes[node].child[i];
        }
    }
    return NULL;
}

static void is_refused(const Blob *blob, const char *text)
{
    sidle_mesh *mesh = NULL;
    sidle_error error = {0};
    blob_seal(blob);
    cr_expect_eq(blob_open(blob, 0, &error, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(mesh);
    cr_expect_not_null(strstr(error.text, text), "'%s' does not say '%s'", error.text, text);
}

Test(blob_damage, a_tree_with_a_loop_or_a_shared_branch_is_refused)
{
    Blob blob = blob_of_terrain(12);
    BvhNode *nodes = blob_nodes(&blob);
    uint32_t *child = first_inner_child(nodes, 0), good = *child;
    cr_assert_not_null(child);
    *child = 0;
    is_refused(&blob, "before its parent");
    *child = blob_header(&blob)->node_count;
    is_refused(&blob, "outside the nodes");
    *child = good + 1;
    is_refused(&blob, "");
    *child = BVH_LEAF;
    is_refused(&blob, "");
    blob_free(&blob);
}

/* A chain of nodes, each the only child of the one before, and all leaves in the last. */
static Blob blob_of_chain(uint32_t length)
{
    Blob small = blob_of_terrain(2);
    BlobHeader header = *blob_header(&small);
    cr_assert_eq(header.node_count, 1);
    header.node_count = length;
    header.packets_offset = header.nodes_offset + length * sizeof(BvhNode);
    header.byte_count = header.packets_offset + (header.packet_bytes + 63) / 64 * 64;
    Blob chain = blob_begin(&small, header.byte_count);
    memset(chain.bytes, 0, chain.size);
    memcpy(chain.bytes, &header, sizeof header);
    memcpy(chain.bytes + header.packets_offset, small.bytes + blob_header(&small)->packets_offset,
           header.packet_bytes);
    BvhNode *nodes = blob_nodes(&chain);
    memset(nodes, 0xFF, (length - 1) * sizeof *nodes); /* boxes of NaN: unused */
    for (uint32_t n = 0; n + 1 < length; ++n)
    {
        memset(nodes[n].child, 0, sizeof nodes[n].child);
        nodes[n].child[0] = n + 1;
        nodes[n].min_x[0] = header.bounds_min[0];
        nodes[n].min_y[0] = header.bounds_min[1];
        nodes[n].min_z[0] = header.bounds_min[2];
        nodes[n].max_x[0] = header.bounds_max[0];
        nodes[n].max_y[0] = header.bounds_max[1];
        nodes[n].max_z[0] = header.bounds_max[2];
    }
    nodes[length - 1] = blob_nodes(&small)[0];
    blob_free(&small);
    return chain;
}

Test(blob_damage, a_tree_is_as_deep_as_a_walk_can_go_and_no_deeper)
{
    Walkers *walkers = walkers_create();
    Blob deepest = blob_of_chain(BVH_MAX_DEPTH), too_deep = blob_of_chain(BVH_MAX_DEPTH + 1);
    blob_seal(&deepest);
    cr_expect(opens_and_survives(&deepest, walkers));
    is_refused(&too_deep, "too deep");
    walkers_destroy(walkers);
    blob_free(&deepest);
    blob_free(&too_deep);
}
