/* Where a box and a triangle touch, given the axis of least depth: what is left of the triangle within a face
 * of the box, of a face within the triangle, or the point between two edges. */
#include "intersect/box_triangle.h"

static Vec3 last_corner(const Frame *frame, Vec3 direction)
{
    return vec3(direction.x > 0 ? frame->high.x : frame->low.x,
                direction.y > 0 ? frame->high.y : frame->low.y,
                direction.z > 0 ? frame->high.z : frame->low.z);
}

static int first_of_triangle(const Frame *frame)
{
    double at[3];
    for (int i = 0; i < 3; ++i)
    {
        at[i] = vec3_dot(frame->normal, frame->corners[i]);
    }
    return at[0] <= at[1] && at[0] <= at[2] ? 0 : at[1] <= at[2] ? 1 : 2;
}

/* What is left of the triangle above and below the face of the box. */
static void box_face_contact(const Frame *frame, Contact *contact)
{
    int axis = frame->axis;
    double side = vec3_at(frame->normal, axis), depths[BOX_POLYGON_CORNERS];
    double face = vec3_at(side > 0 ? frame->high : frame->low, axis);
    Polygon polygon = {.corners = {frame->corners[0], frame->corners[1], frame->corners[2]}, .count = 3};
    for (int across = 0; across < 3; ++across)
    {
        if (across != axis)
        {
            sidle_polygon_clip_to_slab(&polygon, across, vec3_at(frame->low, across),
                                       vec3_at(frame->high, across), frame->slack);
        }
    }
    for (int i = 0; i < polygon.count; ++i)
    {
        depths[i] = side * (face - vec3_at(polygon.corners[i], axis));
    }
    sidle_contact_of_polygon(contact, &polygon, depths, frame->normal, larger(frame->depth, 0), frame->slack);
}

/* What is left of the box's face within the edges of the triangle. */
static void triangle_contact(const Frame *frame, Contact *contact)
{
    Vec3 lean = vec3_abs(frame->normal);
    int axis = lean.x >= lean.y && lean.x >= lean.z ? 0 : lean.y >= lean.z ? 1 : 2;
    Polygon polygon = sidle_box_face(frame->low, frame->high, axis, vec3_at(frame->normal, axis) > 0);
    double distances[BOX_POLYGON_CORNERS];
    for (int edge = 0; edge < 3; ++edge)
    {
        Vec3 outward = vec3_cross(frame->edges[edge], frame->across);
        Vec3 apex = vec3_sub(frame->corners[(edge + 2) % 3], frame->corners[edge]);
        outward = vec3_scale(outward, vec3_dot(outward, apex) > 0 ? -1 : 1); /* axes may be left-handed */
        for (int i = 0; i < polygon.count; ++i)
        {
            distances[i] = vec3_dot(outward, vec3_sub(polygon.corners[i], frame->corners[edge]));
        }
        sidle_polygon_clip(&polygon, distances);
    }
    for (int i = 0; i < polygon.count; ++i)
    {
        distances[i] = vec3_dot(frame->normal, vec3_sub(polygon.corners[i], frame->corners[0]));
    }
    sidle_contact_of_polygon(contact, &polygon, distances, vec3_scale(frame->normal, -1),
                             larger(frame->depth, 0), frame->slack);
}

/* The edge that touches. A triangle so thin that all of it does, to rounding, touches with its longest one,
 * whichever made the axis: the others end before. */
static int touching_edge(const Frame *frame)
{
    double length[3], apex = vec3_dot(frame->normal, frame->corners[(frame->edge + 2) % 3]);
    double level = vec3_dot(frame->normal, frame->corners[frame->edge]);
    for (int i = 0; i < 3; ++i)
    {
        length[i] = vec3_length2(frame->edges[i]);
    }
    if (fabs(apex - level) > 2 * frame->slack)
    {
        return frame->edge;
    }
    return length[0] >= length[1] && length[0] >= length[2] ? 0 : length[1] >= length[2] ? 1 : 2;
}

