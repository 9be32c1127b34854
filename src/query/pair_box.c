/* A box and an agent, in the space where the agent is a unit ball or a capsule of radius 1. The box is a parallelepiped there. */
#include "query/pair.h"

#include "kernels/kernels.h"

static bool holds_center(const Frame *box, const PairShape *agent)
{
    Vec3 center = mat3_mul(box->to_e, vec3_sub(agent->center, box->center));
    return vec3_max_component(vec3_abs(center)) <= 1;
}

/* A corner of the box, by the signs of its bits. */
static Vec3 corner_of(const Frame *box, const PairShape *agent, uint32_t bits)
{
    Vec3 along = mat3_mul(box->to_w, vec3(bits & 1 ? 1 : -1, bits & 2 ? 1 : -1, bits & 4 ? 1 : -1));
    Vec3 away = vec3_add(vec3_sub(box->center, agent->center), along);
    return vec3_div(mat3_mul_transposed(agent->axes, away), agent->radii);
}

bool sidle_pair_box_overlaps(const Frame *box, const PairShape *agent)
{
    static const uint8_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                             {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                             {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    bool overlaps = holds_center(box, agent);
    double core = agent->core / agent->radii.y;
    for (int i = 0; i < 12 && !overlaps; ++i) /* mutant: box_without_sides */
    {
        Vec3 corners[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            corners[corner] = corner_of(box, agent, triangles[i][corner]);
        }
        KernelContact contact = core > 0 ? sidle_closest_of_core(corners, core, vec3(0, 0, 0))
                                         : sidle_closest_of_point(corners, vec3(0, 0, 0));
        overlaps = contact.t <= 1;
    }
    return overlaps;
}
