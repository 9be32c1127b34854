/* Walking: on the ground along it, in the air by the laws of falling. */
#include "crowd/carry.h"
#include "crowd/project.h"

/* Radii: how near ground counts as landing where something moves. At .01, half a skin of .02, test_carry's ground that drops
 * away from its rider fails; at .4 a jump from a lift is cut short by landing on it. With the judges named below,
 * test_leave, test_pinned, test_capsule and test_motion_room all holds from .02 to .3. */
#define LANDING .05
/* The same of ground that rests. At 4e-6 capsules hang above stairs (test_motion). */
#define LANDING_AT_REST 1e-3

#define AIR_CONTROL                                                                                          \
    2 /* 1/s: how fast the horizontal velocity turns into the wished one while airborne; enough to leave     \
         a crevice that carries nobody, too little to fly */

/* Of a normal: steeper ground has no direction uphill to speak of. The way along it is 1/rise times as long
 * as it is seen from above, so its rounding is 10 times as large at most. With the same judges all holds from
 * 0 to .5; at .9 slopes are walked up too slowly. */
#define LEAST_RISE .1

/* The next two are shares of a displacement. Each was varied alone, with test_motion, test_motion_invariants,
 * test_steps, test_walk, test_carry, test_push, test_one_pass and test_cases as judges; all that is in
 * docs/motion.md stays to the digit over the ranges below, but where that is said. */

/* With less than this a step is tried, for candidates of its own. At .995 a kerb that is met at 5 degrees is slid along
 * for seconds; from .999 to 1 all hold. */
#define NEARLY_ALL .999

/* Who comes no farther than this does not leave its ground for it. At 0, agents between things that press
 * them up go to and fro for ever; from .02 to .4 all hold. */
#define HARDLY_ANY .1

/* How much a way rises per length over ground of normal m. */
static double climb(const Mover *mover, Vec3 m, Vec3 flat)
{
    return -vec3_dot(m, flat) / vec3_dot(m, mover->up);
}

/* Scales `along`, a displacement along the ground whose horizontal part has this length. By default the result is as
 * long as the horizontal part. With the profile's flag it keeps the horizontal part, up to the longest displacement. */
static double share_along(const Mover *mover, double length, Vec3 along)
{
    const Profile *profile = mover->profile;
    bool is_horizontal = profile->flags & SIDLE_PROFILE_HORIZONTAL_SPEED;
    return is_horizontal ? lesser(1, (double)profile->longest / vec3_length(along))
                         : length / vec3_length(along);
}

/* The wish along the face that carries, scaled by share_along. An agent rolls over the edge of a step at the speed of
 * the step's tread: the result leads along the contact's plane, but its horizontal part is that of the tread. Returns
 * a wish without a horizontal direction unchanged. */
static Vec3 tilt(const Mover *mover, Vec3 wish)
{
    const Ground *ground = &mover->ground;
    Vec3 flat = vec3_add_scaled(wish, mover->up, -vec3_dot(wish, mover->up));
    double length = vec3_length(flat);
    if (length == 0 || vec3_dot(ground->support, mover->up) < LEAST_RISE)
    {
        return flat;
    }
    double own = climb(mover, ground->support, flat);
    Vec3 along = vec3_add_scaled(flat, mover->up, own);
    double share = share_along(mover, length, along);
    /* Up an edge too steep to stand on without the step rule leads step_over, down an edge the snap to the
     * ground. */
    bool is_steep = vec3_dot(ground->normal, mover->up) < mover->profile->max_slope_cos;
    double rise = vec3_equal(ground->normal, ground->support) || is_steep
                      ? own
                      : larger(climb(mover, ground->normal, flat), own);
    return vec3_scale(vec3_add_scaled(flat, mover->up, rise), share);
}

/* Led backwards by what it meets, or pressed up between things that do not carry it, so that it would but
 * fall back: an agent that goes on like that trembles, so it stays where it was. */
static OUT_OF_LINE bool leads_nowhere(const Mover *mover, Vec3 start, Vec3 way)
{
    double share = share_done(mover, start, way);
    bool rises = vec3_dot(vec3_sub(travelled(mover), start), mover->up) > 0;
    return share < 0 || (!mover->grounded && rises && share < HARDLY_ANY);
}

/* The height of a step is no speed, and would make a jump from there as high: a path up keeps the rise that the slope of
 * the ground explains. */
static Vec3 without_step(const Mover *mover, Vec3 path)
{
    Vec3 flat = flat_part(mover, path);
    bool is_steep = vec3_dot(mover->ground.support, mover->up) < LEAST_RISE;
    double slope = is_steep ? 0 : larger(climb(mover, mover->ground.support, flat), 0);
    return vec3_add_scaled(flat, mover->up, lesser(vec3_dot(path, mover->up), slope));
}

