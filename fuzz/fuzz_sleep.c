/* A crowd of which most sleeps, beside a new crowd for each tick, which has no last tick: both give the same bits. Groups of
 * unlike agents stand around, far from one another, and between the ticks a few agents walk, jump to another place, change, or leave;
 * a lift moves; the time step changes; and the crowd is used for other ticks and what-ifs. */
#include "fuzz.h"
#include "input.h"

#include "support/scene.h"
#include "support/stage.h"
#include "support/ticked.h"

#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 4,
    GROUPS = ROWS * ROWS,
    PERSONS = 20,
    AGENTS = GROUPS * PERSONS, /* more than sleep begins with: SLEEP_LEAST */
    PROFILES = 4,
    TICKS = 50,
    SETTLED = 10 /* ticks before anything happens */
};

#define LIFT 2  /* metres */
#define LEAP 1  /* metres: a longer displacement is for one tick */
#define FAR  30 /* times a displacement: into another group */

typedef struct Town
{
    Input input;
    Scene scene;
    sidle_profile profiles[PROFILES];
    sidle_crowd *keeps;
    double apart; /* from group to group */
    uint32_t lift_group;
    float dt;
    bool with_contacts;
    uint32_t count;
    sidle_move moves[AGENTS];
    sidle_result results[2][AGENTS];
    sidle_contact contacts[2][AGENTS * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t contact_counts[2];
} Town;

static double between(Input *input, double low, double high)
{
    return low + (high - low) * input_byte(input) / 255;
}

/* ---- the crowd and its world ---- */

static void decode_profile(Input *input, sidle_profile *profile)
{
    uint32_t how = input_byte(input);
    float wide = (float)between(input, .1, .6), high = (float)between(input, .2, 1.2);
    *profile = (sidle_profile){.size = sizeof *profile,
                               .shape = {.radii = {wide, high, wide}},
                               .mode = how % 8 < 6 ? SIDLE_WALK : how % 8 - 5,
                               .flags = how % 8 == 5 ? SIDLE_PROFILE_STANDS_ON_AGENTS : 0,
                               .comfort = how & 16 ? .5f : 0};
    if (how & 8)
    {
        profile->shape.half_height = high;
        profile->shape.radii.y = wide;
    }
}

static Vector place_of_group(const Town *town, uint32_t group)
{
    return vector(town->apart * (group % ROWS), 0, town->apart * (group / ROWS));
}

/* Near the middle of a group; some persons overlap. */
static sidle_position place_near(Town *town, uint32_t group, uint32_t person, const sidle_move *move)
{
    const sidle_shape *shape = &town->profiles[move->profile].shape;
    Vector at = place_of_group(town, group);
    double high = (double)(shape->radii.y + shape->half_height);
    double x = 1.4 * (person % 5) + between(&town->input, -.5, .5);
    double z = 1.4 * (person / 5) + between(&town->input, -.5, .5);
    return (sidle_position){at.x + x, high * 1.02, at.z + z};
}

static void decode_agent(Town *town, uint32_t i)
{
    static const float masses[4] = {0, 100, INFINITY, .01f};
    uint32_t how = input_byte(&town->input);
    sidle_move *move = &town->moves[i];
    *move = (sidle_move){.id = i * 7 + 1, .profile = how % PROFILES, .mass = masses[how / 4 % 4]};
    move->body.center = place_near(town, i / PERSONS, i % PERSONS, move);
    move->flags = how >= 240 ? SIDLE_MOVE_NO_AGENTS : how >= 224 ? SIDLE_MOVE_NO_CONTACTS : 0;
    move->group = how / 16 == 13;
}

/* The persons of a group stand in a row, and all press on the first. */
static void line_up(Town *town, uint32_t group)
{
    sidle_move *moves = &town->moves[group * PERSONS];
    double at = moves[0].body.center.x;
    moves[0].mass = INFINITY;
    for (uint32_t i = 1; i < PERSONS; ++i)
    {
        double before = (double)town->profiles[moves[i - 1].profile].shape.radii.x;
        at += 1.01 * (before + (double)town->profiles[moves[i].profile].shape.radii.x);
        moves[i].body.center.x = at;
        moves[i].body.center.z = moves[0].body.center.z;
        moves[i].displacement.x = -town->dt;
    }
}

static void open_town(Town *town)
{
    static const float rates[4] = {60, 30, 240, 10};
    Input *input = &town->input;
    Soup soup = {0};
    uint32_t how = input_byte(input);
    town->dt = 1 / rates[how % 4];
    town->with_contacts = how & 4;
    town->count = AGENTS;
    town->apart = between(input, 12, 120);
    town->lift_group = input_below(input, GROUPS);
    soup_floor(&soup, 8 * town->apart, 0);
    for (uint32_t box = how / 8 % 4; box > 0; --box)
    {
        Vector at = vector_add(place_of_group(town, input_below(input, GROUPS)),
                               vector(between(input, -4, 4), 0, between(input, -4, 4)));
        soup_box(&soup, vector(at.x, -.1, at.z), vector(at.x + 1, between(input, .1, 2), at.z + 1));
    }
    soup_plate(&soup, -LIFT, LIFT, -LIFT, LIFT, 0);
    SceneOptions options = walking_ball();
    options.pieces = SCENE_QUAD_EACH;
    town->scene = scene_of(soup, options);
    for (uint32_t i = 0; i < PROFILES; ++i)
    {
        decode_profile(input, &town->profiles[i]);
    }
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        decode_agent(town, i);
    }
    for (uint32_t group = 0; group < GROUPS; group += 3)
    {
        line_up(town, group);
    }
}

