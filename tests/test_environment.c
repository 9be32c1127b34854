/* Whatever floating-point environment a host thread runs with: no call of the library answers otherwise by a bit, none
 * raises a signal, and all leave the environment as it was. */
#include "support/host.h"
#include "support/schedulers.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AGENTS 150
#define TICKS  12

typedef struct Host
{
    uint32_t modes, changed; /* calls that left another environment */
    uint64_t hash;           /* of all that was answered */
} Host;

/* One call of the library in the host's environment, and nothing else. */
#define CALL(host, status, call)                                                                             \
    do                                                                                                       \
    {                                                                                                        \
        host_enter((host)->modes);                                                                           \
        (status) = (call);                                                                                   \
        (host)->changed += !host_leave((host)->modes);                                                       \
    }                                                                                                        \
    while (0)

static void mix(Host *host, const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t index = 0; index < size; ++index)
    {
        host->hash = (host->hash ^ bytes[index]) * 0x100000001B3u;
    }
}

/* Who says for every mode how often something runs: modes are left out where a processor has none. */
static void expect_the_same_everywhere(void (*run)(Host *host))
{
    const uint32_t modes[] = {HOST_FLUSHES, HOST_ROUNDS_UP, HOST_ROUNDS_DOWN,
                              HOST_CHOPS,   HOST_TRAPS,     HOST_FLUSHES | HOST_ROUNDS_UP | HOST_TRAPS};
    Host plain = {.modes = HOST_PLAIN};
    run(&plain);
    cr_expect_eq(plain.changed, 0);
    for (size_t index = 0; index < sizeof modes / sizeof *modes; ++index)
    {
        if (!host_has(modes[index]))
        {
            printf("modes %u: not on this processor\n", modes[index]);
            continue;
        }
        Host host = {.modes = modes[index]};
        run(&host);
        cr_expect(host.hash == plain.hash, "modes %u: other bits", modes[index]);
        cr_expect_eq(host.changed, 0, "modes %u: %u calls leave another environment", modes[index],
                     host.changed);
    }
}

/* ---- ticks ---- */

static sidle_status tick_as_tasks(Host *host, sidle_crowd *crowd, const sidle_tick_desc *tick)
{
    sidle_work work;
    sidle_status status;
    CALL(host, status, sidle_crowd_tick_begin(crowd, tick, 3, &work));
    for (uint32_t phase = 0; status == SIDLE_OK && phase < sidle_work_phase_count(&work); ++phase)
    {
        for (uint32_t task = sidle_work_task_count(&work, phase); task-- > 0;)
        {
            host_enter(host->modes);
            sidle_work_run(&work, phase, task, task % 3);
            host->changed += !host_leave(host->modes);
        }
    }
    demand(status, "sidle_crowd_tick_begin");
    CALL(host, status, sidle_crowd_tick_end(crowd, &work));
    return status;
}

/* Jobs that are started by a thread with the host's environment, and so inherit it. */
static void run_ticks(Host *host, const sidle_jobs *jobs, bool as_tasks)
{
    Scene level = troop_level();
    Troop troop = troop_of(AGENTS);
    sidle_profile profiles[3] = {flying_ball().profile, sliding_ball().profile, walking_ball().profile};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 3};
    sidle_crowd *crowd = NULL;
    sidle_status status;
    CALL(host, status, sidle_crowd_create(&desc, NULL, &crowd));
    demand(status, "sidle_crowd_create");
    for (uint32_t index = 0; index < troop.count; ++index)
    {
        troop.moves[index].profile %= 3;
    }
    troop.moves[1].profile = 0; /* far from everything, where denormals are all there is */
    troop.moves[1].body.center = (sidle_position){1000, 0, 0};
    for (uint32_t number = 0; number < TICKS; ++number)
    {
        sidle_tick_desc tick = troop_tick(&troop, &level, number);
        troop.moves[0].displacement = (sidle_vec3){NAN, 1, 1};            /* bad numbers are an answer */
        troop.moves[1].displacement = (sidle_vec3){0.05f, 1e-40f, 0};     /* denormals are numbers */
        troop.moves[2].displacement = (sidle_vec3){3e38f, -3e38f, 3e38f}; /* and so are these */
        tick.jobs = jobs;
        if (as_tasks)
        {
            status = tick_as_tasks(host, crowd, &tick);
        }
        else
        {
            CALL(host, status, sidle_crowd_tick(crowd, &tick));
        }
        demand(status, "a tick");
        troop_take(&troop);
    }
    mix(host, &troop.history, sizeof troop.history);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

