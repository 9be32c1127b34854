/* The calls that read a world. */
#include "world/world.h"

static sidle_instance id_of(const sidle_world *world, uint32_t slot)
{
    return (sidle_instance){slot, world->slots[slot].generation};
}

sidle_status sidle_world_get(const sidle_world *world, sidle_instance instance, sidle_instance_desc *out)
{
    if (!world || !out)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!world_has(world, instance))
    {
        return SIDLE_ERROR_STALE;
    }
    const Placed *placed = world_placed(world, instance.index);
    *out = (sidle_instance_desc){.size = sizeof *out,
                                 .mesh = placed->mesh,
                                 .pose = placed->to,
                                 .key = placed->key,
                                 .member_of = placed->member_of,
                                 .flags = placed->flags,
                                 .group = placed->group};
    return SIDLE_OK;
}

sidle_instance sidle_world_find(const sidle_world *world, uint64_t key)
{
    uint32_t slot = world ? sidle_keys_find(&world->keys, key) : NO_SLOT;
    return slot != NO_SLOT ? id_of(world, slot) : (sidle_instance){0, 0};
}

sidle_instance sidle_world_next(const sidle_world *world, sidle_instance instance)
{
    uint64_t slot = instance.generation ? (uint64_t)instance.index + 1 : 0;
    for (; world && slot < world->slot_count; ++slot)
    {
        if (world->index_of[slot] != NO_PLACED)
        {
            return id_of(world, (uint32_t)slot);
        }
    }
    return (sidle_instance){0, 0};
}
