#include "kernels/kernels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* In order of preference: the first build with the requested number of lanes that runs here is selected. Eight come
 * before sixteen, which are faster in some levels and slower in others (docs/performance.md, "Which width"). */
static const struct
{
    const Kernels *kernels;
    const char *name; /* for SIDLE_LANES */
} builds[] = {
#ifdef KERNELS_HAVE_8
    {&kernels_8_avx512, "8"}, {&kernels_8, "8"}, {&kernels_16, "16"},
#endif
    {&kernels_4, "4"},        {&kernels_1, "1"},
};

#define BUILDS (sizeof builds / sizeof *builds)

/* The environment is read once, since getenv takes a tenth of the time of a ray. */

#ifdef KERNELS_HAVE_8
/* SIDLE_AVX512=0 disables AVX-512. */
static bool avx512_is_wanted(void)
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

/* Returns NULL for an unknown name: no silent fallback. */
static const Kernels *read_lanes(void)
{
    const char *name = getenv("SIDLE_LANES");
    bool any = !name || !*name || strcmp(name, "0") == 0;
    for (size_t i = 0; i < BUILDS; ++i)
    {
        if ((any || strcmp(name, builds[i].name) == 0) && kernels_run_here(builds[i].kernels))
        {
            return builds[i].kernels;
        }
    }
    return NULL;
}

bool kernels_run_here(const Kernels *kernels)
{
#ifdef KERNELS_HAVE_8
    if (kernels == &kernels_8)
    {
        return __builtin_cpu_supports("avx2");
    }
    if (kernels == &kernels_8_avx512 || kernels == &kernels_16)
    {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") &&
               (kernels == &kernels_16 || __builtin_cpu_supports("avx512vl")) && avx512_is_wanted();
    }
#endif
    return kernels != NULL;
}

const Kernels *kernels_select(uint32_t lanes)
{
    static const Kernels unread;
    static _Atomic(const Kernels *) known = &unread;
    if (lanes == 0)
    {
        if (known == &unread)
        {
            known = read_lanes();
        }
        return known;
    }
    for (size_t i = 0; i < BUILDS; ++i)
    {
        if (builds[i].kernels->lane_count == lanes && kernels_run_here(builds[i].kernels))
        {
            return builds[i].kernels;
        }
    }
    return NULL;
}
