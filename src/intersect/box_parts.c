/* Products without loss, and the polygons of contact. */
#include "intersect/box_parts.h"
#include "base/exact.h"

Vec3 sidle_precise_cross(Vec3 a, Vec3 b)
{
    ExactVec3 p = exact_vec3(a), q = exact_vec3(b);
    return exact_cross(&p, &q);
}

Vec3 sidle_precise_normal(const Vec3 corners[3])
{
    const double blunt = .25; /* of the sine's square: above it the plain product errs by 12 u */
    Vec3 e = vec3_sub(corners[1], corners[0]), f = vec3_sub(corners[2], corners[0]), plain = vec3_cross(e, f);
    double square = vec3_length2(plain);
    if (!(square >= blunt * vec3_length2(e) * vec3_length2(f)) || square == 0)
    {
        ExactVec3 p = exact_vec3_sub(corners[1], corners[0]), q = exact_vec3_sub(corners[2], corners[0]);
        plain = exact_cross(&p, &q);
    }
    return sidle_vec3_unit(plain);
}

/* Not vec3_normalize: squares of what is as thin as 1e-60 beside 1e60 leave the range. */
Vec3 sidle_vec3_unit(Vec3 a)
{
    double largest = vec3_max_component(vec3_abs(a));
    int exponent = 0;
    if (!(largest > 0))
    {
        return vec3(0, 0, 0);
    }
    frexp(largest, &exponent);
    Vec3 scaled = vec3(ldexp(a.x, -exponent), ldexp(a.y, -exponent), ldexp(a.z, -exponent));
    return vec3_scale(scaled, 1 / vec3_length(scaled));
}

void sidle_polygon_clip(Polygon *polygon, const double *distances)
{
    Polygon kept = {.count = 0};
    for (int i = 0; i < polygon->count; ++i)
    {
        int next = (i + 1) % polygon->count;
        double here = distances[i], there = distances[next];
        if (here <= 0 && kept.count < BOX_POLYGON_CORNERS) /* mutant: corner_beyond_cut */
        {
            kept.corners[kept.count++] = polygon->corners[i];
        }
        if ((here <= 0) != (there <= 0) && here != 0 && there != 0 && kept.count < BOX_POLYGON_CORNERS)
        {
            Vec3 offset = vec3_sub(polygon->corners[next], polygon->corners[i]);
            kept.corners[kept.count++] = vec3_add_scaled(polygon->corners[i], offset, here / (here - there));
        }
    }
    *polygon = kept;
}

void sidle_polygon_clip_within(Polygon *polygon, int axis, double low, double high)
{
    double distances[BOX_POLYGON_CORNERS];
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < polygon->count; ++i)
        {
            double at = vec3_at(polygon->corners[i], axis);
            distances[i] = side ? at - high : low - at;
        }
        sidle_polygon_clip(polygon, distances);
    }
}

void sidle_polygon_clip_to_slab(Polygon *polygon, int axis, double low, double high, double slack)
{
    sidle_polygon_clip_within(polygon, axis, low - slack, high + slack);
    for (int i = 0; i < polygon->count; ++i)
    {
        vec3_set(&polygon->corners[i], axis, within(vec3_at(polygon->corners[i], axis), low, high));
    }
}

Polygon sidle_box_face(Vec3 low, Vec3 high, int axis, bool upper)
{
    int across = (axis + 1) % 3, other = (axis + 2) % 3;
    Polygon face = {.count = 4};
    for (int i = 0; i < 4; ++i)
    {
        vec3_set(&face.corners[i], axis, vec3_at(upper ? high : low, axis));
        vec3_set(&face.corners[i], across, vec3_at(i == 1 || i == 2 ? high : low, across));
        vec3_set(&face.corners[i], other, vec3_at(i >= 2 ? high : low, other));
    }
    return face;
}

static bool same_place(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_known(const Polygon *polygon, int count, Vec3 corner)
{
    for (int i = 0; i < count; ++i)
    {
        if (same_place(polygon->corners[i], corner))
        {
            return true;
        }
    }
    return false;
}

void sidle_contact_of_polygon(Contact *contact, const Polygon *polygon, const double *depths, Vec3 back,
                              double depth, double slack)
{
    int deepest = 0;
    contact->count = 0;
    for (int i = 0; i < polygon->count && contact->count < SIDLE_MAX_TOUCH_POINTS; ++i)
    {
        if (depths[i] >= -slack && !is_known(polygon, i, polygon->corners[i]))
        {
            double here = within(depths[i], 0, depth);
            contact->points[contact->count] = vec3_add_scaled(polygon->corners[i], back, .5 * here);
            contact->depths[contact->count] = here;
            deepest = here > contact->depths[deepest] ? contact->count : deepest;
            ++contact->count;
        }
    }
    if (contact->count > 0)
    {
        contact->depths[deepest] = depth;
        return;
    }
    for (int i = 0; i < polygon->count; ++i)
    {
        deepest = depths[i] > depths[deepest] ? i : deepest;
    }
    if (polygon->count > 0) /* none is below: a face was taken in place of edges a little shallower */
    {
        contact->points[0] = vec3_add_scaled(polygon->corners[deepest], back, .5 * depth);
        contact->depths[0] = depth;
        contact->count = 1;
    }
}

Vec3 sidle_edges_middle(const Edge *e, const Edge *f)
{
    Vec3 across = sidle_precise_cross(e->direction, f->direction);
    Vec3 offset = vec3_sub(f->start, e->start);
    double square = vec3_length2(across);
    double along_e = vec3_dot(vec3_cross(offset, f->direction), across);
    double along_f = vec3_dot(vec3_cross(offset, e->direction), across);
    double s = within(square > 0 ? along_e / square : 0, e->low, e->high);
    double t = within(square > 0 ? along_f / square : 0, f->low, f->high);
    Vec3 on_e = vec3_add_scaled(e->start, e->direction, s);
    Vec3 on_f = vec3_add_scaled(f->start, f->direction, t);
    return vec3_scale(vec3_add(on_e, on_f), .5);
}
