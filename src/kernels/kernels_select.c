#include "kernels/kernels.h"

#include <stdatomic.h>
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

#define NO_WIDTH 65

/* 0: not set. The whole text must be a width: a typing error is an error, never a silent fallback. */
static uint32_t read_environment(void)
{
    const char *text = getenv("SIDLE_LANES");
    if (!text || !*text)
    {
        return 0;
    }
    char *end;
    unsigned long lanes = strtoul(text, &end, 10);
    return *end || lanes >= NO_WIDTH ? NO_WIDTH : (uint32_t)lanes;
}

/* Once a process: getenv walks through all of the environment, a tenth of a ray, and must not meet a setenv. */
static uint32_t lanes_from_environment(void)
{
    static atomic_uint known; /* 0: not read yet, else one more than what it says */
    uint32_t lanes = atomic_load_explicit(&known, memory_order_relaxed);
    if (lanes == 0)
    {
        lanes = read_environment() + 1;
        atomic_store_explicit(&known, lanes, memory_order_relaxed);
    }
    return lanes - 1;
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
