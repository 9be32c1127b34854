/* The moving instance that an agent stands on, and its velocity. */
#include "crowd/carry.h"

static Motion motion_between(const Placed *placed, double begin, double end)
{
    Placed first, last;
    const Placed *from = sidle_placed_at(placed, begin, &first), *to = sidle_placed_at(placed, end, &last);
    return (Motion){from->position, to->position, mat3_product(to->linear, from->inverse)};
}

static const Placed *moving_ground(const Mover *mover)
{
    sidle_instance id = mover->state.ground.instance;
    /* mutant: reused_slot */
    if (!(mover->motion_begin < mover->motion_end) || !snapshot_has(mover->snapshot, id))
    {
        return NULL;
    }
    const Placed *placed = snapshot_placed(mover->snapshot, id.index);
    return placed->moves && placed->key == mover->state.ground.key && /* mutant: id_of_another_world */
                   filter_takes(&mover->filter, placed)
               ? placed
               : NULL;
}

static const Placed *carrier_of(const Mover *mover)
{
    return mover->state.grounded ? moving_ground(mover) : NULL;
}

/* The velocity of an instance over this tick, at a place given for the tick's end. */
static Vec3 velocity_at(const Mover *mover, const Placed *placed, Vec3 place)
{
    Motion back = motion_between(placed, mover->motion_end, mover->motion_begin);
    return vec3_scale(vec3_sub(place, motion_takes(&back, place)), 1 / mover->tick_dt);
}

/* The velocity of mover->state.ground at the agent's place; zero if it rests. */
static Vec3 carry_ground_velocity(const Mover *mover)
{
    const Placed *placed = anything_moves(mover) ? moving_ground(mover) : NULL;
    Vec3 place = vec3_add(mover->frame->center, travelled(mover));
    return placed ? velocity_at(mover, placed, place) : vec3(0, 0, 0);
}

/* An agent whose ground did not carry it in this tick, or was removed, keeps the ground's last velocity. */
static Vec3 carry_leaves_with(const Mover *mover)
{
    /* mutant: leaves_without_speed */
    return mover->state.rides ? mover->state.carried
                              : vec3_add(mover->state.carried, mover->state.carried_over);
}
