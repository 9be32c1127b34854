#include "crowd/steer.h"

#include "sidle/query.h"
#include "sidle/steer.h"

#include "base/fp_environment.h"
#include "crowd/contacts.h"
#include "crowd/course.h"
#include "jobs/loop.h"

#include <string.h>

/* Above 1: an agent in a throng steps aside and hardly falls back. With 1.2 two streams of 60 in 4 m take 25 s in place of 24. */
#define DEFAULT_MAX_SPEED 1.3

/* Share of the measured velocity in what a neighbour is expected to do. The rest is its preferred velocity, which a blocked
 * agent still has. */
#define MEASURED .9

/* Distance to the right at which a step aside needs ground [radii]. */
#define BESIDE 1.5

/* Part of the reach by which the box of an agent in the grid is larger than its shape. */
#define BOX_SHARE .05

enum
{
    DESCRIBE,
    SCAN,
    FILL,
    STEER,
    PHASE_COUNT
};

static const char *const phase_names[PHASE_COUNT] = {"sidle steer: describe", "sidle steer: scan",
                                                     "sidle steer: fill", "sidle steer: steer"};

/* 10 to 40 microseconds of work a task. */
static const uint32_t agents_per_task[PHASE_COUNT] = {256, UINT32_MAX, 1024, 16};

/* ---- an agent ---- */

/* Larger than the shape, so that a search finds agents far away in few cells. */
static Vec3 half_of(const Steering *steering, const Frame *frame, const Peer *peer)
{
    double margin = steering_reach(steering, peer) * BOX_SHARE;
    return vec3_add(vec3_add(frame->extent, frame->core_extent), vec3(margin, margin, margin));
}

static void set_preference(const Peer *peer, const sidle_move *move, double dt, Preference *own)
{
    Vec3 displacement = vec3_from(move->displacement), ground = vec3_from(move->body.carried_over);
    double along = vec3_dot(displacement, peer->shape->up);
    Vec3 preferred = vec3_scale(vec3_add_scaled(displacement, peer->shape->up, -along), 1 / dt);
    double speed = vec3_length(preferred);
    own->velocity = vec3_add(vec3_scale(vec3_from(move->body.velocity), MEASURED),
                             vec3_scale(vec3_add(preferred, ground), 1 - MEASURED));
    if (peer->inverse_mass > 0 && speed * dt >= SHORTEST_MOTION * peer->shape->least)
    {
        own->forward = vec3_scale(preferred, 1 / speed);
        own->right = vec3_cross(own->forward, peer->shape->up);
        own->ground = ground;
        own->speed = speed;
        own->along = along;
    }
}

static void describe(sidle_crowd *crowd, uint32_t agent, Candidates *candidates)
{
    const Tick *tick = &crowd->tick;
    Peer *peer = &tick->peers->list[agent];
    Preference *own = &tick->steering->preferences[agent];
    const sidle_move *move = tick_move(tick, agent);
    crowd->kernels->peer(crowd, candidates, move, NULL, peer);
    *own = (Preference){.speed = 0};
    if (peer->flags & PEER_COLLIDES)
    {
        peer->flags |= PEER_FLAT; /* walls count by their horizontal part */
        set_preference(peer, move, (double)tick->desc.dt, own);
        Vec3 half = half_of(tick->steering, &candidates->frame, peer);
        sidle_peers_enter(tick->peers, agent, half, peer->shape->height);
    }
}

static void take_row(const Steering *steering, uint32_t at, uint32_t row, Vec3 v)
{
    const double parts[3] = {v.x, v.y, v.z};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        steering->places[(row + axis) * steering->place_stride + at] = (float)parts[axis];
    }
}

/* What others read of an agent, once its place in the grid is known. */
static void take_place(const Steering *steering, uint32_t agent)
{
    const Peers *peers = steering->peers;
    const Peer *peer = &peers->list[agent];
    Preference *own = &steering->preferences[agent];
    uint32_t at = peer_place(peers, agent);
    own->place = at;
    if (at < peers->count)
    {
        Vec3 center = peer->center, square = square_of(center);
        take_row(steering, at, PLACE_SQUARE, square);
        take_row(steering, at, PLACE_REST, vec3_sub(center, square));
        take_row(steering, at, PLACE_VELOCITY, own->velocity);
        take_row(steering, at, PLACE_FORWARD, own->forward);
        float *one = steering->places + at;
        one[PLACE_RADIUS * steering->place_stride] = (float)(PERSONAL_SPACE * peer->shape->disc);
        one[PLACE_HEIGHT * steering->place_stride] = (float)peer->shape->height;
        steering->layers[at] = (WalkerLayers){peers->entries[at].row, peer->layers};
    }
}

