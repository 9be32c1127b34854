#include "support/scene.h"

#include "support/denormals.h"
#include "support/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void demand(sidle_status status, const char *what)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "scene: %s answered: %s\n", what, sidle_status_text(status));
        abort();
    }
}

static SceneOptions ball(uint32_t mode)
{
    SceneOptions options = {.dt = 1.0f / 60.0f};
    options.profile = (sidle_profile){
        .size = sizeof(sidle_profile), .shape = {.radii = {1.0f, 1.0f, 1.0f}}, .skin = 0.02f, .mode = mode};
    return options;
}

SceneOptions flying_ball(void)
{
    return ball(SIDLE_FLY);
}

SceneOptions sliding_ball(void)
{
    return ball(SIDLE_SLIDE);
}

SceneOptions walking_ball(void)
{
    return ball(SIDLE_WALK);
}

SceneOptions flying_ellipsoid(double x, double y, double z)
{
    SceneOptions options = ball(SIDLE_FLY);
    options.profile.shape.radii = (sidle_vec3){(float)x, (float)y, (float)z};
    return options;
}

static size_t triangles_in_a_piece(const Scene *scene)
{
    switch (scene->options.pieces)
    {
    case SCENE_TRIANGLE_EACH:
        return 1;
    case SCENE_QUAD_EACH:
    case SCENE_QUAD_POSED:
        return 2;
    case SCENE_ONE_MESH:
        break;
    }
    return scene->soup.count > 0 ? scene->soup.count : 1;
}

/* A turn and a stretch of the piece's own, the same in every run. */
static sidle_pose drawn_pose(size_t piece, Vector place)
{
    Random random = random_seeded(9000 + piece);
    Vector axis = random_direction(&random);
    double half = random_between(&random, 0.0, 3.14), scale[3];
    for (int i = 0; i < 3; ++i)
    {
        scale[i] = random_scale(&random, 0.3, 3.0);
    }
    return (sidle_pose){.position = {place.x, place.y, place.z},
                        .rotation = {(float)(axis.x * sin(half)), (float)(axis.y * sin(half)),
                                     (float)(axis.z * sin(half)), (float)cos(half)},
                        .scale = {(float)scale[0], (float)scale[1], (float)scale[2]}};
}

/* Where a pose's mesh has to have a vertex for it to stand at v from the pose's position. */
static Vector before_pose(const sidle_pose *pose, Vector v)
{
    double x = (double)pose->rotation.x, y = (double)pose->rotation.y, z = (double)pose->rotation.z;
    double w = (double)pose->rotation.w, length = sqrt(x * x + y * y + z * z + w * w);
    Vector axis = vector_scale(vector(x, y, z), -1.0 / length);
    Vector twice = vector_scale(vector_cross(axis, v), 2.0);
    Vector turned = vector_add(vector_along(v, w / length, twice), vector_cross(axis, twice));
    return vector_over(turned, vector((double)pose->scale.x, (double)pose->scale.y, (double)pose->scale.z));
}

static sidle_mesh *mesh_of_triangles(const SoupTriangle *triangles, size_t count)
{
    sidle_error error = {0};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = count > 0 ? &triangles[0].v[0].x : NULL,
                            .vertex_count = (uint32_t)(3 * count),
                            .triangle_count = (uint32_t)count,
                            .error = &error};
    sidle_mesh *mesh = NULL;
    sidle_status status = sidle_mesh_create(&desc, NULL, NULL, &mesh);
    demand(status, status == SIDLE_OK ? "sidle_mesh_create" : error.text);
    return mesh;
}

sidle_mesh *soup_mesh(Soup soup)
{
    sidle_mesh *mesh = mesh_of_triangles(soup.triangles, soup.count);
    soup_free(&soup);
    return mesh;
}

static sidle_mesh *mesh_of_piece(const Scene *scene, size_t first, size_t count, const sidle_pose *pose)
{
    const SoupTriangle *triangles = count > 0 ? &scene->soup.triangles[first] : NULL;
    if (scene->options.pieces != SCENE_QUAD_POSED)
    {
        return mesh_of_triangles(triangles, count);
    }
    SoupTriangle moved[2];
    for (size_t i = 0; i < 3 * count; ++i)
    {
        moved[i / 3].v[i % 3] = before_pose(pose, triangles[i / 3].v[i % 3]);
    }
    return mesh_of_triangles(moved, count);
}