static sidle_crowd *crowd_of(const Town *town)
{
    sidle_crowd *crowd = NULL;
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = town->profiles, .profile_count = PROFILES, .max_candidates = 256};
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* ---- ticks ---- */

static sidle_tick_desc desc_of(Town *town, int which)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = town->scene.snapshot,
                            .dt = town->dt,
                            .moves = town->moves,
                            .count = town->count,
                            .results = town->results[which],
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    if (town->with_contacts)
    {
        tick.contacts = town->contacts[which];
        tick.contact_capacity = AGENTS * SIDLE_MAX_AGENT_CONTACTS;
        tick.contact_count = &town->contact_counts[which];
    }
    return tick;
}

static bool is_same(const Town *town, uint32_t agent)
{
    const sidle_result *a = &town->results[0][agent], *b = &town->results[1][agent];
    bool are_same = same_body(&a->body, &b->body) && a->reasons == b->reasons &&
                    memcmp(&a->impact_speed, &b->impact_speed, sizeof a->impact_speed) == 0;
    if (are_same && town->with_contacts)
    {
        are_same = a->contact_count == b->contact_count && a->contact_first == b->contact_first &&
                   memcmp(&town->contacts[0][a->contact_first], &town->contacts[1][b->contact_first],
                          a->contact_count * sizeof *town->contacts[0]) == 0;
    }
    return are_same;
}

static void tick_both(Town *town)
{
    sidle_crowd *fresh = crowd_of(town);
    sidle_tick_desc kept = desc_of(town, 0), other = desc_of(town, 1);
    demand(sidle_crowd_tick(town->keeps, &kept), "sidle_crowd_tick");
    demand(sidle_crowd_tick(fresh, &other), "sidle_crowd_tick");
    sidle_crowd_destroy(fresh);
    for (uint32_t i = 0; i < town->count; ++i)
    {
        fuzz_demand(is_same(town, i), "an agent ends elsewhere than in a new crowd");
    }
    for (uint32_t i = 0; i < town->count; ++i)
    {
        sidle_move *move = &town->moves[i];
        move->body = town->results[0][i].body;
        if (fabsf(move->displacement.x) + fabsf(move->displacement.z) > LEAP)
        {
            move->displacement = (sidle_vec3){0, 0, 0};
        }
    }
}

/* ---- what happens between them ---- */

