/* The table of instances, from which commits make snapshots. */
#include "sidle/world.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"
#include "jobs/loop.h"
#include "world/pose.h"
#include "world/snapshot.h"

#include <string.h>

#define NO_SLOT UINT32_MAX

struct sidle_world
{
    sidle_allocator allocator;
    Placed *slots; /* free if mesh is NULL; the generation is kept so that old ids stay stale */
    uint32_t slot_count, slot_capacity;
    uint32_t first_free; /* of the free slots, chained by `next_free`; NO_SLOT: none */
    sidle_snapshot *current;
    uint64_t epoch;
    bool removed_at_rest; /* a resting instance was removed since the last commit */
    bool changed;         /* the next epoch differs from the current one, or is the first */
    sidle_error error;    /* of the last refused _add or _move */
};

/* The caller has entered the library's floating-point environment, since the matrices affect every result. */
static void place(Placed *placed, const sidle_pose *from, const sidle_pose *to)
{
    placed->from = *from;
    placed->to = *to;
    placed->from.rotation = sidle_pose_unit(from->rotation);
    placed->to.rotation = sidle_pose_unit(to->rotation);
    sidle_placed_set(placed, vec3_from_position(to->position), placed->to.rotation, sidle_pose_scale(to));
    placed->moves = !sidle_pose_same_place(&placed->from, &placed->to);
}

static Placed *find(sidle_world *world, sidle_instance id)
{
    bool alive = world && id.generation && id.index < world->slot_count &&
                 world->slots[id.index].generation == id.generation && world->slots[id.index].mesh;
    return alive ? &world->slots[id.index] : NULL;
}

static bool grow(sidle_world *world)
{
    uint32_t capacity = world->slot_capacity ? 2 * world->slot_capacity : 64;
    Placed *slots = sidle_memory_allocate(&world->allocator, capacity, sizeof *slots);
    if (!slots)
    {
        return false;
    }
    if (world->slot_count > 0)
    {
        memcpy(slots, world->slots, world->slot_count * sizeof *slots);
    }
    memset(slots + world->slot_count, 0, (capacity - world->slot_count) * sizeof *slots);
    sidle_memory_free(&world->allocator, world->slots, world->slot_capacity, sizeof *slots);
    world->slots = slots;
    world->slot_capacity = capacity;
    return true;
}

sidle_status sidle_world_create(const sidle_world_desc *desc, const sidle_allocator *allocator,
                                sidle_world **out)
{
    sidle_allocator chosen;
    if (!out || (desc && desc->size != sizeof *desc) || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_world *world = sidle_memory_allocate(&chosen, 1, sizeof *world);
    sidle_snapshot *empty = NULL;
    if (!world || sidle_snapshot_create(&chosen, 0, NULL, 0, 0, NULL, &empty) != SIDLE_OK)
    {
        sidle_memory_free(&chosen, world, 1, sizeof *world);
        return SIDLE_ERROR_MEMORY;
    }
    *world = (sidle_world){.allocator = chosen, .current = empty, .first_free = NO_SLOT, .changed = true};
    *out = world;
    return SIDLE_OK;
}

void sidle_world_destroy(sidle_world *world)
{
    if (!world)
    {
        return;
    }
    for (uint32_t i = 0; i < world->slot_count; ++i)
    {
        sidle_mesh_release(world->slots[i].mesh);
    }
    sidle_snapshot_release(world->current);
    sidle_allocator allocator = world->allocator;
    sidle_memory_free(&allocator, world->slots, world->slot_capacity, sizeof *world->slots);
    sidle_memory_free(&allocator, world, 1, sizeof *world);
}

static sidle_status check_desc(const sidle_instance_desc *desc, sidle_error *error)
{
    if (desc->size != sizeof *desc)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "size is %zu, but must be %zu", desc->size,
                                 sizeof *desc);
    }
    if (!desc->mesh)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "mesh is NULL");
    }
    if (desc->flags & ~(uint32_t)SIDLE_INSTANCE_AGENT)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "flags is %u, but must be from 0 to %u",
                                 desc->flags, (uint32_t)SIDLE_INSTANCE_AGENT);
    }
    return sidle_pose_check(&desc->pose, desc->mesh, "pose", error);
}

static FP_BODY sidle_status add(sidle_world *world, const sidle_instance_desc *desc, sidle_instance *out)
{
    if (!world || !desc || !out)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check_desc(desc, &world->error);
    if (status != SIDLE_OK)
    {
        return status;
    }
    uint32_t index = world->first_free != NO_SLOT ? world->first_free : world->slot_count;
    if (index >= SIDLE_MAX_INSTANCES)
    {
        return sidle_status_fail(&world->error, SIDLE_ERROR_LIMIT, index,
                                 "the world has %u instances, the most", SIDLE_MAX_INSTANCES);
    }
    if (index == world->slot_capacity && !grow(world))
    {
        return sidle_status_fail(&world->error, SIDLE_ERROR_MEMORY, index, NULL);
    }
    Placed *slot = &world->slots[index];
    world->first_free = index == world->slot_count ? NO_SLOT : slot->next_free;
    *slot = (Placed){.mesh = desc->mesh,
                     .key = desc->key,
                     .generation = slot->generation + 1,
                     .member_of = desc->member_of ? desc->member_of : 1,
                     .flags = desc->flags};
    place(slot, &desc->pose, &desc->pose);
    sidle_mesh_retain(desc->mesh);
    world->slot_count = index == world->slot_count ? index + 1 : world->slot_count;
    world->changed = true;
    *out = (sidle_instance){index, slot->generation};
    return SIDLE_OK;
}

