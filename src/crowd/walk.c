/* Walking: on the ground along it, in the air by the laws of falling. */
#include "crowd/mover.h"
#include "crowd/project.h"

#define PROBE .05 /* radii: how near ground counts as landing */
#define AIR_CONTROL                                                                                          \
    2 /* 1/s: how fast the horizontal velocity turns into the wished one while airborne; enough to leave     \
         a crevice that carries nobody, too little to fly */

/* The wish in the plane of the ground, as long as asked: walking uphill is no slower. A wish without a
 * horizontal direction stays what it is. */
static Vec3 tilt(const Mover *mover, Vec3 wish)
{
    Vec3 flat = vec3_add_scaled(wish, mover->up, -vec3_dot(wish, mover->up));
    double rise = vec3_dot(mover->ground.normal, mover->up);
    double length = vec3_length(flat);
    if (length == 0 || rise < .1)
    {
        return flat;
    }
    /* Straight above or below the flat wish, into the plane: then cut back to its length. */
    double climb = -vec3_dot(mover->ground.normal, flat) / rise;
    Vec3 tilted = vec3_add_scaled(flat, mover->up, climb);
    return vec3_scale(tilted, length / vec3_length(tilted));
}

static bool step_grounded(Mover *mover, Vec3 wish)
{
    Vec3 way = tilt(mover, wish);
    double skin = mover->profile->skin * vec3_max_component(mover->profile->radii);
    double snap = mover->profile->step_down + skin;
    if (!begin_move(mover, way, 0, vec3_scale(mover->up, -snap)))
    {
        return false;
    }
    mover->ground_height = support_height(mover, mover->position, mover->ground.normal);
    Vec3 start = travelled(mover);
    SlideEnd end;
    slide(mover, way, SLIDE_ONLY_WALKABLE, &end);
    bool stands = settle(mover, vec3_scale(mover->up, -snap)); /* follows ground that falls away */
    mover->velocity = vec3_scale(vec3_sub(travelled(mover), start), 1 / mover->dt);
    if (stands)
    {
        mover->grounded = true;
        return true;
    }
    mover->grounded = false; /* walking off an edge is no jump */
    double rise = vec3_dot(mover->velocity, mover->up);
    mover->velocity = vec3_add_scaled(mover->velocity, mover->up, -fmax(rise, 0));
    return true;
}

/* Turns the horizontal velocity towards the wished one. */
static void steer(Mover *mover, Vec3 wish)
{
    Vec3 wanted = vec3_sub(vec3_scale(wish, 1 / mover->dt), mover->velocity);
    Vec3 flat = vec3_add_scaled(wanted, mover->up, -vec3_dot(wanted, mover->up));
    mover->velocity = vec3_add_scaled(mover->velocity, flat, fmin(AIR_CONTROL * mover->dt, 1));
}

static bool step_airborne(Mover *mover, Vec3 wish)
{
    double dt = mover->dt, probe = PROBE * vec3_min_component(mover->profile->radii);
    Vec3 velocity = mover->velocity;
    if (!vec3_is_zero(wish))
    {
        steer(mover, wish);
    }
    Vec3 way = vec3_add_scaled(vec3_scale(mover->velocity, dt), mover->gravity, dt * dt / 2);
    if (!begin_move(mover, way, 0, vec3_scale(mover->up, -probe)))
    {
        mover->velocity = velocity;
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    bool rising = vec3_dot(mover->velocity, mover->up) > 0;
    slide(mover, way, 0, &end);
    mover->velocity = vec3_add_scaled(mover->velocity, mover->gravity, dt);
    if (!rising && settle(mover, vec3_scale(mover->up, -probe)))
    {
        mover->velocity = vec3_scale(vec3_sub(travelled(mover), start), 1 / dt);
        mover->grounded = true;
        return true;
    }
    Vec3 m[MAX_PLANES]; /* what it leans on takes away what leads into it */
    for (uint32_t i = 0; i < end.plane_count; ++i)
    {
        m[i] = end.planes[i].m;
    }
    mover->velocity = project(mover->velocity, m, end.plane_count);
    return true;
}

bool step_walk(Mover *mover, Vec3 wish)
{
    return mover->grounded ? step_grounded(mover, wish) : step_airborne(mover, wish);
}
