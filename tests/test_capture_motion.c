/* Captures of moves that something carries, pushes or crushes: worlds in which all of that goes on at once. */
#include "support/captures.h"
#include "support/stage.h"
#include "support/ticked.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define HALF      4.0 /* of a room's side */
#define BODIES    10
#define AGENTS    16
#define TICKS     12
#define PROFILES  24
#define MOST_NEAR 6 /* candidates of the crowd that is given too few */

typedef enum Motion
{
    SPINS,  /* about its own place, at up to half a turn a tick */
    LIFTS,  /* up and down under agents that stand on it */
    SWEEPS, /* through the room, walls and agents */
    SWINGS, /* about a place beside it, as a door does */
    RESTS,
    MOTIONS
} Motion;

typedef struct Body
{
    sidle_instance instance;
    Motion motion;
    sidle_pose pose;
    double rate;
} Body;

typedef struct Whirl
{
    sidle_world *world;
    sidle_mesh *meshes[4];
    Body bodies[BODIES];
    Vector place; /* of the whole world */
} Whirl;

/* A room, a box, a bumpy plate of hundreds of triangles some of which are slivers, and a ragged lump. */
static void make_meshes(Whirl *whirl, Random *random)
{
    Soup room = {0}, box = {0}, plate = {0}, lump = {0};
    soup_box(&room, vector(-HALF, 0, -HALF), vector(HALF, HALF, HALF));
    soup_flip(&room);
    soup_shift(&room, whirl->place);
    soup_box(&box, vector(-1, -.1, -1), vector(1, 0, 1));
    soup_terrain(&plate, 12, .25, .05, random_bits(random));
    soup_slivers(&plate, 3, 3, .1);
    soup_scatter(&lump, random, 30, .8);
    whirl->meshes[0] = soup_mesh(room);
    whirl->meshes[1] = soup_mesh(box);
    whirl->meshes[2] = soup_mesh(plate);
    whirl->meshes[3] = soup_mesh(lump);
}

static sidle_instance put(Whirl *whirl, uint32_t mesh, sidle_pose pose, uint64_t key)
{
    sidle_instance_desc desc = {.size = sizeof desc,
                                .mesh = whirl->meshes[mesh],
                                .pose = pose,
                                .key = key,
                                .member_of = 1u << key % 3};
    sidle_instance instance;
    demand(sidle_world_add(whirl->world, &desc, &instance), "sidle_world_add");
    return instance;
}

/* Keys are shared by two: ties go by the numbers of triangles, across instances. */
static void add_body(Whirl *whirl, uint32_t number, Random *random)
{
    Body *body = &whirl->bodies[number];
    Vector at = vector_add(whirl->place, random_in_box(random, vector(-3, .1, -3), vector(3, 1.5, 3)));
    body->motion = random_below(random, MOTIONS);
    body->rate =
        random_scale(random, .02, body->motion == SPINS ? 3 : .6) * (random_chance(random, .5) ? 1 : -1);
    body->pose = pose_turned(pose_at(at.x, at.y, at.z), random_direction(random),
                             body->motion == LIFTS ? 0 : random_between(random, 0, 3));
    if (random_chance(random, .5))
    {
        float scale = (float)random_between(random, .4, 1.5);
        body->pose.scale = (sidle_vec3){scale, random_chance(random, .5) ? -scale : 1, .7f};
    }
    body->instance = put(whirl, 1 + random_below(random, 3), body->pose, number / 2);
}

static Whirl whirl_of(uint64_t seed)
{
    Random random = random_seeded(seed);
    Whirl whirl = {.place = seed % 3 == 0 ? vector(3e5 + .1, -70, 1e6) : vector(0, 0, 0)};
    make_meshes(&whirl, &random);
    demand(sidle_world_create(NULL, NULL, &whirl.world), "sidle_world_create");
    put(&whirl, 0, pose_at(0, 0, 0), 3);
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        add_body(&whirl, i, &random);
    }
    demand(sidle_world_commit(whirl.world, NULL), "sidle_world_commit");
    return whirl;
}

