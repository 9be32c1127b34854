#include "support/fixture.h"

#include <string.h>

void fixture_set(Fixture *fixture, SceneOptions options)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    memset(fixture, 0, sizeof *fixture);
    fixture->scene = scene_of(floor, options);
    fixture->move = (sidle_move){.id = 5, .body = {.center = {0, 3, 0}}, .displacement = {0.1f, 0, 0}};
    memset(&fixture->result, 0x55, sizeof fixture->result);
    fixture->tick = (sidle_tick_desc){.size = sizeof fixture->tick,
                                      .snapshot = fixture->scene.snapshot,
                                      .dt = 1.0f / 60.0f,
                                      .moves = &fixture->move,
                                      .count = 1,
                                      .results = &fixture->result};
}
