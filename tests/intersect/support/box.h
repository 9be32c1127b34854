/* Boxes, triangles and spheres as plain numbers, so that one test asks all functions about them; an oracle in
 * long numbers; drawings that are hard on purpose; and the forms in print that fail. */
#ifndef TESTS_SUPPORT_INTERSECT_BOX_H
#define TESTS_SUPPORT_INTERSECT_BOX_H

#include "sidle/intersect/box.h"
#include "support/random.h"

#define BODY_NUMBERS 15

typedef enum BodyForm
{
    BODY_BOX,
    BODY_ORIENTED,
    BODY_TRIANGLE,
    BODY_SPHERE
} BodyForm;

typedef struct Body
{
    BodyForm form;
    union
    {
        double numbers[BODY_NUMBERS]; /* the fields of the shape, in their order */
        sidle_box box;
        sidle_oriented_box oriented;
        sidle_dtriangle triangle;
        sidle_sphere sphere;
    };
} Body;

int body_number_count(BodyForm form);
int body_length_count(BodyForm form); /* the first so many are lengths, the others directions */

typedef struct BoxTest
{
    const char *name;
    BodyForm a, b;
    bool (*ask)(const Body *a, const Body *b, sidle_touch *out);
} BoxTest;

enum
{
    BOX_TESTS = 6
};
extern const BoxTest box_tests[BOX_TESTS];

Body body_of_box(double x, double y, double z, double to_x, double to_y, double to_z);
Body body_of_oriented(sidle_oriented_box box);
Body body_of_triangle(Vector a, Vector b, Vector c);
Body body_scaled(const Body *body, int exponent);
void body_move(Body *body, Vector offset);

/* A pair of the forms; how they are placed and shaped is drawn, too: lattices, rotations by next to nothing,
 * needles, flat ones, great ratios, touching but for a few last bits. */
void bodies_drawn(Random *random, const BoxTest *test, Body *a, Body *b);

/* The sum of the sides of the box around both: the unit of errors. */
double bodies_size(const Body *a, const Body *b);
double body_size(const Body *body);

/* The least depth over the axes of the separating axis theorem, rounded once; below 0 they are apart. With a
 * sphere: its depth. */
double precise_least_depth(const Body *a, const Body *b);

/* How far a reaches into b along a direction of about unit length. */
double precise_depth_along(const Body *a, const Body *b, Vector direction);

/* How far a point is outside of the body; of a box the greatest over its axes, negative inside. */
double precise_outside(const Body *body, Vector point);

/* T. Vik, "Collision Detection Algorithm, version 2.1", 2000, level 1 as printed: a corner of one is in the
 * other, or vice versa. */
bool printed_boxes_meet(const sidle_box *a, const sidle_box *b);

/* S. Gottschalk and others, 1996, section 5, with plain cross products and the epsilon on the cosines of
 * C. Ericson, "Real-Time Collision Detection", 2005, section 4.4.1. */
bool printed_oriented_boxes_meet(const sidle_oriented_box *a, const sidle_oriented_box *b, double epsilon);

#endif
