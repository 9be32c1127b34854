/* Random scenes for agents among triangles of all kinds, about the world's origin and far from it. */
#ifndef TESTS_SUPPORT_WILD_H
#define TESTS_SUPPORT_WILD_H

#include "support/random.h"
#include "support/scene.h"

/* Around options.place; `each`: triangles of a kind. */
Scene wild_scene(Random *random, double half, int each);

/* In the world: anywhere in the scene, or on one of its triangles. */
Vector wild_center(Random *random, const Scene *scene, double half);

#endif
