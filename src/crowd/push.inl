/* Moving instances push agents.
 *
 * In the frame of a swinging door, the door rests and the agent moves against it. So the agent is swept against the
 * door at the end of its motion. The sweep leads from the position to which the door would have carried the agent, to
 * the agent's own position. This also finds doors that move by many radii in a tick. For a rider and its own carrier
 * this path is the lean on tilting ground; without it the rider would lean through a wall of its cabin. The part of
 * the path that the door blocks is the push. The push is a displacement among resting instances. If one of them blocks
 * it, the agent slides along that instance while this leads out of the door.
 *
 * An agent between a door and a wall stays on its side of the wall. The door passes through it, and recovery reports
 * SIDLE_REASON_STUCK. */
#include "crowd/carry.h"
#include "narrow/view.h"

/* Two pushes at an angle with cosine c leave c^2 of an overlap in each round: four rounds leave 1/256 at 60 degrees.
 * Recovery resolves the rest. */
#define ROUNDS 4

/* Radii: the longest push of the last round that is no sign of two instances that close. Those undo each other's pushes, so the agent
 * overlaps one of them by at least as much. Other pushes have become 1/256 by then. */
#define CLOSING .5

/* cos^2 of the largest angle between a push and the path out of the door. The path is 1/cos times as long as the
 * missing part of the push: at most twice. */
#define LEAST_SHARE .25

/* Moves the mover's centre to `from` and slides it along `displacement`, among some of the instances at filter.time. A
 * pinned mover stays at `from`. Returns false, with the mover unchanged, if the candidates exceed the capacity. */
static bool slide_among(Mover *mover, uint8_t motion, uint32_t slot, Vec3 from, Vec3 displacement,
                        SlideEnd *end)
{
    Filter filter = mover->filter;
    Vec3 before = mover->frame->center;
    mover->filter.motion = motion;
    mover->filter.slot = slot;
    mover->frame->center = from;
    bool fits = gather_for(mover, &(MoveExtents){.ball = displacement});
    mover->filter = filter;
    if (!fits)
    {
        mover->frame->center = before;
        return false;
    }
    set_pinned(mover);
    uint32_t reasons = mover->report.reasons; /* reasons are those of the agent's own displacement */
    bool walks = mover->state.grounded && mover->profile->mode == SIDLE_WALK;
    mover->state.ground_height =
        mover->state.grounded ? support_height(mover, mover->state.position, mover->state.ground.normal)
                              : -INFINITY;
    /* Without SLIDE_HOWEVER_SHORT riders slip on slow carriers. */
    /* mutant: slow_carrier */
    slide(mover, displacement, (walks ? SLIDE_ONLY_WALKABLE : 0) | SLIDE_HOWEVER_SHORT, end);
    mover->report.reasons =
        reasons | (mover->report.reasons & (SIDLE_REASON_TRUNCATED | SIDLE_REASON_CONTACTS));
    advance_frame(mover);
    return true;
}

static bool comes_before(const sidle_snapshot *snapshot, uint32_t a, uint32_t b)
{
    uint64_t key_a = snapshot_placed(snapshot, a)->key, key_b = snapshot_placed(snapshot, b)->key;
    return key_a != key_b ? key_a < key_b : a < b;
}

/* Keeps the first in the order of keys, independent of the order of the tree. */
static bool insert_near(const sidle_snapshot *snapshot, Near *near, uint32_t slot)
{
    bool full = near->count == MAX_NEAR;
    if (full && comes_before(snapshot, near->slots[MAX_NEAR - 1], slot))
    {
        return false;
    }
    uint32_t at = full ? MAX_NEAR - 1 : near->count++;
    for (; at > 0 && comes_before(snapshot, slot, near->slots[at - 1]); --at)
    {
        near->slots[at] = near->slots[at - 1];
    }
    near->slots[at] = slot;
    return !full;
}

static double swell_of(const Mover *mover)
{
    return mover->profile->rest + mover->profile->skin;
}

/* Returns true if the path from `from` to the mover's centre overlaps the box of the instance at the slice's end. (The
 * tree has bounds of the whole motion only.) An arc of up to half a turn is within half its chord of the chord. */
