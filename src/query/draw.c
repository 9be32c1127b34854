/* Debug drawing: a move or a cast as lines. */
#include "sidle/draw.h"

#include "base/fp_environment.h"
#include "query/box.h"
#include "query/cast.h"
#include "query/place.h"

#define CIRCLE 16 /* lines of a circle */

/* By which the box of triangles exceeds the shape, in its extents: the largest skin of agents. */
#define MARGIN .1

/* A ray counts as a ball of this share of its length. */
#define RAY_RADIUS .01

typedef struct Drawing
{
    sidle_line *list;
    uint32_t capacity, count;
    Vec3 low, high;                /* corners of the box */
    Frame box;                     /* its frame */
    const sidle_contact *contacts; /* whose triangles are hit */
    uint32_t contact_count;
    sidle_instance ground; /* whose triangle is hit, too; generation 0: none */
    uint32_t ground_triangle;
} Drawing;

static sidle_position position_of(Vec3 v)
{
    return (sidle_position){v.x, v.y, v.z};
}

static void add(Drawing *drawing, Vec3 from, Vec3 to, uint32_t kind)
{
    if (drawing->count < drawing->capacity)
    {
        drawing->list[drawing->count] = (sidle_line){position_of(from), position_of(to), kind};
    }
    drawing->count += 1;
}

static void include(Drawing *drawing, Vec3 point)
{
    drawing->low = vec3_lesser(drawing->low, point);
    drawing->high = vec3_larger(drawing->high, point);
}

/* ---- the shape ---- */

static double cosine(uint32_t k)
{
    static const double quarter[5] = {1, .92387953251128674, .70710678118654752, .38268343236508977, 0};
    k %= CIRCLE;
    k = k > CIRCLE / 2 ? CIRCLE - k : k;
    return k > CIRCLE / 4 ? -quarter[CIRCLE / 2 - k] : quarter[k];
}

/* A point of the circle about the axis y, z or x, in the frame, which the core moves by `side`. */
static Vec3 on_circle(const Frame *frame, uint32_t axis, uint32_t k, double side)
{
    double c = cosine(k), s = cosine(k + 3 * CIRCLE / 4);
    Vec3 unit = axis == 0 ? vec3(c, 0, s) : axis == 1 ? vec3(c, s, 0) : vec3(0, s, c);
    return vec3_add(frame->center, mat3_mul(frame->to_w, vec3_add_scaled(unit, frame->core, side)));
}

static void add_shape(Drawing *drawing, const Frame *frame, uint32_t kind)
{
    for (uint32_t k = 0; k < CIRCLE; ++k)
    {
        double side = k < CIRCLE / 2 ? 1 : -1; /* of y */
        add(drawing, on_circle(frame, 0, k, 1), on_circle(frame, 0, k + 1, 1), kind);
        add(drawing, on_circle(frame, 1, k, side), on_circle(frame, 1, k + 1, side), kind);
        add(drawing, on_circle(frame, 2, k, side), on_circle(frame, 2, k + 1, side), kind);
        if (frame->is_capsule)
        {
            add(drawing, on_circle(frame, 0, k, -1), on_circle(frame, 0, k + 1, -1), kind);
        }
        if (frame->is_capsule && k % (CIRCLE / 4) == 0)
        {
            add(drawing, on_circle(frame, 0, k, -1), on_circle(frame, 0, k, 1), kind);
        }
    }
}

/* The point of the shape that is farthest against a normal. */
static Vec3 foot(const Frame *frame, Vec3 normal)
{
    Vec3 down = vec3_scale(mat3_mul_transposed(frame->to_w, normal), -1);
    Vec3 unit = vec3_add_scaled(vec3_normalize(down), frame->core, down.y < 0 ? -1 : 1);
    return vec3_add(frame->center, mat3_mul(frame->to_w, unit));
}

/* ---- triangles ---- */

