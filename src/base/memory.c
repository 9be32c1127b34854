#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <malloc.h>
#endif

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

static void default_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

bool sidle_memory_choose(const sidle_allocator *given, sidle_allocator *out)
{
    if (given && (!given->allocate || !given->free))
    {
        return false;
    }
    *out = given ? *given : (sidle_allocator){default_allocate, default_free, NULL};
    return true;
}

void *sidle_memory_allocate(const sidle_allocator *allocator, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > (SIZE_MAX - MEMORY_ALIGNMENT) / size)
    {
        return NULL;
    }
    return allocator->allocate(allocator->user, count * size, MEMORY_ALIGNMENT);
}

void sidle_memory_free(const sidle_allocator *allocator, void *memory, size_t count, size_t size)
{
    if (memory)
    {
        allocator->free(allocator->user, memory, count * size);
    }
}

bool sidle_scratch_reserve(Scratch *scratch, const sidle_allocator *allocator, size_t count, size_t size)
{
    if (count == 0 || (size && scratch->bytes / size >= count))
    {
        return true;
    }
    count += scratch->bytes > 0 ? count / 4 : 0;
    void *memory = sidle_memory_allocate(allocator, count, size);
    if (!memory)
    {
        return false;
    }
    sidle_scratch_release(scratch, allocator);
    *scratch = (Scratch){memset(memory, 0, count * size), count * size};
    return true;
}

void sidle_scratch_release(Scratch *scratch, const sidle_allocator *allocator)
{
    sidle_memory_free(allocator, scratch->memory, scratch->bytes, 1);
    *scratch = (Scratch){NULL, 0};
}

sidle_status sidle_row_check(Row row, const char *name, const char *stride, sidle_error *error)
{
    if (row_is_good(row))
    {
        return SIDLE_OK;
    }
    if (!row.first && row.count > 0)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "%s is NULL", name);
    }
    return sidle_status_fail(
        error, SIDLE_ERROR_ARGUMENT, 0,
        "%s is %zu, but must be 0 or a multiple of %zu from %zu on that the address space holds %zu of",
        stride, row.stride, row.alignment, row.size, row.count);
}
