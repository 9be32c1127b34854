/* A ray against an agent, in closed form. */
#include "query/pair.h"

void sidle_pair_describe_overlap(const PairQuery *query, const PairShape *agent, PairContact *out)
{
    Mat3 own = mat3_transpose(agent->axes);
    Vec3 away = vec3_sub(query->frame.center, agent->center), up = own.row[1];
    double along = vec3_dot(away, up);
    along = along < -agent->core ? -agent->core : along > agent->core ? agent->core : along;
    out->t = out->distance = 0;
    out->overlaps = true;
    out->point = vec3_add_scaled(agent->center, up, along);
    away = vec3_sub(query->frame.center, out->point);
    out->normal = vec3_is_zero(away) ? up : vec3_normalize(away);
}

/* The share of the path at which a point enters a ball of radius 1 around `center`; 0 inside; INFINITY: it does not. */
static double enters_ball(Vec3 from, Vec3 path, Vec3 center)
{
    Vec3 away = vec3_sub(from, center);
    double path2 = vec3_length2(path), closest = -vec3_dot(away, path) / path2;
    double depth2 = 1 - vec3_length2(vec3_add_scaled(away, path, closest));
    double half = sqrt(larger(depth2, 0) / path2);
    return depth2 >= 0 && closest + half >= 0 ? larger(closest - half, 0) : INFINITY;
}

/* In the space where the agent is a ball, or a capsule with round ends, of radius 1. */
bool sidle_pair_ray(const PairQuery *query, const PairShape *agent, PairContact *out)
{
    Mat3 own = mat3_transpose(agent->axes);
    Vec3 from = vec3_div(mat3_mul(own, vec3_sub(query->frame.center, agent->center)), agent->radii),
         path = vec3_div(mat3_mul(own, query->path), agent->radii);
    double core = agent->core / agent->radii.y, along = lesser(larger(from.y, -core), core);
    if (vec3_length2(vec3_sub(from, vec3(0, along, 0))) <= 1)
    {
        sidle_pair_describe_overlap(query, agent, out);
        return true;
    }
    double t = enters_ball(from, path, vec3(0, core, 0));
    if (core > 0)
    {
        double side = enters_ball(vec3(from.x, 0, from.z), vec3(path.x, 0, path.z), vec3(0, 0, 0));
        t = lesser(t, enters_ball(from, path, vec3(0, -core, 0)));
        t = side < t && fabs(from.y + side * path.y) <= core ? side : t;
    }
    if (!(t <= 1))
    {
        return false;
    }
    Vec3 at = vec3_add_scaled(from, path, t);
    along = lesser(larger(at.y, -core), core);
    Vec3 normal = vec3_sub(at, vec3(0, along, 0));
    *out = (PairContact){.t = t};
    out->point = vec3_add(agent->center, mat3_mul(agent->axes, vec3_mul(agent->radii, at)));
    out->normal = vec3_normalize(mat3_mul(agent->axes, vec3_div(normal, agent->radii)));
    return true;
}
