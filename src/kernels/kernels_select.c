#include "kernels/kernels.h"

#include <stdlib.h>

static const Kernels *const widths[] = {
#ifdef KERNELS_HAVE_8
    &kernels_8,
    &kernels_16,
#endif
    &kernels_4,
    &kernels_1,
};

static bool runs_here(const Kernels *kernels)
{
    switch (kernels->lane_count)
    {
#ifdef KERNELS_HAVE_8
    case 16:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    case 8:
        return __builtin_cpu_supports("avx2");
#endif
    default:
        return true;
    }
}

/* 0: not set. The whole text must be a width: a typing error is an error, never a silent fallback. */
static uint32_t lanes_from_environment(void)
{
    const char *text = getenv("SIDLE_LANES");
    if (!text || !*text)
    {
        return 0;
    }
    char *end;
    unsigned long lanes = strtoul(text, &end, 10);
    return *end || lanes > 64 ? UINT32_MAX : (uint32_t)lanes;
}

/* The first of the table that runs: eight before sixteen, which is better in some levels and worse in others
 * (docs/performance.md, "Which width"). */
const Kernels *kernels_select(uint32_t lanes)
{
    uint32_t wanted = lanes ? lanes : lanes_from_environment();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    {
        if ((wanted == 0 || widths[i]->lane_count == wanted) && runs_here(widths[i]))
        {
            return widths[i];
        }
    }
    return NULL;
}
