/* What `sidle info` and `sidle bake` report of a level to programs. */
#ifndef SIDLE_TOOLS_SCENE_JSON_H
#define SIDLE_TOOLS_SCENE_JSON_H

#include "json.h"
#include "scene.h"

/* Adds members to the open object. */
void scene_json(const Scene *scene, Json *json);

/* How a blob was opened: "trusted" or "validated". */
const char *scene_checked(const Scene *scene);

#endif