static void edge_contact(const Frame *frame, Contact *contact)
{
    int axis = frame->axis, edge = touching_edge(frame);
    Edge of_box = {.start = last_corner(frame, frame->normal), .direction = vec3(0, 0, 0)};
    Edge of_triangle = {frame->corners[edge], frame->edges[edge], 0, 1};
    vec3_set(&of_box.direction, axis, 1);
    vec3_set(&of_box.start, axis, vec3_at(frame->low, axis));
    of_box.high = vec3_at(frame->high, axis) - vec3_at(frame->low, axis);
    contact->points[0] = sidle_edges_middle(&of_box, &of_triangle);
    contact->depths[0] = larger(frame->depth, 0);
    contact->count = 1;
}

/* How far a place is outside of the box. */
static double outside(const Frame *frame, Vec3 place)
{
    double most = -INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = vec3_at(place, axis);
        most = larger(most, larger(vec3_at(frame->low, axis) - at, at - vec3_at(frame->high, axis)));
    }
    return most;
}

/* Where rounding left no corner at all: of the triangle's part in the box, or all but in it, the corner that
 * the depth takes nearest to the box's surface; else the corner of the triangle that comes first. */
static void lone_contact(const Frame *frame, Contact *contact)
{
    double depth = larger(frame->depth, 0), least = INFINITY;
    Polygon polygon = {.corners = {frame->corners[0], frame->corners[1], frame->corners[2]}, .count = 3};
    Vec3 found = frame->corners[first_of_triangle(frame)];
    for (int axis = 0; axis < 3; ++axis)
    {
        double slack = frame->slack + depth * fabs(vec3_at(frame->normal, axis));
        sidle_polygon_clip_within(&polygon, axis, vec3_at(frame->low, axis) - slack,
                                  vec3_at(frame->high, axis) + slack);
    }
    for (int i = 0; i < polygon.count; ++i)
    {
        Vec3 corner = polygon.corners[i];
        double off = fabs(outside(frame, vec3_add_scaled(corner, frame->normal, depth)));
        found = off < least ? corner : found;
        least = lesser(off, least);
    }
    contact->points[0] = vec3_add_scaled(found, frame->normal, .5 * depth);
    contact->depths[0] = depth;
    contact->count = 1;
}

static sidle_feature triangle_part(const Frame *frame)
{
    int first = first_of_triangle(frame), touched = 0, other = first;
    for (int i = 1; i < 3; ++i)
    {
        Vec3 offset = vec3_sub(frame->corners[(first + i) % 3], frame->corners[first]);
        if (vec3_dot(offset, frame->normal) <= BOX_REST * vec3_sum_abs(offset))
        {
            ++touched;
            other = (first + i) % 3;
        }
    }
    return touched == 2   ? feature(SIDLE_FEATURE_FACE, 0)
           : touched == 1 ? feature(SIDLE_FEATURE_EDGE, (first + 1) % 3 == other ? first : other)
                          : feature(SIDLE_FEATURE_VERTEX, first);
}

void sidle_frame_contact(const Frame *frame, Contact *contact, sidle_touch *touch)
{
    if (frame->kind == KIND_BOX_FACE)
    {
        box_face_contact(frame, contact);
    }
    else if (frame->kind == KIND_TRIANGLE)
    {
        triangle_contact(frame, contact);
    }
    else
    {
        edge_contact(frame, contact);
    }
    if (contact->count == 0)
    {
        lone_contact(frame, contact);
    }
    touch->depth = larger(frame->depth, 0);
    touch->feature_a = sidle_box_feature(frame->normal);
    touch->feature_b = triangle_part(frame);
    touch->point_count = (uint32_t)contact->count;
    for (int i = 0; i < contact->count; ++i)
    {
        touch->depths[i] = contact->depths[i];
    }
}
