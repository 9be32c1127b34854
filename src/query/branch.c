#include "query/branch.h"

/* The displacement of least length with equality in the planes of `set` (at most three). Returns false if they are parallel. */
static bool meet(const Branch *branch, uint32_t set, Vec3 *out)
{
    Vec3 sum = vec3(0, 0, 0), unit[3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < branch->count; ++i)
    {
        if (!(set >> i & 1))
        {
            continue;
        }
        Vec3 n = branch->planes[i].normal;
        double least = branch->planes[i].least - vec3_dot(n, sum);
        for (uint32_t j = 0; j < count; ++j)
        {
            n = vec3_add_scaled(n, unit[j], -vec3_dot(n, unit[j]));
        }
        double length = vec3_length(n);
        if (length < 1e-6)
        {
            return false;
        }
        unit[count] = vec3_scale(n, 1 / length);
        sum = vec3_add_scaled(sum, unit[count++], least / length);
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

/* Tries all sets of up to three planes, of which one bounds the solution. */
bool sidle_branch_settle(Branch *branch)
{
    branch->distance2 = (double)INFINITY;
    for (uint32_t set = 0; set < 1u << branch->count; ++set)
    {
        Vec3 displacement;
        if (__builtin_popcount(set) <= 3 && meet(branch, set, &displacement) &&
            vec3_length2(displacement) < branch->distance2 && is_within(branch, displacement))
        {
            branch->displacement = displacement;
            branch->distance2 = vec3_length2(displacement);
        }
    }
    return branch->distance2 < (double)INFINITY;
}
