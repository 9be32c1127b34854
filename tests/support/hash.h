/* 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of memory. */
#ifndef TESTS_SUPPORT_HASH_H
#define TESTS_SUPPORT_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_memory(uint64_t hash, const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ bytes[i]) * 0x100000001B3u;
    }
    return hash;
}

#endif
