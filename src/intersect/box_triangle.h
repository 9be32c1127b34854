/* A box and a triangle in the frame of the box: what the test and its contact share. */
#ifndef INTERSECT_BOX_TRIANGLE_H
#define INTERSECT_BOX_TRIANGLE_H

#include "intersect/box_parts.h"

enum
{
    KIND_BOX_FACE,
    KIND_TRIANGLE,
    KIND_EDGES
};

/* Both in the frame of the box. */
typedef struct Frame
{
    Vec3 low, high;
    Vec3 corners[3];
    Vec3 edges[3]; /* edge i begins at corner i */
    Vec3 across;   /* the triangle's unit normal; zero without area */
    double slack, rest;
    double depth; /* of the best axis so far */
    Vec3 normal;  /* from box to triangle */
    int kind, axis, edge;
} Frame;

/* Fills in all of the touch but its normal and points, and the contact, whose points are in the frame. */
void sidle_frame_contact(const Frame *frame, Contact *contact, sidle_touch *touch);

#endif