static sidle_vec3 *displacement_of(const Tick *tick, uint32_t agent)
{
    return (sidle_vec3 *)((char *)tick->steering->out + agent * tick->steering->out_stride);
}

/* Shortens a step aside at walls and ledges. */
static Course keep_to_ground(sidle_crowd *crowd, uint32_t agent, Candidates *candidates, Course course)
{
    const Tick *tick = &crowd->tick;
    TriangleCache *cache = (TriangleCache *)crowd->caches.memory + agent;
    const sidle_move *move = tick_move(tick, agent);
    const Peer *peer = &tick->peers->list[agent];
    const Preference *own = &tick->steering->preferences[agent];
    double away = lesser(course.aside * own->speed * WALL_TIME, STEER_WALL_REACH * peer->shape->least);
    Vec3 aside = vec3_scale(own->right, away);
    Vec3 beside = vec3_scale(own->right, BESIDE * peer->shape->disc);
    PeerWall walls[PEER_WALLS];
    uint32_t count = crowd->kernels->walls(crowd, candidates, move, peer, 0, aside, cache, walls);
    course = keep_from_walls(own, course, walls, count);
    if (course.aside > 0 && !crowd->kernels->ground_beside(crowd, candidates, move, peer, beside, cache))
    {
        course.aside = 0;
    }
    return course;
}

/* Ids that are counted up take turns. */
static bool has_turn(const Tick *tick, uint32_t agent)
{
    const Steering *steering = tick->steering;
    return steering->period <= 1 || /* mutant: all_in_turn */
           (id_mix(tick_move(tick, agent)->id) >> 32) % steering->period == steering->turn % steering->period;
}

/* Reads no displacement, as those may be the ones that are written. */
static void steer(sidle_crowd *crowd, uint32_t agent, Candidates *candidates)
{
    const Tick *tick = &crowd->tick;
    const Preference *own = &tick->steering->preferences[agent];
    if (own->speed == 0 || !has_turn(tick, agent))
    {
        return;
    }
    Course course;
    crowd->kernels->avoid(tick->steering, agent, &course);
    if (course.aside > 0)
    {
        course = keep_to_ground(crowd, agent, candidates, course);
        Vec3 velocity = velocity_of(tick->steering, agent, course);
        Vec3 displacement = vec3_scale(velocity, (double)tick->desc.dt);
        displacement = vec3_add_scaled(displacement, tick->peers->list[agent].shape->up, own->along);
        *displacement_of(tick, agent) = vec3_to_float(displacement);
    }
}

/* ---- phases ---- */

/* An array of its own starts as the moves have it, but for agents that wait for their turn. */
static void copy(const Tick *tick, uint32_t agent)
{
    bool waits = tick->steering->preferences[agent].speed > 0 && !has_turn(tick, agent);
    const sidle_vec3 *from = &tick_move(tick, agent)->displacement;
    sidle_vec3 *to = displacement_of(tick, agent);
    if (to != from && !waits)
    {
        *to = *from;
    }
}

/* Prefetches what searches for walls around the next agents read. */
FORCE_INLINE void prefetch_ahead(const sidle_crowd *crowd, uint32_t agent, uint32_t end)
{
    const TriangleCache *caches = crowd->caches.memory;
    if (agent + 2 < end && has_turn(&crowd->tick, agent + 2))
    {
        cache_prefetch_head(&caches[agent + 2]);
        __builtin_prefetch(&caches[agent + 2].clearing);
    }
    if (agent + 1 < end && has_turn(&crowd->tick, agent + 1))
    {
        cache_prefetch_triangles(&caches[agent + 1]);
    }
}

static void run_agents(sidle_crowd *crowd, uint32_t phase, uint32_t begin, uint32_t end, uint32_t worker)
{
    Candidates candidates;
    crowd_place_candidates(crowd, worker, &candidates);
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        if (phase == DESCRIBE)
        {
            describe(crowd, agent, &candidates);
            sidle_peers_count(crowd->tick.peers, begin, agent, end);
            copy(&crowd->tick, agent);
        }
        else
        {
            prefetch_ahead(crowd, agent, end);
            steer(crowd, agent, &candidates);
        }
    }
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    sidle_crowd *crowd = state;
    Peers *peers = crowd->tick.peers;
    uint32_t each = agents_per_task[phase], begin = task * each, end = task_end(task, each, peers->count);
    switch (phase)
    {
    case SCAN:
        sidle_peers_scan(peers);
        break;
    case FILL:
        sidle_peers_fill(peers, begin, end);
        for (uint32_t agent = begin; agent < end; ++agent)
        {
            take_place(crowd->tick.steering, agent);
        }
        break;
    default:
        run_agents(crowd, phase, begin, end, worker);
        break;
    }
}

