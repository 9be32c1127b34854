/* Worlds: what is added and removed. */
#include "sidle/world.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"
#include "world/pose.h"
#include "world/world.h"

#include <string.h>

#define MOST_EPOCH (UINT64_MAX / 2) /* commits of centuries follow */

uint32_t sidle_world_keep(sidle_world *world, const Placed *placed)
{
    Placed copy = *placed; /* taking an item can move the array */
    uint32_t index = sidle_store_take(&world->placed, &world->living);
    if (index != NO_ITEM)
    {
        sidle_mesh_retain(copy.mesh);
        *(Placed *)store_item(&world->placed, index) = copy;
    }
    return index;
}

/* Copies an array of so many elements into a longer one. */
static void *grown(const sidle_world *world, const void *old, size_t size, uint32_t count, uint32_t capacity)
{
    char *array = sidle_memory_allocate(&world->allocator, capacity, size);
    if (array && count > 0)
    {
        memcpy(array, old, count * size);
    }
    return array;
}

static void free_arrays(sidle_world *world)
{
    const sidle_allocator *allocator = &world->allocator;
    uint32_t capacity = world->slot_capacity, pages = pages_over(capacity);
    sidle_memory_free(allocator, world->slots, capacity, sizeof *world->slots);
    sidle_memory_free(allocator, world->index_of, capacity, sizeof *world->index_of);
    sidle_memory_free(allocator, world->leaves, capacity, sizeof *world->leaves);
    sidle_memory_free(allocator, world->changes, capacity, sizeof *world->changes);
    sidle_memory_free(allocator, world->page_of, pages, sizeof *world->page_of);
    sidle_memory_free(allocator, world->page_epoch, pages, sizeof *world->page_epoch);
}

static bool grow(sidle_world *world)
{
    sidle_world next = *world;
    uint32_t count = world->slot_count, pages = pages_over(world->slot_capacity);
    next.slot_capacity = world->slot_capacity ? 2 * world->slot_capacity : 64;
    uint32_t capacity = next.slot_capacity, more = pages_over(capacity);
    next.slots = grown(world, world->slots, sizeof *next.slots, count, capacity);
    next.index_of = grown(world, world->index_of, sizeof *next.index_of, count, capacity);
    next.leaves = grown(world, world->leaves, sizeof *next.leaves, count, capacity);
    next.changes = grown(world, world->changes, sizeof *next.changes, world->change_count, capacity);
    next.page_of = grown(world, world->page_of, sizeof *next.page_of, pages, more);
    next.page_epoch = grown(world, world->page_epoch, sizeof *next.page_epoch, pages, more);
    if (!next.slots || !next.index_of || !next.leaves || !next.changes || !next.page_of || !next.page_epoch ||
        !sidle_keys_grow(&world->keys, &world->allocator, capacity))
    {
        free_arrays(&next);
        return false;
    }
    memset(next.slots + count, 0, (capacity - count) * sizeof *next.slots);
    memset(next.leaves + count, 0, (capacity - count) * sizeof *next.leaves);
    for (uint32_t page = pages; page < more; ++page)
    {
        next.page_of[page] = NO_ITEM;
        next.page_epoch[page] = 0;
    }
    free_arrays(world);
    next.keys = world->keys;
    *world = next;
    world->tree.leaves = world->leaves;
    return true;
}

static void retain_mesh(void *placed)
{
    sidle_mesh *mesh = ((Placed *)placed)->mesh;
    if (mesh)
    {
        sidle_mesh_retain(mesh);
    }
}

static void release_mesh(void *placed)
{
    sidle_mesh_release(((Placed *)placed)->mesh);
    ((Placed *)placed)->mesh = NULL;
}

/* A world without slots: its stores, the Placed of no instance and the empty epoch. */
static bool open_world(sidle_world *world, const sidle_allocator *allocator, uint64_t epoch)
{
    *world = (sidle_world){.allocator = *allocator, .first_free = NO_SLOT, .changed = true};
    world->living.next_epoch = epoch;
    world->placed = (Store){.allocator = &world->allocator,
                            .unit = sizeof(Placed),
                            .retain = retain_mesh,
                            .release = release_mesh};
    world->pages = (Store){.allocator = &world->allocator, .unit = PAGE_SLOTS * sizeof(uint32_t)};
    sidle_tree_open(&world->tree, &world->allocator, &world->placed, &world->living);
    uint32_t none = sidle_store_take(&world->placed, &world->living);
    if (none == NO_ITEM)
    {
        return false;
    }
    memset(store_item(&world->placed, none), 0, sizeof(Placed));
    return sidle_world_publish_empty(world);
}

