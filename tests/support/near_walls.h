/* Which triangles are walls of an agent, in double and from the definition: the nearest point of a triangle in the space where the
 * agent is the unit ball, or a core with that radius. */
#ifndef TESTS_SUPPORT_NEAR_WALLS_H
#define TESTS_SUPPORT_NEAR_WALLS_H

#include "support/crowd_scenes.h"
#include "support/soup.h"

typedef struct Onlooker
{
    CrowdBody body;
    Vector up;
    double rest;      /* radii: the rest shell */
    double reach;     /* radii beyond it within which a triangle can be a wall; in a box, smallest radii */
    double slope_cos; /* of the steepest ground, without the library's tolerance */
    bool is_flat;     /* on the ground */
} Onlooker;

typedef enum WallVerdict
{
    WALL_NONE,
    WALL_POSSIBLE, /* within the error of a limit */
    WALL_CERTAIN,
    WALL_UNKNOWN /* too near to the agent's centre or core for a direction */
} WallVerdict;

typedef struct NearWall
{
    Vector normal; /* unit; across up for agents on the ground */
    double gap;
    bool is_two_sided; /* the centre is on the triangle: the normal can have either sign */
    /* For triangles whose corners are rounded to float in the agent's space. */
    double normal_error, gap_error;
} NearWall;

/* `triangle`: in the world. */
WallVerdict near_wall(const Onlooker *onlooker, const Vector triangle[3], NearWall *out);

#endif