static bool leads_through(const Mover *mover, const Slice *slice, const Placed *placed, Vec3 from)
{
    View view = view_of(placed, mover->frame, slice->end);
    Mat3 from_e = mat3_product(view.inverse, mover->frame->to_w);
    Vec3 half = vec3_scale(mat3_row_lengths(from_e), swell_of(mover));
    half = vec3_add(half, vec3_abs(mat3_mul(from_e, mover->frame->core)));
    Vec3 chord = vec3_sub(from, mover->frame->center), back = mat3_mul(view.inverse, chord);
    Vec3 unit = vec3_abs(vec3_div(vec3(1, 1, 1), placed->scale));
    half = vec3_add_scaled(half, unit, vec3_length(chord) / 2);
    Vec3 middle = vec3_add_scaled(view.center, back, .5);
    Bounds path = bounds_around(middle, vec3_add_scaled(half, vec3_abs(back), .5));
    const Bounds *box = &placed->mesh->bounds;
    bool overlaps = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        overlaps = overlaps && path.min[axis] <= box->max[axis] && box->min[axis] <= path.max[axis];
    }
    return overlaps;
}

static bool find_instances(Mover *mover, const Reach *reach, uint32_t *count)
{
    bool fits = may_look(mover->candidates);
    *count = fits ? candidates_instances(mover->candidates, mover->snapshot, mover->frame, reach) : 0;
    fits = fits && *count <= instance_capacity(mover->candidates);
    Observer *observer = mover->observer;
    return observer ? observer->searched(observer, mover->candidates->instances, *count, fits) : fits;
}

/* Finds the moving instances that can touch an agent, which the slice has moved from `start` to its present position.
 * Returns false if there are more than MAX_NEAR, or if their search exceeds the limits of a tick. */
static bool find_near(Mover *mover, const Slice *slice, Near *near)
{
    const sidle_snapshot *snapshot = mover->snapshot;
    Vec3 center = mover->frame->center, back = vec3_sub(slice->start, center);
    Reach reach = {.swell = swell_of(mover), .center = vec3_scale(back, .5), .radius = vec3_length(back) / 2};
    uint32_t found;
    near->count = 0;
    if (!find_instances(mover, &reach, &found))
    {
        return false;
    }
    bool fits = true;
    uint32_t looked = 0;
    for (uint32_t i = 0; i < found; ++i)
    {
        uint32_t slot = mover->candidates->instances[i];
        const Placed *placed = snapshot_placed(snapshot, slot);
        if (!placed->moves || !filter_takes(&mover->filter, placed))
        {
            continue;
        }
        ++looked;
        Motion motion = motion_between(placed, slice->begin, slice->end);
        Vec3 from = motion_takes(&motion, slice->start);
        bool stays = vec3_length(vec3_sub(center, from)) <= mover->profile->shortest; /* moves along */
        if (!stays && leads_through(mover, slice, placed, from))
        {
            fits = insert_near(snapshot, near, slot) && fits;
        }
    }
    mover->candidates->leaves_seen += SEEN_SEARCH + SEEN_LOOKED * looked;
    return fits;
}

/* Moves by the push among resting instances, then along them. */
static bool give_way(Mover *mover, Vec3 push)
{
    SlideEnd end;
    Vec3 start = mover->frame->center;
    double asked = vec3_length(push);
    Vec3 direction = vec3_scale(push, 1 / asked);
    if (!slide_among(mover, FILTER_RESTING, 0, start, push, &end)) /* mutant: pushed_into_wall */
    {
        return false;
    }
    double missing = asked - vec3_dot(vec3_sub(mover->frame->center, start), direction);
    if (missing < mover->profile->shortest)
    {
        return true;
    }
    Vec3 out = project_on(&end, direction); /* its squared length: its part along the push */
    double share = vec3_length2(out);
    /* mutant: no_push_around */
    return share < LEAST_SHARE || slide_among(mover, FILTER_RESTING, 0, mover->frame->center,
                                              vec3_scale(out, missing / share), &end);
}

/* Seconds of the tick up to a part of the motion. */
static double seconds_to(const Mover *mover, double part)
{
    return mover->tick_dt * (part - mover->motion_begin) / (mover->motion_end - mover->motion_begin);
}

/* An agent that falls onto a rising instance stands on it, unless it rises faster. */
static void land_on(Mover *mover, const Slice *slice, Vec3 velocity)
{
    mover->state.grounded = mover->profile->mode != SIDLE_FLY &&
                            vec3_dot(vec3_sub(mover->state.velocity, velocity), mover->up) <= 0;
    if (mover->state.grounded)
    {
        mover->state.rides = true;
        mover->state.carried_over = velocity;
        note_push(mover, velocity, seconds_to(mover, slice->end));
    }
}

/* An agent that an instance of this velocity has moved in the air flies on as fast, not only by what the push took of the
 * tick. */
