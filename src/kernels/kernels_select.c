#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

static const Kernels *const widths[] = {&kernels_1, &kernels_4};

#define BEST_LANES 4

/* The whole text must be a width: a typing error is an error, never a silent fallback. */
static uint32_t lanes_from_environment(void)
{
    const char *text = getenv("SIDLE_LANES");
    if (!text || !*text)
    {
        return BEST_LANES;
    }
    char *end;
    unsigned long lanes = strtoul(text, &end, 10);
    return *end || lanes > 64 ? UINT32_MAX : (uint32_t)lanes;
}

const Kernels *kernels_select(uint32_t lanes)
{
    uint32_t wanted = lanes ? lanes : lanes_from_environment();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    {
        if (widths[i]->lane_count == wanted)
        {
            return widths[i];
        }
    }
    return NULL;
}
