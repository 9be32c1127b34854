/* Worlds for casts, casts that make decisions tight, and an oracle in double that looks at every triangle. */
#ifndef TESTS_SUPPORT_CASTS_H
#define TESTS_SUPPORT_CASTS_H

#include "sidle/query.h"
#include "support/random.h"
#include "support/soup.h"

/* As it stands in the world. */
typedef struct CastTriangle
{
    Vector v[3];
    uint64_t key;
    sidle_instance instance;
    uint32_t triangle;
} CastTriangle;

typedef struct CastScene
{
    sidle_world *world;
    sidle_snapshot *snapshot; /* after cast_scene_commit */
    CastTriangle *triangles;
    size_t count, capacity;
} CastScene;

CastScene cast_scene(void);
void cast_scene_close(CastScene *scene);

/* Takes the soup, whose corners must be floats near zero, as a mesh and an instance of its own. */
sidle_instance cast_scene_add(CastScene *scene, Soup soup, const sidle_pose *pose, uint64_t key);
void cast_scene_commit(CastScene *scene);

/* A world of this soup alone, committed. */
CastScene cast_scene_of(Soup soup);

/* Triangles of every size from the least on, in a cube of twice `size`; needles, slivers, segments and points. */
Soup cast_soup(Random *random, int count, double size, double least_triangle);
Soup cast_needles(Random *random, int count);

/* How casts are drawn; lengths in radii, for rays in the world's unit. */
typedef struct CastStyle
{
    bool rays;
    double least_radius, greatest_radius, aspect; /* aspect 1: balls */
    double shortest, longest;
    double longest_core; /* of half a core; 0: no capsules */
} CastStyle;

/* A cast that passes some triangle of the scene about as far away as its radius, often to a millionth; now
 * and then one that starts or ends just there. */
sidle_cast cast_drawn(Random *random, const CastScene *scene, const CastStyle *style);

/* The library's answer, written into memory that was not cleared. */
sidle_cast_hit cast_asked(const CastScene *scene, const sidle_cast *cast);

typedef struct CastTally
{
    uint64_t misses, hits, overlaps, wrong;
    double worst_factor; /* K of the error law, where it is not hidden by what else is allowed */
} CastTally;

/* Counts the answer and compares it with that of the oracle; prints what is wrong, with all that is needed
 * to ask again. False: wrong. */
bool cast_checked(CastTally *tally, const CastScene *scene, const sidle_cast *cast,
                  const sidle_cast_hit *hit);

void cast_tally_print(const CastTally *tally, const char *what);

#endif
