/* All triangles on a ray. As for the closest hit, the ray is the z axis of a sheared frame (S. Woop, C. Benthin, I. Wald, "Watertight
 * Ray/Triangle Intersection", 2013), here in double. */
#include "query/cast_all.h"
#include "base/fp_environment.h"

typedef struct Listing
{
    const Around *around;
    double length; /* of the ray along z */
    bool one_sided;
    HitList *hits;
} Listing;

static bool is_same_triangle(const sidle_cast_hit *a, const sidle_cast_hit *b)
{
    return a->instance.index == b->instance.index && a->triangle == b->triangle;
}

static bool hit_before(const HitList *hits, const sidle_cast_hit *a, const sidle_cast_hit *b)
{
    if (hits->first.hit)
    {
        bool is_first = is_same_triangle(a, &hits->first);
        if (is_first || is_same_triangle(b, &hits->first))
        {
            return is_first; /* mutant: closest_in_order_of_t */
        }
    }
    if (a->t != b->t)
    {
        return a->t < b->t;
    }
    if (a->instance_key != b->instance_key)
    {
        return a->instance_key < b->instance_key;
    }
    return a->triangle != b->triangle ? a->triangle < b->triangle : a->instance.index < b->instance.index;
}

void sidle_hit_list_take(HitList *hits, const sidle_cast_hit *hit)
{
    uint32_t at = hits->kept;
    hits->count += 1;
    if (at == hits->capacity && (at == 0 || !hit_before(hits, hit, &hits->list[at - 1])))
    {
        return;
    }
    at -= at == hits->capacity;
    for (; at > 0 && hit_before(hits, hit, &hits->list[at - 1]); --at)
    {
        hits->list[at] = hits->list[at - 1];
    }
    hits->list[at] = *hit;
    hits->kept += hits->kept < hits->capacity;
}

/* Whether the z axis passes through a triangle, and where. Points on an edge count for both of its triangles. */
static bool pierce(const Vec3 v[3], double length, bool one_sided, double *z)
{
    double u = v[2].x * v[1].y - v[2].y * v[1].x, w = v[1].x * v[0].y - v[1].y * v[0].x;
    double s = v[0].x * v[2].y - v[0].y * v[2].x, area = u + s + w;
    bool front = u >= 0 && s >= 0 && w >= 0, back = u <= 0 && s <= 0 && w <= 0;
    if (area == 0 || !(front || (back && !one_sided)))
    {
        return false;
    }
    *z = (u * v[0].z + s * v[1].z + w * v[2].z) / area;
    return *z >= 0 && *z <= length;
}

static bool take_hit(void *context, const AroundTriangle *triangle, double *reach)
{
    (void)reach;
    Listing *listing = context;
    const Frame *frame = listing->around->frame;
    const Vec3 *v = triangle->corners;
    double z;
    if (!pierce(v, listing->length, listing->one_sided || triangle->is_one_sided, &z))
    {
        return true;
    }
    const Candidate *c = &triangle->candidate;
    Vec3 path = listing->around->path, point = vec3_add_scaled(frame->center, path, z / listing->length);
    Vec3 a = mat3_mul(frame->to_w, vec3_sub(v[1], v[0])), b = mat3_mul(frame->to_w, vec3_sub(v[2], v[0]));
    Vec3 normal = vec3_normalize(vec3_cross(a, b));
    normal = vec3_dot(normal, path) > 0 ? vec3_scale(normal, -1) : normal;
    sidle_cast_hit hit = {.t = z / listing->length,
                          .point = {point.x, point.y, point.z},
                          .normal = vec3_to_float(normal),
                          .hit = SIDLE_CAST_HIT,
                          .instance_key = c->key,
                          .instance = {c->instance, triangle->generation},
                          .triangle = c->triangle,
                          .surface = c->surface,
                          .feature = SIDLE_FEATURE_FACE};
    sidle_hit_list_take(listing->hits, &hit);
    return true;
}

/* The largest axis of the path becomes z; the others are sheared. The order of the three keeps the winding. */
static Frame frame_along(Vec3 origin, Vec3 path, double *length)
{
    static const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3 size = vec3_abs(path);
    int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double along = vec3_dot(axes[k], path), sign = along < 0 ? -1 : 1;
    Vec3 z = vec3_scale(axes[k], sign), x = axes[(k + (sign < 0 ? 2 : 1)) % 3],
         y = axes[(k + (sign < 0 ? 1 : 2)) % 3];
    Vec3 slope = vec3_scale(path, 1 / fabs(along));
    *length = fabs(along);
    Frame frame = {.center = origin};
    frame.to_e =
        (Mat3){{vec3_add_scaled(x, z, -vec3_dot(x, slope)), vec3_add_scaled(y, z, -vec3_dot(y, slope)), z}};
    frame.to_w = mat3_transpose((Mat3){{x, y, slope}});
    return frame;
}

static void list_pierced(Around *around, const sidle_cast *ray, HitList *hits)
{
    Listing listing = {.around = around, .one_sided = ray->flags & SIDLE_CAST_ONE_SIDED, .hits = hits};
    Frame frame = frame_along(vec3_from_position(ray->origin), around->path, &listing.length);
    around->frame = &frame;
    sidle_around_visit(around, 0, take_hit, &listing);
}

static FP_BODY sidle_status cast_all(const sidle_snapshot *snapshot, float motion_time,
                                     const sidle_cast *cast, sidle_cast_hit *list, uint32_t capacity,
                                     uint32_t *count)
{
    if (!snapshot || !cast || !count || (capacity > 0 && !list) || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_cast_check(cast);
    HitList hits = {.list = list, .capacity = capacity};
    Around around = {.snapshot = snapshot,
                     .time = motion_end(motion_time),
                     .collides_with = cast->collides_with ? cast->collides_with : UINT32_MAX,
                     .ignored_surfaces = cast->ignored_surfaces,
                     .ignore = cast->ignore,
                     .ignored_group = placed_group_ignored(cast->ignored_group),
                     .is_path = true,
                     .path = vec3_from(cast->displacement)};
    if (status == SIDLE_OK && !vec3_is_zero(vec3_from(cast->shape.radii)))
    {
        status = sidle_sweep_all(&around, cast, &hits);
    }
    else if (status == SIDLE_OK && !vec3_is_zero(around.path))
    {
        list_pierced(&around, cast, &hits);
    }
    *count = status == SIDLE_OK ? hits.count : *count;
    return status;
}

sidle_status sidle_cast_all(const sidle_snapshot *snapshot, float motion_time, const sidle_cast *cast,
                            sidle_cast_hit *list, uint32_t capacity, uint32_t *count)
{
    FpEnvironment host = fp_enter();
    sidle_status status = cast_all(snapshot, motion_time, cast, list, capacity, count);
    fp_leave(host);
    return status;
}
