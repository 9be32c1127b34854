#include "support/crowd_scenes.h"

#include <stdlib.h>
#include <string.h>

CrowdSetting crowd_setting(CrowdKind kind)
{
    const CrowdPlace *place = &crowd_places[kind];
    return (CrowdSetting){.kind = kind,
                          .rate = 60,
                          .count = place->count,
                          .seconds = place->seconds,
                          .amount = place->amount,
                          .shape = {.radii = {.4f, .9f, .4f}}};
}

const char *crowd_name(CrowdKind kind)
{
    return crowd_places[kind].name;
}

/* ---- persons ---- */

static void *grown(void *memory, size_t bytes)
{
    void *larger = realloc(memory, bytes);
    if (larger == NULL)
    {
        abort();
    }
    return larger;
}

sidle_move *crowd_add(CrowdScene *scene, uint64_t id, double x, double foot, double z, uint32_t profile)
{
    if (scene->count == scene->capacity)
    {
        scene->capacity = 2 * scene->capacity + 64;
        scene->moves = grown(scene->moves, scene->capacity * sizeof *scene->moves);
        scene->results = grown(scene->results, scene->capacity * sizeof *scene->results);
        scene->persons = grown(scene->persons, scene->capacity * sizeof *scene->persons);
    }
    const sidle_shape *shape = &scene->profiles[profile].shape;
    double height = (double)shape->radii.y + (double)shape->half_height;
    scene->persons[scene->count] = (CrowdPerson){.speed = 1.4};
    scene->moves[scene->count] =
        (sidle_move){.id = id, .body = {.center = {x, foot + 1.02 * height, z}}, .profile = profile};
    return &scene->moves[scene->count++];
}

static void shuffle(CrowdScene *scene)
{
    Random random = random_seeded(77);
    for (uint32_t i = scene->count; i > 1; --i)
    {
        uint32_t other = random_below(&random, i);
        sidle_move move = scene->moves[i - 1];
        CrowdPerson person = scene->persons[i - 1];
        scene->moves[i - 1] = scene->moves[other];
        scene->persons[i - 1] = scene->persons[other];
        scene->moves[other] = move;
        scene->persons[other] = person;
    }
}

/* ---- opening and closing ---- */

static SceneOptions options_of(const CrowdScene *scene)
{
    SceneOptions options = walking_ball();
    options.profile = scene->profiles[0];
    options.dt = 1 / (float)scene->setting.rate;
    return options;
}

CrowdScene *crowd_open(const CrowdSetting *setting)
{
    const CrowdPlace *place = &crowd_places[setting->kind];
    CrowdScene *scene = grown(NULL, sizeof *scene);
    *scene = (CrowdScene){.setting = *setting,
                          .low = {-INFINITY, -INFINITY, -INFINITY},
                          .high = {INFINITY, INFINITY, INFINITY}};
    scene->profiles[scene->profile_count++] =
        (sidle_profile){.size = sizeof(sidle_profile), .shape = setting->shape, .step_up = .4f};
    Soup soup = {0};
    place->build(scene, &soup);
    if (setting->shuffled)
    {
        shuffle(scene);
    }
    scene->stage = stage_of(soup, options_of(scene));
    if (place->move_ground)
    {
        place->move_ground(scene, 0, 0);
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = scene->profiles,
                             .profile_count = scene->profile_count,
                             .lanes = setting->lanes};
    demand(sidle_crowd_create(&desc, NULL, &scene->crowd), "sidle_crowd_create");
    return scene;
}

void crowd_close(CrowdScene *scene)
{
    sidle_crowd_destroy(scene->crowd);
    stage_close(&scene->stage);
    free(scene->moves);
    free(scene->results);
    free(scene->persons);
    free(scene);
}

/* ---- ticks ---- */

double crowd_time(const CrowdScene *scene)
{
    return scene->tick / (double)scene->setting.rate;
}

Vector crowd_place(const CrowdScene *scene, uint32_t person)
{
    sidle_position center = scene->moves[person].body.center;
    return vector(center.x, center.y, center.z);
}

CrowdBody crowd_body_of(const CrowdScene *scene, uint32_t person)
{
    const sidle_move *move = &scene->moves[person];
    return crowd_body(&scene->profiles[move->profile].shape, move->rotation, &move->body.center);
}

bool crowd_is_done(const CrowdScene *scene, uint32_t person)
{
    const CrowdPlace *place = &crowd_places[scene->setting.kind];
    return scene->persons[person].is_gone || (place->is_done && place->is_done(scene, person));
}

static void wish(CrowdScene *scene, uint32_t person)
{
    const CrowdPlace *place = &crowd_places[scene->setting.kind];
    sidle_move *move = &scene->moves[person];
    bool *is_gone = &scene->persons[person].is_gone;
    if (!*is_gone && place->is_gone && place->is_gone(scene, person))
    {
        *is_gone = true;
        move->flags |= SIDLE_MOVE_NO_AGENTS;
    }
    Vector v = *is_gone ? vector(0, 0, 0) : place->wish(scene, person);
    double dt = 1 / (double)scene->setting.rate;
    move->displacement = (sidle_vec3){(float)(v.x * dt), (float)(v.y * dt), (float)(v.z * dt)};
}

void crowd_step(CrowdScene *scene)
{
    const CrowdPlace *place = &crowd_places[scene->setting.kind];
    double now = crowd_time(scene);
    if (place->move_ground)
    {
        place->move_ground(scene, now, now + 1 / (double)scene->setting.rate);
    }
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        wish(scene, i);
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->stage.scene.snapshot,
                            .jobs = scene->setting.jobs,
                            .dt = 1 / (float)scene->setting.rate,
                            .moves = scene->moves,
                            .count = scene->count,
                            .results = scene->results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        scene->moves[i].body = scene->results[i].body;
    }
    scene->tick += 1;
}

uint64_t crowd_hash(const CrowdScene *scene)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        Agent agent = {.body = scene->moves[i].body, .id = scene->moves[i].id};
        sum += agents_hash(&agent, 1) * (2 * agent.id + 1);
    }
    return sum;
}
