#include "support/near_walls.h"

#include "support/oracle.h"

/* Radii, and cosines: so near to a limit the library can be on either side. The limit of slopes has a tolerance of .1 degrees. */
#define DOUBT       1e-3
#define SLOPE_DOUBT 4e-3

/* Least length of the horizontal part of a normal. */
#define UPRIGHT .1

/* Error of a corner that is rounded to float, per distance. */
#define CORNER_ERROR 1e-6

/* Errors of a gap in radii and of a normal. */
#define LEAST_ERROR 2e-5

/* Below it a triangle has no face in float. */
#define NO_HEIGHT 1e-7

/* Radii. A nearest point that is nearer has no direction in float. */
#define NO_DIRECTION 1e-2
#define ON_TRIANGLE  1e-9

/* Radii: a thinner triangle has no face to a move, and so no normal where the centre is on it. */
#define LEAST_FACE .02

typedef struct Contact
{
    Vector normal; /* towards the agent */
    double distance;
    bool is_two_sided, is_unknown;
} Contact;

static Vector to_space(const CrowdBody *body, Vector world)
{
    Vector d = vector_sub(world, body->center);
    return vector_over(
        vector(vector_dot(d, body->axes[0]), vector_dot(d, body->axes[1]), vector_dot(d, body->axes[2])),
        body->radii);
}

static Vector normal_to_world(const CrowdBody *body, Vector normal)
{
    Vector n = vector_over(normal, body->radii);
    return vector_add(vector_add(vector_scale(body->axes[0], n.x), vector_scale(body->axes[1], n.y)),
                      vector_scale(body->axes[2], n.z));
}

static Vector across(const Vector v[3])
{
    return vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]));
}

/* Over the longest edge. */
static double height_of(const Vector v[3])
{
    double longest =
        fmax(vector_distance(v[0], v[1]), fmax(vector_distance(v[1], v[2]), vector_distance(v[2], v[0])));
    return longest > 0 ? vector_length(across(v)) / longest : 0;
}

/* A core that crosses a triangle: minus the displacement that takes it out through the plane. */
static void cross_core(const Vector v[3], double core, Contact *contact)
{
    Vector n = vector_unit(across(v));
    double height = -vector_dot(n, v[0]), reach = fabs(n.y) * core;
    double at = n.y != 0 ? vector_dot(n, v[0]) / n.y : 0;
    bool crosses = fabs(height) < reach && oracle_closest(v, vector(0, at, 0)).distance < ON_TRIANGLE;
    /* Near an end of the core and near an edge, rounding decides what crosses. */
    double rim = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        const Vector edge[3] = {v[i], v[(i + 1) % 3], v[i]};
        rim = fmin(rim, oracle_closest(edge, vector(0, at, 0)).distance);
    }
    contact->is_unknown =
        !crosses || rim < NO_DIRECTION || reach - fabs(height) < NO_DIRECTION || fabs(height) < DOUBT;
    contact->normal = vector_scale(n, height < 0 ? -1 : 1);
    contact->distance = fabs(height) - reach;
}

static Contact contact_of(const Vector v[3], double core)
{
    double place =
        core > 0 ? oracle_approach(v, vector(0, -core, 0), vector(0, 1, 0), 2 * core).time - core : 0;
    Vector center = vector(0, place, 0);
    OracleClosest closest = oracle_closest(v, center);
    Contact contact = {.distance = closest.distance};
    contact.normal = vector_unit(vector_sub(center, closest.point));
    if (core > 0 && closest.distance < NO_DIRECTION)
    {
        cross_core(v, core, &contact);
    }
    else if (closest.distance < NO_DIRECTION)
    {
        contact.normal = vector_unit(across(v));
        contact.is_two_sided = true;
        contact.is_unknown = closest.distance > ON_TRIANGLE || height_of(v) < LEAST_FACE;
    }
    return contact;
}

/* -1: the agent can stand on the triangle; 1: it cannot; 0: rounding decides. */
static int steepness(const Onlooker *onlooker, const Vector v[3], double size)
{
    double height = height_of(v);
    if (!onlooker->is_flat || (height == 0 && vector_length(across(v)) == 0))
    {
        return 1;
    }
    Vector normal = vector_unit(normal_to_world(&onlooker->body, vector_unit(across(v))));
    double least = fmin(onlooker->body.radii.x, fmin(onlooker->body.radii.y, onlooker->body.radii.z));
    double most = fmax(onlooker->body.radii.x, fmax(onlooker->body.radii.y, onlooker->body.radii.z));
    double doubt = SLOPE_DOUBT + CORNER_ERROR * size / height * most / least;
    double above = fabs(vector_dot(normal, onlooker->up)) - onlooker->slope_cos;
    return height < NO_HEIGHT * size || fabs(above) < doubt ? 0 : above > 0 ? -1 : 1;
}

/* A triangle counts in a box around the agent, whose sides lie `reach` smallest radii beyond the rest shell. A point so far away
 * along the longest radius is in it for certain. */
static bool is_in_box(const Onlooker *onlooker, double distance)
{
    Vector r = onlooker->body.radii;
    double least = fmin(r.x, fmin(r.y, r.z)), most = fmax(r.x, fmax(r.y, r.z));
    return (distance - onlooker->rest) * most < (onlooker->reach - DOUBT) * least;
}

WallVerdict near_wall(const Onlooker *onlooker, const Vector triangle[3], NearWall *out)
{
    const CrowdBody *body = &onlooker->body;
    double core = body->half_height / body->radii.y, reach = onlooker->rest + onlooker->reach, size = core;
    Vector v[3];
    for (int i = 0; i < 3; ++i)
    {
        v[i] = to_space(body, triangle[i]);
        size = fmax(size, vector_length(v[i]));
    }
    if (oracle_closest(v, vector(0, 0, 0)).distance > reach + core + DOUBT)
    {
        return WALL_NONE;
    }
    Contact contact = contact_of(v, core);
    int steep = steepness(onlooker, v, size);
    Vector world = normal_to_world(body, contact.normal);
    double length = vector_length(world);
    Vector m = vector_unit(world);
    Vector n = onlooker->is_flat ? vector_along(m, -vector_dot(m, onlooker->up), onlooker->up) : m;
    double flat = vector_length(n), height = height_of(v);
    /* The nearest point of a sliver can be anywhere in its height. */
    double turned = CORNER_ERROR * size / fmax(contact.distance, NO_DIRECTION);
    turned +=
        fmin(height, CORNER_ERROR * size / fmax(height, NO_HEIGHT)) / fmax(contact.distance, NO_DIRECTION);
    double most = fmax(body->radii.x, fmax(body->radii.y, body->radii.z));
    turned = (LEAST_ERROR + turned) * most * length; /* at most the aspect */
    out->normal = vector_unit(n);
    out->gap = (contact.distance - onlooker->rest) / length / flat;
    out->is_two_sided = contact.is_two_sided;
    out->normal_error = turned / flat;
    out->gap_error = (LEAST_ERROR + CORNER_ERROR * size) / length / flat + fabs(out->gap) * turned / flat;
    if (steep < 0 || flat < UPRIGHT - DOUBT || contact.distance > reach + DOUBT)
    {
        return contact.is_unknown && steep >= 0 ? WALL_UNKNOWN : WALL_NONE;
    }
    bool certain = steep > 0 && flat > UPRIGHT + DOUBT && contact.distance < reach - DOUBT;
    return contact.is_unknown                                 ? WALL_UNKNOWN
           : certain && is_in_box(onlooker, contact.distance) ? WALL_CERTAIN
                                                              : WALL_POSSIBLE;
}
