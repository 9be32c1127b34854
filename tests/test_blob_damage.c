/* Blobs that something has happened to. An accident shows in the checksum; malice makes the checksum fit, and
 * then every offset, index and box must be refused or lead nowhere that it should not. What opens is walked
 * on, under the sanitizers where the build has them. */
#include "support/blobs.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <string.h>

static void trust_is_refused(const Blob *blob)
{
    sidle_mesh *mesh = NULL;
    cr_expect_eq(blob_open(blob, SIDLE_BLOB_TRUSTED, NULL, &mesh), SIDLE_ERROR_ARGUMENT, "%zu bytes",
                 blob->size);
    cr_expect_null(mesh);
}

Test(blob_damage, every_truncation_is_refused)
{
    Blob blob = blob_of_terrain(3);
    Walkers *walkers = walkers_create();
    for (size_t size = 0; size < blob.size; ++size)
    {
        Blob begin = blob_begin(&blob, size);
        cr_expect_not(blob_survives(&begin, walkers), "%zu of %zu bytes", size, blob.size);
        trust_is_refused(&begin);
        if (size >= sizeof(BlobHeader))
        {
            blob_header(&begin)->byte_count = size;
            blob_seal(&begin);
            cr_expect_not(blob_survives(&begin, walkers), "%zu of %zu bytes, sealed", size, blob.size);
            trust_is_refused(&begin);
        }
        blob_free(&begin);
    }
    Blob longer = blob_begin(&blob, blob.size + 64);
    memset(longer.bytes + blob.size, 0, 64);
    cr_expect_not(blob_survives(&longer, walkers), "something behind it");
    trust_is_refused(&longer);
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
        cr_expect_not(blob_survives(&blob, walkers), "bit %zu of byte %zu", bit % 8, bit / 8);
        blob.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cr_expect(blob_survives(&blob, walkers));
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
        opened += blob_survives(&flipped, walkers);
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

Test(blob_damage, every_flipped_bit_of_the_nodes_of_a_deeper_tree_is_refused_or_harmless)
{
    Blob blob = blob_of_terrain(18);
    cr_assert_gt(blob_header(&blob)->node_count, 8);
    cr_expect_gt(flip_each_bit(&blob, sizeof(BlobHeader), (size_t)blob_header(&blob)->packets_offset), 0);
    blob_free(&blob);
}

Test(blob_damage, every_flipped_bit_of_an_empty_mesh_is_refused_or_harmless)
{
    Blob blob = blob_of_terrain(0);
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
        blob_survives(&changed, walkers);
    }
    walkers_destroy(walkers);
    blob_free(&changed);
    blob_free(&blob);
}
