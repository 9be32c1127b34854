/* What is at a place, beside oracles that try every triangle: overlaps of balls, ellipsoids, capsules and boxes, and the closest
 * triangle. */
#include "query/box.h"
#include "query/ellipsoid.h"
#include "support/oracle_core.h"
#include "support/queries.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#define TRIANGLES 160
#define PLACES    400
#define MOST      512

/* A shape somewhere. */
typedef struct Spot
{
    sidle_place place;
    Rotation rotation;
    Vector center;
} Spot;

static sidle_quat quat_of(const Rotation *r)
{
    double w = sqrt(fmax(0, 1 + r->rows[0].x + r->rows[1].y + r->rows[2].z)) / 2;
    double x = copysign(sqrt(fmax(0, 1 + r->rows[0].x - r->rows[1].y - r->rows[2].z)) / 2,
                        r->rows[2].y - r->rows[1].z);
    double y = copysign(sqrt(fmax(0, 1 - r->rows[0].x + r->rows[1].y - r->rows[2].z)) / 2,
                        r->rows[0].z - r->rows[2].x);
    double z = copysign(sqrt(fmax(0, 1 - r->rows[0].x - r->rows[1].y + r->rows[2].z)) / 2,
                        r->rows[1].x - r->rows[0].y);
    return (sidle_quat){(float)x, (float)y, (float)z, (float)w};
}

static Rotation rotation_of(sidle_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w,
           s = 2 / (x * x + y * y + z * z + w * w);
    return (Rotation){{vector(1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
                       vector(s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)),
                       vector(s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y))}};
}

static Vector turned_back(const Rotation *r, Vector v)
{
    return vector(r->rows[0].x * v.x + r->rows[1].x * v.y + r->rows[2].x * v.z,
                  r->rows[0].y * v.x + r->rows[1].y * v.y + r->rows[2].y * v.z,
                  r->rows[0].z * v.x + r->rows[1].z * v.y + r->rows[2].z * v.z);
}

/* The corners in the space of the shape, relative to its centre. */
static void to_shape(const Spot *spot, const SoupTriangle *triangle, Vector out[3])
{
    sidle_vec3 r = spot->place.shape.radii;
    for (int i = 0; i < 3; ++i)
    {
        Vector v = turned_back(&spot->rotation, vector_sub(triangle->v[i], spot->center));
        out[i] = vector(v.x / (double)r.x, v.y / (double)r.y, v.z / (double)r.z);
    }
}

static Soup soup_of_everything(Random *random)
{
    Soup soup = {0};
    soup_scatter(&soup, random, TRIANGLES - 40, 3);
    for (int i = 0; i < 40; ++i) /* needles and points */
    {
        SoupTriangle *of = &soup.triangles[random_below(random, 100)];
        Vector a = of->v[0], b = of->v[1], c = i % 3 ? vector_along(a, .3, vector_sub(b, a)) : a;
        soup_triangle(&soup, a, i % 4 ? b : a, c);
    }
    for (size_t i = 0; i < soup.count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            soup.triangles[i].v[corner] = vector_as_float(soup.triangles[i].v[corner]);
        }
    }
    return soup;
}

static Spot random_spot(Random *random)
{
    Rotation rotation = random_rotation(random);
    Vector center = random_in_box(random, vector(-4, -4, -4), vector(4, 4, 4));
    Spot spot = {.place = {.center = {center.x, center.y, center.z}, .rotation = quat_of(&rotation)},
                 .center = center};
    spot.rotation = rotation_of(spot.place.rotation);
    float size = (float)random_scale(random, .05, 3);
    spot.place.shape.radii = (sidle_vec3){size, size * (float)random_between(random, .3, 3),
                                          size * (float)random_between(random, .3, 3)};
    return spot;
}

/* ---- oracles: by how much the shape overlaps a triangle, in its own units ---- */

