/* What is at a place: each triangle near it is tested in double, in the space of the shape. */
#include "query/place.h"

#include "base/fp_environment.h"
#include "narrow/shape.h"
#include "query/box.h"
#include "query/cast.h"
#include "query/ellipsoid.h"

#include <string.h>

/* ---- the request ---- */

static bool is_point(const sidle_place *place)
{
    return vec3_is_zero(vec3_from(place->shape.radii));
}

sidle_status sidle_place_check(const sidle_place *place)
{
    const sidle_quat *q = &place->rotation;
    Vec3 center = vec3_from_position(place->center);
    if (!vec3_is_finite(center) || !isfinite(place->shape.half_height) || !isfinite(q->x) ||
        !isfinite(q->y) || !isfinite(q->z) || !isfinite(q->w))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    bool is_box = place->flags & SIDLE_PLACE_BOX;
    if ((place->flags & ~(uint32_t)SIDLE_PLACE_BOX) ||
        ((is_box || is_point(place)) && place->shape.half_height != 0))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (vec3_max_component(vec3_abs(center)) > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    return is_point(place) ? SIDLE_OK : sidle_shape_check(&place->shape, 0, NULL);
}

Around sidle_around_of(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                       Frame *frame)
{
    *frame = frame_of_shape(place->center, place->rotation, &place->shape);
    return (Around){.snapshot = snapshot,
                    .frame = frame,
                    .time = motion_end(motion_time),
                    .collides_with = place->collides_with ? place->collides_with : UINT32_MAX,
                    .ignored_surfaces = place->ignored_surfaces,
                    .ignore = place->ignore,
                    .ignored_group = placed_group_ignored(place->ignored_group),
                    .is_box = place->flags & SIDLE_PLACE_BOX};
}

/* ---- overlaps ---- */

static bool overlap_before(const sidle_overlap *a, const sidle_overlap *b)
{
    if (a->instance_key != b->instance_key)
    {
        return a->instance_key < b->instance_key;
    }
    return a->triangle != b->triangle ? a->triangle < b->triangle : a->instance.index < b->instance.index;
}

/* Keeps the first ones in order. */
static void insert(OverlapList *to, const sidle_overlap *overlap)
{
    uint32_t at = to->kept;
    if (at == to->capacity && (at == 0 || !overlap_before(overlap, &to->list[at - 1])))
    {
        return;
    }
    at -= at == to->capacity;
    for (; at > 0 && overlap_before(overlap, &to->list[at - 1]); --at)
    {
        to->list[at] = to->list[at - 1];
    }
    to->list[at] = *overlap;
    to->kept += to->kept < to->capacity;
}

bool sidle_overlap_list_take(OverlapList *to, const sidle_overlap *overlap)
{
    to->count += 1;
    if (to->list)
    {
        insert(to, overlap);
    }
    return to->list || to->capacity == 0 || to->count < to->capacity;
}

typedef struct Listing
{
    OverlapList overlaps;
    const Frame *frame;
    bool is_box;
} Listing;

/* Most triangles of a leaf are beyond the box of a shape: the unit box, or that of a capsule, with a margin. */
static bool is_beyond(const Frame *frame, const Vec3 v[3], double margin)
{
    double wide = (1 + margin) * CULL_GROWTH, high = wide + frame->core.y * CULL_GROWTH;
    return larger(larger(v[0].x, v[1].x), v[2].x) < -wide || lesser(lesser(v[0].x, v[1].x), v[2].x) > wide ||
           larger(larger(v[0].z, v[1].z), v[2].z) < -wide || lesser(lesser(v[0].z, v[1].z), v[2].z) > wide ||
           larger(larger(v[0].y, v[1].y), v[2].y) < -high || lesser(lesser(v[0].y, v[1].y), v[2].y) > high;
}

static KernelContact contact_of(const Frame *frame, const Vec3 corners[3])
{
    Vec3 origin = vec3(0, 0, 0);
    return frame->is_capsule ? sidle_closest_of_core(corners, frame->core.y, origin)
                             : sidle_closest_of_point(corners, origin);
}

static bool take_overlap(void *context, const AroundTriangle *triangle, double *reach)
{
    (void)reach;
    Listing *listing = context;
    bool overlaps = !is_beyond(listing->frame, triangle->corners, 0) &&
                    (listing->is_box ? sidle_box_overlaps_triangle(triangle->corners)
                                     : contact_of(listing->frame, triangle->corners).t < 1);
    if (!overlaps)
    {
        return true;
    }
    const Candidate *c = &triangle->candidate;
    const sidle_overlap overlap = {c->key, {c->instance, triangle->generation}, c->triangle, c->surface};
    return sidle_overlap_list_take(&listing->overlaps, &overlap);
}

static FP_BODY sidle_status list_overlaps(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_place *place, sidle_overlap *list, uint32_t capacity,
                                          uint32_t *count)
{
    if (!snapshot || !place || !count || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_place_check(place);
    if (status != SIDLE_OK)
    {
        return status;
    }
    *count = 0;
    if (is_point(place))
    {
        return SIDLE_OK;
    }
    Frame frame;
    Around around = sidle_around_of(snapshot, motion_time, place, &frame);
    Listing listing = {{list, capacity, 0, 0}, &frame, around.is_box};
    sidle_around_visit(&around, 0, take_overlap, &listing);
    *count = listing.overlaps.count;
    return SIDLE_OK;
}

sidle_status sidle_place_overlaps(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                                  sidle_overlap *list, uint32_t capacity, uint32_t *count)
{
    FpEnvironment host = fp_enter();
    sidle_status status = list_overlaps(snapshot, motion_time, place, list, capacity, count);
    fp_leave(host);
    return status;
}

/* ---- the closest triangle ---- */

static void take_if_nearer(Nearest *nearest, const AroundTriangle *triangle, KernelContact contact,
                           double *reach)
{
    double gap = (contact.t - nearest->radius) * nearest->unit;
    bool comes_first = !nearest->found || contact.t < nearest->contact.t ||
                       (contact.t <= nearest->contact.t &&
                        candidate_before(&triangle->candidate, &nearest->triangle.candidate));
    if (gap <= *reach && comes_first)
    {
        nearest->found = true;
        nearest->contact = contact;
        nearest->triangle = *triangle;
        *reach = larger(gap, 0);
    }
}

/* Returns true if the triangle is a copy of the closest so far. The lower identity is kept. */
static bool take_copy(Nearest *nearest, const AroundTriangle *triangle)
{
    AroundTriangle *known = &nearest->triangle;
    if (!nearest->found || memcmp(known->corners, triangle->corners, sizeof known->corners) != 0)
    {
        return false;
    }
    if (candidate_before(&triangle->candidate, &known->candidate)) /* mutant: first_copy_is_nearest */
    {
        *known = *triangle;
    }
    return true;
}

bool sidle_take_nearer(void *context, const AroundTriangle *triangle, double *reach)
{
    Nearest *nearest = context;
    if (!take_copy(nearest, triangle) &&
        !is_beyond(nearest->frame, triangle->corners, *reach / nearest->unit))
    {
        take_if_nearer(nearest, triangle, contact_of(nearest->frame, triangle->corners), reach);
    }
    return true;
}

/* The frame of an ellipsoid or a box does not keep distances. Their contacts are measured along the axes of the shape, in units of the
 * world; then the point and the normal go into the frame. */
static void corners_in_world(const Frame *frame, const AroundTriangle *triangle, Vec3 out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = vec3_mul(frame->radii, triangle->corners[i]);
    }
}

static void take_in_world(Nearest *nearest, const AroundTriangle *triangle, KernelContact contact,
                          double *reach)
{
    const Frame *frame = nearest->frame;
    contact.point = vec3_mul(frame->inverse, contact.point);
    contact.normal = vec3_mul(frame->radii, contact.normal);
    take_if_nearer(nearest, triangle, contact, reach);
}

/* By which the frame's ball or box grows to reach as far. */
static double room_of(const Frame *frame, double reach)
{
    return reach / vec3_min_component(frame->radii);
}

static bool take_nearer_box(void *context, const AroundTriangle *triangle, double *reach)
{
    Nearest *nearest = context;
    const Frame *frame = nearest->frame;
    if (!take_copy(nearest, triangle) && !is_beyond(frame, triangle->corners, room_of(frame, *reach)))
    {
        Vec3 corners[3];
        corners_in_world(frame, triangle, corners);
        take_in_world(nearest, triangle, sidle_contact_of_box(corners, frame->radii), reach);
    }
    return true;
}

/* A lower bound of the gap in the world: along the normal of the contact in the frame. An overlap is no deeper than it is there. Less what
 * rounding can add. */
static double least_gap(const Frame *frame, const KernelContact *contact)
{
    double gap = (contact->t - 1) / vec3_length(vec3_mul(frame->inverse, contact->normal));
    return gap - (CULL_GROWTH - 1) * (fabs(gap) + vec3_max_component(frame->radii));
}

static bool take_nearer_ellipsoid(void *context, const AroundTriangle *triangle, double *reach)
{
    Nearest *nearest = context;
    const Frame *frame = nearest->frame;
    if (take_copy(nearest, triangle) || is_beyond(frame, triangle->corners, room_of(frame, *reach)))
    {
        return true;
    }
    KernelContact contact = contact_of(frame, triangle->corners);
    double most = nearest->found ? nearest->contact.t : *reach;
    bool crosses = contact.t < 0;
    if (contact.t < NO_DIRECTION || least_gap(frame, &contact) <= most) /* mutant: cull_nearest */
    {
        Vec3 corners[3];
        corners_in_world(frame, triangle, corners);
        double core = frame->core.y * frame->radii.y;
        EllipsoidCase is = crosses ? CORE_CROSSES : contact.t < 1 ? ELLIPSOID_OVERLAPS : ELLIPSOID_APART;
        take_in_world(nearest, triangle, sidle_contact_of_ellipsoid(corners, frame->radii, core, is), reach);
    }
    return true;
}

static void write_closest(const Nearest *nearest, sidle_closest *out)
{
    const Candidate *candidate = &nearest->triangle.candidate;
    const Frame *frame = nearest->frame;
    Vec3 point = vec3_add(frame->center, frame_to_world(frame, nearest->contact.point));
    *out = (sidle_closest){
        .found = 1,
        .distance = (nearest->contact.t - nearest->radius) * nearest->unit,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(frame_normal_to_world(frame, nearest->contact.normal)),
        .instance_key = candidate->key,
        .instance = {candidate->instance, nearest->triangle.generation},
        .triangle = candidate->triangle,
        .surface = candidate->surface,
        .feature = nearest->contact.feature,
    };
}

static FP_BODY sidle_status find_closest(const sidle_snapshot *snapshot, float motion_time,
                                         const sidle_place *place, float max_distance, sidle_closest *out)
{
    if (!snapshot || !place || !out || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_place_check(place);
    if (status != SIDLE_OK || !isfinite(max_distance))
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_NOT_FINITE;
    }
    if (max_distance < 0 || (double)max_distance > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    *out = (sidle_closest){.found = 0};
    const sidle_vec3 *r = &place->shape.radii;
    bool is_box = (place->flags & SIDLE_PLACE_BOX) && !is_point(place),
         is_ellipsoid = !is_box && (r->x != r->y || r->x != r->z);
    Frame frame;
    Around around = sidle_around_of(snapshot, motion_time, place, &frame);
    Nearest nearest = {.frame = &frame, .unit = 1};
    if (!is_box && !is_ellipsoid)
    {
        nearest.radius = is_point(place) ? 0 : 1;
        nearest.unit = frame.radii.x;
    }
    around_fn *take = is_box ? take_nearer_box : is_ellipsoid ? take_nearer_ellipsoid : sidle_take_nearer;
    sidle_around_visit(&around, (double)max_distance, take, &nearest);
    if (nearest.found)
    {
        write_closest(&nearest, out);
    }
    return SIDLE_OK;
}

sidle_status sidle_place_closest(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                                 float max_distance, sidle_closest *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = find_closest(snapshot, motion_time, place, max_distance, out);
    fp_leave(host);
    return status;
}
