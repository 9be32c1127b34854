/* The speed of a landing, taken at the contact: along gravity v^2 = v0^2 + 2 g h, where h is how far the agent fell
 * relative to the ground. So it does not depend on the tick rate. */
#include "crowd/carry.h"

/* A step begins in the air with this velocity. Until in_flight is cleared, slides set the impact. */
static inline void begin_flight(Mover *mover, Vec3 velocity)
{
    mover->state.flight.velocity = velocity;
    mover->state.in_flight = true;
    mover->state.flight.impact = -1;
}

/* The flight's velocity at the mover's position, relative to ground that has moved for so many seconds. */
static Vec3 velocity_reached(const Mover *mover, Vec3 ground_velocity, double seconds)
{
    const FreeFlight *flight = &mover->state.flight;
    Vec3 velocity = vec3_sub(flight->velocity, ground_velocity), path;
    Vec3 pull = fall_gravity(mover);
    double gravity = vec3_length(pull);
    if (gravity == 0)
    {
        return velocity;
    }
    path = vec3_sub(vec3_add(mover->frame->center, travelled(mover)), flight->start);
    path = vec3_add_scaled(path, ground_velocity, -seconds);
    Vec3 down = vec3_scale(pull, 1 / gravity);
    double before = vec3_dot(velocity, down);
    double reached = sqrt(larger(before * before + 2 * gravity * vec3_dot(path, down), 0));
    bool still_rises = before + gravity * mover->dt < 0;
    return vec3_add_scaled(velocity, down, (still_rises ? -reached : reached) - before);
}

/* Sets the flight's impact on ground of normal m that the mover touches and stands on, unless an earlier contact of the
 * step has set it. `end` has the contacts that cannot be stood on. */
static OUT_OF_LINE void note_impact(Mover *mover, Vec3 m, const SlideEnd *end)
{
    if (mover->state.flight.impact >= 0)
    {
        return;
    }
    Vec3 velocity = velocity_reached(mover, carry_ground_velocity(mover), mover->state.flight.motion);
    mover->state.flight.impact = larger(-vec3_dot(project_on(end, velocity), m), 0);
}

/* Ground that has moved for so many seconds of the tick pushes into an agent in the air, which then stands on it. */
static OUT_OF_LINE void note_push(Mover *mover, Vec3 ground_velocity, double seconds)
{
    begin_flight(mover, mover->state.velocity);
    mover->state.in_flight = false;
    Vec3 velocity = velocity_reached(mover, ground_velocity, seconds);
    mover->report.impact_speed =
        larger(mover->report.impact_speed, -vec3_dot(velocity, mover->state.ground.normal));
}

/* The step's flight ended on the ground. */
static inline void end_flight(Mover *mover)
{
    mover->report.impact_speed = larger(mover->report.impact_speed, mover->state.flight.impact);
}