static void run_on_this_thread(Host *host)
{
    run_ticks(host, NULL, false);
}

static void run_on_threads_of_the_host(Host *host)
{
    Scheduler scheduler;
    scheduler_set(&scheduler, SCHEDULER_THREADS, 3);
    run_ticks(host, &scheduler.jobs, false);
}

static void run_on_a_pool(Host *host)
{
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    sidle_status status;
    CALL(host, status, sidle_pool_create(&desc, NULL, &pool));
    demand(status, "sidle_pool_create");
    run_ticks(host, sidle_pool_jobs(pool), false);
    sidle_pool_destroy(pool);
}

static void run_as_tasks(Host *host)
{
    run_ticks(host, NULL, true);
}

Test(environment, of_this_thread_changes_no_bit_of_a_tick)
{
    expect_the_same_everywhere(run_on_this_thread);
}

Test(environment, of_the_host_s_own_jobs_changes_no_bit_of_a_tick)
{
    expect_the_same_everywhere(run_on_threads_of_the_host);
}

Test(environment, that_a_pool_was_made_in_changes_no_bit_of_a_tick)
{
    expect_the_same_everywhere(run_on_a_pool);
}

Test(environment, of_tasks_changes_no_bit_of_a_tick)
{
    expect_the_same_everywhere(run_as_tasks);
}

/* ---- meshes ---- */

static sidle_mesh_desc desc_of(const Soup *soup)
{
    return (sidle_mesh_desc){.size = sizeof(sidle_mesh_desc),
                             .vertices_d = &soup->triangles[0].v[0].x,
                             .vertex_count = (uint32_t)(3 * soup->count),
                             .triangle_count = (uint32_t)soup->count};
}

static sidle_status bake_as_tasks(Host *host, const sidle_mesh_desc *desc, sidle_mesh **mesh)
{
    sidle_work work;
    sidle_status status;
    CALL(host, status, sidle_mesh_create_begin(desc, 2, NULL, &work));
    demand(status, "sidle_mesh_create_begin");
    host_enter(host->modes);
    sidle_work_execute(&work, NULL);
    host->changed += !host_leave(host->modes);
    CALL(host, status, sidle_mesh_create_end(&work, mesh));
    return status;
}

/* Baked in one of three ways, saved, opened again and asked. */
static void run_bake(Host *host, const Soup *soup, int way)
{
    static _Alignas(16) unsigned char bytes[1 << 20];
    sidle_mesh_desc desc = desc_of(soup);
    sidle_mesh *mesh = NULL, *opened = NULL;
    Scheduler scheduler;
    sidle_status status;
    size_t count = 0;
    scheduler_set(&scheduler, SCHEDULER_THREADS, 3);
    if (way == 2)
    {
        status = bake_as_tasks(host, &desc, &mesh);
    }
    else
    {
        CALL(host, status, sidle_mesh_create(&desc, way == 1 ? &scheduler.jobs : NULL, NULL, &mesh));
    }
    demand(status, "a bake");
    CALL(host, status, sidle_mesh_save(mesh, bytes, sizeof bytes, &count));
    demand(status, "sidle_mesh_save");
    mix(host, bytes, count);
    sidle_blob_desc blob = {.size = sizeof blob, .bytes = bytes, .byte_count = count};
    CALL(host, status, sidle_mesh_open(&blob, NULL, &opened));
    demand(status, "sidle_mesh_open");
    sidle_mesh_info info = {.size = sizeof info};
    CALL(host, status, sidle_mesh_get_info(opened, &info));
    mix(host, &info, sizeof info);
    sidle_triangle triangles[64];
    CALL(host, status, sidle_mesh_get_triangles(opened, 3, 64, triangles));
    mix(host, triangles, sizeof triangles);
    sidle_mesh_release(opened);
    sidle_mesh_release(mesh);
}

static void run_bakes(Host *host)
{
    Scene level = troop_level();
    Soup soup = soup_copy(&level.soup);
    soup_stretch(&soup, vector(1e3, 1e3, 1e3)); /* floats round */
    for (int way = 0; way < 3; ++way)
    {
        run_bake(host, &soup, way);
    }
    soup_free(&soup);
    scene_close(&level);
}

Test(environment, changes_no_byte_of_a_mesh)
{
    expect_the_same_everywhere(run_bakes);
}