/* The path over dt, with what carries the agent. Walking off an edge is no jump. */
static Vec3 walked_velocity(const Mover *mover, Vec3 path)
{
    if (mover->grounded)
    {
        bool rises = vec3_dot(path, mover->up) > mover->profile->shortest;
        path = rises ? without_step(mover, path) : path;
        return vec3_add(vec3_scale(path, 1 / mover->dt), mover->carried);
    }
    Vec3 flat = flat_part(mover, path);
    double sinks = sinking_speed(mover) + falling_acceleration(mover) * mover->dt;
    Vec3 velocity = vec3_add_scaled(vec3_scale(flat, 1 / mover->dt), mover->up, -sinks);
    return vec3_add(velocity, carry_leaves_with(mover));
}

/* Steps a second: at least so fast the height that is shown follows. A person of .4 m steps catches up at 1.2 m/s. */
#define LEAST_SHOWN 3

/* What a short step needs one of. */
#define SHORT_REASONS                                                                                        \
    (SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_CEILING | SIDLE_REASON_STEP |                     \
     SIDLE_REASON_AGENT | SIDLE_REASON_TRUNCATED | SIDLE_REASON_OVERLAP)

/* What a step on the ground was before it slid. */
typedef struct Stance
{
    Vec3 position, start; /* ellipsoid space; world, relative to the frame's centre */
    Ground ground;
    uint32_t reasons;
} Stance;

/* On from a contact: along it, perhaps over it, or not at all. */
static OUT_OF_LINE void walk_on(Mover *mover, const Room *room, const Stance *before, const SlideEnd *end,
                                double *clear)
{
    Vec3 way = room->ball;
    bool stands = follow_ground(mover, room, before->start, clear);
    bool was_free = !(mover->reasons & SIDLE_REASON_OVERLAP);
    if (end->stepped_at && was_free && share_done(mover, before->start, way) < NEARLY_ALL)
    {
        stands = step_over(mover, room, before->position, before->reasons) || stands;
    }
    mover->grounded = stands || is_wedged(mover);
    if (!(mover->reasons & SHORT_REASONS) && share_done(mover, before->start, way) < NEARLY_ALL)
    {
        mover->reasons |= SIDLE_REASON_EDGE;
    }
    if (end->blocked && leads_nowhere(mover, before->start, way))
    {
        mover->position = before->position;
        mover->ground = before->ground;
        mover->grounded = true;
    }
}

/* A step that meets something, or may not move at all. */
static OUT_OF_LINE void walk_against(Mover *mover, const Room *room, Slide *met, SlideEnd *end, double *clear)
{
    Stance before = {mover->position, travelled(mover), mover->ground, mover->reasons};
    if (!end->blocked)
    {
        slide_along(mover, met, end);
    }
    walk_on(mover, room, &before, end, clear);
}

/* Takes from the height that a step has risen what a slope of the limit does not explain into step_offset, and some of that
 * back. */
static OUT_OF_LINE void smooth_height(Mover *mover, Vec3 path, double least)
{
    double risen = vec3_dot(path, mover->up);
    double limit = vec3_length(flat_part(mover, path)) * mover->profile->max_slope_tan + least;
    double highest = mover->profile->highest_step;
    double shown = lesser(larger(mover->step_offset + risen, -limit), limit);
    if (!mover->grounded) /* a fall is shown as it is */
    {
        shown = risen + lesser(larger(mover->step_offset, -least), least);
    }
    mover->step_offset = lesser(larger(mover->step_offset + risen - shown, -highest), highest);
}

/* Most steps rise so little that all of it shows. */
static inline void show_height(Mover *mover, Vec3 path)
{
    double least = LEAST_SHOWN * mover->profile->highest_step * mover->dt;
    double risen = vec3_dot(path, mover->up);
    if (fabs(mover->step_offset + risen) <= least)
    {
        mover->step_offset = 0;
        return;
    }
    smooth_height(mover, path, least);
}

