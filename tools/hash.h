/* 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) over little-endian bytes, whatever the machine's order. */
#ifndef SIDLE_TOOLS_HASH_H
#define SIDLE_TOOLS_HASH_H

#include <stdint.h>
#include <string.h>

static inline uint64_t hash_bits(uint64_t hash, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++)
    {
        hash = (hash ^ (bits >> (8 * i) & 0xFF)) * 0x100000001B3u;
    }
    return hash;
}

static inline uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_bits(hash, bits, 8);
}

static inline uint64_t hash_float(uint64_t hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_bits(hash, bits, 4);
}

#endif
