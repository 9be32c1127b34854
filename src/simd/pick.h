/* Selects eight floats from a table by eight indices, by permutations in registers, which are faster than eight loads.
 * AVX2 or AVX-512, for lanes of eight and sixteen. */
#ifndef SIMD_PICK_H
#define SIMD_PICK_H

#include <simde/x86/avx2.h>
#include <stdint.h>

#define LANES_HAVE_PICK
#define PICK_MOST 16 /* numbers in a table */

typedef simde__m256i Picks; /* indices */

/* Eight triples of bytes, transposed: one vector for each byte of the triples. */
typedef struct PickCorners
{
    simde__m128i corner[3];
} PickCorners;

static inline PickCorners pick_corners(const uint8_t (*index)[3])
{
    /* The positions of byte k of each triple among bytes 0 to 15, and among bytes 16 to 23; -1 gives 0. */
    static const int8_t from[3][2][16] = {{{0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
                                           {-1, -1, -1, -1, -1, -1, 2, 5, -1, -1, -1, -1, -1, -1, -1, -1}},
                                          {{1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
                                           {-1, -1, -1, -1, -1, 0, 3, 6, -1, -1, -1, -1, -1, -1, -1, -1}},
                                          {{2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
                                           {-1, -1, -1, -1, -1, 1, 4, 7, -1, -1, -1, -1, -1, -1, -1, -1}}};
    simde__m128i a = simde_mm_loadu_si128((const simde__m128i *)index);
    simde__m128i b = simde_mm_loadl_epi64((const simde__m128i *)((const uint8_t *)index + 16));
    PickCorners picked;
    for (int i = 0; i < 3; ++i)
    {
        simde__m128i low = simde_mm_shuffle_epi8(a, simde_mm_loadu_si128((const simde__m128i *)from[i][0]));
        simde__m128i high = simde_mm_shuffle_epi8(b, simde_mm_loadu_si128((const simde__m128i *)from[i][1]));
        picked.corner[i] = simde_mm_or_si128(low, high);
    }
    return picked;
}

static inline Picks picks_of(const PickCorners *corners, int corner)
{
    return simde_mm256_cvtepu8_epi32(corners->corner[corner]);
}

typedef struct PickTable
{
    simde__m256 low, high; /* numbers 0 to 7, and 8 to 15 */
} PickTable;

static inline simde__m256 pick(PickTable table, Picks picks)
{
#ifdef SIMDE_X86_AVX512VL_NATIVE
    return _mm256_permutex2var_ps(table.low, picks, table.high);
#else
    simde__m256 low = simde_mm256_permutevar8x32_ps(table.low, picks);
    simde__m256 high = simde_mm256_permutevar8x32_ps(table.high, picks);
    return simde_mm256_blendv_ps(low, high, simde_mm256_castsi256_ps(simde_mm256_slli_epi32(picks, 28)));
#endif
}

/* Picks from 24 numbers. `rest`: numbers 16 to 23. */
static inline simde__m256 pick_of_more(PickTable table, simde__m256 rest, Picks picks)
{
    simde__m256 last = simde_mm256_permutevar8x32_ps(rest, picks);
    simde__m256 is_last = simde_mm256_castsi256_ps(simde_mm256_slli_epi32(picks, 27));
    return simde_mm256_blendv_ps(pick(table, picks), last, is_last);
}

/* Picks from one vector. */
static inline simde__m256 pick_again(simde__m256 numbers, Picks picks)
{
    return simde_mm256_permutevar8x32_ps(numbers, picks);
}

/* Entry m: byte k holds the index of the k-th bit that is set in m. Little-endian, as every processor with AVX2. */
#define PICK_BYTE(m, i) (((m) >> (i)&1) * UINT64_C(i) << 8 * __builtin_popcount((m) & ((1u << (i)) - 1)))
#define PICK_1(m)                                                                                            \
    (PICK_BYTE(m, 1) | PICK_BYTE(m, 2) | PICK_BYTE(m, 3) | PICK_BYTE(m, 4) | PICK_BYTE(m, 5) |               \
     PICK_BYTE(m, 6) | PICK_BYTE(m, 7))
#define PICK_4(m)  PICK_1(m), PICK_1((m) + 1), PICK_1((m) + 2), PICK_1((m) + 3)
#define PICK_16(m) PICK_4(m), PICK_4((m) + 4), PICK_4((m) + 8), PICK_4((m) + 12)
#define PICK_64(m) PICK_16(m), PICK_16((m) + 16), PICK_16((m) + 32), PICK_16((m) + 48)

static const uint64_t pick_order[256] = {PICK_64(0u), PICK_64(64u), PICK_64(128u), PICK_64(192u)};

/* The picks that move the chosen numbers to the front. */
static inline Picks picks_to_front(uint32_t chosen)
{
    return simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)&pick_order[chosen]));
}

/* Stores the chosen ones of eight words one after the other. Up to 8 words are overwritten. */
static inline void words_store_chosen(uint32_t *to, const uint32_t *from, uint32_t chosen)
{
    simde__m256i words = simde_mm256_loadu_si256((const simde__m256i *)from);
    words = simde_mm256_permutevar8x32_epi32(words, picks_to_front(chosen));
    simde_mm256_storeu_si256((simde__m256i *)to, words);
}

#endif
