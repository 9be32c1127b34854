/* The model of an epoch: a list of instances, each with one or two level faces of 2 by 2. A path along y through
 * a column hits the faces around it that its filter takes, and nothing else. */
#ifndef SIDLE_FUZZ_WORLD_MODEL_H
#define SIDLE_FUZZ_WORLD_MODEL_H

#include "input.h"

#include "sidle/sidle.h"

#define MODEL_MOST 96 /* instances; the key is the index + 1 */

enum /* forms of meshes */
{
    FORM_FLAT,
    FORM_LIFTED, /* a refit of the flat one */
    FORM_ABSENT, /* a refit without triangles */
    FORM_FIELD,
    FORM_HOLED_FIELD, /* half of it is a hole */
    FORM_BOX,
    FORM_COUNT
};

typedef struct Square
{
    bool is_there;
    sidle_instance id;
    uint32_t form, flags, group, layers;
    sidle_mesh *mesh; /* held by the world */
    sidle_pose pose;  /* where it is, or arrives */
} Square;

/* The meshes that instances are given; released and made anew at any time. */
typedef struct Forms
{
    sidle_mesh *meshes[FORM_COUNT];
} Forms;

sidle_mesh *forms_mesh(Forms *forms, uint32_t form);
void forms_release(Forms *forms, uint32_t form);

typedef struct Epoch
{
    sidle_snapshot *snapshot;
    Square squares[MODEL_MOST];
} Epoch;

/* What a request takes. */
typedef struct Asked
{
    sidle_instance ignore;
    uint32_t group, surfaces, layers;
    bool one_sided;
    double from, direction; /* of paths: half an integer; 1 or -1 along y */
} Asked;

Asked asked_of(Input *input, const Square *squares);

/* Asks in some columns all that can be asked, and compares the answers. Does nothing without a snapshot. */
void epoch_check(const Epoch *epoch, const Asked *asked);

#endif