sidle_status sidle_world_create(const sidle_world_desc *desc, const sidle_allocator *allocator,
                                sidle_world **out)
{
    sidle_allocator chosen;
    if (!out || (desc && (desc->size != sizeof *desc || desc->epoch > MOST_EPOCH)) ||
        !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_world *world = sidle_memory_allocate(&chosen, 1, sizeof *world);
    if (!world)
    {
        return SIDLE_ERROR_MEMORY;
    }
    if (!open_world(world, &chosen, desc ? desc->epoch : 0))
    {
        sidle_world_destroy(world);
        return SIDLE_ERROR_MEMORY;
    }
    *out = world;
    return SIDLE_OK;
}

void sidle_world_destroy(sidle_world *world)
{
    if (!world)
    {
        return;
    }
    sidle_snapshot_release(world->current);
    for (uint32_t i = 0; i < world->living.count; ++i)
    {
        sidle_snapshot_forget(world->living.list[i]);
    }
    sidle_tree_close(&world->tree);
    sidle_store_close(&world->pages);
    sidle_store_close(&world->placed);
    free_arrays(world);
    sidle_keys_close(&world->keys, &world->allocator);
    sidle_allocator allocator = world->allocator;
    sidle_memory_free(&allocator, world->living.list, world->living.capacity, sizeof *world->living.list);
    sidle_memory_free(&allocator, world, 1, sizeof *world);
}

sidle_status sidle_world_check_mesh(uint32_t flags, const sidle_mesh *mesh, sidle_error *error)
{
    return !(flags & SIDLE_INSTANCE_CLOSED) || !mesh->field
               ? SIDLE_OK
               : sidle_status_fail(error, SIDLE_ERROR_UNSUPPORTED, 0,
                                   "flags is %u, but a heightfield is never closed", flags);
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
    const uint32_t known = SIDLE_INSTANCE_AGENT | SIDLE_INSTANCE_ONE_SIDED | SIDLE_INSTANCE_CLOSED;
    if (desc->flags & ~known)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "flags is %u, but must be from 0 to %u",
                                 desc->flags, known);
    }
    if (desc->group == NO_GROUP)
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0, "group is %u, but must be less",
                                 desc->group);
    }
    sidle_status status = sidle_world_check_mesh(desc->flags, desc->mesh, error);
    return status != SIDLE_OK ? status : sidle_pose_check(&desc->pose, desc->mesh, "pose", error);
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
    Slot *slot = &world->slots[index];
    Placed placed = {.mesh = desc->mesh,
                     .key = desc->key,
                     .generation = slot->generation + 1,
                     .member_of = desc->member_of ? desc->member_of : 1,
                     .flags = desc->flags,
                     .group = desc->group,
                     .slot = index};
    sidle_placed_move(&placed, &desc->pose, &desc->pose);
    uint32_t kept = sidle_world_keep(world, &placed);
    if (kept == NO_ITEM)
    {
        return sidle_status_fail(&world->error, SIDLE_ERROR_MEMORY, index, NULL);
    }
    world->first_free = index == world->slot_count ? NO_SLOT : slot->next_free;
    world->slot_count = index == world->slot_count ? index + 1 : world->slot_count;
    world->index_of[index] = kept;
    slot->generation = placed.generation;
    slot->replaced = true;
    sidle_keys_add(&world->keys, index, desc->key);
    world_list_change(world, index);
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
    if (!world_has(world, instance))
    {
        return world ? SIDLE_ERROR_STALE : SIDLE_ERROR_ARGUMENT;
    }
    Slot *slot = &world->slots[instance.index];
    if (world->index_of[instance.index] != slot->published)
    {
        sidle_store_give_back(&world->placed, world->index_of[instance.index]);
    }
    world->index_of[instance.index] = NO_PLACED;
    sidle_keys_remove(&world->keys, instance.index);
    world_list_change(world, instance.index);
    if (slot->generation < UINT32_MAX) /* a slot that has used all of its ids stays empty */
    {
        slot->next_free = world->first_free;
        world->first_free = instance.index;
    }
    return SIDLE_OK;
}

const sidle_error *sidle_world_error(const sidle_world *world)
{
    return world ? &world->error : NULL;
}
