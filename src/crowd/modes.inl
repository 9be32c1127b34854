/* Fly moves by the displacement alone. Slide has the paper's two passes. */
#include "crowd/mover.h"

static Vec3 over_dt(const Mover *mover, Vec3 displacement)
{
    return vec3_scale(displacement, 1 / mover->dt);
}

static OUT_OF_LINE bool step_fly(Mover *mover, Vec3 wish)
{
    mover->state.step_offset = 0;
    if (!begin_move(mover, &(MoveExtents){.ball = wish}))
    {
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    slide(mover, wish, 0, &end);
    mover->state.velocity = vec3_add(over_dt(mover, vec3_sub(travelled(mover), start)), mover->state.carried);
    mover->state.grounded = false;
    return true;
}

/* The fall of one step. */
typedef struct Fall
{
    Vec3 down;            /* unit */
    double speed, gained; /* at its beginning, and by gravity */
    Vec3 path;
} Fall;

/* The fall integrates exactly, so it does not depend on the tick rate. The next tick reads only the vertical
 * velocity. */
static Fall fall_of(const Mover *mover)
{
    double dt = mover->dt;
    Vec3 gravity = fall_gravity(mover);
    bool falls = !vec3_is_zero(gravity);
    Fall fall = {.down = falls ? vec3_normalize(gravity) : vec3(0, 0, 0)};
    if (falls)
    {
        fall.speed = mover->state.grounded ? 0 : vec3_dot(mover->state.velocity, fall.down);
        fall.gained = vec3_length(gravity) * dt;
        fall.path = vec3_scale(fall.down, (fall.speed + fall.gained / 2) * dt);
    }
    return fall;
}

/* The share of the fall that an agent has fallen that slides down a slope or a crease: path^2 / fallen undoes the
 * projection. */
static double share_fallen(const Fall *fall, Vec3 fell)
{
    double fallen = larger(vec3_dot(fell, fall->down), 0) * vec3_length(fall->path);
    return fallen > 0 ? lesser(vec3_length2(fell) / fallen, 1) : 0;
}

/* Displacement and fall in one pass. Without a displacement it ends on ground, so that agents do not creep. */
static void slide_combined(Mover *mover, Vec3 wish, const Fall *fall)
{
    Vec3 start = travelled(mover);
    SlideEnd end;
    /* The setup has tested the displacement alone. */
    mover->state.is_free = false; /* mutant: free_of_the_wish */
    slide(mover, vec3_add(wish, fall->path), vec3_is_zero(wish) ? SLIDE_LANDS : 0, &end);
    Vec3 path = vec3_sub(travelled(mover), start);
    mover->state.grounded = end.carried && !vec3_is_zero(fall->down);
    double reached = fall->speed + fall->gained;
    double fell = vec3_dot(path, fall->down) / mover->dt; /* a contact that stops the fall stops its speed */
    reached = mover->state.grounded ? 0
              : end.blocked         ? lesser(reached, larger(fell + fall->gained / 2, 0))
                                    : reached;
    mover->state.velocity =
        vec3_add_scaled(over_dt(mover, vec3_without(path, fall->down)), fall->down, reached);
    mover->state.velocity = vec3_add(mover->state.velocity, mover->state.carried);
}

static void slide_twice(Mover *mover, Vec3 wish, const Fall *fall)
{
    Vec3 start = travelled(mover);
    SlideEnd end;
    slide(mover, wish, 0, &end);
    Vec3 path = vec3_sub(travelled(mover), start);
    mover->state.velocity = vec3_add(over_dt(mover, vec3_without(path, fall->down)), mover->state.carried);
    if (mover->state.in_flight)
    {
        mover->state.flight.velocity = vec3_add_scaled(over_dt(mover, path), fall->down, fall->speed);
    }
    mover->state.grounded = false;
    if (!vec3_is_zero(fall->down))
    {
        start = travelled(mover);
        slide(mover, fall->path, SLIDE_LANDS, &end);
        mover->state.grounded = end.landed;
        double share = end.blocked ? share_fallen(fall, vec3_sub(travelled(mover), start)) : 1;
        double reached = end.landed ? 0 : share * (fall->speed + fall->gained);
        mover->state.velocity = vec3_add_scaled(mover->state.velocity, fall->down, reached);
    }
}

/* Fauerby 2003, section 4.3: the displacement first, gravity second. The fall does not slide on ground flatter than the
 * slope limit, which prevents the creep of the paper's appendix F. */
static OUT_OF_LINE bool step_slide(Mover *mover, Vec3 wish)
{
    Fall fall = fall_of(mover);
    bool was_grounded = mover->state.grounded;
    mover->state.step_offset = 0;
    if (!begin_move(mover, &(MoveExtents){.ball = wish, .extra_radius = vec3_length(fall.path)}))
    {
        return false;
    }
    if (!was_grounded)
    {
        begin_flight(mover, vec3_add_scaled(over_dt(mover, wish), fall.down, fall.speed));
    }
    if (mover->profile->flags & SIDLE_PROFILE_ONE_PASS)
    {
        slide_combined(mover, wish, &fall);
    }
    else
    {
        slide_twice(mover, wish, &fall);
    }
    mover->state.in_flight = false;
    if (mover->state.grounded && !was_grounded)
    {
        end_flight(mover);
    }
    return true;
}