static void whirl_close(Whirl *whirl)
{
    for (int i = 0; i < 4; ++i)
    {
        sidle_mesh_release(whirl->meshes[i]);
    }
    sidle_world_destroy(whirl->world);
}

static sidle_pose moved(const Body *body, Vector place, uint32_t tick)
{
    sidle_pose pose = body->pose;
    double path = body->rate * sin(.5 * tick + .7);
    switch (body->motion)
    {
    case SPINS:
        return pose_turned(pose, vector(.1, 1, 0), body->rate * (tick + 1));
    case LIFTS:
        pose.position.y += path;
        return pose;
    case SWEEPS:
        pose.position.x = place.x - (pose.position.x - place.x) * cos(.4 * (tick + 1));
        return pose;
    case SWINGS:
        pose.position.x += sin(path);
        pose.position.z += 1 - cos(path);
        return pose_turned(pose, vector(0, 1, 0), path);
    default:
        return pose;
    }
}

static sidle_snapshot *stir(Whirl *whirl, uint32_t tick)
{
    sidle_snapshot *snapshot = NULL;
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        Body *body = &whirl->bodies[i];
        sidle_pose to = moved(body, whirl->place, tick);
        to.scale = body->pose.scale;
        demand(sidle_world_move(whirl->world, body->instance, &body->pose, &to), "sidle_world_move");
        body->pose = to;
    }
    demand(sidle_world_commit(whirl->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(whirl->world, &snapshot), "sidle_world_snapshot");
    return snapshot;
}

/* Every shape in every mode, from both sides and from one. */
static sidle_crowd *crowd_of(uint32_t max_candidates)
{
    const sidle_shape shapes[4] = {{.radii = {.4f, .7f, .4f}},
                                   {.radii = {.3f, .3f, .3f}},
                                   {.radii = {.3f, .3f, .3f}, .half_height = .4f},
                                   {.radii = {.3f, .25f, .6f}}};
    sidle_profile profiles[PROFILES];
    for (uint32_t i = 0; i < PROFILES; ++i)
    {
        profiles[i] = (sidle_profile){.size = sizeof *profiles,
                                      .shape = shapes[i % 4],
                                      .mode = i / 4 % 3,
                                      .flags = i / 12 ? SIDLE_PROFILE_ONE_SIDED : 0};
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = PROFILES,
                             .max_candidates = max_candidates};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* Anywhere in the room, also inside of instances. A grounded agent names an instance that may be near. */
static sidle_move newcomer(const Whirl *whirl, uint32_t id, Random *random)
{
    Vector at = vector_add(whirl->place, random_in_box(random, vector(-3.4, .3, -3.4), vector(3.4, 2, 3.4)));
    return (sidle_move){.id = id,
                        .body.center = {at.x, at.y, at.z},
                        .profile = random_below(random, PROFILES),
                        .rotation = {0, (float)random_between(random, -1, 1), 0, 1},
                        .collides_with = random_chance(random, .2) ? 5 : 0,
                        .ignore = random_chance(random, .2) ? whirl->bodies[id % BODIES].instance
                                                            : (sidle_instance){0, 0}};
}

/* Moves of each kind that were seen. */
typedef struct Kinds
{
    uint32_t carried, pushed, crushed, overlapping, capsules, one_sided, cut_short;
} Kinds;

static void count_kinds(Kinds *kinds, const CaptureTrial *trial, const sidle_move *move)
{
    const sidle_body *after = &trial->result.body;
    const sidle_vec3 *over = &after->carried_over;
    Vector path = vector(after->center.x - move->body.center.x, after->center.y - move->body.center.y,
                         after->center.z - move->body.center.z);
    bool stands = (after->flags & SIDLE_BODY_GROUNDED) != 0;
    bool rides = stands && (over->x != 0 || over->y != 0 || over->z != 0);
    kinds->carried += rides;
    kinds->pushed += !rides && fabs(path.x) + fabs(path.z) > .3; /* no wish is as long */
    kinds->crushed += (trial->result.reasons & SIDLE_REASON_STUCK) != 0;
    kinds->overlapping += (trial->result.reasons & SIDLE_REASON_OVERLAP) != 0;
    kinds->capsules += move->profile % 4 == 2;
    kinds->one_sided += move->profile >= 12;
    kinds->cut_short += (trial->result.reasons & SIDLE_REASON_CANDIDATES) != 0;
}

static void wish(sidle_move *move, Random *random)
{
    move->displacement =
        (sidle_vec3){(float)random_between(random, -.1, .1), 0, (float)random_between(random, -.1, .1)};
}

/* All of the motion, or a part. */
static void choose_times(sidle_tick_desc *times, Random *random)
{
    bool all = random_chance(random, .7);
    times->motion_begin = all ? 0 : (float)random_between(random, 0, .5);
    times->motion_end = all ? 0 : (float)random_between(random, .5, 1);
}

/* Every move of each is captured. */
static void live(Whirl *whirl, CaptureTrial *trial, Random *random, Kinds *kinds)
{
    sidle_move moves[AGENTS];
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i] = newcomer(whirl, i, random);
    }
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        sidle_result results[AGENTS];
        trial->times.snapshot = stir(whirl, tick);
        choose_times(&trial->times, random);
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            wish(&moves[i], random);
            capture_try(trial, &moves[i]);
            count_kinds(kinds, trial, &moves[i]);
        }
        tick_moves(trial->crowd, &trial->times, moves, AGENTS, results, NULL);
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
        sidle_snapshot_release(trial->times.snapshot);
    }
}

