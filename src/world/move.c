/* The calls that move an instance, or give it another mesh. */
#include "sidle/world.h"

#include "base/fp_environment.h"
#include "base/status.h"
#include "world/pose.h"
#include "world/world.h"

void sidle_placed_move(Placed *placed, const sidle_pose *from, const sidle_pose *to)
{
    placed->from = *from;
    placed->to = *to;
    placed->from.rotation = sidle_pose_unit(from->rotation);
    placed->to.rotation = sidle_pose_unit(to->rotation);
    sidle_placed_set(placed, vec3_from_position(to->position), placed->to.rotation, sidle_pose_scale(to));
    placed->moves = !sidle_pose_same_place(&placed->from, &placed->to);
    sidle_placed_set_box(placed);
}

/* Sets the motion of the next epoch in a Placed that no epoch has. */
static sidle_status set_motion(sidle_world *world, uint32_t index, const sidle_pose *from,
                               const sidle_pose *to)
{
    const Placed *known = world_placed(world, index);
    bool is_published = world->index_of[index] == world->slots[index].published;
    Placed placed = *known;
    sidle_placed_move(&placed, from, to);
    if (is_published && !placed.moves && sidle_pose_equal(&known->to, &placed.to))
    {
        return SIDLE_OK; /* it stands there, or arrives there */
    }
    if (!is_published)
    {
        *world_placed(world, index) = placed;
        return SIDLE_OK;
    }
    uint32_t kept = sidle_world_keep(world, &placed);
    if (kept == NO_ITEM)
    {
        return sidle_status_fail(&world->error, SIDLE_ERROR_MEMORY, index, NULL);
    }
    world->index_of[index] = kept;
    world_list_change(world, index);
    return SIDLE_OK;
}

static sidle_status fail_stale(sidle_world *world, sidle_instance instance)
{
    return sidle_status_fail(&world->error, SIDLE_ERROR_STALE, instance.index,
                             "instance has index %u and generation %u, but no such instance is in the world",
                             instance.index, instance.generation);
}

static sidle_status fail_null(sidle_world *world, sidle_instance instance, const char *name)
{
    return world ? sidle_status_fail(&world->error, SIDLE_ERROR_ARGUMENT, instance.index, "%s is NULL", name)
                 : SIDLE_ERROR_ARGUMENT;
}

/* `name`: of a pose that is no motion; else NULL. */
static sidle_status check_motion(sidle_world *world, const sidle_mesh *mesh, const sidle_pose *from,
                                 const sidle_pose *to, const char *name)
{
    sidle_pose start = *from;
    start.scale = to->scale; /* the scale of the whole motion */
    sidle_status status = sidle_pose_check(from, mesh, name ? name : "from", &world->error);
    status = status == SIDLE_OK ? sidle_pose_check(to, mesh, name ? name : "to", &world->error) : status;
    return status == SIDLE_OK ? sidle_pose_check(&start, mesh, "from with the scale of to", &world->error)
                              : status;
}

/* `joins`: if the instance has a motion in the next epoch, that one goes on. */
static FP_BODY sidle_status move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                 const sidle_pose *to, bool joins, const char *name)
{
    if (!world || !to)
    {
        return fail_null(world, instance, "to");
    }
    if (!world_has(world, instance))
    {
        return fail_stale(world, instance);
    }
    const Placed *placed = world_placed(world, instance.index);
    sidle_pose start = from ? *from : placed->to;
    sidle_status status = check_motion(world, placed->mesh, &start, to, name);
    bool has_motion = world->index_of[instance.index] != world->slots[instance.index].published;
    if (joins && has_motion && placed->moves && status == SIDLE_OK) /* mutant: first_move_lost */
    {
        start = placed->from;
        status = check_motion(world, placed->mesh, &start, to, name);
    }
    return status == SIDLE_OK ? set_motion(world, instance.index, &start, to) : status;
}

static sidle_status move_in_environment(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                        const sidle_pose *to, bool joins, const char *name)
{
    FpEnvironment host = fp_enter();
    sidle_status status = move(world, instance, from, to, joins, name);
    fp_leave(host);
    return status;
}

sidle_status sidle_world_move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                              const sidle_pose *to)
{
    return move_in_environment(world, instance, from, to, true, NULL);
}

sidle_status sidle_world_loop(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                              const sidle_pose *to)
{
    return from ? move_in_environment(world, instance, from, to, false, NULL)
                : fail_null(world, instance, "from");
}

sidle_status sidle_world_teleport(sidle_world *world, sidle_instance instance, const sidle_pose *pose)
{
    return pose ? move_in_environment(world, instance, pose, pose, false, "pose")
                : fail_null(world, instance, "pose");
}

/* A motion of the next epoch stays; one of the last epoch has ended. */
static FP_BODY sidle_status replace(sidle_world *world, sidle_instance instance, sidle_mesh *mesh)
{
    if (!world || !mesh)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!world_has(world, instance))
    {
        return fail_stale(world, instance);
    }
    uint32_t index = instance.index, old = world->index_of[index];
    Slot *slot = &world->slots[index];
    Placed placed = *world_placed(world, index);
    sidle_pose to = placed.to, from = old == slot->published ? to : placed.from;
    sidle_status status = sidle_world_check_mesh(placed.flags, mesh, &world->error);
    status = status == SIDLE_OK ? check_motion(world, mesh, &from, &to, "pose") : status;
    if (status != SIDLE_OK)
    {
        return status;
    }
    placed.mesh = mesh;
    sidle_placed_move(&placed, &from, &to);
    uint32_t kept = sidle_world_keep(world, &placed);
    if (kept == NO_ITEM)
    {
        return sidle_status_fail(&world->error, SIDLE_ERROR_MEMORY, index, NULL);
    }
    if (old != slot->published)
    {
        sidle_store_give_back(&world->placed, old);
    }
    world->index_of[index] = kept;
    slot->replaced = true; /* mutant: replaced_without_notice */
    world_list_change(world, index);
    return SIDLE_OK;
}

sidle_status sidle_world_replace(sidle_world *world, sidle_instance instance, sidle_mesh *mesh)
{
    FpEnvironment host = fp_enter();
    sidle_status status = replace(world, instance, mesh);
    fp_leave(host);
    return status;
}
