#include "support/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64 /* as much as any that is asked for */

/* Stands right before what was asked for. */
typedef struct Block
{
    void *begin; /* as malloc gave it */
    size_t size, mark;
} Block;

static const size_t alive = 0x51D1E, dead = 0xDEAD;

static void *allocate(void *user, size_t size, size_t alignment)
{
    Heap *heap = user;
    size_t number = atomic_fetch_add(&heap->allocations, 1) + 1;
    if (heap->failing > 0 && (heap->once ? number == heap->failing : number >= heap->failing))
    {
        return NULL;
    }
    atomic_fetch_add(&heap->wrong, (size_t)(alignment > ALIGNMENT || size == 0));
    unsigned char *begin = malloc(2 * ALIGNMENT + size);
    if (begin == NULL)
    {
        abort();
    }
    unsigned char *memory = begin + 2 * ALIGNMENT - (uintptr_t)begin % ALIGNMENT;
    memset(begin, 0xFF, 2 * ALIGNMENT + size);
    ((Block *)(void *)memory)[-1] = (Block){begin, size, alive};
    atomic_fetch_add(&heap->blocks, 1);
    return memory;
}

static void give_back(void *user, void *memory, size_t size)
{
    Heap *heap = user;
    Block *block = (Block *)memory - 1;
    if (block->mark != alive || block->size != size)
    {
        atomic_fetch_add(&heap->wrong, 1);
        return;
    }
    block->mark = dead;
    atomic_fetch_sub(&heap->blocks, 1);
    free(block->begin);
}

sidle_allocator heap_allocator(Heap *heap)
{
    return (sidle_allocator){allocate, give_back, heap};
}

/* True if there was an allocation to fail. */
static bool fail_at(Heap *heap, size_t place, HeapUser *use, void *context, HeapTrial *trial)
{
    sidle_allocator allocator = heap_allocator(heap);
    size_t before = atomic_load(&heap->allocations), blocks = atomic_load(&heap->blocks);
    heap->failing = before + place;
    sidle_status status = use(&allocator, context);
    heap->failing = 0;
    if (atomic_load(&heap->allocations) < before + place)
    {
        trial->end = status;
        return false;
    }
    trial->wrong += status != SIDLE_ERROR_MEMORY;
    trial->left += atomic_load(&heap->blocks) - blocks;
    return true;
}

HeapTrial heap_try(Heap *heap, HeapUser *use, void *context)
{
    HeapTrial trial = {0};
    for (size_t place = 1; place < 1000; ++place)
    {
        heap->once = false;
        if (!fail_at(heap, place, use, context, &trial))
        {
            break;
        }
        heap->once = true;
        fail_at(heap, place, use, context, &trial);
        trial.failures = place;
    }
    return trial;
}