static uint32_t worlds(void)
{
    const char *given = getenv("SIDLE_CAPTURE_WORLDS");
    return given ? (uint32_t)atoi(given) : 24;
}

Test(capture_motion, carried_pushed_and_crushed_agents_are_replayed_to_the_same_bits)
{
    Kinds kinds = {0};
    for (uint32_t seed = 0; seed < worlds(); ++seed)
    {
        Random random = random_seeded(1000 + seed);
        Whirl whirl = whirl_of(seed);
        CaptureTrial trial = capture_trial_of(crowd_of(0), NULL);
        live(&whirl, &trial, &random, &kinds);
        cr_expect(trial.wrong == 0, "world %u: %u of %u: %s", seed, trial.wrong, trial.moves,
                  trial.complaint);
        capture_trial_close(&trial);
        whirl_close(&whirl);
    }
    cr_expect(kinds.carried > 100 && kinds.pushed > 100 && kinds.crushed > 100 && kinds.overlapping > 100 &&
                  kinds.capsules > 100 && kinds.one_sided > 100,
              "carried %u, pushed %u, crushed %u, overlapping %u, capsules %u, one-sided %u", kinds.carried,
              kinds.pushed, kinds.crushed, kinds.overlapping, kinds.capsules, kinds.one_sided);
}

/* What moves may be too much as well: instances are counted among candidates. */
Test(capture_motion, where_candidates_run_out_they_run_out_again)
{
    Kinds kinds = {0};
    for (uint32_t seed = 0; seed < worlds(); ++seed)
    {
        Random random = random_seeded(2000 + seed);
        Whirl whirl = whirl_of(seed);
        CaptureTrial trial = capture_trial_of(crowd_of((uint32_t)MOST_NEAR << seed % 4), NULL);
        live(&whirl, &trial, &random, &kinds);
        cr_expect(trial.wrong == 0, "world %u: %u of %u: %s", seed, trial.wrong, trial.moves,
                  trial.complaint);
        capture_trial_close(&trial);
        whirl_close(&whirl);
    }
    cr_expect(kinds.cut_short > 100 && kinds.carried > 100, "%u cut short, %u carried", kinds.cut_short,
              kinds.carried);
}