/* What is left of a triangle after cuts by the sides of a box: nothing if they do not overlap. */
static bool is_in_box(const Vector corners[3], double half)
{
    Vector polygon[16];
    int count = 3;
    memcpy(polygon, corners, 3 * sizeof *polygon);
    for (int side = 0; side < 6 && count > 0; ++side)
    {
        Vector kept[16], axis = vector(side / 2 == 0, side / 2 == 1, side / 2 == 2);
        int left = 0;
        for (int i = 0; i < count; ++i)
        {
            Vector a = polygon[i], b = polygon[(i + 1) % count];
            double sign = side % 2 ? -1 : 1, at = half - sign * vector_dot(axis, a),
                   to = half - sign * vector_dot(axis, b);
            if (at >= 0)
            {
                kept[left++] = a;
            }
            if ((at < 0) != (to < 0))
            {
                kept[left++] = vector_along(a, at / (at - to), vector_sub(b, a));
            }
        }
        count = left;
        memcpy(polygon, kept, sizeof polygon);
    }
    return count > 0;
}

/* 1: overlaps; -1: does not; 0: touches, within `slack`. */
static int verdict(const Spot *spot, const SoupTriangle *triangle, double slack)
{
    Vector corners[3];
    to_shape(spot, triangle, corners);
    if (spot->place.flags & SIDLE_PLACE_BOX)
    {
        bool inner = is_in_box(corners, 1 - slack), outer = is_in_box(corners, 1 + slack);
        return inner ? 1 : outer ? 0 : -1;
    }
    double core = (double)spot->place.shape.half_height / (double)spot->place.shape.radii.y;
    double distance = core > 0 ? oracle_core(corners, vector(0, core, 0), vector(0, 0, 0)).distance
                               : oracle_closest(corners, vector(0, 0, 0)).distance;
    return distance < 1 - slack ? 1 : distance > 1 + slack ? -1 : 0;
}

static void expect_overlaps(const Scene *scene, const Spot *spot, double slack, const char *what)
{
    sidle_overlap list[MOST];
    uint32_t count, at = 0, any;
    demand(sidle_place_overlaps(scene->snapshot, 0, &spot->place, list, MOST, &count),
           "sidle_place_overlaps");
    demand(sidle_place_overlaps(scene->snapshot, 0, &spot->place, NULL, 1, &any), "sidle_place_overlaps");
    cr_expect_eq(any, count > 0, "%s", what);
    bool is_one = scene->piece_count == 1;
    for (uint32_t i = 0; i < scene->soup.count; ++i)
    {
        uint64_t number = at < count ? is_one ? list[at].triangle : list[at].instance_key : UINT64_MAX;
        bool listed = number == i;
        int expected = verdict(spot, &scene->soup.triangles[i], slack);
        cr_expect(expected == 0 || listed == (expected > 0), "%s: triangle %u: %d", what, i, expected);
        at += listed;
    }
    cr_expect_eq(at, count, "%s: in order, each once", what);
}

typedef enum Kind
{
    BALL,
    ELLIPSOID,
    CAPSULE,
    ELLIPTIC_CAPSULE,
    BOX,
    KINDS
} Kind;

static const char *const kind_names[KINDS] = {"ball", "ellipsoid", "capsule", "elliptic capsule", "box"};

static void set_kind(Spot *spot, Kind kind)
{
    sidle_shape *shape = &spot->place.shape;
    if (kind == BALL || kind == CAPSULE)
    {
        shape->radii.y = shape->radii.z = shape->radii.x;
    }
    shape->half_height = kind == CAPSULE || kind == ELLIPTIC_CAPSULE ? 1.5f * shape->radii.x : 0;
    spot->place.flags = kind == BOX ? SIDLE_PLACE_BOX : 0;
}

Test(place, the_list_holds_the_triangles_that_overlap)
{
    const int places = (int)scene_count(8 * PLACES) / 8; /* the shapes, in two scenes */
    const ScenePieces pieces[2] = {SCENE_ONE_MESH, SCENE_TRIANGLE_EACH};
    for (int i = 0; i < 2; ++i)
    {
        Random random = random_seeded(31);
        SceneOptions options = flying_ball();
        options.pieces = pieces[i];
        Scene scene = scene_of(soup_of_everything(&random), options);
        for (int place = 0; place < places; ++place)
        {
            Spot spot = random_spot(&random);
            for (int kind = 0; kind < KINDS; ++kind)
            {
                Spot own = spot;
                set_kind(&own, (Kind)kind);
                expect_overlaps(&scene, &own, 1e-9, kind_names[kind]);
            }
        }
        scene_close(&scene);
    }
}

