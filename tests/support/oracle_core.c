#include "support/oracle_core.h"

static const double golden = 0.6180339887498949;

OracleCore oracle_core(const Vector vertices[3], Vector core, Vector center)
{
    double low = -1.0, high = 1.0, a = high - golden * 2.0, b = low + golden * 2.0;
    double at_a = oracle_closest(vertices, vector_along(center, a, core)).distance;
    double at_b = oracle_closest(vertices, vector_along(center, b, core)).distance;
    for (int i = 0; i < 60; ++i)
    {
        if (at_a < at_b)
        {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = oracle_closest(vertices, vector_along(center, a, core)).distance;
        }
        else
        {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = oracle_closest(vertices, vector_along(center, b, core)).distance;
        }
    }
    OracleCore best = {.along = (low + high) / 2.0};
    const double tries[3] = {best.along, -1.0, 1.0};
    for (int i = 0; i < 3; ++i)
    {
        OracleClosest there = oracle_closest(vertices, vector_along(center, tries[i], core));
        if (i == 0 || there.distance < best.distance)
        {
            best = (OracleCore){there.distance, tries[i], there};
        }
    }
    return best;
}

OracleApproach oracle_core_approach(const Vector vertices[3], Vector core, Vector start, Vector direction,
                                    double length)
{
    double low = 0.0, high = length, a = high - golden * length, b = low + golden * length;
    double at_a = oracle_core(vertices, core, vector_along(start, a, direction)).distance;
    double at_b = oracle_core(vertices, core, vector_along(start, b, direction)).distance;
    for (int i = 0; i < 50; ++i)
    {
        if (at_a < at_b)
        {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = oracle_core(vertices, core, vector_along(start, a, direction)).distance;
        }
        else
        {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = oracle_core(vertices, core, vector_along(start, b, direction)).distance;
        }
    }
    const double tries[3] = {(low + high) / 2.0, 0.0, length};
    OracleApproach best = {.distance = INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        double there = oracle_core(vertices, core, vector_along(start, tries[i], direction)).distance;
        best = there < best.distance ? (OracleApproach){there, tries[i]} : best;
    }
    return best;
}

bool oracle_core_crosses(const Vector vertices[3], Vector core, Vector center)
{
    Vector from = vector_sub(center, core), path = vector_scale(core, 2.0);
    Vector normal = vector_cross(vector_sub(vertices[1], vertices[0]), vector_sub(vertices[2], vertices[0]));
    double before = vector_dot(normal, vector_sub(from, vertices[0]));
    double after = vector_dot(normal, vector_sub(vector_add(center, core), vertices[0]));
    if (!(before * after < 0.0))
    {
        return false;
    }
    Vector place = vector_along(from, before / (before - after), path);
    for (int i = 0; i < 3; ++i)
    {
        Vector edge = vector_sub(vertices[(i + 1) % 3], vertices[i]);
        if (!(vector_dot(normal, vector_cross(edge, vector_sub(place, vertices[i]))) > 0.0))
        {
            return false;
        }
    }
    return true;
}
