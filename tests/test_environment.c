/* Whatever floating-point environment a host thread runs with: no call of the library answers otherwise by a
 * bit, none raises a signal, and all leave the environment as it was. */
#include "support/hash.h"
#include "support/host.h"
#include "support/schedulers.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AGENTS 150
#define TICKS  12

#ifdef __x86_64__
#define HAS_ALL_MODES 1
#else
#define HAS_ALL_MODES 0
#endif

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
    host->hash = hash_memory(host->hash, memory, size);
}

static void mix_status(Host *host, sidle_status status)
{
    mix(host, &status, sizeof status);
}

/* Counts the runs in every mode. A mode that the processor lacks is skipped. */
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
            cr_expect(!HAS_ALL_MODES);
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

/* Baked by one of three variants, saved, opened again and queried. */
static void run_bake(Host *host, const Soup *soup, int variant)
{
    static _Alignas(16) unsigned char bytes[1 << 20];
    sidle_mesh_desc desc = desc_of(soup);
    sidle_mesh *mesh = NULL, *opened = NULL;
    Scheduler scheduler;
    sidle_status status;
    size_t count = 0;
    scheduler_set(&scheduler, SCHEDULER_THREADS, 3);
    if (variant == 2)
    {
        status = bake_as_tasks(host, &desc, &mesh);
    }
    else
    {
        CALL(host, status, sidle_mesh_create(&desc, variant == 1 ? &scheduler.jobs : NULL, NULL, &mesh));
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
    for (int variant = 0; variant < 3; ++variant)
    {
        run_bake(host, &soup, variant);
    }
    soup_free(&soup);
    scene_close(&level);
}

Test(environment, changes_no_byte_of_a_mesh)
{
    expect_the_same_everywhere(run_bakes);
}

/* ---- worlds and casts ---- */

static const sidle_pose poses[3] = {{{0.1, 0.2, 0.3}, {0.1f, 0.7f, 0.05f, 1.3f}, {1.1f, 0.9f, 1.3f}},
                                    {{5.1, 0.4, -7.3}, {0.3f, -0.7f, 0.1f, 0.2f}, {1.1f, -0.9f, 1.3f}},
                                    {{-9.3, 1.7, 2.9}, {0, 0, 0, 0}, {0, 0, 0}}};

/* Placed, moved, put elsewhere and committed. */
static sidle_snapshot *build_world(Host *host, sidle_mesh *mesh, sidle_world **world)
{
    sidle_snapshot *snapshot = NULL;
    sidle_instance instances[3];
    Scheduler scheduler;
    sidle_status status;
    CALL(host, status, sidle_world_create(NULL, NULL, world));
    demand(status, "sidle_world_create");
    for (int index = 0; index < 3; ++index)
    {
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose = poses[index]};
        CALL(host, status, sidle_world_add(*world, &desc, &instances[index]));
        demand(status, "sidle_world_add");
    }
    CALL(host, status, sidle_world_commit(*world, NULL));
    demand(status, "sidle_world_commit");
    CALL(host, status, sidle_world_move(*world, instances[1], &poses[1], &poses[0]));
    demand(status, "sidle_world_move");
    CALL(host, status, sidle_world_teleport(*world, instances[0], &poses[2]));
    demand(status, "sidle_world_teleport");
    scheduler_set(&scheduler, SCHEDULER_THREADS, 3);
    CALL(host, status, sidle_world_commit(*world, &scheduler.jobs));
    demand(status, "sidle_world_commit");
    CALL(host, status, sidle_world_snapshot(*world, &snapshot));
    demand(status, "sidle_world_snapshot");
    return snapshot;
}

static void draw_casts(sidle_cast *casts, uint32_t count)
{
    Random random = random_seeded(77);
    for (uint32_t index = 0; index < count; ++index)
    {
        Vector from = random_in_box(&random, vector(-25, 1, -25), vector(25, 6, 25));
        Vector path = random_in_box(&random, vector(-5, -9, -5), vector(5, 0, 5));
        float radius = index % 3 == 0 ? 0.0f : (float)random_scale(&random, 1e-3, 1.0);
        casts[index] = (sidle_cast){.origin = {from.x, from.y, from.z},
                                    .displacement = {(float)path.x, (float)path.y, (float)path.z},
                                    .shape = {.radii = {radius, 2.0f * radius, radius}}};
    }
    casts[5].displacement.x = NAN;
    casts[7].displacement = (sidle_vec3){1e-40f, -1e-40f, 0};
}

