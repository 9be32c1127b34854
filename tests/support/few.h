/* A few persons that collide, in a row on a floor. */
#ifndef TESTS_SUPPORT_FEW_H
#define TESTS_SUPPORT_FEW_H

#include "support/scene.h"

#define FEW 4

typedef struct Few
{
    Scene scene;
    sidle_move moves[FEW];
    sidle_result results[FEW];
    sidle_contact contacts[FEW * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t count, contact_count;
    uint32_t flags; /* of the ticks */
} Few;

/* `count` persons along x, `apart` from centre to centre. Close with scene_close(&few.scene). */
Few few_of(uint32_t count, double apart);
void tick_few(Few *few); /* 1/60 s */
void tick_few_at(Few *few, float dt);
/* The first walks towards the others for so many seconds. */
void walk_first(Few *few, double seconds);
double x_of(const Few *few, uint32_t i);

#endif