static void throw_along(Mover *mover, Vec3 moved, Vec3 velocity)
{
    double length = vec3_length(moved), speed = length > 0 ? vec3_dot(moved, velocity) / length : 0;
    if (speed > vec3_length(mover->state.pushed)) /* mutant: push_by_overlap */
    {
        mover->state.pushed = vec3_scale(moved, speed / length);
    }
}

/* The pushes of one round. */
typedef struct Pushes
{
    double longest; /* push; radii */
    double fastest; /* the longest path of an instance that pushed */
    double left;    /* the largest part of a push that was blocked; radii */
} Pushes;

/* The part of a push that is left; radii. */
static double left_of(const Mover *mover, Vec3 push, Vec3 moved)
{
    double length = vec3_length(push), done = lesser(vec3_dot(moved, push) / (length * length), 1);
    return (1 - done) * vec3_length(frame_to_ellipsoid(mover->frame, push));
}

/* The displacement by which the instance pushes the agent; zero: none. Sets mover->state.ground to the instance if the agent
 * can stand there, else to none. */
static bool find_push(Mover *mover, const Slice *slice, const Motion *motion, uint32_t slot, Vec3 *push)
{
    /* mutant: free_lean, no_sweep_of_instance */
    Vec3 center = mover->frame->center, from = motion_takes(motion, slice->start);
    SlideEnd end;
    mover->state.ground.instance = (sidle_instance){0, 0};
    if (!slide_among(mover, FILTER_SLOT, slot, from, vec3_sub(center, from), &end))
    {
        return false;
    }
    *push = end.plane_count > 0 ? vec3_sub(mover->frame->center, center) : vec3(0, 0, 0);
    mover->state.crushed = mover->state.crushed || mover->state.pinned; /* no sweep resolves a crossed core */
    mover->frame->center = center;
    return true;
}

static bool push_by(Mover *mover, const Slice *slice, uint32_t slot, Pushes *pushes)
{
    Motion motion = motion_between(snapshot_placed(mover->snapshot, slot), slice->begin, slice->end);
    Vec3 center = mover->frame->center, push;
    Ground ground = mover->state.ground;
    bool fits = find_push(mover, slice, &motion, slot, &push);
    Ground below = mover->state.ground;
    mover->state.ground = ground;
    if (!fits || vec3_length(push) < mover->profile->shortest)
    {
        return fits;
    }
    fits = give_way(mover, push);
    mover->state.ground = ground;
    Vec3 path = vec3_sub(motion_takes(&motion, slice->start), slice->start);
    Vec3 moved = vec3_sub(mover->frame->center, center);
    pushes->longest = larger(pushes->longest, vec3_length(frame_to_ellipsoid(mover->frame, push)));
    pushes->fastest = larger(pushes->fastest, slot == slice->carrier ? 0 : vec3_length(path));
    pushes->left = larger(pushes->left, left_of(mover, push, moved));
    if (!mover->state.grounded)
    {
        double dt = seconds_to(mover, slice->end) - seconds_to(mover, slice->begin);
        Vec3 velocity = vec3_scale(path, 1 / dt);
        throw_along(mover, moved, velocity);
        if (below.instance.generation != 0) /* mutant: no_landing_on_lift */
        {
            mover->state.ground = below;
            land_on(mover, slice, velocity);
        }
    }
    return fits;
}

/* Pushes the mover out of every moving instance, as far as resting instances let it. `fastest`: the longest path of an
 * instance that pushed, without the carrier. Returns false if the candidates exceed the capacity. */
static bool push_aside(Mover *mover, const Slice *slice, double *fastest)
{
    Pushes pushes = {1, 0, 0};
    for (int round = 0; round < ROUNDS && pushes.longest > 0; ++round)
    {
        Near near;
        if (!find_near(mover, slice, &near))
        {
            mover->report.reasons |= SIDLE_REASON_CANDIDATES;
        }
        pushes.longest = 0;
        pushes.left = 0;
        for (uint32_t i = 0; i < near.count; ++i)
        {
            if (work_is_spent(mover->candidates))
            {
                pushes.longest = 0;
                break;
            }
            if (!push_by(mover, slice, near.slots[i], &pushes))
            {
                return false;
            }
        }
    }
    /* mutant: silent_crush, silent_jaws */
    mover->state.crushed = mover->state.crushed || pushes.left > 1 || pushes.longest > CLOSING;
    *fastest = pushes.fastest;
    return true;
}