/* ---- a call ---- */

/* Up to sixteen are read at a time, from any place on. */
static size_t place_stride(uint32_t count)
{
    return (size_t)count + 16;
}

/* A Steering, the grid, preferences, layers, places. */
static size_t steer_bytes(uint32_t count)
{
    return MEMORY_LINES(sizeof(Steering)) + sidle_peers_grid_bytes(count) +
           (size_t)count * (sizeof(Preference) + sizeof(WalkerLayers)) +
           PLACE_ROWS * place_stride(count) * sizeof(float);
}

static bool reserve(sidle_crowd *crowd, const sidle_steer_desc *desc, uint32_t worker_count)
{
    const sidle_allocator *allocator = &crowd->allocator;
    return sidle_scratch_reserve(&crowd->workers, allocator, worker_count, crowd->worker_bytes) &&
           sidle_scratch_reserve(&crowd->peers, allocator, steer_bytes(desc->count), 1) &&
           sidle_scratch_reserve(&crowd->caches, allocator, desc->count, sizeof(TriangleCache));
}

static void set_call(sidle_crowd *crowd, const sidle_steer_desc *desc, uint32_t worker_count)
{
    sidle_tick_desc times = {.snapshot = desc->snapshot,
                             .dt = desc->dt,
                             .moves = desc->moves,
                             .move_stride = desc->move_stride,
                             .count = desc->count};
    sidle_crowd_set_tick(crowd, &times, worker_count);
    Steering *steering = crowd->peers.memory;
    char *grid = (char *)steering + MEMORY_LINES(sizeof *steering);
    *steering =
        (Steering){.peers = sidle_peers_place_grid(desc->count, crowd->stretch, grid),
                   .preferences = (Preference *)(grid + sidle_peers_grid_bytes(desc->count)),
                   .place_stride = place_stride(desc->count),
                   .reach = (double)desc->reach,
                   .max_speed = desc->max_speed > 0 ? (double)desc->max_speed : DEFAULT_MAX_SPEED,
                   .period = desc->period,
                   .turn = desc->turn,
                   .out = desc->displacements,
                   .out_stride = desc->displacement_stride ? desc->displacement_stride : sizeof(sidle_vec3)};
    steering->layers = (WalkerLayers *)(steering->preferences + desc->count);
    steering->places = (float *)(steering->layers + desc->count);
    memset(steering->layers, 0, desc->count * sizeof *steering->layers); /* as the entries of the grid */
    crowd->tick.peers = steering->peers;
    crowd->tick.steering = steering;
}

static FP_BODY sidle_status begin(sidle_crowd *crowd, const sidle_steer_desc *desc, uint32_t worker_count,
                                  sidle_work *work)
{
    if (!crowd || !work)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = crowd->ticking ? SIDLE_ERROR_BUSY : sidle_steer_check(desc, worker_count);
    if (status != SIDLE_OK)
    {
        return status;
    }
    if (!reserve(crowd, desc, worker_count))
    {
        return SIDLE_ERROR_MEMORY;
    }
    set_call(crowd, desc, worker_count);
    crowd->ticking = true;
    *work = (sidle_work){.run = run,
                         .state = crowd,
                         .phase_names = phase_names,
                         .phase_count = PHASE_COUNT,
                         .worker_count = worker_count};
    for (uint32_t phase = 0; phase < PHASE_COUNT; ++phase)
    {
        work->task_count[phase] = phase == SCAN ? 1 : tasks_over(desc->count, agents_per_task[phase]);
    }
    sidle_work_begin(work);
    return SIDLE_OK;
}

sidle_status sidle_steer_begin(sidle_crowd *crowd, const sidle_steer_desc *desc, uint32_t worker_count,
                               sidle_work *work)
{
    FpEnvironment host = fp_enter();
    sidle_status status = begin(crowd, desc, worker_count, work);
    fp_leave(host);
    return status;
}

sidle_status sidle_steer_end(sidle_crowd *crowd, sidle_work *work)
{
    return sidle_crowd_tick_end(crowd, work);
}

sidle_status sidle_steer(sidle_crowd *crowd, const sidle_steer_desc *desc)
{
    sidle_work work;
    if (!desc || desc->size != sizeof *desc || !sidle_jobs_are_valid(desc->jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_steer_begin(crowd, desc, jobs_worker_count(desc->jobs), &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, desc->jobs);
    return sidle_steer_end(crowd, &work);
}
