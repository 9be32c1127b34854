/* Moving ground carries the agents that stand on it.
 *
 * The rigid motion of the carrier moves the point that the rider stands on. Nothing is integrated, so riders do not
 * slip or drift at any rate. A rider slides along resting instances; push.inl sweeps it against other moving ones. All
 * of this comes before the agent's own displacement, which then runs in a world at the end of the tick.
 *
 * A rider follows its carrier down
 *  - at up to the speed of a fall by step_down, so that a lift that reverses in one tick keeps its riders;
 *  - at any speed that it reaches with at most MOST_FALL times gravity's acceleration.
 * Ground that falls away faster leaves the rider in the air with the velocity of the last tick. */
#include "crowd/carry.h"

/* Radii: the largest distance of a chord from its arc. Obstacles beside the arc may be missed, or hit early, by as
 * much. Slices end exactly on the arc. n slices serve n^2 times as much sag; each costs a gather. */
#define LARGEST_SAG .05

/* Radii: the largest lean of a rider in a slice. Its shape, which does not turn, reaches into a wall of the carrier by
 * about as much before the wall pushes. */
#define LARGEST_LEAN .25

/* With 16^2 LARGEST_SAG = 12.8, half a turn a tick is followed to 12.8 radii from the axis. Farther out chords cut
 * deeper. A slice whose candidates do not fit is halved down to one part in so many. */
#define MAX_SLICES 16

/* carried_over is the mean velocity over the last tick. If that tick was n times as long as this one, ground that falls
 * freely appears to accelerate (1 + n) / 2 times as fast: 2.5 serves up to n = 4. */
#define MOST_FALL 2.5

/* The centre of a rider after the motion of its contact. The shape itself does not turn: if the normal turns, another
 * point of the shape touches. Let f(m) lead from the centre to the point that touches ground of normal m. The contact
 * c + f(m) moves to M(c + f(m)), and the centre to that less f(turned m). For balls this is M(c). */
static Vec3 carried_to(const Mover *mover, const Motion *motion)
{
    const Frame *frame = mover->frame;
    Vec3 m = mover->state.ground.normal, turned = mat3_mul(motion->turn, m);
    Vec3 foot = frame_to_world(frame, frame_support(frame, m, 1));
    Vec3 turned_foot = frame_to_world(frame, frame_support(frame, turned, 1));
    Vec3 lean = vec3_sub(mat3_mul(motion->turn, foot), turned_foot);
    return vec3_add(motion_takes(motion, frame->center), lean); /* mutant: carried_by_centre */
}

/* Returns false if the ground falls away from under the agent. */
static bool follows(const Mover *mover, Vec3 displacement)
{
    double fall = larger(-vec3_dot(mover->gravity, mover->up), 0);
    double sinks = -vec3_dot(displacement, mover->up) / mover->tick_dt,
           before = -vec3_dot(mover->state.carried_over, mover->up);
    double fastest = before + MOST_FALL * fall * mover->tick_dt; /* mutant: falls_with_gravity */
    double always = sqrt(2 * fall * mover->profile->step_down);
    return sinks <= larger(fastest, always); /* mutant: follows_any_drop */
}

static bool ride(Mover *mover, Slice *slice)
{
    const Placed *placed = carrier_of(mover);
    if (!placed)
    {
        return true;
    }
    Motion motion = motion_between(placed, slice->begin, slice->end);
    slice->carrier = mover->state.ground.instance.index;
    slice->target = carried_to(mover, &motion);
    Ground ground = mover->state.ground;
    SlideEnd end;
    if (!slide_among(mover, FILTER_RESTING, 0, slice->start, vec3_sub(slice->target, slice->start), &end))
    {
        return false;
    }
    if (end.left == 0 && end.plane_count == 0)
    {
        mover->frame->center = slice->target; /* to the last bit */
    }
    mover->state.ground = ground;
    mover->state.ground.normal = vec3_normalize(mat3_mul(motion.turn, ground.normal));
    mover->state.ground.support = vec3_normalize(mat3_mul(motion.turn, ground.support));
    mover->state.rides = true;
    return true;
}

/* Returns false, with nothing changed, if the candidates exceed the capacity. */
static bool take_slice(Mover *mover, double begin, double end, double *limit)
{
    MoverBefore before;
    mover_save(mover, &before);
    Slice slice = {begin, end, mover->frame->center, mover->frame->center, NO_CARRIER};
    double fastest = 0;
    mover->filter.time = end;
    if (!ride(mover, &slice) || !push_aside(mover, &slice, &fastest))
    {
        mover_restore(mover, &before);
        return false;
    }
    *limit += vec3_length(vec3_sub(slice.target, slice.start)) + fastest;
    return true;
}

/* The sag of the path of a carried point: the distance of its middle from the chord's. */
static double sag(const Placed *placed, double begin, double end, Vec3 point)
{
    Motion half = motion_between(placed, begin, (begin + end) / 2),
           whole = motion_between(placed, begin, end);
    Vec3 middle = vec3_scale(vec3_add(point, motion_takes(&whole, point)), .5);
    return vec3_length(vec3_sub(motion_takes(&half, point), middle));
}