Test(place, a_short_list_holds_the_first_in_order)
{
    Random random = random_seeded(32);
    SceneOptions options = flying_ball();
    options.pieces = SCENE_TRIANGLE_EACH;
    Scene scene = scene_of(soup_of_everything(&random), options);
    sidle_place place = {.shape.radii = {3, 3, 3}};
    sidle_overlap all[MOST], few[5];
    uint32_t count, same, some;
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, all, MOST, &count), "all");
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, few, 5, &same), "few");
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 7, &some), "some");
    cr_assert(count > 20 && same == count && some == 7);
    for (int i = 0; i < 5; ++i)
    {
        cr_expect(few[i].instance_key == all[i].instance_key && few[i].triangle == all[i].triangle);
    }
    scene_close(&scene);
}

/* ---- the closest ---- */

static double gap_of(const Spot *spot, const SoupTriangle *triangle)
{
    const sidle_shape *shape = &spot->place.shape;
    double core = (double)shape->half_height;
    Vector along = vector_rotated(&spot->rotation, vector(0, core, 0));
    double distance = core > 0 ? oracle_core(triangle->v, along, spot->center).distance
                               : oracle_closest(triangle->v, spot->center).distance;
    return distance - (double)shape->radii.x;
}

typedef struct Nearest
{
    double gap, next; /* the least, and the one after it */
    size_t triangle;
} Nearest;

static Nearest nearest_of(const Soup *soup, const Spot *spot)
{
    Nearest nearest = {INFINITY, INFINITY, 0};
    sidle_vec3 r = spot->place.shape.radii;
    double core = (double)spot->place.shape.half_height;
    for (size_t i = 0; i < soup->count; ++i)
    {
        Vec3 corners[3];
        Vector v[3];
        to_shape(spot, &soup->triangles[i], v);
        for (int corner = 0; corner < 3; ++corner)
        {
            corners[corner] =
                vec3(v[corner].x * (double)r.x, v[corner].y * (double)r.y, v[corner].z * (double)r.z);
        }
        Vector half = {0, core / (double)r.y, 0}, middle = {0, 0, 0};
        EllipsoidCase is = oracle_core(v, half, middle).distance >= 1         ? ELLIPSOID_APART
                           : core > 0 && oracle_core_crosses(v, half, middle) ? CORE_CROSSES
                                                                              : ELLIPSOID_OVERLAPS;
        double gap = spot->place.flags ? sidle_contact_of_box(corners, vec3_from(r)).t
                                       : sidle_contact_of_ellipsoid(corners, vec3_from(r), core, is).t;
        nearest.next = fmin(nearest.next, fmax(gap, nearest.gap));
        nearest.triangle = gap < nearest.gap ? i : nearest.triangle;
        nearest.gap = fmin(nearest.gap, gap);
    }
    return nearest;
}

Test(place, the_closest_triangle_is_found_at_its_distance)
{
    const int places = (int)scene_count(3 * PLACES);
    Random random = random_seeded(33);
    Scene scene = scene_of(soup_of_everything(&random), flying_ball());
    for (int place = 0; place < places; ++place)
    {
        Spot spot = random_spot(&random);
        set_kind(&spot, place % 3 ? BALL : CAPSULE);
        if (place % 3 == 2)
        {
            spot.place.shape = (sidle_shape){.half_height = 0};
        }
        double least = INFINITY;
        for (size_t i = 0; i < scene.soup.count; ++i)
        {
            least = fmin(least, gap_of(&spot, &scene.soup.triangles[i]));
        }
        sidle_closest found;
        demand(sidle_place_closest(scene.snapshot, 0, &spot.place, 1, &found), "sidle_place_closest");
        bool crosses = spot.place.shape.half_height > 0 && least + (double)spot.place.shape.radii.x < 1e-9;
        if (!crosses) /* see the_triangle_closest_to_a_capsule_is_found */
        {
            cr_expect(found.found ? fabs(found.distance - least) < 1e-6 : least > 1 - 1e-6,
                      "place %d: %.9g, and %.9g", place, found.distance, least);
        }
        if (found.found && !crosses)
        {
            Vector point = vector(found.point.x, found.point.y, found.point.z);
            double off = oracle_closest(scene.soup.triangles[found.triangle].v, point).distance;
            cr_expect(off < 1e-6, "the point is %g beside its triangle", off);
        }
    }
    scene_close(&scene);
}

