/* Eight floats chosen from a table by eight indices: permutations in registers, which cost a fraction of eight loads. AVX2
 * or AVX-512, for lanes of eight and sixteen. */
#ifndef SIMD_PICK_H
#define SIMD_PICK_H

#include <simde/x86/avx2.h>
#include <stdint.h>

#define LANES_HAVE_PICK
#define PICK_MOST 16 /* numbers of a table */

typedef simde__m256i Picks; /* indices */

/* The three bytes of each of eight triples, one vector a byte. */
typedef struct PickCorners
{
    simde__m128i corner[3];
} PickCorners;

static inline PickCorners pick_corners(const uint8_t index[8][3])
{
    /* Where byte k of triple i stands among bytes 0 to 15, and among bytes 16 to 23; -1 gives 0. */
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

/* Of `count` numbers, a multiple of 4 that is 16 at most; four more may be read. */
static inline PickTable pick_table(const float *numbers, uint32_t count)
{
    return (PickTable){simde_mm256_loadu_ps(numbers), simde_mm256_loadu_ps(numbers + (count > 8 ? 8 : 0))};
}

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

/* Of 24 numbers; `rest`: 16 to 23. */
static inline simde__m256 pick_of_more(PickTable table, simde__m256 rest, Picks picks)
{
    simde__m256 last = simde_mm256_permutevar8x32_ps(rest, picks);
    simde__m256 is_last = simde_mm256_castsi256_ps(simde_mm256_slli_epi32(picks, 27));
    return simde_mm256_blendv_ps(pick(table, picks), last, is_last);
}

/* From one vector. */
static inline simde__m256 pick_again(simde__m256 numbers, Picks picks)
{
    return simde_mm256_permutevar8x32_ps(numbers, picks);
}

/* Byte i: which is the i-th bit that is set. Little-endian, as every processor with AVX2. */
// clang-format off
static const uint64_t pick_order[256] = {
    0x0, 0x0, 0x1, 0x100, 0x2, 0x200, 0x201, 0x20100, 0x3, 0x300, 0x301, 0x30100, 0x302, 0x30200, 0x30201,
    0x3020100, 0x4, 0x400, 0x401, 0x40100, 0x402, 0x40200, 0x40201, 0x4020100, 0x403, 0x40300, 0x40301,
    0x4030100, 0x40302, 0x4030200, 0x4030201, 0x403020100, 0x5, 0x500, 0x501, 0x50100, 0x502, 0x50200,
    0x50201, 0x5020100, 0x503, 0x50300, 0x50301, 0x5030100, 0x50302, 0x5030200, 0x5030201, 0x503020100,
    0x504, 0x50400, 0x50401, 0x5040100, 0x50402, 0x5040200, 0x5040201, 0x504020100, 0x50403, 0x5040300,
    0x5040301, 0x504030100, 0x5040302, 0x504030200, 0x504030201, 0x50403020100, 0x6, 0x600, 0x601, 0x60100,
    0x602, 0x60200, 0x60201, 0x6020100, 0x603, 0x60300, 0x60301, 0x6030100, 0x60302, 0x6030200, 0x6030201,
    0x603020100, 0x604, 0x60400, 0x60401, 0x6040100, 0x60402, 0x6040200, 0x6040201, 0x604020100, 0x60403,
    0x6040300, 0x6040301, 0x604030100, 0x6040302, 0x604030200, 0x604030201, 0x60403020100, 0x605, 0x60500,
    0x60501, 0x6050100, 0x60502, 0x6050200, 0x6050201, 0x605020100, 0x60503, 0x6050300, 0x6050301,
    0x605030100, 0x6050302, 0x605030200, 0x605030201, 0x60503020100, 0x60504, 0x6050400, 0x6050401,
    0x605040100, 0x6050402, 0x605040200, 0x605040201, 0x60504020100, 0x6050403, 0x605040300, 0x605040301,
    0x60504030100, 0x605040302, 0x60504030200, 0x60504030201, 0x6050403020100, 0x7, 0x700, 0x701, 0x70100,
    0x702, 0x70200, 0x70201, 0x7020100, 0x703, 0x70300, 0x70301, 0x7030100, 0x70302, 0x7030200, 0x7030201,
    0x703020100, 0x704, 0x70400, 0x70401, 0x7040100, 0x70402, 0x7040200, 0x7040201, 0x704020100, 0x70403,
    0x7040300, 0x7040301, 0x704030100, 0x7040302, 0x704030200, 0x704030201, 0x70403020100, 0x705, 0x70500,
    0x70501, 0x7050100, 0x70502, 0x7050200, 0x7050201, 0x705020100, 0x70503, 0x7050300, 0x7050301,
    0x705030100, 0x7050302, 0x705030200, 0x705030201, 0x70503020100, 0x70504, 0x7050400, 0x7050401,
    0x705040100, 0x7050402, 0x705040200, 0x705040201, 0x70504020100, 0x7050403, 0x705040300, 0x705040301,
    0x70504030100, 0x705040302, 0x70504030200, 0x70504030201, 0x7050403020100, 0x706, 0x70600, 0x70601,
    0x7060100, 0x70602, 0x7060200, 0x7060201, 0x706020100, 0x70603, 0x7060300, 0x7060301, 0x706030100,
    0x7060302, 0x706030200, 0x706030201, 0x70603020100, 0x70604, 0x7060400, 0x7060401, 0x706040100,
    0x7060402, 0x706040200, 0x706040201, 0x70604020100, 0x7060403, 0x706040300, 0x706040301, 0x70604030100,
    0x706040302, 0x70604030200, 0x70604030201, 0x7060403020100, 0x70605, 0x7060500, 0x7060501, 0x706050100,
    0x7060502, 0x706050200, 0x706050201, 0x70605020100, 0x7060503, 0x706050300, 0x706050301, 0x70605030100,
    0x706050302, 0x70605030200, 0x70605030201, 0x7060503020100, 0x7060504, 0x706050400, 0x706050401,
    0x70605040100, 0x706050402, 0x70605040200, 0x70605040201, 0x7060504020100, 0x706050403, 0x70605040300,
    0x70605040301, 0x7060504030100, 0x70605040302, 0x7060504030200, 0x7060504030201, 0x706050403020100
};
// clang-format on

/* That bring the chosen numbers to the front. */
static inline Picks picks_to_front(uint32_t chosen)
{
    return simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)&pick_order[chosen]));
}

#endif
