#include "support/oracle.h"

/* Closer than this the ball of O2 counts as touching. */
static const double touching = 1e-9;

static OracleClosest closest_on_edge(const Vector vertices[3], int index, Vector point)
{
    Vector start = vertices[index];
    int next = (index + 1) % 3;
    Vector edge = vector_sub(vertices[next], start);
    double squared = vector_dot(edge, edge);
    double along = squared > 0.0 ? vector_dot(edge, vector_sub(point, start)) / squared : 0.0;
    OracleClosest closest = {.feature = ORACLE_EDGE, .index = index};
    if (!(along > 0.0) || along >= 1.0)
    {
        closest.feature = ORACLE_VERTEX;
        closest.index = along >= 1.0 ? next : index;
        closest.point = vertices[closest.index];
    }
    else
    {
        closest.point = vector_along(start, along, edge);
    }
    closest.distance = vector_distance(point, closest.point);
    return closest;
}

/* The projection as a mix of the vertices with non-negative weights: so it lies on the triangle however bad
 * the normal of a needle is, and the distance can err upwards only. */
static bool closest_inside(const Vector vertices[3], Vector point, OracleClosest *closest)
{
    Vector normal = vector_cross(vector_sub(vertices[1], vertices[0]), vector_sub(vertices[2], vertices[0]));
    double weights[3];
    for (int index = 0; index < 3; ++index)
    {
        Vector from = vertices[(index + 1) % 3];
        Vector edge = vector_sub(vertices[(index + 2) % 3], from);
        weights[index] = vector_dot(vector_cross(edge, vector_sub(point, from)), normal);
        if (!(weights[index] >= 0.0))
        {
            return false;
        }
    }
    double sum = weights[0] + weights[1] + weights[2];
    if (!(sum > 0.0))
    {
        return false;
    }
    Vector mixed = vector_scale(vertices[0], weights[0] / sum);
    mixed = vector_along(mixed, weights[1] / sum, vertices[1]);
    closest->point = vector_along(mixed, weights[2] / sum, vertices[2]);
    closest->distance = vector_distance(point, closest->point);
    closest->feature = ORACLE_FACE;
    closest->index = 0;
    return true;
}

OracleClosest oracle_closest(const Vector vertices[3], Vector point)
{
    OracleClosest closest = closest_on_edge(vertices, 0, point);
    for (int index = 1; index < 3; ++index)
    {
        OracleClosest other = closest_on_edge(vertices, index, point);
        if (other.distance < closest.distance)
        {
            closest = other;
        }
    }
    OracleClosest inside;
    if (closest_inside(vertices, point, &inside) && inside.distance < closest.distance)
    {
        closest = inside;
    }
    return closest;
}

OracleSweep oracle_sweep(const Vector vertices[3], Vector start, Vector direction, double length,
                         double radius)
{
    /* Far out a step smaller than an ulp of the coordinates would never end. */
    const int step_limit = 2000000;
    OracleSweep sweep = {.at = oracle_closest(vertices, start)};
    sweep.begins_inside = sweep.at.distance < radius;
    for (int step = 0; step < step_limit; ++step)
    {
        double gap = sweep.at.distance - radius;
        if (gap <= touching)
        {
            sweep.hit = true;
            return sweep;
        }
        if (sweep.time >= length)
        {
            return sweep;
        }
        sweep.time = fmin(sweep.time + gap, length);
        sweep.at = oracle_closest(vertices, vector_along(start, sweep.time, direction));
    }
    sweep.hit = true;
    return sweep;
}

double oracle_least(OracleFunction *function, const void *context, double low, double high, int steps)
{
    const double golden = 0.6180339887498949, least_width = 1e-15 * (high - low);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = function(context, left), at_right = function(context, right);
    for (int step = 0; step < steps && high - low > least_width; ++step)
    {
        if (at_left <= at_right)
        {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = function(context, left);
        }
        else
        {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = function(context, right);
        }
    }
    return 0.5 * (low + high);
}

typedef struct Line
{
    const Vector *vertices;
    Vector start, direction;
} Line;

static double distance_on_line(const void *context, double place)
{
    const Line *line = context;
    return oracle_closest(line->vertices, vector_along(line->start, place, line->direction)).distance;
}

OracleApproach oracle_approach(const Vector vertices[3], Vector start, Vector direction, double length)
{
    const Line line = {vertices, start, direction};
    const double candidates[3] = {0.0, length, oracle_least(distance_on_line, &line, 0.0, length, 90)};
    OracleApproach best = {INFINITY, 0.0};
    for (int index = 0; index < 3; ++index)
    {
        double distance = distance_on_line(&line, candidates[index]);
        if (distance < best.distance)
        {
            best = (OracleApproach){distance, candidates[index]};
        }
    }
    return best;
}

OracleTouch oracle_touch(const Vector vertices[3], Vector start, Vector direction, double until,
                         double radius)
{
    double low = 0.0, high = until;
    for (int step = 0; step < 100 && high - low > 1e-16 * until; ++step)
    {
        double middle = 0.5 * (low + high);
        Vector place = vector_along(start, middle, direction);
        *(oracle_closest(vertices, place).distance > radius ? &low : &high) = middle;
    }
    Vector place = vector_along(start, high, direction);
    Vector normal = vector_unit(vector_sub(place, oracle_closest(vertices, place).point));
    return (OracleTouch){high, -vector_dot(normal, direction)};
}

double oracle_roundness(const Vector vertices[3])
{
    double lengths[3];
    double longest = 0.0, product = 1.0;
    for (int index = 0; index < 3; ++index)
    {
        lengths[index] = vector_distance(vertices[index], vertices[(index + 1) % 3]);
        longest = fmax(longest, lengths[index]);
        product *= lengths[index];
    }
    Vector normal = vector_cross(vector_sub(vertices[1], vertices[0]), vector_sub(vertices[2], vertices[0]));
    return product > 0.0 ? vector_length(normal) / (product / longest) : 0.0;
}

double oracle_error(const Vector vertices[3], double size)
{
    const double of_all = 16.0, of_slivers = 2.0;
    double longest = 0.0;
    for (int index = 0; index < 3; ++index)
    {
        longest = fmax(longest, vector_distance(vertices[index], vertices[(index + 1) % 3]));
    }
    Vector normal = vector_cross(vector_sub(vertices[1], vertices[0]), vector_sub(vertices[2], vertices[0]));
    double slenderness =
        longest * longest / vector_length(normal); /* of a point NaN, which fmax passes over */
    return 0x1p-53 * size * fmax(of_all, of_slivers * slenderness);
}
