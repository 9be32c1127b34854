/* Two oriented boxes: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", 1996, section 5, and a contact of up
 * to 8 points. Departures:
 *
 * - Cross products of edges are unit, and computed from products without loss where the edges come near to
 *   parallel, so that each of the 15 axes is known to a few u whatever the angle. The usual remedy, an
 *   epsilon added to the matrix of cosines, gives up near parallel edges at 1e-6 and calls boxes that are
 *   apart by a millionth of their size touching; plain cross products of edges at angle t err by u / t.
 * - The pair is put in one order before anything is computed: (a, b) and (b, a) give the same bits, ties and
 *   points included. */
#include "intersect/box_parts.h"

#include <string.h>

typedef struct Pair
{
    const sidle_oriented_box *boxes[2];
    Vec3 axes[2][3];
    Vec3 half[2];
    Vec3 away; /* from the first centre to the second */
    double cosines[3][3];
    double slack, rest;
    double depth; /* of the best axis so far */
    Vec3 normal;  /* along it, from first to second */
    int kind;     /* 0 and 1: a face of that box, across its axis `face`; 2: edges `edges` */
    int face, edges[2];
} Pair;

enum
{
    KIND_EDGES = 2
};

static void pair_begin(Pair *pair, const sidle_oriented_box *a, const sidle_oriented_box *b)
{
    pair->boxes[0] = a;
    pair->boxes[1] = b;
    for (int box = 0; box < 2; ++box)
    {
        pair->half[box] = vec3_from_position(pair->boxes[box]->half);
        for (int axis = 0; axis < 3; ++axis)
        {
            pair->axes[box][axis] = vec3_from_position(pair->boxes[box]->axes[axis]);
        }
    }
    for (int i = 0; i < 9; ++i)
    {
        pair->cosines[i / 3][i % 3] = vec3_dot(pair->axes[0][i / 3], pair->axes[1][i % 3]);
    }
    pair->away = vec3_sub(vec3_from_position(b->center), vec3_from_position(a->center));
    double size = vec3_sum_abs(pair->away) + vec3_sum_abs(pair->half[0]) + vec3_sum_abs(pair->half[1]);
    pair->slack = BOX_SLACK * size;
    /* mutant: edge_before_face */
    pair->rest = BOX_REST * lesser(vec3_sum_abs(pair->half[0]), vec3_sum_abs(pair->half[1])) + pair->slack;
    pair->depth = INFINITY;
}

/* Whether the boxes meet along this axis, whose depth must be less than the best one by `margin` to be it. */
static bool consider(Pair *pair, Vec3 axis, double reach, int kind, double margin)
{
    double apart = vec3_dot(pair->away, axis), depth = reach - fabs(apart);
    if (!(depth >= -pair->slack))
    {
        return false;
    }
    if (depth < pair->depth - margin)
    {
        pair->depth = depth;
        pair->normal = vec3_scale(axis, apart >= 0 ? 1 : -1);
        pair->kind = kind;
    }
    return true;
}

static bool faces_meet(Pair *pair)
{
    for (int box = 0; box < 2; ++box)
    {
        Vec3 other = pair->half[!box];
        for (int axis = 0; axis < 3; ++axis)
        {
            double before = pair->depth, reach = vec3_at(pair->half[box], axis);
            for (int i = 0; i < 3; ++i)
            {
                reach += vec3_at(other, i) * fabs(box ? pair->cosines[i][axis] : pair->cosines[axis][i]);
            }
            if (!consider(pair, pair->axes[box][axis], reach, box, 0))
            {
                return false;
            }
            pair->face = pair->depth < before ? axis : pair->face;
        }
    }
    return true;
}

/* The unit vector across two edges; false if they are as good as parallel. */
static bool find_across(Vec3 a, Vec3 b, Vec3 *out)
{
    const double blunt = .25; /* square of the sine above which a plain cross product errs by 4 u */
    Vec3 across = vec3_cross(a, b);
    double square = vec3_length2(across);
    if (square < blunt)
    {
        if (square <= BOX_PARALLEL * BOX_PARALLEL)
        {
            return false;
        }
        across = sidle_precise_cross(a, b);
        square = vec3_length2(across);
    }
    *out = vec3_scale(across, 1 / sqrt(square));
    return square > BOX_PARALLEL * BOX_PARALLEL;
}

static double reach_across(const Pair *pair, int box, int edge, Vec3 across)
{
    int one = (edge + 1) % 3, other = (edge + 2) % 3;
    return vec3_at(pair->half[box], one) * fabs(vec3_dot(pair->axes[box][one], across)) +
           vec3_at(pair->half[box], other) * fabs(vec3_dot(pair->axes[box][other], across));
}

static bool edges_meet(Pair *pair)
{
    double margin = pair->rest; /* over faces */
    for (int i = 0; i < 9; ++i)
    {
        int first = i / 3, second = i % 3;
        double before = pair->depth;
        Vec3 across;
        if (!find_across(pair->axes[0][first], pair->axes[1][second], &across))
        {
            continue;
        }
        double reach = reach_across(pair, 0, first, across) + reach_across(pair, 1, second, across);
        if (!consider(pair, across, reach, KIND_EDGES, margin))
        {
            return false;
        }
        if (pair->depth < before)
        {
            margin = 0;
            pair->edges[0] = first;
            pair->edges[1] = second;
        }
    }
    return true;
}

/* ---- Contact ---- */

static Vec3 leans(const Pair *pair, int box, Vec3 direction)
{
    return vec3(vec3_dot(direction, pair->axes[box][0]), vec3_dot(direction, pair->axes[box][1]),
                vec3_dot(direction, pair->axes[box][2]));
}

