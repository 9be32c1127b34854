#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[32];
    static int file = -1;
    if (file < 0)
    {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        fuzz_demand(file >= 0, "no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    fuzz_demand(ftruncate(file, 0) == 0, "the file cannot be emptied");
    fuzz_demand(pwrite(file, data, size, 0) == (ssize_t)size, "the file cannot be written");
    return path;
}

void fuzz_demand(int condition, const char *what)
{
    if (!condition)
    {
        fflush(stdout); /* the output of the checkers */
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

void fuzz_demand_at_most(double value, double most, const char *what)
{
    if (!(value <= most))
    {
        fprintf(stderr, "fuzz: %.17g, more than %.17g\n", value, most);
    }
    fuzz_demand(value <= most, what);
}

static int same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Field by field: the padding between them may differ. */
static int same_hit(const sidle_cast_hit *a, const sidle_cast_hit *b)
{
    return a->hit == b->hit && same_bits(&a->t, &b->t, sizeof a->t) &&
           same_bits(&a->point, &b->point, sizeof a->point) &&
           same_bits(&a->normal, &b->normal, sizeof a->normal) && a->instance_key == b->instance_key &&
           same_bits(&a->instance, &b->instance, sizeof a->instance) && a->triangle == b->triangle &&
           a->surface == b->surface && a->feature == b->feature;
}

void fuzz_cast(const sidle_snapshot *snapshot, const sidle_cast *casts, uint32_t count, sidle_cast_hit *hits)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    sidle_cast_batch_desc batch = {
        .size = sizeof batch, .snapshot = snapshot, .casts = casts, .count = count, .hits = hits};
    fuzz_demand(sidle_cast_batch(&batch) == SIDLE_OK, "the casts are refused");
    batch.hits = calloc(count, sizeof *hits);
    fuzz_demand(batch.hits != NULL, "no memory");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    {
        batch.lanes = widths[i];
        if (sidle_cast_lanes(batch.lanes) == 0)
        {
            continue;
        }
        fuzz_demand(sidle_cast_batch(&batch) == SIDLE_OK, "the casts are refused");
        for (uint32_t k = 0; k < count; k++)
        {
            fuzz_demand(same_hit(&hits[k], &batch.hits[k]), "another width, another answer");
        }
    }
    free(batch.hits);
}
