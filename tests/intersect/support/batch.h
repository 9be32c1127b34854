/* For the tests of one shape against many: arrays that end exactly where they must, and judges in double. */
#ifndef TESTS_SUPPORT_INTERSECT_BATCH_H
#define TESTS_SUPPORT_INTERSECT_BATCH_H

#include "sidle/intersect/batch.h"
#include "sidle/intersect/polygon.h"
#include "support/random.h"

#define MAX_WIDTHS 4

/* The widths that run here, 1 first. */
uint32_t batch_widths(uint32_t lanes[MAX_WIDTHS]);

/* One heap block a number, of exactly the size that is named, so that AddressSanitizer sees every access
 * outside. */
typedef struct Many
{
    float *blocks[9]; /* of triangles all; of boxes 6 */
    uint32_t count;
} Many;

Many many_create(uint32_t count);
void many_destroy(Many *many);
float *many_number(const Many *many, uint32_t i, uint32_t field);
sidle_triangle_arrays many_triangles(const Many *many);
sidle_box_arrays many_boxes(const Many *many);
sidle_dtriangle many_triangle(const Many *many, uint32_t i);

/* Triangles about a place: lattices, slivers, needles, points, strips that share their corners, some far away;
 * then some numbers that are none, if wanted. */
void many_draw_triangles(Random *random, bool bad, Many *many);
void many_draw_boxes(Random *random, bool bad, Many *many);

/* Answers to `count` in memory of exactly their size. */
typedef struct Answers
{
    uint32_t *hits;
    float *numbers; /* times or distances; of boxes 0 */
    sidle_batch_nearest nearest;
    uint32_t count;
} Answers;

typedef struct Ask
{
    sidle_vec3 origin, direction; /* the centre; a box's min and max */
    float number;                 /* limit or radius */
    uint32_t lanes;
} Ask;

size_t words_of(uint32_t count);
Answers answers_create(uint32_t count);
void answers_destroy(Answers *answers);
bool is_hit(const Answers *answers, uint32_t i);
bool answers_equal(const Answers *a, const Answers *b);

Answers ask_ray(const Many *many, const Ask *ask);
Answers ask_sphere(const Many *many, const Ask *ask);
Answers ask_box(const Many *many, const Ask *ask);

sidle_vec3 vec_near(Random *random, double reach, bool on_lattice);
Ask draw_ray(Random *random);
Ask draw_sphere(Random *random);
Ask draw_box(Random *random);
/* At a corner, an edge or the face of one of them, or some last bits beside. */
void aim(Random *random, const Many *many, Ask *ask);

/* What a ray does with a triangle, in double. */
typedef struct RayTruth
{
    bool hit;
    double time;   /* of the plane */
    double margin; /* how far the ray passes from the outline, across the direction's largest axis */
    double size;   /* S: the largest coordinate of a corner from the origin */
    double slope;  /* |n||d| / |n.d| */
} RayTruth;

RayTruth ray_truth(sidle_vec3 origin, sidle_vec3 direction, const sidle_dtriangle *triangle);

/* The farthest corner from a point. */
double reach_of(sidle_position from, const sidle_dtriangle *triangle);

#endif
