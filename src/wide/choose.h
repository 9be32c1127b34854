/* Which of several builds of the same code runs on this processor: one build a width, each for its own instructions. */
#ifndef WIDE_CHOOSE_H
#define WIDE_CHOOSE_H

#if defined(__x86_64__)
#define WIDE_HAS_8 /* and 16; wide_choose chooses at run time */
#endif

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef enum WideNeeds
{
    WIDE_NEEDS_NOTHING,
    WIDE_NEEDS_AVX2,
    WIDE_NEEDS_AVX512,      /* F, DQ */
    WIDE_NEEDS_AVX512_MASKS /* and VL: masks for eight lanes */
} WideNeeds;

typedef struct WideBuild
{
    const void *kernels;
    uint32_t lanes;
    WideNeeds needs;
} WideBuild;

/* The environment is read once, since getenv takes a tenth of the time of a ray. */

#ifdef WIDE_HAS_8
/* SIDLE_AVX512=0 disables AVX-512. */
static inline bool wide_avx512_is_wanted(void)
{
    static atomic_int known; /* 0: not read yet */
    if (known == 0)
    {
        const char *text = getenv("SIDLE_AVX512");
        known = text && strcmp(text, "0") == 0 ? -1 : 1;
    }
    return known > 0;
}
#endif

static inline bool wide_runs_here(WideNeeds needs)
{
#ifdef WIDE_HAS_8
    if (needs == WIDE_NEEDS_AVX2)
    {
        return __builtin_cpu_supports("avx2");
    }
    if (needs != WIDE_NEEDS_NOTHING)
    {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") &&
               (needs == WIDE_NEEDS_AVX512 || __builtin_cpu_supports("avx512vl")) && wide_avx512_is_wanted();
    }
#endif
    return needs == WIDE_NEEDS_NOTHING;
}

/* Returns the first build with so many lanes that runs here, or NULL. 0 lanes: any number. */
static inline const void *wide_first(const WideBuild *builds, size_t count, uint32_t lanes)
{
    for (size_t i = 0; i < count; ++i)
    {
        if ((lanes == 0 || builds[i].lanes == lanes) && wide_runs_here(builds[i].needs))
        {
            return builds[i].kernels;
        }
    }
    return NULL;
}

/* Reads SIDLE_LANES. Returns NULL for an unknown name: no silent fallback. */
static inline const void *wide_read(const WideBuild *builds, size_t count)
{
    static const struct
    {
        const char *name;
        uint32_t lanes;
    } known[] = {{"", 0}, {"0", 0}, {"1", 1}, {"4", 4}, {"8", 8}, {"16", 16}};
    const char *name = getenv("SIDLE_LANES");
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    {
        if (strcmp(name ? name : "", known[i].name) == 0)
        {
            return wide_first(builds, count, known[i].lanes);
        }
    }
    return NULL;
}

/* Returns the build with so many lanes, or NULL if none runs here. 0 lanes: the build that SIDLE_LANES named when it was
 * first read, else the first that runs. `chosen` keeps that build; it is `builds` until then. */
static inline const void *wide_choose(const WideBuild *builds, size_t count, uint32_t lanes,
                                      _Atomic(const void *) *chosen)
{
    if (lanes != 0)
    {
        return wide_first(builds, count, lanes);
    }
    if (*chosen == (const void *)builds)
    {
        *chosen = wide_read(builds, count);
    }
    return *chosen;
}

#endif
