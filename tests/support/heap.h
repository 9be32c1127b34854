/* A heap that watches: what is still out, whether everything comes back as it went, and one that runs dry at
 * a chosen allocation. New memory is full of NaNs, so that a read before the first write shows. */
#ifndef TESTS_SUPPORT_HEAP_H
#define TESTS_SUPPORT_HEAP_H

#include "sidle/base.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct Heap
{
    atomic_size_t allocations; /* ever asked for */
    atomic_size_t blocks;      /* still out */
    atomic_size_t wrong;       /* frees of another size, or twice */
    size_t failing;            /* the number of the allocation that fails; 0: none does */
    bool once;                 /* and those after it do not */
} Heap;

/* Valid as long as the heap stays where it is. */
sidle_allocator heap_allocator(Heap *heap);
/* Does something that takes memory and leaves none behind if it fails. */
typedef sidle_status HeapUser(const sidle_allocator *allocator, void *context);

typedef struct HeapTrial
{
    size_t failures;  /* how many allocations there are to fail */
    size_t wrong;     /* failures reported by another status than MEMORY */
    size_t left;      /* blocks more than before, summed over failures */
    sidle_status end; /* when there was enough */
} HeapTrial;

/* Lets the first, the second, ... of its allocations fail, alone or with all after it, until none is left to.
 */
HeapTrial heap_try(Heap *heap, HeapUser *use, void *context);

#endif
