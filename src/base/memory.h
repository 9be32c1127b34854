/* The only access to the heap. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "sidle/base.h"

#include <stdbool.h>

#define MEMORY_ALIGNMENT 64 /* a cache line, and the widest vector */

/* Rounds up to whole lines of MEMORY_ALIGNMENT. */
#define MEMORY_LINES(bytes) (((bytes) + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT)

/* Writes the caller's allocator, or the default for NULL. Returns false if a function is missing. */
bool sidle_memory_choose(const sidle_allocator *given, sidle_allocator *out);

/* Allocates count * size bytes at MEMORY_ALIGNMENT. Returns NULL if memory is exhausted, if the product overflows, or
 * for count 0. sidle_memory_free accepts NULL. */
void *sidle_memory_allocate(const sidle_allocator *allocator, size_t count, size_t size);
void sidle_memory_free(const sidle_allocator *allocator, void *memory, size_t count, size_t size);

/* An array of the caller. */
typedef struct Row
{
    const void *first;
    size_t stride, size, alignment, count; /* bytes; stride 0: tightly packed */
} Row;

#define ROW(array, stride, count) ((Row){(array), (stride), sizeof *(array), __alignof__(*(array)), (count)})

static inline size_t row_stride(Row row)
{
    return row.stride ? row.stride : row.size;
}

/* Returns true if the array is not NULL, and if its stride holds an aligned element and does not wrap round. */
static inline bool row_is_good(Row row)
{
    return (row.first || row.count == 0) && row_stride(row) >= row.size &&
           row_stride(row) % row.alignment == 0 && row.count <= SIZE_MAX / 2 / row_stride(row);
}

/* The same as a status. `name`, `stride`: of the fields. */
sidle_status sidle_row_check(Row row, const char *name, const char *stride, sidle_error *error);

/* Returns true if two good rows overlap. Fields of one array of structures, with one stride, do not. */
static inline bool rows_overlap(Row a, Row b)
{
    uintptr_t first_a = (uintptr_t)a.first, first_b = (uintptr_t)b.first;
    size_t stride = row_stride(a);
    if (first_a + a.count * stride <= first_b || first_b + b.count * row_stride(b) <= first_a)
    {
        return false;
    }
    size_t offset = first_a < first_b ? (first_b - first_a) % stride : stride - (first_a - first_b) % stride;
    return stride != row_stride(b) || offset < a.size || offset + b.size > stride;
}

/* An array that only grows, so that a repeated tick allocates nothing. Growing zeroes all of it. */
typedef struct Scratch
{
    void *memory;
    size_t bytes;
} Scratch;

/* Growing takes a quarter more, since counts of agents creep up. New memory is zero; what it held is lost. */
bool sidle_scratch_reserve(Scratch *scratch, const sidle_allocator *allocator, size_t count, size_t size);
void sidle_scratch_release(Scratch *scratch, const sidle_allocator *allocator);

#endif
