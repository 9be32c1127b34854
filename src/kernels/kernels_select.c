#include "kernels/kernels.h"

/* In order of preference: the first build with the requested number of lanes that runs here is selected. Eight come
 * before sixteen, which were slower in all levels measured (docs/performance.md, "Which width"). */
static const WideBuild builds[] = {
#ifdef WIDE_HAS_8
    {&sidle_kernels_8_avx512, 8, WIDE_NEEDS_AVX512_MASKS},
    {&sidle_kernels_8, 8, WIDE_NEEDS_AVX2},
    {&sidle_kernels_16, 16, WIDE_NEEDS_AVX512},
#endif
    {&sidle_kernels_4, 4, WIDE_NEEDS_NOTHING},
    {&sidle_kernels_1, 1, WIDE_NEEDS_NOTHING},
};

#define BUILDS (sizeof builds / sizeof *builds)

bool sidle_kernels_run_here(const Kernels *kernels)
{
    for (size_t i = 0; i < BUILDS; ++i)
    {
        if (builds[i].kernels == kernels)
        {
            return wide_runs_here(builds[i].needs);
        }
    }
    return kernels != NULL; /* the double lanes */
}

const Kernels *sidle_kernels_select(uint32_t lanes)
{
    static _Atomic(const void *) chosen = builds;
    return wide_choose(builds, BUILDS, lanes, &chosen);
}