static void run_casts(Host *host)
{
    enum
    {
        COUNT = 300
    };
    static sidle_cast casts[COUNT];
    static sidle_cast_hit hits[COUNT];
    Scene level = troop_level();
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = build_world(host, level.meshes[0], &world);
    Scheduler scheduler;
    sidle_status status;
    draw_casts(casts, COUNT);
    for (uint32_t index = 0; index < COUNT; ++index)
    {
        memset(&hits[index], 0, sizeof hits[index]);
        CALL(host, status, sidle_cast_closest(snapshot, 0.5f, &casts[index], &hits[index]));
        mix_status(host, status);
    }
    mix(host, hits, sizeof hits);
    scheduler_set(&scheduler, SCHEDULER_THREADS, 3);
    sidle_cast_batch_desc batch = {
        .size = sizeof batch, .snapshot = snapshot, .casts = casts, .count = COUNT, .hits = hits};
    for (int variant = 0; variant < 2; ++variant)
    {
        batch.jobs = variant == 0 ? NULL : &scheduler.jobs;
        CALL(host, status, sidle_cast_batch(&batch));
        mix_status(host, status);
        mix(host, hits, sizeof hits);
    }
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    scene_close(&level);
}

Test(environment, changes_no_bit_of_a_world_and_its_casts)
{
    expect_the_same_everywhere(run_casts);
}

/* ---- what is refused ---- */

/* A NaN is an answer, not a signal: comparing one is an exception where hosts trap. */
static void run_refusals(Host *host)
{
    Scene level = troop_level();
    sidle_profile bad = flying_ball().profile;
    sidle_crowd_desc crowd_desc = {.size = sizeof crowd_desc, .profiles = &bad, .profile_count = 1};
    sidle_crowd *crowd = NULL;
    sidle_status status;
    bad.shape.radii.y = NAN;
    CALL(host, status, sidle_crowd_create(&crowd_desc, NULL, &crowd));
    mix_status(host, status);
    bad = flying_ball().profile;
    bad.skin = NAN;
    CALL(host, status, sidle_crowd_create(&crowd_desc, NULL, &crowd));
    mix_status(host, status);
    Troop troop = troop_of(3);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    tick.dt = NAN;
    CALL(host, status, sidle_crowd_tick(level.crowd, &tick));
    mix_status(host, status);
    tick.dt = 1.0f;
    tick.motion_begin = NAN;
    CALL(host, status, sidle_crowd_tick(level.crowd, &tick));
    mix_status(host, status);
    sidle_instance_desc instance = {.size = sizeof instance, .mesh = level.meshes[0], .pose = poses[0]};
    sidle_instance unused;
    instance.pose.position.y = (double)NAN;
    CALL(host, status, sidle_world_add(level.world, &instance, &unused));
    mix_status(host, status);
    instance.pose = poses[1];
    instance.pose.scale.z = NAN;
    CALL(host, status, sidle_world_add(level.world, &instance, &unused));
    mix_status(host, status);
    CALL(host, status, sidle_world_teleport(level.world, level.instances[0], &instance.pose));
    mix_status(host, status);
    troop_free(&troop);
    scene_close(&level);
}

static void run_refused_meshes_and_casts(Host *host)
{
    Scene level = troop_level();
    sidle_mesh_desc mesh_desc = desc_of(&level.soup);
    sidle_mesh *mesh = NULL;
    sidle_status status;
    level.soup.triangles[9].v[1].z = (double)NAN;
    CALL(host, status, sidle_mesh_create(&mesh_desc, NULL, NULL, &mesh));
    mix_status(host, status);
    level.soup.triangles[9].v[1].z = 1e300;
    CALL(host, status, sidle_mesh_create(&mesh_desc, NULL, NULL, &mesh));
    mix_status(host, status);
    sidle_cast cast = {.displacement = {0, NAN, 0}};
    sidle_cast_hit hit = {0};
    CALL(host, status, sidle_cast_closest(level.snapshot, 0, &cast, &hit));
    mix_status(host, status);
    cast.displacement.y = 1;
    CALL(host, status, sidle_cast_closest(level.snapshot, NAN, &cast, &hit));
    mix_status(host, status);
    cast.shape.radii = (sidle_vec3){1, NAN, 1};
    CALL(host, status, sidle_cast_closest(level.snapshot, 0, &cast, &hit));
    mix_status(host, status);
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = level.snapshot,
                                   .motion_time = NAN,
                                   .casts = &cast,
                                   .count = 1,
                                   .hits = &hit};
    CALL(host, status, sidle_cast_batch(&batch));
    mix_status(host, status);
    scene_close(&level);
}

Test(environment, with_traps_raises_no_signal_for_refused_crowds_and_worlds)
{
    expect_the_same_everywhere(run_refusals);
}

Test(environment, with_traps_raises_no_signal_for_refused_meshes_and_casts)
{
    expect_the_same_everywhere(run_refused_meshes_and_casts);
}
