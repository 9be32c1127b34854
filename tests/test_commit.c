/* Commits through jobs: the same epoch from every schedule, and nothing done if nothing has changed. */
#include "support/heap.h"
#include "support/scene.h"
#include "support/schedulers.h"
#include "world/tree.h"

#include <criterion/criterion.h>

#include <string.h>

#define MANY 5000 /* enough for jobs */
#define FEW  100

static sidle_mesh *square(const sidle_allocator *allocator)
{
    const float corners[] = {-1, 0, -1, -1, .5f, 1, 1, 0, 1, 1, .25f, -1};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    sidle_mesh_desc desc = {
        .size = sizeof desc, .vertices_f = corners, .vertex_count = 4, .triangle_count = 2};
    desc.indices = indices;
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, allocator, &mesh), "sidle_mesh_create");
    return mesh;
}

static sidle_pose random_pose(Random *random)
{
    sidle_pose pose = {.position = {random_between(random, -5e4, 5e4), random_between(random, -30, 30),
                                    random_between(random, 1e5, 2e5)}};
    pose.rotation =
        (sidle_quat){0, (float)random_between(random, -1, 1), 0, (float)random_between(random, .1, 1)};
    return pose;
}

/* Placed at random: a tenth removed again, a tenth in motion. */
static sidle_world *make_world(sidle_mesh *mesh, uint32_t count, const sidle_allocator *allocator)
{
    Random random = random_seeded(77);
    sidle_world *world = NULL;
    demand(sidle_world_create(NULL, allocator, &world), "sidle_world_create");
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_instance_desc desc = {
            .size = sizeof desc, .mesh = mesh, .key = i, .pose = random_pose(&random)};
        sidle_instance id;
        demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
        if (i % 10 == 3)
        {
            sidle_pose to = desc.pose;
            to.position.y += 1;
            demand(sidle_world_move(world, id, &desc.pose, &to), "sidle_world_move");
        }
        if (i % 10 == 7)
        {
            demand(sidle_world_remove(world, id), "sidle_world_remove");
            i += i % 20 == 7; /* the next one takes the slot in half of the cases */
        }
    }
    return world;
}

static sidle_snapshot *snapshot_of(sidle_world *world)
{
    sidle_snapshot *snapshot = NULL;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    return snapshot;
}

static void expect_same_epoch(const sidle_snapshot *a, const sidle_snapshot *b, const char *what)
{
    cr_assert(a->placed_count == b->placed_count && a->present_count == b->present_count, "%s", what);
    cr_assert(a->moving_count == b->moving_count && a->mesh_bytes == b->mesh_bytes, "%s", what);
    uint32_t node_count = a->blocks[2]->used;
    cr_assert(a->root == b->root && node_count == b->blocks[2]->used, "%s", what);
    cr_expect_eq(memcmp(a->nodes, b->nodes, node_count * sizeof(NumberedNode)), 0, "%s", what);
    cr_expect(memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 && a->doubt == b->doubt, "%s", what);
    for (uint32_t i = 0; i < a->placed_count; ++i)
    {
        const Placed *p = snapshot_placed(a, i), *q = snapshot_placed(b, i);
        cr_assert(p->mesh == q->mesh && p->key == q->key && p->moves == q->moves, "%s: slot %u", what, i);
        cr_assert(!p->mesh || memcmp(&p->linear, &q->linear, sizeof p->linear) == 0, "%s: slot %u", what, i);
    }
}

/* ---- schedules ---- */

