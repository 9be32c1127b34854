#include "support/widths.h"

uint32_t widths_here(const Kernels *widths[WIDTH_COUNT])
{
    const uint32_t lanes[WIDTH_COUNT] = {1, 4, 8, 16};
    uint32_t count = 0;
    for (int index = 0; index < WIDTH_COUNT; ++index)
    {
        const Kernels *kernels = sidle_kernels_select(lanes[index]);
        if (kernels != NULL) /* not every processor has eight */
        {
            widths[count++] = kernels;
        }
    }
    return count;
}

uint32_t builds_here(const Kernels *builds[BUILD_COUNT])
{
    static const Kernels *const all[] = {
        &sidle_kernels_1, &sidle_kernels_4,
#ifdef WIDE_HAS_8
        &sidle_kernels_8, &sidle_kernels_8_avx512, &sidle_kernels_16,
#endif
    };
    _Static_assert(sizeof all / sizeof *all <= BUILD_COUNT, "room for all");
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        if (sidle_kernels_run_here(all[i]))
        {
            builds[count++] = all[i];
        }
    }
    return count;
}
