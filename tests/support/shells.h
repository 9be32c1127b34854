/* Closed meshes within 2.1 of the origin, with their triangles as they are stored. */
#ifndef TESTS_SUPPORT_SHELLS_H
#define TESTS_SUPPORT_SHELLS_H

#include "support/scene.h"

typedef struct Shell
{
    Soup soup;
    sidle_mesh *mesh;
} Shell;

/* Half extents of boxes: 1.5, 1, .75. */
Shell shell_solid(uint32_t kind); /* SIDLE_SOLID_... */
Shell shell_torus(int segments, int sides);
Shell shell_hollow(void); /* a ball with a cavity */
/* Some of 4 x 4 x 4 cubes with whole coordinates: edges of four triangles, and many on one line. */
Shell shell_voxels(uint64_t seed);
Shell shell_flipped(Shell shell); /* its faces look inwards */
Shell shell_of(Soup soup);        /* takes the soup */
void shell_close(Shell *shell);

/* The mesh alone. */
sidle_mesh *shell_mesh(Shell shell);

/* Whether the triangles wind around a point that is not on them. */
bool shell_holds(const Shell *shell, Vector point);

#endif