Test(commit, every_schedule_makes_the_same_epoch)
{
    sidle_mesh *mesh = square(NULL);
    sidle_world *alone = make_world(mesh, MANY, NULL);
    demand(sidle_world_commit(alone, NULL), "sidle_world_commit");
    sidle_snapshot *expected = snapshot_of(alone);
    cr_expect(expected->moving_count == MANY / 10 && expected->present_count > MANY / 2);
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        for (uint32_t workers = 1; workers <= 7; workers += 3)
        {
            Scheduler scheduler;
            scheduler_set(&scheduler, (SchedulerOrder)order, workers);
            sidle_world *world = make_world(mesh, MANY, NULL);
            cr_expect_eq(sidle_world_commit(world, &scheduler.jobs), SIDLE_OK);
            sidle_snapshot *snapshot = snapshot_of(world);
            expect_same_epoch(expected, snapshot, "a schedule");
            sidle_snapshot_release(snapshot);
            sidle_world_destroy(world);
        }
    }
    sidle_snapshot_release(expected);
    sidle_world_destroy(alone);
    sidle_mesh_release(mesh);
}

typedef enum Habit
{
    ALL_ONCE,
    LAST_SKIPPED,
    FIRST_TWICE
} Habit;

/* A parallel loop on one thread; the one of this number is run wrongly. */
typedef struct Loops
{
    int count, wrong;
    Habit habit;
} Loops;

static void loop(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                 void *context)
{
    (void)name, (void)grain;
    Loops *loops = user;
    bool is_wrong = loops->count++ == loops->wrong;
    fn(context, 0, count - (is_wrong && loops->habit == LAST_SKIPPED), 0);
    if (is_wrong && loops->habit == FIRST_TWICE)
    {
        fn(context, 0, 1, 0);
    }
}

Test(commit, few_instances_are_prepared_on_the_calling_thread)
{
    sidle_mesh *mesh = square(NULL);
    Loops few = {.wrong = -1}, many = few;
    sidle_jobs jobs = {.size = sizeof jobs, .parallel_for = loop, .user = &few, .worker_count = 4};
    sidle_world *small = make_world(mesh, FEW, NULL), *large = make_world(mesh, MANY, NULL);
    cr_expect_eq(sidle_world_commit(small, &jobs), SIDLE_OK);
    cr_expect_eq(few.count, 0);
    jobs.user = &many;
    cr_expect_eq(sidle_world_commit(large, &jobs), SIDLE_OK);
    cr_expect_eq(many.count, 3, "bounds, boxes and subtrees");
    sidle_world_destroy(small);
    sidle_world_destroy(large);
    sidle_mesh_release(mesh);
}

Test(commit, a_task_that_has_not_run_once_is_a_status_and_the_changes_are_kept)
{
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_mesh *mesh = square(&allocator);
    for (int wrong = 0; wrong < 3; ++wrong)
    {
        for (Habit habit = LAST_SKIPPED; habit <= FIRST_TWICE; ++habit)
        {
            sidle_world *world = make_world(mesh, MANY, &allocator);
            Loops loops = {.wrong = wrong, .habit = habit};
            const sidle_jobs jobs = {
                .size = sizeof jobs, .parallel_for = loop, .user = &loops, .worker_count = 4};
            cr_expect_eq(sidle_world_commit(world, &jobs), SIDLE_ERROR_INCOMPLETE, "loop %d, %d", wrong,
                         habit);
            size_t blocks = heap.blocks;
            loops.count = 0;
            cr_expect_eq(sidle_world_commit(world, &jobs), SIDLE_ERROR_INCOMPLETE, "loop %d, %d", wrong,
                         habit);
            cr_expect_eq(heap.blocks, blocks, "loop %d, %d", wrong, (int)habit);
            sidle_snapshot *snapshot = snapshot_of(world);
            cr_expect_eq(sidle_snapshot_epoch(snapshot), 0);
            sidle_snapshot_release(snapshot);
            cr_expect_eq(sidle_world_commit(world, NULL), SIDLE_OK);
            snapshot = snapshot_of(world);
            cr_expect_eq(sidle_snapshot_epoch(snapshot), 1);
            cr_expect_eq(snapshot->moving_count, MANY / 10, "the motion is kept");
            sidle_snapshot_release(snapshot);
            sidle_world_destroy(world);
        }
    }
    sidle_mesh_release(mesh);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
}

