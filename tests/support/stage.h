/* A scene in which things move: bodies on top of its resting soup, each an instance that a commit takes from
 * where it is to where the test puts it. */
#ifndef TESTS_SUPPORT_STAGE_H
#define TESTS_SUPPORT_STAGE_H

#include "support/scene.h"

#define STAGE_BODIES 8

typedef struct StageBody
{
    sidle_mesh *mesh;
    sidle_instance instance;
    sidle_pose pose; /* at the end of the last commit's motion */
} StageBody;

typedef struct Stage
{
    Scene scene;
    StageBody bodies[STAGE_BODIES];
    uint32_t body_count;
} Stage;

/* Takes the soup. */
Stage stage_of(Soup resting, SceneOptions options);
void stage_close(Stage *stage);

/* Takes the soup; the body stands there after the next commit. Its key is 1000 plus its number, its flags are the options'
 * instance_flags. */
uint32_t stage_add(Stage *stage, Soup soup, sidle_pose pose);

/* Where the body will be at the end of the next epoch. A body that is not moved rests. */
void stage_move(Stage *stage, uint32_t body, sidle_pose to);
void stage_commit(Stage *stage);

sidle_pose pose_at(double x, double y, double z);
/* Turned by an angle in radians about an axis through the pose's place. */
sidle_pose pose_turned(sidle_pose pose, Vector axis, double angle);

/* A box between two corners, its front outside. */
void soup_box(Soup *soup, Vector low, Vector high);

#endif
