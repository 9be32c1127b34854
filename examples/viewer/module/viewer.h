/* The simulation behind the page: one level, one crowd, and what a person does to it.
 *
 * Threads: the page's thread calls the exported functions (EXPORT). A simulation thread runs the ticks on the library's
 * pool. Both hold `lock` while they use the run. Without threads the page calls viewer_pump, which does the simulation
 * thread's work.
 *
 * The files: level.c opens levels and crowds, clock.c decides when a tick is due, tick.c makes one, history.c keeps states
 * and returns to them, workers.c times the pool, draw.c fills the arrays that are drawn, cost.c counts sweeps, inspect.c answers what is under
 * the pointer and near an agent. pairs.c is for another page. */
#ifndef VIEWER_H
#define VIEWER_H

#include "tools/agents.h"
#include "tools/check.h"
#include "tools/crowd_run.h"
#include "tools/options.h"
#include "tools/scene.h"

#include <emscripten.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT EMSCRIPTEN_KEEPALIVE

#define HZ            60
#define NO_AGENT      UINT32_MAX
#define NEVER         UINT32_MAX
#define MESSAGE_BYTES 512
#define RECENT_TICKS  240 /* whose times the page shows */

enum ViewerState
{
    VIEWER_EMPTY,
    VIEWER_OPENING,
    VIEWER_READY,
    VIEWER_FAILED
};

/* A shape's index in Agents.shapes. */
enum ShapeIndex
{
    SHAPE_CROWD,
    SHAPE_ELLIPSOID,
    SHAPE_CAPSULE,
    SHAPE_BALL,
    SHAPE_COUNT
};

/* One agent after one tick. */
typedef struct Record
{
    sidle_body body;
    sidle_vec3 displacement; /* as it was asked for */
    uint32_t reasons;
    uint32_t profile;
    float impact_speed;
} Record;

/* The states of the last ticks. Those of tick t are in row t % capacity. */
typedef struct History
{
    Record *records;
    uint32_t capacity; /* rows */
    uint32_t count;    /* agents of a row */
    uint32_t oldest;
    atomic_uint newest; /* the page reads rows up to this one without the lock */
} History;

/* What the person at the page does to one agent. */
typedef struct Player
{
    uint32_t agent; /* NO_AGENT: none */
    uint32_t shape; /* ShapeIndex */
    float x, z;     /* horizontal velocity [m/s] */
    bool jumps;     /* at the next tick on which it stands on the ground */
} Player;

/* A platform that rises and sinks. Its height depends on the tick alone, so that returning to a tick moves it, too. */
typedef struct Lift
{
    sidle_mesh *mesh; /* NULL: no lift */
    sidle_instance instance;
    sidle_position foot;
} Lift;

typedef struct Viewer
{
    pthread_mutex_t lock;
    atomic_uint waiting; /* page calls that wait for the lock */

    /* The request of the page, taken by open_level. */
    struct
    {
        atomic_bool pending;
        char level[256];
        Level triangles; /* not empty: the level, instead of a file or a generator */
        uint32_t agents, seed, threads, mode, shape;
        bool collides, steers;
    } request;
    atomic_uint state; /* ViewerState */
    char message[MESSAGE_BYTES];

    Options options;
    Scene scene;
    CheckGrid *grid;
    Agents agents;
    CrowdRun run; /* run.tick counts the ticks that are done */
    sidle_contact *contacts;
    uint32_t contact_count, contact_capacity;
    bool all_contacts; /* of every agent, not only of the selected one */
    bool counts;       /* sidle_stats */
    uint32_t selected; /* agent; NO_AGENT: none */
    Player player;
    Lift lift;
    History history;
    float *headings; /* radians, by agent; of the drawing alone */

    /* clock.c */
    double pace; /* ticks a second; 0: paused */
    double due;  /* [s] of the next tick */
    uint32_t steps, stop_at;
    double tick_ms[RECENT_TICKS], tick_ends[RECENT_TICKS];
    uint32_t timed_ticks;
    double busy;       /* workers_share of the last ticks, smoothed */
    sidle_stats stats; /* of the last whole tick; zero while `counts` is not set */
} Viewer;

extern Viewer viewer;

/* For calls of the page. */
void viewer_lock(void);
void viewer_unlock(void);

/* level.c: on the simulation thread, with the lock. */
void level_open_requested(void);
void level_close(void);

/* tick.c: with the lock. */
bool tick_run(double *seconds);
void tick_rest_lift(void); /* where it is after run.tick ticks */

/* workers.c: the share of a tick in which the workers of the pool run; only while viewer.counts is set. */
const sidle_jobs *workers_timed(const sidle_jobs *jobs);
void workers_reset(void);
double workers_share(double seconds);

/* cost.c: sweeps by agent, at most MOST_SWEEPS; NULL without memory. Takes the lock. */
#define MOST_SWEEPS 9
const uint8_t *cost_of_agents(uint32_t tick);

/* history.c */
bool history_open(uint32_t agents);
void history_close(void);
void history_store(void); /* the run's states as those of run.tick */
const Record *history_row(uint32_t tick);

static inline sidle_shape shape_of(uint32_t profile)
{
    return viewer.agents.shapes[profile];
}

#endif
