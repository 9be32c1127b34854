/* What the places of the scenes share. */
#ifndef TESTS_SUPPORT_CROWD_SCENES_PLACES_H
#define TESTS_SUPPORT_CROWD_SCENES_PLACES_H

#include "support/crowd_scenes.h"

Random crowd_random(const CrowdScene *scene); /* by the seed of the setting */
double crowd_jitter(Random *random, double most);
/* So many persons of the first profile on a jittered grid in [-half, half] squared; they do not overlap. */
void crowd_spread_around(CrowdScene *scene, int count, double half);
void crowd_all_go_to(CrowdScene *scene, Vector goal);
/* Wishes: to the person's goal, and along x. */
Vector crowd_to_goal(const CrowdScene *scene, uint32_t person);
Vector crowd_ahead(const CrowdScene *scene, uint32_t person);

/* crowd_scenes_ground.c */
void crowd_build_stairs(CrowdScene *scene, Soup *soup);
void crowd_build_slope(CrowdScene *scene, Soup *soup);
void crowd_build_lift(CrowdScene *scene, Soup *soup);
void crowd_build_ledge(CrowdScene *scene, Soup *soup);
Vector crowd_queue(const CrowdScene *scene, uint32_t person);
Vector crowd_push(const CrowdScene *scene, uint32_t person);
void crowd_move_lift(CrowdScene *scene, double from, double to);

#endif
