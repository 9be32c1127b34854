/* Fly and slide: the wish alone, and the paper's two passes. */
#include "crowd/mover.h"

static Vec3 over_dt(const Mover *mover, Vec3 displacement)
{
    return vec3_scale(displacement, 1 / mover->dt);
}

bool step_fly(Mover *mover, Vec3 wish)
{
    if (!begin_move(mover, (Room){.ball = wish}))
    {
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    slide(mover, wish, 0, &end);
    mover->velocity = over_dt(mover, vec3_sub(travelled(mover), start));
    mover->grounded = false;
    return true;
}

/* Fauerby 2003, section 4.3: the wish first, gravity second. The fall does not slide on ground flatter than
 * the slope limit (the creep that the paper's appendix F warns of). The speed of falling integrates exactly,
 * so that it does not depend on the frame rate, and it is all that the next tick takes from the velocity. */
bool step_slide(Mover *mover, Vec3 wish)
{
    bool falls = !(mover->profile->flags & SIDLE_PROFILE_NO_GRAVITY) && !vec3_is_zero(mover->gravity);
    Vec3 down = falls ? vec3_normalize(mover->gravity) : vec3(0, 0, 0);
    double speed = falls ? vec3_dot(mover->velocity, down) : 0, dt = mover->dt;
    speed = mover->grounded ? 0 : speed;
    Vec3 fall = vec3_add_scaled(vec3_scale(down, speed * dt), mover->gravity, falls ? dt * dt / 2 : 0);
    double fall_length = vec3_length(fall);
    if (!begin_move(mover, (Room){.ball = wish, .extra_radius = fall_length}))
    {
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    slide(mover, wish, 0, &end);
    Vec3 way = vec3_sub(travelled(mover), start);
    mover->velocity = over_dt(mover, vec3_add_scaled(way, down, -vec3_dot(way, down)));
    mover->grounded = false;
    if (falls)
    {
        start = travelled(mover);
        slide(mover, fall, SLIDE_LANDS, &end);
        mover->grounded = end.landed;
        /* What slides down a slope or a crease fell by way^2 / fallen: that undoes the projection, at any rate. */
        Vec3 fell = vec3_sub(travelled(mover), start);
        double fallen = fmax(vec3_dot(fell, down), 0) * fall_length;
        double share = !end.blocked ? 1 : fallen > 0 ? fmin(vec3_length2(fell) / fallen, 1) : 0;
        double reached = share * (speed + vec3_length(mover->gravity) * dt);
        mover->velocity = vec3_add_scaled(mover->velocity, down, end.landed ? 0 : reached);
    }
    return true;
}
