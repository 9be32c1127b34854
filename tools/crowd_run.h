/* A crowd that wanders through a level: the ticks, which alone are timed, and what they are checked for. */
#ifndef SIDLE_TOOLS_CROWD_RUN_H
#define SIDLE_TOOLS_CROWD_RUN_H

#include "agents.h"
#include "check.h"
#include "crowd_leak.h"
#include "crowd_near.h"
#include "crowd_watch.h"
#include "scene.h"
#include "sidle/crowd.h"
#include "ticker.h"

#include <stdbool.h>
#include <stdint.h>

#define CROWD_GRAIN 256u /* agents worth a job */

typedef struct CrowdDesc
{
    const Scene *scene;
    const CheckGrid *grid;
    const Agents *agents;
    uint32_t ticks, hz, lanes, mode, jobs_level, budget, steer_period;
    bool shuffles, agents_collide, steers, wants_trails, wants_stats, watches;
    CaptureWish capture;
} CrowdDesc;

/* Where the agents were during the last seconds: `count` samples of all agents, the newest last. */
typedef struct Trails
{
    float *points; /* x, y, z from `origin` */
    sidle_position origin;
    uint32_t count, capacity, agents, interval, first_tick;
} Trails;

typedef struct CrowdTotals
{
    uint64_t agent_ticks;
    uint64_t grounded, blocked, stuck, truncated, invalid, leaked; /* agent-ticks */
    uint64_t penetrating, fell_out, overlapping;                   /* agents, at the end */
    uint64_t new_overlaps; /* pairs of agents that came to overlap; 0 if agents do not collide */
    uint64_t motionless;   /* crowd_watch.h; 0 without --watch-stuck */
    double seconds;        /* all ticks together */
    double tick_ms_p50, tick_ms_p99, tick_ms_max;
    double mean_rise, mean_path;
    uint64_t state_hash;
} CrowdTotals;

/* What one worker counts; a cache line of its own, since workers count at the same time. */
typedef struct Tally
{
    uint64_t grounded, blocked, stuck, truncated, invalid, suspects; /* agent-ticks */
    uint64_t penetrating, fell_out;                                  /* agents */
} Tally;
_Static_assert(sizeof(Tally) == 64, "a tally is a cache line");

#define MAX_NAMED_LEAKS 5

/* An agent passed through a triangle on its path between two places. */
typedef struct Leak
{
    uint32_t agent, tick;
    sidle_position from, to;
} Leak;

typedef struct CrowdRun
{
    CrowdDesc desc;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    Ticker ticker;
    sidle_move *moves;     /* in order of id */
    sidle_result *results; /* of the last tick, in the same order */
    sidle_vec3 *steered;   /* displacements, in the same order; kept between turns */
    double *paths, *tick_ms;
    ClearBall *clear_balls;      /* around each agent's place of some ticks ago */
    bool *is_suspect;            /* of each agent in this tick: its chord crosses a triangle */
    uint64_t leaked;             /* agent-ticks */
    Leak leaks[MAX_NAMED_LEAKS]; /* the first ones, by tick and agent */
    Tally *tallies;              /* one per worker */
    WatchedAgent *watched;       /* NULL: not wanted */
    NearAgents near;             /* of agents that collide */
    Trails trails;
    sidle_stats stats;
    uint32_t count, tick; /* agents; the tick in progress */
} CrowdRun;

/* The desc and all that it points to must stay unchanged until crowd_run_close. Call that also after a
 * failure. */
bool crowd_run_open(const CrowdDesc *desc, CrowdRun *run, char *message, int message_size);
bool crowd_run_ticks(CrowdRun *run, char *message, int message_size);
void crowd_run_total(CrowdRun *run, CrowdTotals *totals);
void crowd_run_close(CrowdRun *run);

/* The stages of one tick, for a caller that runs ticks of its own and counts run->tick: examples/viewer. crowd_run_wish
 * sets all displacements; `seconds` is the time that steering took. crowd_run_adopt turns results into states. */
sidle_status crowd_run_wish(CrowdRun *run, double *seconds);
sidle_tick_desc crowd_run_tick_desc(CrowdRun *run);
void crowd_run_adopt(CrowdRun *run);
/* Of the last results: state_hash of --json. */
uint64_t crowd_run_hash(const CrowdRun *run);

#endif
