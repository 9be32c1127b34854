#ifndef TESTS_SUPPORT_FIXTURE_H
#define TESTS_SUPPORT_FIXTURE_H

#include "support/scene.h"

/* One agent on a floor, and a place for its result. */
typedef struct Fixture
{
    Scene scene;
    sidle_move move;
    sidle_result result;
    sidle_tick_desc tick;
} Fixture;

void fixture_set(Fixture *fixture, SceneOptions options);

#endif