/* Makes a frame of the box, whose unit box it is, and adds its edges. */
static void close_box(Drawing *drawing, Vec3 extent)
{
    Vec3 low = vec3_add_scaled(drawing->low, extent, -1 - MARGIN),
         high = vec3_add_scaled(drawing->high, extent, 1 + MARGIN);
    drawing->box = frame_make(vec3_scale(vec3_add(low, high), .5), (sidle_quat){0, 0, 0, 0},
                              vec3_scale(vec3_sub(high, low), .5));
    for (uint32_t i = 0; i < 4; ++i)
    {
        double y = i & 1 ? low.y : high.y, z = i & 2 ? low.z : high.z, x = i & 1 ? low.x : high.x;
        double after_y = i & 2 ? low.y : high.y;
        add(drawing, vec3(low.x, y, z), vec3(high.x, y, z), SIDLE_LINE_BOX);
        add(drawing, vec3(x, low.y, z), vec3(x, high.y, z), SIDLE_LINE_BOX);
        add(drawing, vec3(x, after_y, low.z), vec3(x, after_y, high.z), SIDLE_LINE_BOX);
    }
}

static bool is_triangle(const AroundTriangle *triangle, sidle_instance instance, uint32_t number)
{
    const Candidate *candidate = &triangle->candidate;
    return triangle->generation == instance.generation && candidate->instance == instance.index &&
           candidate->triangle == number;
}

static bool take_triangle(void *context, const AroundTriangle *triangle, double *reach)
{
    (void)reach;
    Drawing *drawing = context;
    if (!sidle_box_overlaps_triangle(triangle->corners))
    {
        return true;
    }
    /* mutant: draw_without_ground */
    bool is_hit = is_triangle(triangle, drawing->ground, drawing->ground_triangle);
    for (uint32_t i = 0; i < drawing->contact_count; ++i)
    {
        const sidle_contact *contact = &drawing->contacts[i];
        is_hit |= is_triangle(triangle, contact->instance, contact->triangle);
    }
    Vec3 corners[3];
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = vec3_add(drawing->box.center, vec3_mul(drawing->box.radii, triangle->corners[i]));
    }
    for (int i = 0; i < 3; ++i)
    {
        add(drawing, corners[i], corners[(i + 1) % 3], is_hit ? SIDLE_LINE_HIT : SIDLE_LINE_TRIANGLE);
    }
    return true;
}

/* Adds contacts, the box, and what it holds. `around`: of the shape. */
static void add_triangles(Drawing *drawing, Around around, Vec3 extent)
{
    double length = vec3_min_component(extent);
    for (uint32_t i = 0; i < drawing->contact_count; ++i)
    {
        Vec3 point = vec3_from_position(drawing->contacts[i].point);
        add(drawing, point, vec3_add_scaled(point, vec3_from(drawing->contacts[i].normal), length),
            SIDLE_LINE_CONTACT);
        include(drawing, point);
    }
    close_box(drawing, extent);
    around.frame = &drawing->box;
    around.is_box = true;
    sidle_around_visit(&around, 0, take_triangle, drawing);
}

/* ---- the calls ---- */

static sidle_status check(const sidle_place *start, const sidle_place *end, sidle_vec3 displacement)
{
    sidle_status first = sidle_place_check(start), last = sidle_place_check(end);
    if (first != SIDLE_OK || last != SIDLE_OK)
    {
        return first != SIDLE_OK ? first : last;
    }
    return vec3_is_finite(vec3_from(displacement)) ? SIDLE_OK : SIDLE_ERROR_NOT_FINITE;
}

static FP_BODY sidle_status draw_move(const sidle_snapshot *snapshot, float motion_time,
                                      const sidle_shape *shape, const sidle_move *move,
                                      const sidle_result *result, Drawing *drawing)
{
    sidle_place start = {.center = move->body.center,
                         .rotation = move->rotation,
                         .shape = *shape,
                         .ignore = move->ignore,
                         .collides_with = move->collides_with,
                         .ignored_surfaces = move->ignored_surfaces,
                         .ignored_group = move->ignored_group},
                end = start;
    end.center = result->body.center;
    sidle_status status = check(&start, &end, move->displacement);
    if (status != SIDLE_OK)
    {
        return status;
    }
    if (vec3_is_zero(vec3_from(shape->radii)))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Frame before, after;
    Around around = sidle_around_of(snapshot, motion_time, &start, &before);
    sidle_around_of(snapshot, motion_time, &end, &after);
    Vec3 asked = vec3_add(before.center, vec3_from(move->displacement)),
         normal = vec3_from(result->body.ground_normal), extent = vec3_add(after.extent, after.core_extent);
    add_shape(drawing, &before, SIDLE_LINE_START);
    add_shape(drawing, &after, SIDLE_LINE_END);
    add(drawing, before.center, asked, SIDLE_LINE_ASKED);
    add(drawing, before.center, after.center, SIDLE_LINE_PATH);
    if (!vec3_is_zero(normal))
    {
        Vec3 from = foot(&after, normal);
        add(drawing, from, vec3_add_scaled(from, normal, vec3_min_component(extent)), SIDLE_LINE_GROUND);
        drawing->ground = result->body.ground;
        drawing->ground_triangle = result->body.ground_triangle;
    }
    drawing->low = drawing->high = before.center;
    include(drawing, after.center);
    include(drawing, asked);
    add_triangles(drawing, around, extent);
    return SIDLE_OK;
}