sidle_status sidle_world_add(sidle_world *world, const sidle_instance_desc *desc, sidle_instance *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = add(world, desc, out);
    fp_leave(host);
    return status;
}

sidle_status sidle_world_remove(sidle_world *world, sidle_instance instance)
{
    Placed *slot = find(world, instance);
    if (!slot)
    {
        return world ? SIDLE_ERROR_STALE : SIDLE_ERROR_ARGUMENT;
    }
    sidle_mesh_release(slot->mesh);
    slot->mesh = NULL;
    world->changed = true;
    world->removed_at_rest = world->removed_at_rest || slot->rested;
    if (slot->generation < UINT32_MAX) /* a slot that has used all of its ids stays empty */
    {
        slot->next_free = world->first_free;
        world->first_free = instance.index;
    }
    return SIDLE_OK;
}

static FP_BODY sidle_status move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                 const sidle_pose *to)
{
    if (!world || !from || !to)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Placed *slot = find(world, instance);
    if (!slot)
    {
        return sidle_status_fail(
            &world->error, SIDLE_ERROR_STALE, instance.index,
            "instance has index %u and generation %u, but no such instance is in the world", instance.index,
            instance.generation);
    }
    sidle_pose start = *from;
    start.scale = to->scale; /* the scale of the whole motion */
    sidle_status status = sidle_pose_check(from, slot->mesh, "from", &world->error);
    status = status == SIDLE_OK ? sidle_pose_check(to, slot->mesh, "to", &world->error) : status;
    status = status == SIDLE_OK
                 ? sidle_pose_check(&start, slot->mesh, "from with the scale of to", &world->error)
                 : status;
    if (status == SIDLE_OK)
    {
        sidle_pose before = slot->to;
        bool moved = slot->moves;
        place(slot, from, to);
        slot->changed = slot->changed || !sidle_pose_same_place(&before, &slot->to) ||
                        !vec3_equal(vec3_from(before.scale), vec3_from(slot->to.scale));
        world->changed = world->changed || moved || slot->moves || slot->changed;
    }
    return status;
}

sidle_status sidle_world_move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                              const sidle_pose *to)
{
    FpEnvironment host = fp_enter();
    sidle_status status = move(world, instance, from, to);
    fp_leave(host);
    return status;
}

sidle_status sidle_world_teleport(sidle_world *world, sidle_instance instance, const sidle_pose *pose)
{
    return sidle_world_move(world, instance, pose, pose);
}

static bool rests(const Placed *slot)
{
    return slot->mesh && !slot->moves;
}

/* Returns true if the resting instances are those of the last commit. */
static bool rests_as_before(const sidle_world *world)
{
    bool same = !world->removed_at_rest;
    for (uint32_t i = 0; i < world->slot_count && same; ++i)
    {
        const Placed *slot = &world->slots[i];
        same = slot->mesh ? rests(slot) == slot->rested && !(slot->rested && slot->changed) : true;
    }
    return same;
}

/* The published motion was this epoch's; in the next one an instance rests where it arrived. */
static void arrive(sidle_world *world)
{
    world->removed_at_rest = world->changed = false;
    for (uint32_t i = 0; i < world->slot_count; ++i)
    {
        Placed *slot = &world->slots[i];
        slot->rested = rests(slot);
        slot->changed = false;
        if (slot->mesh && slot->moves)
        {
            place(slot, &slot->to, &slot->to);
            world->changed = true;
        }
    }
}

static FP_BODY sidle_status commit(sidle_world *world, const sidle_jobs *jobs)
{
    if (!world || !sidle_jobs_are_valid(jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!world->changed)
    {
        return SIDLE_OK;
    }
    uint64_t resting = rests_as_before(world) ? world->current->resting : 0; /* mutant: cache_of_moved_wall */
    sidle_snapshot *next;
    sidle_status status = sidle_snapshot_create(&world->allocator, world->epoch + 1, world->slots,
                                                world->slot_count, resting, jobs, &next);
    if (status != SIDLE_OK)
    {
        return status;
    }
    ++world->epoch;
    sidle_snapshot_release(world->current);
    world->current = next;
    arrive(world);
    return SIDLE_OK;
}

sidle_status sidle_world_commit(sidle_world *world, const sidle_jobs *jobs)
{
    FpEnvironment host = fp_enter();
    sidle_status status = commit(world, jobs);
    fp_leave(host);
    return status;
}

const sidle_error *sidle_world_error(const sidle_world *world)
{
    return world ? &world->error : NULL;
}

sidle_status sidle_world_snapshot(sidle_world *world, sidle_snapshot **out)
{
    if (!world || !out)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_snapshot_retain(world->current);
    *out = world->current;
    return SIDLE_OK;
}
