#include "query/branch.h"

/* The displacement of least length with equality in up to three planes. Returns false if they are parallel. */
static bool meet(const HalfSpace *const planes[3], int count, Vec3 *out)
{
    Vec3 sum = vec3(0, 0, 0), unit[3];
    for (int i = 0; i < count; ++i)
    {
        Vec3 n = planes[i]->normal;
        double least = planes[i]->least - vec3_dot(n, sum);
        for (int j = 0; j < i; ++j)
        {
            n = vec3_without(n, unit[j]);
        }
        double length = vec3_length(n);
        if (length < 1e-6)
        {
            return false;
        }
        unit[i] = vec3_scale(n, 1 / length);
        sum = vec3_add_scaled(sum, unit[i], least / length);
    }
    *out = sum;
    return true;
}

static bool is_within(const Branch *branch, Vec3 displacement)
{
    bool within = true;
    for (uint32_t i = 0; i < branch->count && within; ++i)
    {
        const HalfSpace *plane = &branch->planes[i];
        within = vec3_dot(plane->normal, displacement) >= plane->least - 1e-9 * (1 + fabs(plane->least));
    }
    return within;
}

static void try_planes(Branch *branch, const HalfSpace *const planes[3], int count)
{
    Vec3 displacement;
    if (meet(planes, count, &displacement) && vec3_length2(displacement) < branch->distance2 &&
        is_within(branch, displacement))
    {
        branch->displacement = displacement;
        branch->distance2 = vec3_length2(displacement);
    }
}

/* Up to three planes bound the solution, and the last is one of them. */
bool sidle_branch_settle(Branch *branch)
{
    uint32_t last = branch->count - 1;
    const HalfSpace *planes[3] = {&branch->planes[last], NULL, NULL};
    branch->distance2 = (double)INFINITY;
    try_planes(branch, planes, 1);
    bool is_settled = branch->distance2 < (double)INFINITY;
    for (uint32_t i = 0; i < last && !is_settled; ++i)
    {
        planes[1] = &branch->planes[i];
        try_planes(branch, planes, 2);
        for (uint32_t j = 0; j < i; ++j)
        {
            planes[2] = &branch->planes[j];
            try_planes(branch, planes, 3);
        }
    }
    return branch->distance2 < (double)INFINITY;
}