/* The gap to the triangle that is found is the least, as test_box_distance and test_ellipsoid_distance prove them. */
static void expect_closest(Kind kind, ScenePieces pieces)
{
    const int places = (int)scene_count(4 * PLACES) / 4;
    Random random = random_seeded(34);
    SceneOptions options = flying_ball();
    options.pieces = pieces;
    Scene scene = scene_of(soup_of_everything(&random), options);
    int depths = 0;
    for (int place = 0; place < places; ++place)
    {
        Spot spot = random_spot(&random);
        set_kind(&spot, kind);
        Nearest nearest = nearest_of(&scene.soup, &spot);
        sidle_closest found;
        demand(sidle_place_closest(scene.snapshot, 0, &spot.place, 1, &found), "sidle_place_closest");
        uint64_t number = pieces == SCENE_ONE_MESH ? found.triangle : found.instance_key;
        cr_expect(found.found ? fabs(found.distance - nearest.gap) < 1e-6 &&
                                    (number == nearest.triangle || nearest.next - nearest.gap < 1e-6)
                              : nearest.gap > 1 - 1e-6,
                  "place %d: %.9g, and %.9g", place, found.distance, nearest.gap);
        depths += found.found && found.distance < 0;
    }
    cr_expect(depths > places / 5, "%d", depths);
    scene_close(&scene);
}

Test(place, the_triangle_closest_to_an_ellipsoid_is_found)
{
    expect_closest(ELLIPSOID, SCENE_ONE_MESH);
    expect_closest(ELLIPSOID, SCENE_TRIANGLE_EACH);
}

Test(place, the_triangle_closest_to_a_capsule_is_found)
{
    expect_closest(CAPSULE, SCENE_ONE_MESH);
    expect_closest(CAPSULE, SCENE_TRIANGLE_EACH);
    expect_closest(ELLIPTIC_CAPSULE, SCENE_ONE_MESH);
    expect_closest(ELLIPTIC_CAPSULE, SCENE_TRIANGLE_EACH);
}

Test(place, the_triangle_closest_to_a_box_is_found)
{
    expect_closest(BOX, SCENE_ONE_MESH);
    expect_closest(BOX, SCENE_TRIANGLE_EACH);
}

/* Down to a thousandth of a unit, beside which the ball of a point's frame is large. */
Test(place, small_triangles_are_as_exact)
{
    Random random = random_seeded(35);
    for (int i = 0; i < 200; ++i)
    {
        double size = random_scale(&random, 1e-3, .1);
        Soup soup = {0};
        soup_scatter(&soup, &random, 8, 1);
        for (int corner = 0; corner < 24; ++corner)
        {
            Vector *v = &soup.triangles[corner / 3].v[corner % 3];
            *v = vector_as_float(vector_scale(*v, size));
        }
        Scene scene = scene_of(soup, flying_ball());
        Vector at = vector_scale(random_direction(&random), size);
        sidle_place place = {.center = {at.x, at.y, at.z}};
        double least = INFINITY;
        for (int t = 0; t < 8; ++t)
        {
            least = fmin(least, oracle_closest(scene.soup.triangles[t].v, at).distance);
        }
        sidle_closest found;
        demand(sidle_place_closest(scene.snapshot, 0, &place, 1, &found), "a point");
        cr_expect(found.found && fabs(found.distance - least) < 1e-6 * size, "%g: %.9g, and %.9g", size,
                  found.distance, least);
        scene_close(&scene);
    }
}

/* A move by minus the distance along the normal ends the overlap with that triangle. */
Test(place, a_negative_distance_is_the_depth_of_an_overlap)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    Scene scene = scene_of(soup, flying_ball());
    sidle_place place = {.center = {.3, .7, .2}, .shape.radii = {1, 1, 1}};
    sidle_closest found;
    demand(sidle_place_closest(scene.snapshot, 0, &place, 0, &found), "a ball");
    cr_expect(found.found && fabs(found.distance + .3) < 1e-9 && found.normal.y == 1, "%g", found.distance);
    place.shape.half_height = 1;
    demand(sidle_place_closest(scene.snapshot, 0, &place, 0, &found), "a capsule that stands in the floor");
    cr_expect(found.found && fabs(found.distance + 1.3) < 1e-9 && found.normal.y == 1, "%g", found.distance);
    scene_close(&scene);
}
