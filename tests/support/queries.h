/* Random and adversarial questions for the kernels: a few triangles of any shape in ellipsoid space and a
 * path that comes close to them, laid so that decisions are tight: touching starts, grazes, contacts at the
 * very end, shared edges, copies, lattice points. */
#ifndef TESTS_SUPPORT_QUERIES_H
#define TESTS_SUPPORT_QUERIES_H

#include "kernels/kernels.h"
#include "support/random.h"

#define QUERY_TRIANGLES 12
#define FILLED_LANES    16 /* whole blocks of every width */

typedef struct Query
{
    Vector triangles[QUERY_TRIANGLES][3];
    uint32_t count;
    Vector origin, direction; /* direction: unit */
    double length, skin;
} Query;

Query query_drawn(Random *random);
/* The same with every corner rounded to float: what float lanes see. */
Query query_in_float(const Query *query);
/* The radius that sweeps use. */
double query_radius(const Query *query);
/* How much nearer to a triangle a mere graze may lead. */
double query_graze_depth(const Query *query);
/* The longest path that the lanes must serve: it reaches the end from the frame's origin. */
double query_reach(const Query *query);
/* S, the size of a lane. */
double query_size(const Query *query, uint32_t triangle);
/* The height over the longest edge of a triangle that is too thin for a face of its own (THIN_HEIGHT, and
 * what rounding does to it): its points count as lying on its edges, at most half of this away. 0: it has a
 * face. */
double query_thin_height(const Query *query, uint32_t triangle, double roundoff);
/* One line with hex floats that draws the query again: the given triangle alone. */
void query_print(const Query *query, uint32_t triangle);

/* How many queries a test asks: SIDLE_QUERIES of the environment, else the given number. */
uint32_t query_count(uint32_t otherwise);
/* How many questions about whole scenes, which take a millisecond each: SIDLE_SCENES, else the given number. */
uint32_t scene_count(uint32_t otherwise);
/* How many shots: SIDLE_SHOTS of the environment, else the given number. */
uint32_t shot_count(uint32_t otherwise);

/* A batch of one width, filled and set up as narrow/ does it. Each candidate is known by its triangle, the
 * place in the query. */
typedef struct Filled
{
    _Alignas(64) unsigned char memory[FILLED_LANES * FIELD_COUNT * sizeof(double)];
    const Kernels *kernels;
    Batch batch;
    Candidate candidates[FILLED_LANES];
    uint32_t exact_count;
} Filled;

/* `order` permutes the triangles; NULL: as they are. */
void filled_set(Filled *filled, const Kernels *kernels, const Query *query, const uint32_t *order);
/* The same for a capsule with half a core of this length. */
void filled_set_core(Filled *filled, const Kernels *kernels, const Query *query, const uint32_t *order,
                     double core);
/* The candidate's triangle instead of its place in the batch, which depends on the order. */
SweepAnswer filled_sweep(const Filled *filled, const Query *query);
SweepQuery query_for_kernels(const Query *query);
/* As an agent gets it: from lanes of this width and, where float does not serve, from double ones. */
SweepAnswer query_answer(const Query *query, const Kernels *kernels);

static inline Vec3 vec3_of_vector(Vector v)
{
    return vec3(v.x, v.y, v.z);
}

#endif
