/* A few agents that collide in a closed room with some boxes, through the public API. Some have an interval, some ticks a budget,
 * and before some ticks they are steered (steer_checks.h). Checked in every tick: results are finite; no agent leaves the room; a
 * deferred agent keeps its place; agents that are apart stay apart, no energy appears, and nothing passes through triangles
 * (crowd_checks.h); and every width, and the arrays in another order with
 * statistics, which repeat no move, give the same bits. */
#include "crowd_checks.h"
#include "fuzz.h"
#include "input.h"
#include "steer_checks.h"

#include "support/ticked.h"

#include <string.h>

#define AGENTS     10
#define TICKS      12
#define PROFILES   4
#define BOXES      3
#define WIDTHS     4
#define CANDIDATES 256 /* more than the room has triangles: the sanitizers fill what is allocated */

typedef struct CrowdInput
{
    Vector half; /* of the room, around (0, half.y, 0) */
    Soup soup;
    sidle_profile profiles[PROFILES];
    uint32_t agent_count, tick_count;
    uint32_t max_moves; /* of the present tick; 0: all move */
    float dt;
    sidle_move moves[AGENTS];
    sidle_vec3 speeds[AGENTS];
} CrowdInput;

/* ---- the input ---- */

static double between(Input *input, double low, double high)
{
    return low + (high - low) * (input_within(input, 1) + 1) / 2;
}

static void decode_profile(Input *input, sidle_profile *profile)
{
    static const float comforts[4] = {0, -1, .5f, 1}, pushes[4] = {0, 1, 30, 7.5f};
    uint32_t how = input_byte(input);
    double radius = between(input, .1, .7), height = between(input, .1, 1.2);
    *profile = (sidle_profile){.size = sizeof *profile,
                               .shape = {.radii = {(float)radius, (float)height, (float)radius}},
                               .mode = how % 8 < 6 ? SIDLE_WALK : how % 8 - 5,
                               .flags = how % 8 == 5 ? SIDLE_PROFILE_STANDS_ON_AGENTS : 0,
                               .comfort = comforts[how / 8 % 4],
                               .recovery_speed = pushes[how / 32 % 4]};
    if (how & 128)
    {
        profile->shape.radii.z = (float)between(input, .1, .7);
        profile->shape.half_height = (float)fabs(input_within(input, 1));
    }
}

static void decode_room(Input *input, CrowdInput *out)
{
    out->half = vector(between(input, 1, 5), 2.5, between(input, 1, 5));
    Vector low = vector(-out->half.x, 0, -out->half.z), high = vector(out->half.x, 5, out->half.z);
    soup_box(&out->soup, low, high);
    for (uint32_t count = input_below(input, BOXES + 1); count > 0; --count)
    {
        Vector a = input_vector(input, 4), size = input_vector(input, 2);
        a.y = -.1;
        soup_box(&out->soup, a,
                 vector(a.x + fabs(size.x) + .05, fabs(size.y) + .05, a.z + fabs(size.z) + .05));
    }
}

static Vector decode_place(Input *input, const CrowdInput *out, const sidle_shape *shape)
{
    double wide = (double)fmaxf(shape->radii.x, shape->radii.z),
           high = (double)(shape->radii.y + shape->half_height);
    Vector place = vector_times(input_vector(input, 1), vector(out->half.x - wide, 1, out->half.z - wide));
    place.y = 1.03 * high + fmax(place.y, 0) * fmax(4.9 - 2.1 * high, 0);
    return place;
}

static void decode_agent(Input *input, CrowdInput *out, uint32_t i)
{
    static const float masses[8] = {0, 1, 100, INFINITY, .01f, 0, 0, 1e30f};
    uint32_t how = input_byte(input), which = input_byte(input);
    sidle_move *move = &out->moves[i];
    *move = (sidle_move){.id = i * 7 + 1, .profile = how % PROFILES, .mass = masses[how / 4 % 8]};
    Vector place = decode_place(input, out, &out->profiles[move->profile].shape);
    move->body.center = (sidle_position){place.x, place.y, place.z};
    move->group = which % 8 == 7 ? 1 : 0;
    move->flags = which % 32 == 31 ? SIDLE_MOVE_NO_AGENTS : 0;
    move->member_of = which / 32 % 4 == 3 ? 1 : 0;
    move->collides_with_agents = which / 32 == 7 ? 2 : 0;
    if (how & 128)
    {
        float turn = (float)input_within(input, 1);
        move->rotation = (sidle_quat){0, turn, 0, 1};
    }
    if (how & 64)
    {
        Vector tilt = input_vector(input, 1);
        move->rotation.x = (float)tilt.x;
        move->rotation.z = (float)tilt.z;
        move->rotation.w = 1;
    }
    static const float intervals[4] = {0, 0, .05f, .2f};
    move->interval = intervals[which / 8 % 4];
}