/* The lean of a rider within its carrier, since its shape does not turn. */
static double rider_lean(const Mover *mover, const Placed *carrier)
{
    Motion motion = motion_between(carrier, mover->motion_begin, mover->motion_end);
    return vec3_length(vec3_sub(carried_to(mover, &motion), motion_takes(&motion, mover->frame->center)));
}

/* n chords divide the sag by n^2 and the lean by n. */
static uint32_t count_slices(const Mover *mover, const Near *near)
{
    const Placed *carrier = carrier_of(mover);
    Vec3 center = mover->frame->center;
    double begin = mover->motion_begin, end = mover->motion_end;
    double worst = carrier ? sag(carrier, begin, end, center) : 0;
    for (uint32_t i = 0; i < near->count; ++i)
    {
        worst = larger(worst, sag(snapshot_placed(mover->snapshot, near->slots[i]), begin, end, center));
    }
    double lean = carrier ? rider_lean(mover, carrier) : 0, radius = mover->profile->least;
    uint32_t count = 1;
    /* mutant: one_slice */
    while (count < MAX_SLICES &&
           (worst > LARGEST_SAG * radius * count * count || lean > LARGEST_LEAN * radius * count))
    {
        ++count;
    }
    return count;
}

/* Halves a slice whose candidates do not fit, as take_steps, and skips the rest if it is too small to halve. `limit`
 * sums the longest path of the agent, a bound of the velocity with which the agent leaves. */
static void take_slices(Mover *mover, uint32_t count, double *limit)
{
    double begin = mover->motion_begin, end = mover->motion_end;
    double done = 0, part = 1.0 / count;
    while (done < 1)
    {
        double next = done + part > 1 - part / 2 ? 1 : done + part;
        double from = begin + (end - begin) * done, to = next < 1 ? begin + (end - begin) * next : end;
        bool is_spent = work_is_spent(mover->candidates);
        if (!is_spent && take_slice(mover, from, to, limit))
        {
            done = next;
        }
        else if (!is_spent && part * MAX_SLICES > 1)
        {
            part /= 2;
        }
        else
        {
            mover->report.reasons |= SIDLE_REASON_CANDIDATES;
            break;
        }
    }
    mover->filter.time = end;
}

/* Checks that the agent still stands on the ground of the last tick. */
static void check_ground(Mover *mover)
{
    const Placed *placed = carrier_of(mover);
    if (!placed)
    {
        return;
    }
    Motion motion = motion_between(placed, mover->motion_begin, mover->motion_end);
    Vec3 displacement = vec3_sub(carried_to(mover, &motion), mover->frame->center);
    mover->state.grounded = follows(mover, displacement);
    if (mover->state.grounded)
    {
        mover->state.carried_over = vec3_scale(displacement, 1 / mover->tick_dt);
    }
}

/* Carries and pushes the mover before its own steps. */
static OUT_OF_LINE void carry(Mover *mover)
{
    if (!(mover->motion_begin < mover->motion_end))
    {
        return;
    }
    mover->state.grounded = mover->state.grounded && mover->profile->mode != SIDLE_FLY;
    if (mover->is_calm)
    {
        return;
    }
    check_ground(mover);
    Vec3 center = mover->frame->center;
    Slice whole = {mover->motion_begin, mover->motion_end, center, center, NO_CARRIER};
    Near near;
    if (!find_near(mover, &whole, &near))
    {
        mover->report.reasons |= SIDLE_REASON_CANDIDATES;
    }
    if (near.count == 0 && !carrier_of(mover))
    {
        return;
    }
    double limit = 0;
    take_slices(mover, count_slices(mover, &near), &limit);
    if (mover->state.grounded || mover->profile->mode == SIDLE_FLY)
    {
        Vec3 displacement = vec3_sub(mover->frame->center, center);
        double length = vec3_length(displacement);
        double dt = mover->tick_dt; /* mutant: push_over_wait */
        mover->state.carried = vec3_scale(displacement, (length > limit ? limit / length : 1) / dt);
    }
}

/* After the steps: sets the velocities that the next tick starts with. */
static OUT_OF_LINE void carry_over(Mover *mover)
{
    double speed = vec3_length(mover->state.pushed);
    if (mover->state.grounded)
    {
        const Placed *placed = carrier_of(mover);
        mover->state.carried_over = placed ? velocity_at(mover, placed, mover->frame->center) : vec3(0, 0, 0);
    }
    else if (speed > 0) /* an agent that is pushed in the air is no slower than the instance */
    {
        Vec3 n = vec3_scale(mover->state.pushed, 1 / speed);
        double missing = speed - vec3_dot(mover->state.velocity, n);
        mover->state.velocity = vec3_add_scaled(mover->state.velocity, n, larger(missing, 0));
    }
}