static void add_pieces(Scene *scene)
{
    size_t step = triangles_in_a_piece(scene), total = scene->soup.count;
    size_t piece_count = total > 0 ? (total + step - 1) / step : 1;
    scene->piece_count = (uint32_t)piece_count;
    scene->meshes = calloc(piece_count, sizeof *scene->meshes);
    scene->instances = calloc(piece_count, sizeof *scene->instances);
    if (scene->meshes == NULL || scene->instances == NULL)
    {
        abort();
    }
    Vector place = scene->options.place;
    double half = 0.5 * radians(scene->options.turned);
    for (size_t piece = 0; piece < piece_count; ++piece)
    {
        size_t first = piece * step, count = first + step <= total ? step : total - first;
        sidle_pose pose = {.position = {place.x, place.y, place.z}};
        pose.rotation.y = (float)sin(half);
        pose.rotation.w = (float)cos(half);
        pose = scene->options.pieces == SCENE_QUAD_POSED ? drawn_pose(piece, place) : pose;
        scene->meshes[piece] = mesh_of_piece(scene, first, count, &pose);
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = scene->meshes[piece],
                                    .pose = pose,
                                    .key = piece,
                                    .flags = scene->options.instance_flags};
        demand(sidle_world_add(scene->world, &desc, &scene->instances[piece]), "sidle_world_add");
    }
}

static uint32_t lanes_in_use;

void scene_use_lanes(uint32_t lanes)
{
    lanes_in_use = lanes;
}

static double core_in_use;

void scene_use_core(double radii)
{
    core_in_use = radii;
}

Scene scene_of(Soup soup, SceneOptions options)
{
    sidle_shape *shape = &options.profile.shape;
    shape->half_height = core_in_use > 0.0 ? (float)core_in_use * shape->radii.y : shape->half_height;
    Scene scene = {.soup = soup, .options = options};
    sidle_world_desc world = {.size = sizeof world};
    demand(sidle_world_create(&world, NULL, &scene.world), "sidle_world_create");
    add_pieces(&scene);
    if (options.turned != 0.0)
    {
        Rotation rotation = rotation_about_y(radians(options.turned));
        soup_turn(&scene.soup, &rotation);
    }
    demand(sidle_world_commit(scene.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(scene.world, &scene.snapshot), "sidle_world_snapshot");
    sidle_error error = {0};
    sidle_crowd_desc crowd = {.size = sizeof crowd,
                              .profiles = &options.profile,
                              .profile_count = 1,
                              .lanes = options.lanes ? options.lanes : lanes_in_use,
                              .gravity = options.gravity,
                              .up = options.up,
                              .max_candidates = options.max_candidates,
                              .error = &error};
    sidle_status status = sidle_crowd_create(&crowd, NULL, &scene.crowd);
    demand(status, status == SIDLE_OK ? "sidle_crowd_create" : error.text);
    return scene;
}

void scene_close(Scene *scene)
{
    sidle_crowd_destroy(scene->crowd);
    sidle_snapshot_release(scene->snapshot);
    sidle_world_destroy(scene->world);
    for (uint32_t piece = 0; piece < scene->piece_count; ++piece)
    {
        sidle_mesh_release(scene->meshes[piece]);
    }
    free(scene->meshes);
    free(scene->instances);
    soup_free(&scene->soup);
    *scene = (Scene){0};
}

Agent agent_at(double x, double y, double z)
{
    return (Agent){.body = {.center = {x, y, z}}, .id = 1};
}

Agent agent_in(Vector center)
{
    return agent_at(center.x, center.y, center.z);
}

Vector agent_center(const Agent *agent)
{
    return vector(agent->body.center.x, agent->body.center.y, agent->body.center.z);
}

bool agent_is_finite(const Agent *agent)
{
    sidle_vec3 velocity = agent->body.velocity;
    return vector_is_finite(agent_center(agent)) && isfinite(velocity.x) && isfinite(velocity.y) &&
           isfinite(velocity.z);
}

/* Compared as memory, because -0 and 0 are different states. */
bool agent_same_bits(const Agent *one, const Agent *other)
{
    return memcmp(&one->body.center, &other->body.center, sizeof one->body.center) == 0 &&
           memcmp(&one->body.velocity, &other->body.velocity, sizeof one->body.velocity) == 0 &&
           one->body.flags == other->body.flags;
}

static sidle_move move_of(const Agent *agent, Vector wish)
{
    return (sidle_move){.id = agent->id,
                        .body = agent->body,
                        .rotation = agent->rotation,
                        .displacement = {(float)wish.x, (float)wish.y, (float)wish.z},
                        .ignore = agent->ignore,
                        .profile = agent->profile};
}

/* The mode is on for the library alone: a test's own conversions would lose the denormals that it hands over.
 */
static void run_tick(const Scene *scene, const sidle_tick_desc *tick)
{
    if (scene->options.flush_denormals)
    {
        flush_denormals(true);
    }
    sidle_status status = sidle_crowd_tick(scene->crowd, tick);
    if (scene->options.flush_denormals)
    {
        flush_denormals(false);
    }
    demand(status, "sidle_crowd_tick");
}

void scene_tick(const Scene *scene, Agent *agent, Vector wish)
{
    sidle_move move = move_of(agent, wish);
    sidle_result result = {0};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .motion_begin = scene->motion_begin,
                            .motion_end = scene->motion_end,
                            .moves = &move,
                            .count = 1,
                            .results = &result,
                            .contacts = agent->contacts,
                            .contact_capacity = SIDLE_MAX_AGENT_CONTACTS,
                            .contact_count = &agent->contact_count};
    run_tick(scene, &tick);
    agent->body = result.body;
    agent->reasons = result.reasons;
    agent->impact_speed = result.impact_speed;
}

