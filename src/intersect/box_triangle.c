/* A box against a triangle: T. Akenine-Moeller, "Fast 3D Triangle-Box Overlap Testing", 2001, with the depth
 * and a contact of up to 7 points. Departures:
 *
 * - The edges' axes are not skipped near parallel: across an axis of the box and an edge of the triangle
 *   nothing cancels, so that the axis stands on both to u of their lengths at any angle. The paper's plain
 *   normal of a needle errs by u / sine; ours does not (sidle_precise_normal).
 * - Everything is relative to the box's lower corner, or its centre if it is oriented. So a level far from
 *   the origin loses nothing.
 * - Separation must exceed what rounding may do, so that touching is a hit. */
#include "intersect/box_triangle.h"

static void frame_measure(Frame *frame)
{
    Vec3 far = vec3(0, 0, 0), size = vec3_sub(frame->high, frame->low);
    for (int i = 0; i < 3; ++i)
    {
        Vec3 reach = vec3_abs(frame->corners[i]);
        far = vec3(larger(far.x, reach.x), larger(far.y, reach.y), larger(far.z, reach.z));
    }
    double longest = larger(larger(vec3_sum_abs(frame->edges[0]), vec3_sum_abs(frame->edges[1])),
                            vec3_sum_abs(frame->edges[2]));
    frame->slack = BOX_SLACK * (vec3_sum_abs(far) + vec3_sum_abs(size));
    frame->rest = BOX_REST * lesser(longest, vec3_sum_abs(size)) + frame->slack;
    frame->depth = INFINITY;
}

/* Whether both meet along an axis on which they fill [low, high] and [from, to]; it must be shallower than
 * the best one by `margin` to be it. */
static bool consider(Frame *frame, Vec3 axis, double low, double high, double from, double to, int kind,
                     double margin)
{
    double up = high - from, down = to - low, depth = lesser(up, down);
    if (!(depth >= -frame->slack))
    {
        return false;
    }
    if (depth < frame->depth - margin)
    {
        frame->depth = depth;
        frame->normal = vec3_scale(axis, up <= down ? 1 : -1);
        frame->kind = kind;
    }
    return true;
}

static bool box_faces_meet(Frame *frame)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        double before = frame->depth, at[3];
        Vec3 along = vec3(0, 0, 0);
        vec3_set(&along, axis, 1);
        for (int i = 0; i < 3; ++i)
        {
            at[i] = vec3_at(frame->corners[i], axis);
        }
        if (!consider(frame, along, vec3_at(frame->low, axis), vec3_at(frame->high, axis),
                      lesser(lesser(at[0], at[1]), at[2]), larger(larger(at[0], at[1]), at[2]), KIND_BOX_FACE,
                      0))
        {
            return false;
        }
        frame->axis = frame->depth < before ? axis : frame->axis;
    }
    return true;
}

/* The corners of the box that come first and last along an axis, and where. */
static void box_span(const Frame *frame, Vec3 axis, double *low, double *high)
{
    Vec3 a = vec3_mul(axis, frame->low), b = vec3_mul(axis, frame->high);
    *low = lesser(a.x, b.x) + lesser(a.y, b.y) + lesser(a.z, b.z);
    *high = larger(a.x, b.x) + larger(a.y, b.y) + larger(a.z, b.z);
}

static bool triangle_face_meets(Frame *frame)
{
    double low, high, at[3];
    if (vec3_is_zero(frame->across))
    {
        return true; /* a segment or a point has no face */
    }
    box_span(frame, frame->across, &low, &high);
    for (int i = 0; i < 3; ++i)
    {
        at[i] = vec3_dot(frame->across, frame->corners[i]);
    }
    return consider(frame, frame->across, low, high, lesser(lesser(at[0], at[1]), at[2]),
                    larger(larger(at[0], at[1]), at[2]), KIND_TRIANGLE, 0);
}

/* The unit axis across the box's edge along `axis` and an edge of the triangle; false if there is none. */
static bool find_across(const Frame *frame, int axis, int edge, Vec3 *out)
{
    int one = (axis + 1) % 3, other = (axis + 2) % 3;
    Vec3 along = frame->edges[edge], across = vec3(0, 0, 0);
    vec3_set(&across, one, -vec3_at(along, other));
    vec3_set(&across, other, vec3_at(along, one));
    double square = vec3_length2(across);
    *out = vec3_scale(across, square > 0 ? 1 / sqrt(square) : 0);
    return square > BOX_PARALLEL * BOX_PARALLEL * vec3_length2(along);
}

