/* The table of instances, from which commits make snapshots. */
#include "sidle/world.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "jobs/loop.h"
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
};

static bool pose_is_finite(const sidle_pose *pose)
{
    const sidle_quat *q = &pose->rotation;
    return vec3_is_finite(vec3_from_position(pose->position)) && vec3_is_finite(vec3_from(pose->scale)) &&
           isfinite(q->x) && isfinite(q->y) && isfinite(q->z) && isfinite(q->w);
}

/* The zero vector means 1. A scale with some zero components has no inverse and is refused. */
static Vec3 scale_of(const sidle_pose *pose)
{
    Vec3 scale = vec3_from(pose->scale);
    return vec3_is_zero(scale) ? vec3(1, 1, 1) : scale;
}

static sidle_status check_pose(const sidle_pose *pose, const sidle_mesh *mesh)
{
    if (!pose_is_finite(pose))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    Vec3 scale = vec3_abs(scale_of(pose));
    if (vec3_min_component(scale) < (double)1e-6f || vec3_max_component(scale) > 1e6)
    {
        return SIDLE_ERROR_LIMIT;
    }
    Vec3 low = vec3_abs(vec3_add(mesh->origin, bounds_low(&mesh->bounds)));
    Vec3 high = vec3_abs(vec3_add(mesh->origin, bounds_high(&mesh->bounds)));
    double reach = mesh->node_count > 0 ? vec3_max_component(vec3_larger(low, high)) : 0;
    Vec3 p = vec3_abs(vec3_from_position(pose->position));
    /* The farthest corner of a turned box is less than twice its largest coordinate away. */
    double farthest = vec3_max_component(p) + 2 * reach * vec3_max_component(scale);
    return farthest <= SIDLE_MAX_COORDINATE ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

/* Error of the squared length of a unit quaternion of floats: each component errs by half a unit in the last place. */
#define UNIT_ERROR 0x1p-22

/* Normalises a quaternion, so that interpolation weighs both ends alike. Zero means the identity. A unit quaternion
 * keeps its bits, so that an instance at rest can be placed at its own pose again. */
static sidle_quat unit_quat(sidle_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (fabs(length * length - 1) <= UNIT_ERROR)
    {
        return q;
    }
    return length > 0 ? (sidle_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                                     (float)(w / length)}
                      : (sidle_quat){0, 0, 0, 1};
}

static bool same_place(const sidle_pose *a, const sidle_pose *b)
{
    const sidle_position *p = &a->position, *q = &b->position;
    const sidle_quat *r = &a->rotation, *s = &b->rotation;
    return p->x == q->x && p->y == q->y && p->z == q->z && r->x == s->x && r->y == s->y && r->z == s->z &&
           r->w == s->w;
}

/* The caller has entered the library's floating-point environment, since the matrices affect every result. */
static void place(Placed *placed, const sidle_pose *from, const sidle_pose *to)
{
    placed->from = *from;
    placed->to = *to;
    placed->from.rotation = unit_quat(from->rotation);
    placed->to.rotation = unit_quat(to->rotation);
    placed_set(placed, vec3_from_position(to->position), placed->to.rotation, scale_of(to));
    placed->moves = !same_place(&placed->from, &placed->to);
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
    Placed *slots = memory_allocate(&world->allocator, capacity, sizeof *slots);
    if (!slots)
    {
        return false;
    }
    if (world->slot_count > 0)
    {
        memcpy(slots, world->slots, world->slot_count * sizeof *slots);
    }
    memset(slots + world->slot_count, 0, (capacity - world->slot_count) * sizeof *slots);
    memory_free(&world->allocator, world->slots, world->slot_capacity, sizeof *slots);
    world->slots = slots;
    world->slot_capacity = capacity;
    return true;
}

sidle_status sidle_world_create(const sidle_world_desc *desc, const sidle_allocator *allocator,
                                sidle_world **out)
{
    sidle_allocator chosen;
    if (!out || (desc && desc->size != sizeof *desc) || !memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_world *world = memory_allocate(&chosen, 1, sizeof *world);
    sidle_snapshot *empty = snapshot_create(&chosen, 0, NULL, 0, 0);
    if (!world || !empty)
    {
        sidle_snapshot_release(empty);
        memory_free(&chosen, world, 1, sizeof *world);
        return SIDLE_ERROR_MEMORY;
    }
    *world = (sidle_world){.allocator = chosen, .current = empty, .first_free = NO_SLOT};
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
    memory_free(&allocator, world->slots, world->slot_capacity, sizeof *world->slots);
    memory_free(&allocator, world, 1, sizeof *world);
}

static FP_BODY sidle_status add(sidle_world *world, const sidle_instance_desc *desc, sidle_instance *out)
{
    if (!world || !desc || desc->size != sizeof *desc || !desc->mesh || !out ||
        (desc->flags & ~(uint32_t)SIDLE_INSTANCE_AGENT))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check_pose(&desc->pose, desc->mesh);
    if (status != SIDLE_OK)
    {
        return status;
    }
    uint32_t index = world->first_free != NO_SLOT ? world->first_free : world->slot_count;
    if (index >= SIDLE_MAX_INSTANCES)
    {
        return SIDLE_ERROR_LIMIT;
    }
    if (index == world->slot_capacity && !grow(world))
    {
        return SIDLE_ERROR_MEMORY;
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
        return SIDLE_ERROR_STALE;
    }
    sidle_pose start = *from;
    start.scale = to->scale; /* the scale of the whole motion */
    sidle_status status = check_pose(from, slot->mesh);
    status = status == SIDLE_OK ? check_pose(to, slot->mesh) : status;
    status = status == SIDLE_OK ? check_pose(&start, slot->mesh) : status;
    if (status == SIDLE_OK)
    {
        sidle_pose before = slot->to;
        place(slot, from, to);
        slot->changed = slot->changed || !same_place(&before, &slot->to) ||
                        !vec3_equal(vec3_from(before.scale), vec3_from(slot->to.scale));
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

static FP_BODY sidle_status commit(sidle_world *world, const sidle_jobs *jobs)
{
    if (!world || !jobs_are_valid(jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_snapshot *next =
        snapshot_create(&world->allocator, world->epoch + 1, world->slots, world->slot_count,
                        rests_as_before(world) ? world->current->resting : 0);
    if (!next)
    {
        return SIDLE_ERROR_MEMORY;
    }
    ++world->epoch;
    sidle_snapshot_release(world->current);
    world->current = next;
    world->removed_at_rest = false;
    for (uint32_t i = 0; i < world->slot_count; ++i)
    {
        Placed *slot = &world->slots[i];
        slot->rested = rests(slot);
        slot->changed = false;
        if (slot->mesh && slot->moves)
        {
            /* In the next epoch the instance rests at the end of its motion. */
            place(slot, &slot->to, &slot->to);
        }
    }
    return SIDLE_OK;
}

sidle_status sidle_world_commit(sidle_world *world, const sidle_jobs *jobs)
{
    FpEnvironment host = fp_enter();
    sidle_status status = commit(world, jobs);
    fp_leave(host);
    return status;
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