/* Returns the rest of the input, which changes wishes and places: see change. */
static Input decode(const uint8_t *data, size_t size, CrowdInput *out)
{
    static const float rates[4] = {60, 30, 240, 10};
    Input input = input_of(data, size);
    *out = (CrowdInput){.dt = 1 / rates[input_below(&input, 4)]};
    decode_room(&input, out);
    for (uint32_t i = 0; i < PROFILES; ++i)
    {
        decode_profile(&input, &out->profiles[i]);
    }
    out->agent_count = 2 + input_below(&input, AGENTS - 1);
    out->tick_count = 1 + input_below(&input, TICKS);
    for (uint32_t i = 0; i < out->agent_count; ++i)
    {
        decode_agent(&input, out, i);
        Vector v = input_vector(&input, 30);
        out->speeds[i] = (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
    }
    return input;
}

/* ---- the world ---- */

typedef struct Room
{
    CrowdInput in;
    Input rest;
    Scene scene;
    sidle_crowd *crowds[WIDTHS];
    uint32_t crowd_count;
    Level level; /* the memory of the grid */
    CheckGrid *grid;
} Room;

static void open_room(Room *room)
{
    const uint32_t widths[WIDTHS] = {1, 4, 8, 16};
    SceneOptions options = walking_ball();
    options.profile = room->in.profiles[0];
    room->scene = scene_of(room->in.soup, options);
    room->grid = leak_grid(&room->in.soup, &room->level);
    for (uint32_t i = 0; i < WIDTHS; ++i)
    {
        sidle_crowd_desc desc = {.size = sizeof desc,
                                 .profiles = room->in.profiles,
                                 .profile_count = PROFILES,
                                 .max_candidates = CANDIDATES,
                                 .lanes = widths[i]};
        if (sidle_cast_lanes(widths[i]))
        {
            demand(sidle_crowd_create(&desc, NULL, &room->crowds[room->crowd_count]), "sidle_crowd_create");
            room->crowd_count += 1;
        }
    }
}

static void close_room(Room *room)
{
    for (uint32_t i = 0; i < room->crowd_count; ++i)
    {
        sidle_crowd_destroy(room->crowds[i]);
    }
    check_destroy(room->grid);
    level_free(&room->level);
    scene_close(&room->scene);
}

static sidle_tick_desc desc_of(const Room *room, const sidle_move *moves, sidle_result *results)
{
    return (sidle_tick_desc){.size = sizeof(sidle_tick_desc),
                             .snapshot = room->scene.snapshot,
                             .dt = room->in.dt,
                             .moves = moves,
                             .count = room->in.agent_count,
                             .results = results,
                             .flags = SIDLE_TICK_AGENTS_COLLIDE,
                             .max_moves = room->in.max_moves};
}

static void tick(const Room *room, uint32_t crowd, sidle_stats *stats, const sidle_move *moves,
                 sidle_result *results)
{
    sidle_contact contacts[AGENTS * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t contact_count;
    sidle_tick_desc desc = desc_of(room, moves, results);
    desc.contacts = contacts;
    desc.contact_capacity = AGENTS * SIDLE_MAX_AGENT_CONTACTS;
    desc.contact_count = &contact_count;
    desc.stats = stats;
    demand(sidle_crowd_tick(room->crowds[crowd], &desc), "sidle_crowd_tick");
}

/* ---- checks ---- */

static bool is_in_room(const Room *room, Vector c)
{
    return fabs(c.x) < room->in.half.x && fabs(c.z) < room->in.half.z && c.y > 0 && c.y < 5;
}

static void check_alone(const Room *room, const sidle_move *move, const sidle_result *result)
{
    Vector from = checked_center(&move->body), to = checked_center(&result->body);
    sidle_vec3 v = result->body.velocity;
    fuzz_demand(vector_is_finite(to), "a centre is not finite");
    fuzz_demand(vector_is_finite(vector((double)v.x, (double)v.y, (double)v.z)), "a velocity is not finite");
    fuzz_demand(!(result->reasons & SIDLE_REASON_INVALID), "a good agent is refused");
    fuzz_demand(!is_in_room(room, from) || is_in_room(room, to), "out of the room");
    if (result->reasons & SIDLE_REASON_DEFERRED)
    {
        fuzz_demand(memcmp(&move->body.center, &result->body.center, sizeof result->body.center) == 0,
                    "a deferred agent moves");
        fuzz_demand(result->body.waited > move->body.waited, "a deferred agent has not waited");
    }
}

static void check_together(const Room *room, const sidle_move *moves, sidle_result *results)
{
    sidle_tick_desc desc = desc_of(room, moves, results);
    TickCheck check = {room->crowds[0], &desc, room->in.profiles, &room->in.soup, room->grid};
    pairs_check(&check);
    energy_check(&check);
    leak_check(&check);
}

static bool same_result(const sidle_result *a, const sidle_result *b)
{
    return same_body(&a->body, &b->body) && a->reasons == b->reasons && a->contact_count == b->contact_count;
}

/* At every width, and with the arrays reversed. */
static void compare(const Room *room, const sidle_move *moves, const sidle_result *results)
{
    uint32_t count = room->in.agent_count;
    sidle_move reversed[AGENTS];
    sidle_result other[AGENTS];
    sidle_stats stats = {.size = sizeof stats};
    for (uint32_t crowd = 1; crowd < room->crowd_count; ++crowd)
    {
        tick(room, crowd, NULL, moves, other);
        for (uint32_t i = 0; i < count; ++i)
        {
            fuzz_demand(same_result(&results[i], &other[i]), "another width, another end");
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        reversed[i] = moves[count - 1 - i];
    }
    tick(room, 0, &stats, reversed, other);
    for (uint32_t i = 0; i < count; ++i)
    {
        fuzz_demand(same_result(&results[i], &other[count - 1 - i]),
                    "another order, or statistics, another end");
    }
}

/* ---- runs ---- */

/* Each tick may have a budget, give an agent another wish, or put it somewhere else. */
static void change(Room *room)
{
    uint32_t budget = input_below(&room->rest, 2 * AGENTS);
    room->in.max_moves = budget < room->in.agent_count ? budget : 0;
    for (uint32_t how = input_byte(&room->rest); how != 0; how = input_byte(&room->rest))
    {
        uint32_t i = how % AGENTS % room->in.agent_count;
        sidle_move *move = &room->in.moves[i];
        if (how & 128)
        {
            Vector place = decode_place(&room->rest, &room->in, &room->in.profiles[move->profile].shape);
            move->body = (sidle_body){.center = {place.x, place.y, place.z}};
        }
        else
        {
            Vector v = input_vector(&room->rest, 30);
            room->in.speeds[i] = (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
        }
    }
    for (uint32_t i = 0; i < room->in.agent_count; ++i)
    {
        sidle_vec3 v = room->in.speeds[i];
        float dt = room->in.dt;
        room->in.moves[i].displacement = (sidle_vec3){v.x * dt, v.y * dt, v.z * dt};
    }
}

static void step(Room *room)
{
    sidle_result results[AGENTS];
    sidle_move *moves = room->in.moves;
    sidle_steer_desc steering = {
        .snapshot = room->scene.snapshot, .dt = room->in.dt, .count = room->in.agent_count};
    change(room);
    steer_checked(&room->rest, steering, room->crowds, room->crowd_count, moves);
    tick(room, 0, NULL, moves, results);
    for (uint32_t i = 0; i < room->in.agent_count; ++i)
    {
        check_alone(room, &moves[i], &results[i]);
    }
    check_together(room, moves, results);
    compare(room, moves, results);
    for (uint32_t i = 0; i < room->in.agent_count; ++i)
    {
        moves[i].body = results[i].body;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Room room = {.crowd_count = 0};
    room.rest = decode(data, size, &room.in);
    open_room(&room);
    for (uint32_t i = 0; i < room.in.tick_count; ++i)
    {
        step(&room);
    }
    close_room(&room);
    return 0;
}