void scene_ticks(const Scene *scene, Agent *agent, Vector wish, int ticks)
{
    for (int tick = 0; tick < ticks; ++tick)
    {
        scene_tick(scene, agent, wish);
    }
}

void scene_tick_all(const Scene *scene, Agent *agents, const Vector *wishes, uint32_t count,
                    const sidle_jobs *jobs)
{
    sidle_move *moves = calloc(count, sizeof *moves);
    sidle_result *results = calloc(count, sizeof *results);
    if (moves == NULL || results == NULL)
    {
        abort();
    }
    for (uint32_t index = 0; index < count; ++index)
    {
        moves[index] = move_of(&agents[index], wishes[index]);
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .jobs = jobs,
                            .dt = scene->options.dt,
                            .motion_begin = scene->motion_begin,
                            .motion_end = scene->motion_end,
                            .moves = moves,
                            .count = count,
                            .results = results};
    run_tick(scene, &tick);
    for (uint32_t index = 0; index < count; ++index)
    {
        agents[index].body = results[index].body;
        agents[index].reasons = results[index].reasons;
        agents[index].impact_speed = results[index].impact_speed;
        agents[index].contact_count = 0;
    }
    free(moves);
    free(results);
}

static Vector radii_of(const Scene *scene)
{
    sidle_vec3 radii = scene->options.profile.shape.radii;
    return vector((double)radii.x, (double)radii.y, (double)radii.z);
}

static double approach(const Scene *scene, Vector from, Vector to)
{
    Vector place = scene->options.place, radii = radii_of(scene);
    double half = (double)scene->options.profile.shape.half_height;
    from = vector_sub(from, place);
    to = vector_sub(to, place);
    return half > 0.0 ? soup_core_approach(&scene->soup, from, to, radii, half)
                      : soup_approach(&scene->soup, from, to, radii);
}

double scene_clearance(const Scene *scene, const Agent *agent)
{
    return approach(scene, agent_center(agent), agent_center(agent));
}

double scene_clearance_since(const Scene *scene, const Agent *agent, Vector center_before)
{
    return approach(scene, center_before, agent_center(agent));
}

uint64_t agents_hash(const Agent *agents, uint32_t count)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t index = 0; index < count; ++index)
    {
        const sidle_body *body = &agents[index].body;
        hash = hash_memory(hash, &body->center, sizeof body->center);
        hash = hash_memory(hash, &body->velocity, sizeof body->velocity);
        hash = hash_memory(hash, &body->flags, sizeof body->flags);
    }
    return hash;
}

void answers_keep_fields(sidle_overlap *overlaps, uint32_t count, sidle_closest *closest)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_overlap o = overlaps[i];
        memset(&overlaps[i], 0, sizeof o);
        overlaps[i].instance_key = o.instance_key;
        overlaps[i].instance = o.instance;
        overlaps[i].triangle = o.triangle;
        overlaps[i].surface = o.surface;
    }
    sidle_closest c = *closest;
    memset(closest, 0, sizeof c);
    closest->found = c.found;
    closest->distance = c.distance;
    closest->point = c.point;
    closest->normal = c.normal;
    closest->instance_key = c.instance_key;
    closest->instance = c.instance;
    closest->triangle = c.triangle;
    closest->surface = c.surface;
    closest->feature = c.feature;
}
