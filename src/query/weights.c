/* The weights of a triangle's vertices at a point. */
#include "query/place.h"

#include "base/fp_environment.h"
#include "narrow/view.h"
#include "query/cast.h"

/* Units: a point is on the triangle within this. */
#define NEAR .01

typedef struct Sought
{
    uint32_t slot, triangle;
    bool found;
    KernelContact contact;
    Vec3 corners[3];
} Sought;

/* An around_fn. A triangle can be stored more than once, so the nearest counts. */
static bool take_sought(void *context, const AroundTriangle *triangle, double *reach)
{
    (void)reach;
    Sought *sought = context;
    if (triangle->candidate.instance != sought->slot || triangle->candidate.triangle != sought->triangle)
    {
        return true;
    }
    KernelContact contact = sidle_closest_of_point(triangle->corners, vec3(0, 0, 0));
    if (contact.t <= NEAR)
    {
        sought->found = true;
        sought->contact = contact;
        for (int i = 0; i < 3; ++i)
        {
            sought->corners[i] = triangle->corners[i];
        }
    }
    return !sought->found;
}

/* Shares of the area; of a triangle without area, shares of its longest edge. */
static void weigh(const Vec3 v[3], Vec3 at, double weights[3])
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    double n2 = vec3_length2(n), longest2 = -1, sum = 0;
    uint32_t from = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 to_next = vec3_sub(v[(i + 1) % 3], at), to_last = vec3_sub(v[(i + 2) % 3], at);
        weights[i] = larger(vec3_dot(n, vec3_cross(to_next, to_last)), 0);
        sum += weights[i];
        double edge2 = vec3_length2(vec3_sub(v[(i + 1) % 3], v[i]));
        from = edge2 > longest2 ? i : from;
        longest2 = larger(longest2, edge2);
    }
    if (!(n2 > 0) || !(sum > 0))
    {
        Vec3 edge = vec3_sub(v[(from + 1) % 3], v[from]);
        double along = longest2 > 0 ? vec3_dot(vec3_sub(at, v[from]), edge) / longest2 : 0;
        weights[(from + 1) % 3] = lesser(larger(along, 0), 1);
        weights[from] = 1 - weights[(from + 1) % 3];
        weights[(from + 2) % 3] = 0;
        sum = 1;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        weights[i] /= sum;
    }
}

static FP_BODY sidle_status find_weights(const sidle_snapshot *snapshot, float motion_time,
                                         sidle_instance instance, uint32_t triangle, sidle_position point,
                                         float weights[3])
{
    sidle_place place = {.center = point};
    sidle_status status =
        snapshot && weights && motion_is_good(motion_time) ? sidle_place_check(&place) : SIDLE_ERROR_ARGUMENT;
    if (status != SIDLE_OK)
    {
        return status;
    }
    if (!snapshot_has(snapshot, instance))
    {
        return SIDLE_ERROR_STALE;
    }
    Frame frame;
    Around around = sidle_around_of(snapshot, motion_time, &place, &frame);
    Sought sought = {.slot = instance.index, .triangle = triangle};
    sidle_around_visit(&around, NEAR, take_sought, &sought);
    if (!sought.found)
    {
        return SIDLE_ERROR_INDEX;
    }
    double each[3];
    weigh(sought.corners, sought.contact.point, each);
    bool mirrored = placed_is_mirrored(snapshot_placed(snapshot, instance.index));
    weights[0] = (float)each[0];
    weights[1] = (float)each[mirrored ? 2 : 1]; /* mutant: weights_of_unmirrored */
    weights[2] = (float)each[mirrored ? 1 : 2];
    return SIDLE_OK;
}

sidle_status sidle_triangle_weights(const sidle_snapshot *snapshot, float motion_time,
                                    sidle_instance instance, uint32_t triangle, sidle_position point,
                                    float weights[3])
{
    FpEnvironment host = fp_enter();
    sidle_status status = find_weights(snapshot, motion_time, instance, triangle, point, weights);
    fp_leave(host);
    return status;
}
