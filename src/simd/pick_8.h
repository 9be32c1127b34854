/* Eight floats chosen from a table by eight indices: permutations in registers, which cost a fraction of eight
 * loads. Included after lanes_8.h. */
#ifndef SIMD_PICK_8_H
#define SIMD_PICK_8_H

#define PICK_MOST 16 /* numbers of a table */

typedef simde__m256i Picks;

typedef struct PickTable
{
    Lanes low, high; /* numbers 0 to 7, and 8 to 15 */
} PickTable;

/* Byte k of each of eight triples of bytes. */
static inline Picks picks_of_triples(const uint8_t *triples, uint32_t k)
{
    /* Where byte k of triple i stands among bytes 0 to 15, and among bytes 8 to 23; -1 gives 0. */
    static const int8_t among_first[3][16] = {
        {0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
        {1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
        {2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
    };
    static const int8_t among_last[3][16] = {
        {-1, -1, -1, -1, -1, -1, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1},
        {-1, -1, -1, -1, -1, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1},
        {-1, -1, -1, -1, -1, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1},
    };
    simde__m128i first = simde_mm_loadu_si128((const simde__m128i *)triples);
    simde__m128i last = simde_mm_loadu_si128((const simde__m128i *)(triples + 8));
    first = simde_mm_shuffle_epi8(first, simde_mm_loadu_si128((const simde__m128i *)among_first[k]));
    last = simde_mm_shuffle_epi8(last, simde_mm_loadu_si128((const simde__m128i *)among_last[k]));
    return simde_mm256_cvtepu8_epi32(simde_mm_or_si128(first, last));
}

static inline Lanes lanes_pick(PickTable table, Picks picks)
{
#ifdef LANES_8_HAVE_MASKS
    return _mm256_permutex2var_ps(table.low, picks, table.high);
#else
    Lanes low = simde_mm256_permutevar8x32_ps(table.low, picks);
    Lanes high = simde_mm256_permutevar8x32_ps(table.high, picks);
    simde__m256i is_high = simde_mm256_cmpgt_epi32(picks, simde_mm256_set1_epi32(7));
    return simde_mm256_blendv_ps(low, high, simde_mm256_castsi256_ps(is_high));
#endif
}

#endif