static FP_BODY sidle_status draw_cast(const sidle_snapshot *snapshot, float motion_time,
                                      const sidle_cast *cast, const sidle_cast_hit *hit, Drawing *drawing)
{
    sidle_place start = {.center = cast->origin,
                         .rotation = cast->rotation,
                         .shape = cast->shape,
                         .ignore = cast->ignore,
                         .collides_with = cast->collides_with,
                         .ignored_surfaces = cast->ignored_surfaces,
                         .ignored_group = cast->ignored_group},
                end = start;
    Vec3 path = vec3_from(cast->displacement), from = vec3_from_position(cast->origin),
         to = vec3_add_scaled(from, path, hit->hit == SIDLE_CAST_MISS ? 1 : hit->t);
    end.center = position_of(to);
    sidle_status status = check(&start, &end, cast->displacement);
    if (status != SIDLE_OK)
    {
        return status;
    }
    Frame before, after;
    Around around = sidle_around_of(snapshot, motion_time, &start, &before);
    sidle_around_of(snapshot, motion_time, &end, &after);
    Vec3 extent = vec3_add(after.extent, after.core_extent);
    if (vec3_is_zero(vec3_from(cast->shape.radii)))
    {
        double radius = larger(RAY_RADIUS * vec3_length(path), SIDLE_MIN_RADIUS);
        extent = vec3(radius, radius, radius);
    }
    else
    {
        add_shape(drawing, &before, SIDLE_LINE_START);
        add_shape(drawing, &after, SIDLE_LINE_END);
    }
    add(drawing, from, vec3_add(from, path), SIDLE_LINE_ASKED);
    add(drawing, from, to, SIDLE_LINE_PATH);
    sidle_contact contact = {
        .point = hit->point, .normal = hit->normal, .instance = hit->instance, .triangle = hit->triangle};
    drawing->contacts = &contact;
    drawing->contact_count = hit->hit == SIDLE_CAST_HIT || hit->hit == SIDLE_CAST_OVERLAP;
    drawing->low = drawing->high = to;
    add_triangles(drawing, around, extent);
    return SIDLE_OK;
}

sidle_status sidle_draw_move(const sidle_snapshot *snapshot, float motion_time, const sidle_shape *shape,
                             const sidle_move *move, const sidle_result *result,
                             const sidle_contact *contacts, sidle_line *lines, uint32_t capacity,
                             uint32_t *count)
{
    if (!snapshot || !motion_is_good(motion_time) || !shape || !move || !result || !count ||
        (capacity > 0 && !lines))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Drawing drawing = {.list = lines, .capacity = capacity};
    drawing.contacts = contacts ? contacts + result->contact_first : NULL;
    drawing.contact_count = contacts ? result->contact_count : 0;
    FpEnvironment host = fp_enter();
    sidle_status status = draw_move(snapshot, motion_time, shape, move, result, &drawing);
    fp_leave(host);
    *count = status == SIDLE_OK ? drawing.count : *count;
    return status;
}

sidle_status sidle_draw_cast(const sidle_snapshot *snapshot, float motion_time, const sidle_cast *cast,
                             const sidle_cast_hit *hit, sidle_line *lines, uint32_t capacity, uint32_t *count)
{
    if (!snapshot || !motion_is_good(motion_time) || !cast || !hit || !count || (capacity > 0 && !lines))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Drawing drawing = {.list = lines, .capacity = capacity};
    FpEnvironment host = fp_enter();
    sidle_status status = draw_cast(snapshot, motion_time, cast, hit, &drawing);
    fp_leave(host);
    *count = status == SIDLE_OK ? drawing.count : *count;
    return status;
}