typedef struct Trial
{
    sidle_world *world;
    const sidle_jobs *jobs;
} Trial;

static sidle_status commit_once(const sidle_allocator *allocator, void *context)
{
    sidle_mesh *mesh = square(NULL);
    sidle_world *world = NULL;
    Trial *trial = context;
    sidle_status status = sidle_world_create(NULL, allocator, &world);
    for (uint32_t i = 0; status == SIDLE_OK && i < 2500; ++i)
    {
        sidle_instance id;
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose.position.x = i};
        status = sidle_world_add(world, &desc, &id);
    }
    status = status == SIDLE_OK ? sidle_world_commit(world, trial->jobs) : status;
    sidle_world_destroy(world);
    sidle_mesh_release(mesh);
    return status;
}

Test(commit, memory_that_runs_out_in_jobs_is_a_status)
{
    Heap heap = {0};
    Scheduler scheduler;
    scheduler_set(&scheduler, SCHEDULER_REVERSE, 3);
    Trial trial = {.jobs = &scheduler.jobs};
    HeapTrial tried = heap_try(&heap, commit_once, &trial);
    cr_expect_eq(tried.end, SIDLE_OK);
    cr_expect_gt(tried.failures, 14, "%zu", tried.failures);
    cr_expect(tried.wrong == 0 && tried.left == 0 && heap.wrong == 0 && heap.blocks == 0);
}

/* ---- nothing changed ---- */

static uint64_t epoch_after_commit(sidle_world *world)
{
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    sidle_snapshot *snapshot = snapshot_of(world);
    uint64_t epoch = sidle_snapshot_epoch(snapshot);
    sidle_snapshot_release(snapshot);
    return epoch;
}

Test(commit, a_world_without_changes_keeps_its_epoch)
{
    sidle_mesh *mesh = square(NULL);
    sidle_world *world = NULL;
    sidle_instance id;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose.position = {1, 2, 3}};
    sidle_pose there = {.position = {4, 2, 3}}, large = there;
    large.scale = (sidle_vec3){2, 2, 2};
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    cr_expect_eq(epoch_after_commit(world), 1, "the first, of nothing");
    cr_expect_eq(epoch_after_commit(world), 1);
    demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
    cr_expect_eq(epoch_after_commit(world), 2);
    cr_expect_eq(epoch_after_commit(world), 2);
    demand(sidle_world_teleport(world, id, &desc.pose), "sidle_world_teleport");
    cr_expect_eq(epoch_after_commit(world), 2, "it stands there");
    demand(sidle_world_teleport(world, id, &there), "sidle_world_teleport");
    cr_expect_eq(epoch_after_commit(world), 3, "elsewhere");
    demand(sidle_world_teleport(world, id, &large), "sidle_world_teleport");
    cr_expect_eq(epoch_after_commit(world), 4, "larger");
    demand(sidle_world_move(world, id, &large, &desc.pose), "sidle_world_move");
    cr_expect_eq(epoch_after_commit(world), 5, "in motion");
    cr_expect_eq(epoch_after_commit(world), 6, "it has arrived");
    cr_expect_eq(epoch_after_commit(world), 6);
    demand(sidle_world_move(world, id, &desc.pose, &there), "sidle_world_move");
    demand(sidle_world_teleport(world, id, &desc.pose), "sidle_world_teleport");
    cr_expect_eq(epoch_after_commit(world), 7, "a motion that is taken back counts as a change");
    cr_expect_eq(sidle_world_teleport(world, (sidle_instance){0, 0}, &there), SIDLE_ERROR_STALE);
    cr_expect_eq(epoch_after_commit(world), 7, "a refused call changes nothing");
    demand(sidle_world_remove(world, id), "sidle_world_remove");
    cr_expect_eq(epoch_after_commit(world), 8);
    cr_expect_eq(epoch_after_commit(world), 8);
    sidle_world_destroy(world);
    sidle_mesh_release(mesh);
}