static bool edges_meet(Frame *frame)
{
    double margin = frame->rest; /* over faces */
    for (int i = 0; i < 9; ++i)
    {
        int axis = i / 3, edge = i % 3;
        double before = frame->depth, low, high;
        Vec3 across;
        if (!find_across(frame, axis, edge, &across))
        {
            continue;
        }
        box_span(frame, across, &low, &high);
        double begin = vec3_dot(across, frame->corners[edge]);
        double end = vec3_dot(across, frame->corners[(edge + 1) % 3]);
        double apex = vec3_dot(across, frame->corners[(edge + 2) % 3]);
        double from = lesser(begin, end), to = larger(begin, end); /* one place but for rounding */
        /* Where the apex comes before the edge, edges do not meet: that axis may separate, and a face that is
         * no deeper is what touches. */
        bool leads = high - lesser(from, apex) <= larger(to, apex) - low ? from <= apex + frame->slack
                                                                         : to >= apex - frame->slack;
        if (!consider(frame, across, low, high, lesser(from, apex), larger(to, apex), KIND_EDGES,
                      leads ? margin : INFINITY))
        {
            return false;
        }
        if (frame->depth < before)
        {
            margin = 0;
            frame->axis = axis;
            frame->edge = edge;
        }
    }
    return true;
}

static Vec3 leans(const sidle_oriented_box *box, Vec3 direction)
{
    return vec3(vec3_dot(direction, vec3_from_position(box->axes[0])),
                vec3_dot(direction, vec3_from_position(box->axes[1])),
                vec3_dot(direction, vec3_from_position(box->axes[2])));
}

/* The whole test; the contact is in the frame of the box, the normal too. */
static bool frame_meets(Frame *frame, const Vec3 corners[3], const sidle_oriented_box *turn)
{
    frame_measure(frame);
    if (!box_faces_meet(frame))
    {
        return false;
    }
    frame->across = sidle_precise_normal(corners);
    frame->across = turn ? leans(turn, frame->across) : frame->across;
    return triangle_face_meets(frame) && edges_meet(frame);
}

static bool corners_of(const sidle_dtriangle *triangle, Vec3 corners[3])
{
    bool finite = true;
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = vec3_from_position(triangle->corners[i]);
        finite = finite && vec3_is_finite(corners[i]);
    }
    return finite;
}

bool sidle_box_triangle(const sidle_box *box, const sidle_dtriangle *triangle, sidle_touch *out)
{
    Frame frame = {.low = vec3(0, 0, 0)};
    Vec3 corners[3], origin = vec3_from_position(box->min);
    if (!sidle_box_is_valid(box) || !corners_of(triangle, corners))
    {
        return false;
    }
    frame.high = vec3_sub(vec3_from_position(box->max), origin);
    for (int i = 0; i < 3; ++i)
    {
        frame.corners[i] = vec3_sub(corners[i], origin);
        frame.edges[i] = vec3_sub(corners[(i + 1) % 3], corners[i]);
    }
    if (!frame_meets(&frame, corners, NULL))
    {
        return false;
    }
    if (out)
    {
        Contact contact;
        sidle_touch touch = {.normal = dvec3_from(frame.normal)};
        sidle_frame_contact(&frame, &contact, &touch);
        for (int i = 0; i < contact.count; ++i)
        {
            touch.points[i] = dvec3_from(vec3_add(contact.points[i], origin));
        }
        *out = touch;
    }
    return true;
}

bool sidle_oriented_box_triangle(const sidle_oriented_box *box, const sidle_dtriangle *triangle,
                                 sidle_touch *out)
{
    Frame frame = {.high = vec3_from_position(box->half)};
    Vec3 corners[3];
    if (!sidle_oriented_box_is_valid(box) || !corners_of(triangle, corners))
    {
        return false;
    }
    frame.low = vec3_scale(frame.high, -1);
    for (int i = 0; i < 3; ++i)
    {
        frame.corners[i] = sidle_oriented_box_local(box, corners[i]);
        frame.edges[i] = leans(box, vec3_sub(corners[(i + 1) % 3], corners[i]));
    }
    if (!frame_meets(&frame, corners, box))
    {
        return false;
    }
    if (out)
    {
        Contact contact;
        sidle_touch touch = {.normal = dvec3_from(sidle_oriented_box_turned(box, frame.normal))};
        sidle_frame_contact(&frame, &contact, &touch);
        for (int i = 0; i < contact.count; ++i)
        {
            touch.points[i] = dvec3_from(sidle_oriented_box_world(box, contact.points[i]));
        }
        *out = touch;
    }
    return true;
}
