/* Reads the input of fuzz_slide, and writes it for seeds. */
#ifndef SIDLE_FUZZ_SLIDE_INPUT_H
#define SIDLE_FUZZ_SLIDE_INPUT_H

#include "input.h"

#include "sidle/sidle.h"
#include "support/soup.h"

#define SLIDE_AGENTS 3
#define SLIDE_TICKS  12

enum /* bits of the second byte */
{
    SLIDE_BOX = 1,     /* closed, around everything */
    SLIDE_TURNED = 2,  /* agents are rotated */
    SLIDE_FAR = 4,     /* from the world's origin */
    SLIDE_CROWDED = 8, /* few candidates at a time: ticks are cut in parts */
    SLIDE_WIDE = 16,   /* coordinates of any size, not of a few radii */
    SLIDE_CAPSULE = 32 /* agents have a core, and its half follows */
};

typedef struct SlideInput
{
    Soup soup; /* solid_count tetrahedra of four triangles each, then others, then the box */
    uint32_t solid_count, max_candidates, agent_count, tick_count;
    double box; /* half of its side; 0: none */
    Vector place;
    float dt;
    sidle_profile profile;
    sidle_move moves[SLIDE_AGENTS];
    sidle_vec3 wishes[SLIDE_TICKS][SLIDE_AGENTS];
} SlideInput;

void slide_input_decode(const uint8_t *data, size_t size, SlideInput *out);
/* Rows that turn the world into the agent's axes. */
Rotation slide_input_turn(sidle_quat rotation);

/* One agent; `solid`: four corners, or NULL for none. A capsule has a core as long as its radii.y. */
void slide_input_encode(InputWriter *writer, uint32_t mode, uint32_t flags, const Vector *solid,
                        const Soup *soup, Vector radii, Vector center, const Vector *wishes, uint32_t count);

#endif
