/* A little world built through the public API from a triangle soup, and agents that live in it. A call of the
 * library that must succeed and does not ends the process with its message: no check goes on in a broken
 * scene. */
#ifndef TESTS_SUPPORT_SCENE_H
#define TESTS_SUPPORT_SCENE_H

#include "sidle/sidle.h"
#include "support/soup.h"
#include "support/vector.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ScenePieces
{
    SCENE_ONE_MESH,      /* the whole soup is one mesh, one instance */
    SCENE_QUAD_EACH,     /* every two triangles are a mesh and an instance of their own */
    SCENE_TRIANGLE_EACH, /* every triangle is */
    SCENE_QUAD_POSED /* as SCENE_QUAD_EACH, each mesh stored turned and stretched and placed back by its pose */
} ScenePieces;

typedef struct SceneOptions
{
    sidle_profile profile;
    ScenePieces pieces;
    Vector place;           /* where the soup's origin stands in the world: the pose of its instances */
    double turned;          /* degrees about y: the rotation of every instance; not with SCENE_QUAD_POSED */
    sidle_vec3 gravity, up; /* up zero: y */
    float dt;
    uint32_t lanes, max_candidates; /* 0: the library's choice */
    uint32_t instance_flags;        /* of every piece */
    bool flush_denormals;           /* around every tick, and off again */
} SceneOptions;

/* Ball of radius 1, skin .02, dt 1/60; SIDLE_FLY, or SIDLE_SLIDE or SIDLE_WALK with the default gravity. */
SceneOptions flying_ball(void);
SceneOptions sliding_ball(void);
SceneOptions walking_ball(void);
SceneOptions flying_ellipsoid(double x, double y, double z);

typedef struct Scene
{
    Soup soup;
    SceneOptions options;
    sidle_mesh **meshes;
    sidle_instance *instances;
    uint32_t piece_count;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    float motion_begin, motion_end; /* of every tick; 0: the whole of the epoch's motion */
} Scene;

/* What scenes from now on run with where their options leave it open; 0: the library's choice. */
void scene_use_lanes(uint32_t lanes);
/* Agents of scenes from now on are upright capsules, with half a core of so many vertical radii; 0: what they
 * are. */
void scene_use_core(double radii);

/* Takes the soup. Instance keys are the indices of the pieces. Meshes hold the soup as given; Scene.soup is turned
 * as the instances are. */
Scene scene_of(Soup soup, SceneOptions options);
void scene_close(Scene *scene);

typedef struct Agent
{
    sidle_body body;
    uint64_t id;
    sidle_quat rotation;
    uint32_t profile, reasons, contact_count;
    float impact_speed; /* of the last tick */
    sidle_instance ignore;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS]; /* of the last tick */
} Agent;

Agent agent_at(double x, double y, double z);
Agent agent_in(Vector center);
Vector agent_center(const Agent *agent);
bool agent_is_finite(const Agent *agent);
bool agent_same_bits(const Agent *one, const Agent *other); /* centre, velocity and flags */

/* One tick of one agent with this wish. */
void scene_tick(const Scene *scene, Agent *agent, Vector wish);
/* The same wish, tick after tick. */
void scene_ticks(const Scene *scene, Agent *agent, Vector wish, int ticks);
/* One tick of a crowd; no contacts are kept. NULL jobs: on this thread. */
void scene_tick_all(const Scene *scene, Agent *agents, const Vector *wishes, uint32_t count,
                    const sidle_jobs *jobs);

/* Least distance of the agent's centre to the scene where its ellipsoid is the unit ball (without rotation).
 */
double scene_clearance(const Scene *scene, const Agent *agent);
/* Least distance on the straight path from a centre to where the agent is now, in the same space. */
double scene_clearance_since(const Scene *scene, const Agent *agent, Vector center_before);

/* FNV-1a over centres, velocities and flags, in the order given. */
uint64_t agents_hash(const Agent *agents, uint32_t count);

/* The mesh of a soup, which this frees. */
sidle_mesh *soup_mesh(Soup soup);

/* Zeros the bytes between the fields, which are anything, so that answers can be compared as bytes. */
void answers_keep_fields(sidle_overlap *overlaps, uint32_t count, sidle_closest *closest);

/* Ends the process with a sentence unless the status is SIDLE_OK. */
void demand(sidle_status status, const char *what);

#endif