static inline bool step_grounded(Mover *mover, Vec3 wish)
{
    Vec3 way = tilt(mover, wish);
    double snap = mover->profile->step_down + mover->profile->skin_w;
    Room room = {.ball = way, .segment = vec3_scale(mover->up, -snap)};
    if (!begin_move(mover, &room))
    {
        return false;
    }
    mover->ground_height = NAN;
    mover->footing = mover->position;
    mover->footing_normal = mover->ground.normal;
    Vec3 start = travelled(mover);
    Slide met;
    SlideEnd end;
    double clear = 0;
    if (slide_meets(mover, way, SLIDE_ONLY_WALKABLE, &met, &end) || end.blocked)
    {
        walk_against(mover, &room, &met, &end, &clear);
    }
    else /* the ordinary step: nothing in the way; follows ground that falls away */
    {
        mover->grounded = follow_ground(mover, &room, start, &clear) || is_wedged(mover);
    }
    if (!mover->grounded)
    {
        fall_off(mover, start, clear);
    }
    Vec3 path = vec3_sub(travelled(mover), start);
    mover->velocity = walked_velocity(mover, path);
    show_height(mover, path);
    return true;
}

/* Turns the horizontal velocity towards the wished one, which counts from what the agent left. What is
 * between them decays as exp(-AIR_CONTROL t) to within (AIR_CONTROL dt)^3 / 12 a tick, so that it hardly
 * matters into how many of them a jump is cut; in a tick of a second, the longest, all of it is gone. */
static void steer(Mover *mover, Vec3 wish)
{
    double turn = AIR_CONTROL * mover->dt;
    Vec3 wanted = vec3_sub(vec3_scale(wish, 1 / mover->dt), mover->velocity);
    wanted = vec3_add(wanted, mover->carried_over);
    Vec3 flat = vec3_add_scaled(wanted, mover->up, -vec3_dot(wanted, mover->up));
    mover->velocity = vec3_add_scaled(mover->velocity, flat, turn / (1 + turn / 2));
}

/* Stands on what is right below, unless the agent rises from it. */
static bool land_from_air(Mover *mover, Vec3 velocity, Vec3 displacement)
{
    double rise = vec3_dot(velocity, mover->up) - mover->profile->shortest / mover->dt; /* less is rounding */
    Vec3 before = mover->position;
    if ((rise > 0 && !anything_moves(mover)) || !(settle(mover, displacement) || is_wedged(mover)))
    {
        return false;
    }
    mover->grounded = rise <= vec3_dot(carry_ground_velocity(mover), mover->up);
    if (!mover->grounded)
    {
        mover->position = before;
    }
    return mover->grounded;
}

/* How far below it an agent in the air lands on ground. Ground that rests must all but be touched, or the landing would be
 * faster than the fall: by no more than what gravity explains in half a step. */
static double landing_reach(const Mover *mover)
{
    double touch = LANDING_AT_REST * mover->profile->least, dt = mover->dt;
    double fall = falling_acceleration(mover) * dt * dt / 2;
    return anything_moves(mover) ? LANDING * mover->profile->least
                                 : larger(lesser(touch, fall), SETTLED * mover->profile->least);
}

static OUT_OF_LINE bool step_airborne(Mover *mover, Vec3 wish)
{
    double dt = mover->dt, near = landing_reach(mover);
    Vec3 velocity = mover->velocity, gravity = fall_gravity(mover);
    Vec3 flat = vec3_add_scaled(wish, mover->up, -vec3_dot(wish, mover->up));
    if (vec3_length(flat) > mover->profile->shortest) /* a wish straight up or down steers nothing */
    {
        steer(mover, wish);
    }
    /* As exact as the turn: the trapezoid over it. */
    Vec3 mean = vec3_scale(vec3_add(velocity, mover->velocity), .5);
    Vec3 way = vec3_add_scaled(vec3_scale(mean, dt), gravity, dt * dt / 2);
    if (!begin_move(mover, &(Room){.ball = way, .segment = vec3_scale(mover->up, -near)}))
    {
        mover->velocity = velocity;
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    velocity = mover->velocity;
    begin_flight(mover, mean);
    slide(mover, way, 0, &end);
    mover->flight.runs = false;
    show_height(mover, vec3_sub(travelled(mover), start));
    mover->velocity = vec3_add_scaled(mover->velocity, gravity, dt);
    if (land_from_air(mover, velocity, vec3_scale(mover->up, -near)))
    {
        mover->velocity = vec3_scale(vec3_sub(travelled(mover), start), 1 / dt);
        mover->grounded = true;
        note_impact(mover, mover->ground.normal, &end); /* unless the slide touched ground */
        end_flight(mover);
        return true;
    }
    Vec3 m[MAX_PLANES]; /* what it leans on takes away what leads into it */
    for (uint32_t i = 0; i < end.plane_count; ++i)
    {
        m[i] = end.planes[i].m;
    }
    mover->velocity = project(mover->velocity, m, end.plane_count);
    mover->carried_over = project(mover->carried_over, m, end.plane_count);
    return true;
}

static inline bool step_walk(Mover *mover, Vec3 wish)
{
    return mover->grounded ? step_grounded(mover, wish) : step_airborne(mover, wish);
}
