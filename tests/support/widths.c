#include "support/widths.h"

uint32_t widths_here(const Kernels *widths[WIDTH_COUNT])
{
    const uint32_t lanes[WIDTH_COUNT] = {1, 4, 8, 16};
    uint32_t count = 0;
    for (int index = 0; index < WIDTH_COUNT; ++index)
    {
        const Kernels *kernels = kernels_select(lanes[index]);
        if (kernels != NULL) /* not every processor has eight */
        {
            widths[count++] = kernels;
        }
    }
    return count;
}
