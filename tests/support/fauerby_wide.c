#include "support/fauerby.h"

#include <math.h>

typedef double Real;

#include "support/fauerby_sweep.inl"

FauerbyHit fauerby_sweep_wide(const FauerbyTriangle *triangles, size_t count, FauerbyVector base,
                              FauerbyVector velocity)
{
    Motion motion = motion_of(base, velocity);
    FauerbyHit nearest = {0};
    for (size_t index = 0; index < count; ++index)
    {
        sweep_into(&nearest, &triangles[index], &motion);
    }
    return nearest;
}