/* The corner of a box that is last along a direction given by its leans, in the box's own frame. */
static Vec3 last_corner(Vec3 half, Vec3 lean)
{
    return vec3(lean.x > 0 ? half.x : -half.x, lean.y > 0 ? half.y : -half.y, lean.z > 0 ? half.z : -half.z);
}

static int steepest(Vec3 lean)
{
    Vec3 steep = vec3_abs(lean);
    return steep.x >= steep.y && steep.x >= steep.z ? 0 : steep.y >= steep.z ? 1 : 2;
}

/* A place in the frame of box `from` (centre and axes), in that of the other one. */
static Vec3 carried_over(const Pair *pair, int from, Vec3 local)
{
    Vec3 place = vec3_scale(pair->away, from ? 1 : -1);
    for (int axis = 0; axis < 3; ++axis)
    {
        place = vec3_add_scaled(place, pair->axes[from][axis], vec3_at(local, axis));
    }
    return leans(pair, !from, place);
}

static void face_contact(const Pair *pair, Contact *contact)
{
    int own = pair->kind, face = pair->face;
    Vec3 half = pair->half[own], outward = vec3_scale(pair->normal, own ? -1 : 1);
    Vec3 inward_lean = vec3_scale(leans(pair, !own, outward), -1);
    int met = steepest(inward_lean);
    Polygon polygon = sidle_box_face(vec3_scale(pair->half[!own], -1), pair->half[!own], met,
                                     vec3_at(inward_lean, met) > 0);
    double side = vec3_dot(outward, pair->axes[own][face]) > 0 ? 1 : -1, depths[BOX_POLYGON_CORNERS];
    for (int i = 0; i < polygon.count; ++i)
    {
        polygon.corners[i] = carried_over(pair, !own, polygon.corners[i]);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (axis != face)
        {
            sidle_polygon_clip_to_slab(&polygon, axis, -vec3_at(half, axis), vec3_at(half, axis),
                                       pair->slack);
        }
    }
    if (polygon.count == 0) /* rounding: the last corner, pushed onto the face */
    {
        Vec3 corner = carried_over(pair, !own, last_corner(pair->half[!own], inward_lean));
        polygon.corners[polygon.count++] = corner;
    }
    for (int i = 0; i < polygon.count; ++i)
    {
        depths[i] = vec3_at(half, face) - side * vec3_at(polygon.corners[i], face);
    }
    Vec3 back = vec3(0, 0, 0);
    vec3_set(&back, face, side);
    sidle_contact_of_polygon(contact, &polygon, depths, back, larger(pair->depth, 0), pair->slack);
    if (contact->count == 0)
    {
        Vec3 corner = carried_over(pair, !own, last_corner(pair->half[!own], inward_lean));
        contact->points[0] = vec3_add_scaled(corner, back, .5 * larger(pair->depth, 0));
        contact->depths[0] = larger(pair->depth, 0);
        contact->count = 1;
    }
}

static void edge_contact(const Pair *pair, Contact *contact)
{
    Edge edges[2];
    for (int box = 0; box < 2; ++box)
    {
        int axis = pair->edges[box];
        Vec3 start = last_corner(pair->half[box], vec3_scale(leans(pair, box, pair->normal), box ? -1 : 1));
        vec3_set(&start, axis, 0);
        double half = vec3_at(pair->half[box], axis);
        edges[box] = (Edge){box ? pair->away : vec3(0, 0, 0), pair->axes[box][axis], -half, half};
        for (int i = 0; i < 3; ++i)
        {
            edges[box].start = vec3_add_scaled(edges[box].start, pair->axes[box][i], vec3_at(start, i));
        }
    }
    contact->points[0] = leans(pair, 0, sidle_edges_middle(&edges[0], &edges[1]));
    contact->depths[0] = larger(pair->depth, 0);
    contact->count = 1;
}

static sidle_touch pair_touch(const Pair *pair)
{
    Contact contact;
    sidle_touch touch = {.normal = dvec3_from(pair->normal), .depth = larger(pair->depth, 0)};
    const sidle_oriented_box *frame = pair->boxes[pair->kind == 1];
    if (pair->kind == KIND_EDGES)
    {
        edge_contact(pair, &contact);
    }
    else
    {
        face_contact(pair, &contact);
    }
    touch.feature_a = sidle_box_feature(leans(pair, 0, pair->normal));
    touch.feature_b = sidle_box_feature(vec3_scale(leans(pair, 1, pair->normal), -1));
    touch.point_count = (uint32_t)contact.count;
    for (int i = 0; i < contact.count; ++i)
    {
        touch.points[i] = dvec3_from(sidle_oriented_box_world(frame, contact.points[i]));
        touch.depths[i] = contact.depths[i];
    }
    return touch;
}

static bool is_later(const sidle_oriented_box *a, const sidle_oriented_box *b)
{
    double of_a[15], of_b[15];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    return sidle_numbers_order(of_a, of_b, 15) > 0;
}

bool sidle_oriented_box_oriented_box(const sidle_oriented_box *a, const sidle_oriented_box *b,
                                     sidle_touch *out)
{
    Pair pair;
    if (!sidle_oriented_box_is_valid(a) || !sidle_oriented_box_is_valid(b))
    {
        return false;
    }
    bool turned = is_later(a, b);
    pair_begin(&pair, turned ? b : a, turned ? a : b);
    if (!faces_meet(&pair) || !edges_meet(&pair))
    {
        return false;
    }
    if (out)
    {
        sidle_touch touch = pair_touch(&pair);
        if (turned)
        {
            sidle_feature first = touch.feature_a;
            touch.normal = dvec3_from(vec3_scale(vec3_from_position(touch.normal), -1));
            touch.feature_a = touch.feature_b;
            touch.feature_b = first;
        }
        *out = touch;
    }
    return true;
}
