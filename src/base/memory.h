/* The only door to the heap. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "sidle/base.h"

#include <stdbool.h>

#define MEMORY_ALIGNMENT 64 /* a cache line, and the widest vector */

/* Bytes in whole lines of that. */
#define MEMORY_LINES(bytes) (((bytes) + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT)

/* The caller's allocator, or the default for NULL. False for one that lacks a function. */
bool memory_choose(const sidle_allocator *given, sidle_allocator *out);

/* count * size bytes at MEMORY_ALIGNMENT; NULL when memory ends or the product overflows. count 0 gives NULL,
 * too, which memory_free accepts. */
void *memory_allocate(const sidle_allocator *allocator, size_t count, size_t size);
void memory_free(const sidle_allocator *allocator, void *memory, size_t count, size_t size);

/* A caller's stride: 0, or enough for an item, and keeps it aligned. */
static inline bool stride_is_good(size_t stride, size_t size, size_t alignment)
{
    return stride == 0 || (stride >= size && stride % alignment == 0);
}

/* An array that only grows, so that a repeated tick finds its memory. Growing zeroes all of it. */
typedef struct Scratch
{
    void *memory;
    size_t bytes;
} Scratch;

bool scratch_reserve(Scratch *scratch, const sidle_allocator *allocator, size_t count, size_t size);
void scratch_release(Scratch *scratch, const sidle_allocator *allocator);

#endif
