#include "support/oracle_core.h"

typedef struct CoreLine
{
    const Vector *vertices;
    Vector core, start, direction;
} CoreLine;

static double distance_on_core(const void *context, double place)
{
    const CoreLine *line = context;
    return oracle_closest(line->vertices, vector_along(line->start, place, line->core)).distance;
}

OracleCore oracle_core(const Vector vertices[3], Vector core, Vector center)
{
    const CoreLine line = {.vertices = vertices, .core = core, .start = center};
    const double tries[3] = {oracle_least(distance_on_core, &line, -1.0, 1.0, 60), -1.0, 1.0};
    OracleCore best = {.along = tries[0]};
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

static double distance_on_path(const void *context, double place)
{
    const CoreLine *line = context;
    return oracle_core(line->vertices, line->core, vector_along(line->start, place, line->direction))
        .distance;
}

OracleApproach oracle_core_approach(const Vector vertices[3], Vector core, Vector start, Vector direction,
                                    double length)
{
    const CoreLine line = {vertices, core, start, direction};
    const double tries[3] = {oracle_least(distance_on_path, &line, 0.0, length, 50), 0.0, length};
    OracleApproach best = {.distance = INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        double there = distance_on_path(&line, tries[i]);
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
