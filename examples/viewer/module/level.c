/* Opens what the page asks for: the same steps as `sidle crowd`. */
#include "viewer.h"

#include "tools/archive.h"
#include "tools/console.h"
#include "tools/levels/generate.h"
#include "tools/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sidle_shape shapes[SHAPE_COUNT] = {
    [SHAPE_ELLIPSOID] = {.radii = {.4f, .9f, .4f}},
    [SHAPE_CAPSULE] = {.radii = {.4f, .4f, .4f}, .half_height = .5f},
    [SHAPE_BALL] = {.radii = {.4f, .4f, .4f}},
};

void level_close(void)
{
    crowd_run_close(&viewer.run);
    agents_free(&viewer.agents);
    check_destroy(viewer.grid);
    sidle_mesh_release(viewer.lift.mesh);
    scene_close(&viewer.scene);
    history_close();
    free(viewer.contacts);
    free(viewer.headings);
    viewer.grid = NULL;
    viewer.contacts = NULL;
    viewer.headings = NULL;
    viewer.contact_count = 0;
    viewer.lift = (Lift){.mesh = NULL};
    viewer.selected = viewer.player.agent = NO_AGENT;
}

/* Appends the shapes that a person can take. */
static bool add_shapes(void)
{
    sidle_shape *list = realloc(viewer.agents.shapes, SHAPE_COUNT * sizeof *list);
    if (!list)
    {
        return false;
    }
    memcpy(list + 1, shapes + 1, (SHAPE_COUNT - 1) * sizeof *list);
    viewer.agents.shapes = list;
    viewer.agents.shape_count = viewer.agents.shape_capacity = SHAPE_COUNT;
    return true;
}

static bool fill_crowd(void)
{
    if (!scene_need_triangles(&viewer.scene, viewer.message, MESSAGE_BYTES))
    {
        return false;
    }
    viewer.grid = check_create(&viewer.scene.level);
    if (!viewer.grid)
    {
        return explain(viewer.message, MESSAGE_BYTES, "Not enough memory for %u triangles",
                       viewer.scene.info.triangle_count);
    }
    SpawnDesc spawn = {.level = &viewer.scene.level,
                       .grid = viewer.grid,
                       .jobs = viewer.scene.jobs,
                       .shape = shapes[viewer.request.shape],
                       .count = viewer.request.agents,
                       .seed = viewer.request.seed};
    if (!agents_spawn(&spawn, &viewer.agents, viewer.message, MESSAGE_BYTES))
    {
        return false;
    }
    CrowdDesc desc = {.scene = &viewer.scene,
                      .grid = viewer.grid,
                      .agents = &viewer.agents,
                      .hz = HZ,
                      .mode = viewer.request.mode,
                      .agents_collide = viewer.request.collides || viewer.request.steers,
                      .steers = viewer.request.steers};
    viewer.contact_capacity = 4 * viewer.request.agents;
    viewer.contacts = malloc(viewer.contact_capacity * sizeof *viewer.contacts);
    viewer.headings = calloc(viewer.request.agents, sizeof *viewer.headings);
    if (!add_shapes() || !viewer.contacts || !viewer.headings || !history_open(viewer.request.agents))
    {
        return explain(viewer.message, MESSAGE_BYTES, "Not enough memory for %u agents",
                       viewer.request.agents);
    }
    return crowd_run_open(&desc, &viewer.run, viewer.message, MESSAGE_BYTES);
}

/* An OBJ has passed through obj_check, and its triangles through the page. */
static bool open_scene(void)
{
    viewer.options = (Options){.level = viewer.request.level, .threads = viewer.request.threads};
    Level *given = &viewer.request.triangles;
    if (given->triangle_count == 0)
    {
        return scene_open(&viewer.options, &viewer.scene);
    }
    Level level = *given;
    *given = (Level){.vertices = NULL};
    snprintf(level.name, sizeof level.name, "%s", viewer.request.level);
    return scene_open_level(&viewer.options, &level, &viewer.scene);
}

/* A failure of scene_open is printed. The page shows that line if there is no message. */
void level_open_requested(void)
{
    level_close();
    viewer.message[0] = 0;
    bool good = open_scene();
    if (good)
    {
        viewer.scene.jobs = workers_timed(viewer.scene.jobs);
        good = fill_crowd();
    }
    if (good)
    {
        history_store();
    }
    else
    {
        level_close();
    }
    atomic_store(&viewer.state, good ? VIEWER_READY : VIEWER_FAILED);
    atomic_store(&viewer.request.pending, false);
}

/* ---- Calls of the page. ---- */

/* Begins to open a level with a crowd; viewer_numbers reports when it is there. `level`: gen:NAME[:SIZE], a .sidle file in the
 * module's file system, or the name of the triangles that viewer_add_triangles was given. */
EXPORT void viewer_open(const char *level, uint32_t agents, uint32_t seed, uint32_t threads, uint32_t mode,
                        uint32_t shape, bool collides, bool steers)
{
    viewer_lock();
    snprintf(viewer.request.level, sizeof viewer.request.level, "%s", level);
    viewer.request.agents = agents;
    viewer.request.seed = seed;
    viewer.request.threads = threads;
    viewer.request.mode = mode;
    viewer.request.shape = shape;
    viewer.request.collides = collides;
    viewer.request.steers = steers;
    atomic_store(&viewer.state, VIEWER_OPENING);
    atomic_store(&viewer.request.pending, true);
    viewer_unlock();
}

/* Adds corners, nine floats a triangle, to the level that viewer_open opens next. Returns false if memory is short. */
EXPORT bool viewer_add_triangles(const float *corners, uint32_t count, uint32_t surface)
{
    Level *level = &viewer.request.triangles;
    for (uint32_t i = 0; i < count; i++)
    {
        uint32_t index[3];
        for (int k = 0; k < 3; k++)
        {
            const float *v = &corners[9 * i + 3 * (uint32_t)k];
            if (!level_add_vertex(level, v[0], v[1], v[2], &index[k]))
            {
                return false;
            }
        }
        if (!level_add_triangle(level, index[0], index[1], index[2], (uint16_t)surface))
        {
            return false;
        }
    }
    return true;
}

EXPORT void viewer_drop_triangles(void)
{
    level_free(&viewer.request.triangles);
}

/* Returns NULL, or what is wrong with the text of an OBJ. */
EXPORT const char *viewer_check_obj(const char *name, unsigned char *text, uint32_t size)
{
    static char message[MESSAGE_BYTES];
    FileBytes file = {.data = text, .size = size};
    return obj_check(name, &file, message, sizeof message) ? NULL : message;
}

EXPORT const char *viewer_message(void)
{
    return viewer.message;
}

/* Nine floats a triangle, in the order of the level. The caller calls free(). NULL: memory is short. */
EXPORT float *viewer_level_corners(void)
{
    viewer_lock();
    const Level *level = &viewer.scene.level;
    float *corners = malloc(9 * sizeof *corners * level->triangle_count);
    for (size_t i = 0; corners && i < 3 * (size_t)level->triangle_count; i++)
    {
        const double *v = &level->vertices[3 * (size_t)level->indices[i]];
        corners[3 * i] = (float)v[0];
        corners[3 * i + 1] = (float)v[1];
        corners[3 * i + 2] = (float)v[2];
    }
    viewer_unlock();
    return corners;
}

EXPORT const uint16_t *viewer_level_surfaces(void)
{
    return viewer.scene.level.surfaces;
}

/* 0xRRGGBB, of generated levels. */
EXPORT uint32_t viewer_surface_color(uint32_t surface)
{
    return surface_color((uint16_t)surface);
}