static void change_agent(Town *town, sidle_move *move)
{
    Input *input = &town->input;
    uint32_t how = input_byte(input), other = input_below(input, 256) % town->count;
    float speed = (float)between(input, -40, 40) * town->dt;
    switch (how % 10)
    {
    case 0:
        speed *= how & 64 ? FAR : 1;
        move->displacement = (sidle_vec3){how & 16 ? speed : speed / 16, 0, how & 32 ? speed : 0};
        break;
    case 1:
        move->displacement = (sidle_vec3){0, 0, 0};
        break;
    case 2:
        move->body.center = town->moves[other].body.center;
        break;
    case 3:
        move->body = (sidle_body){.center = place_near(town, how / 16, other % PERSONS, move)};
        break;
    case 4:
        move->profile = how / 16 % PROFILES;
        break;
    case 5:
        move->body.velocity.y = fabsf(speed) / town->dt;
        move->body.flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
        break;
    case 6:
        move->mass = how & 16 ? INFINITY : (float)(how / 32);
        break;
    case 7:
        move->group = how / 64;
        move->flags ^= how & 16 ? SIDLE_MOVE_NO_AGENTS : SIDLE_MOVE_NO_CONTACTS;
        break;
    case 8:
        *move = town->moves[other];
        move->id = 100000 + input_byte(input) * 7;
        break;
    default:
        move->rotation = (sidle_quat){0, speed, how & 16 ? speed : 0, 1};
    }
}

static void move_lift(Town *town, uint32_t how)
{
    Vector at = place_of_group(town, town->lift_group);
    sidle_pose pose = {.position = {at.x, how & 128 ? -50 : .01 * (how % 64), at.z}};
    sidle_instance lift = town->scene.instances[town->scene.piece_count - 1];
    demand(sidle_world_move(town->scene.world, lift, NULL, &pose), "sidle_world_move");
    demand(sidle_world_commit(town->scene.world, NULL), "sidle_world_commit");
    sidle_snapshot_release(town->scene.snapshot);
    demand(sidle_world_snapshot(town->scene.world, &town->scene.snapshot), "sidle_world_snapshot");
}

/* Another use of the crowd. Its results are not used. */
static void use_otherwise(Town *town, uint32_t how)
{
    sidle_stats stats = {.size = sizeof stats};
    sidle_tick_desc tick = desc_of(town, 1);
    tick.flags = how & 8 ? tick.flags : 0;
    tick.stats = how & 16 ? &stats : NULL;
    tick.max_moves = how & 32 ? town->count / 2 : 0;
    tick.count = how & 64 ? town->count : town->count / 2;
    demand(sidle_crowd_tick(town->keeps, &tick), "sidle_crowd_tick");
}

static void ask(Town *town, uint32_t agent)
{
    sidle_vec3 to = {.5f, 0, .1f};
    sidle_what_if answer;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = town->scene.snapshot,
                               .dt = town->dt,
                               .move = &town->moves[agent],
                               .displacements = &to,
                               .count = 1,
                               .results = &answer};
    sidle_crowd_what_if(town->keeps, &desc); /* a bad agent is refused */
}

static void happen(Town *town)
{
    Input *input = &town->input;
    for (uint32_t how = input_byte(input); how % 4 == 3; how = input_byte(input))
    {
        uint32_t kind = how / 4 % 16, agent = (input_byte(input) * 256 + input_byte(input)) % town->count;
        switch (kind)
        {
        case 0:
            move_lift(town, input_byte(input));
            break;
        case 1:
            use_otherwise(town, input_byte(input));
            break;
        case 2:
            ask(town, agent);
            break;
        case 3:
            town->count = AGENTS - input_byte(input) % 64;
            break;
        case 4:
            town->dt = 1 / (float)between(input, 8, 250);
            break;
        case 5:
            town->with_contacts = !town->with_contacts;
            break;
        default:
            change_agent(town, &town->moves[agent]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Town *town = calloc(1, sizeof *town);
    town->input = input_of(data, size);
    open_town(town);
    town->keeps = crowd_of(town);
    for (uint32_t tick = 0; tick < TICKS && (tick < SETTLED || !input_ended(&town->input)); ++tick)
    {
        if (tick >= SETTLED)
        {
            happen(town);
        }
        tick_both(town);
    }
    sidle_crowd_destroy(town->keeps);
    scene_close(&town->scene);
    free(town);
    return 0;
}
