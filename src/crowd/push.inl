/* Moving instances push who stands in their way.
 *
 * What happens between a door that swings and an agent is what happens, in the door's own frame, between a
 * door at rest and an agent that moves against it: so the agent is swept from where it would have been
 * carried, had it stood on the door, to where it is now, against the door where it ends. That meets also a
 * door that moves by many radii in a tick. Of a rider and its own carrier that is the way by which it
 * leans where its ground tilts, or it would lean through a wall of the same cabin. What the door takes
 * from this way is the push; it goes into the resting world as any displacement does, and where that takes
 * some of it, along what it met, as long as that leads out of the way.
 *
 * An agent between a door and a wall stays on its side of the wall. The door then goes through it, which the
 * recovery that follows tells as SIDLE_REASON_STUCK. */
#include "crowd/carry.h"
#include "crowd/project.h"
#include "narrow/view.h"

/* What one of two instances pushes undoes c of what the other did, c being the cosine between their pushes,
 * and the other the same: a round leaves c^2 of the one before. At 60 degrees four leave 1/256. What is left
 * is an overlap, which recovery takes up; between opposing ones no number of rounds would help. With the
 * judges of carry.inl all holds from 1 to 16. */
#define ROUNDS 4

/* cos^2 of the angle between a push and the way out, which is 1/cos times as long as what is missing: at most
 * twice. At 0 agents between a moving wall and a resting one get through the resting one; at .45 a slanting
 * wall no longer takes agents along a corridor. With the judges of carry.inl all holds from 1e-6 to .4. */
#define LEAST_SHARE .25

static bool comes_before(const sidle_snapshot *snapshot, uint32_t a, uint32_t b)
{
    uint64_t key_a = snapshot->placed[a].key, key_b = snapshot->placed[b].key;
    return key_a != key_b ? key_a < key_b : a < b;
}

/* Who is first in the order stays, in whatever order the tree gave them. */
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

/* Whether the way from `from` to the mover's centre leads through the box of the instance where it ends: the
 * tree knows balls around all of its motion alone. An arc of up to half a turn leaves its chord by at most
 * half of it. */
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
    Bounds way = bounds_around(middle, vec3_add_scaled(half, vec3_abs(back), .5));
    const Bounds *box = &placed->mesh->bounds;
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        meets = meets && way.min[axis] <= box->max[axis] && box->min[axis] <= way.max[axis];
    }
    return meets;
}

/* Whether the box around all of an instance's motion meets a reach without segment. The tree has asked that
 * already, of boxes that were rounded about the middle of its world, or of none in a world of one instance;
 * here nothing but the instance matters, so whatever else there is changes no push. */
static bool reaches(const Mover *mover, const Reach *reach, const Placed *placed)
{
    const Frame *frame = mover->frame;
    Vec3 low, high, middle = vec3_add(frame->center, reach->center);
    Vec3 half = vec3_scale(mat3_row_lengths(frame->to_w), reach->swell);
    half = vec3_add(half, vec3_abs(mat3_mul(frame->to_w, frame->core)));
    half = vec3_add_scaled(half, vec3(1, 1, 1), reach->radius);
    placed_bounds(placed, &low, &high);
    Vec3 below = vec3_sub(vec3_sub(low, middle), half), above = vec3_sub(vec3_sub(middle, high), half);
    return vec3_max_component(below) <= 0 && vec3_max_component(above) <= 0;
}

/* The tree's answer holds whatever `reaches` takes: it is asked for a little more. */
static bool find_instances(Mover *mover, const Reach *reach, uint32_t *count)
{
    Reach wide = *reach;
    wide.radius += mover->snapshot->doubt;
    *count = candidates_instances(mover->candidates, mover->snapshot, mover->frame, &wide);
    bool fits = *count <= instance_room(mover->candidates);
    Observer *observer = mover->observer;
    return observer ? observer->searched(observer, mover->candidates->instances, *count, fits) : fits;
}

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
    for (uint32_t i = 0; i < found; ++i)
    {
        uint32_t slot = mover->candidates->instances[i];
        if (!snapshot->placed[slot].moves || !filter_takes(&mover->filter, snapshot, slot) ||
            !reaches(mover, &reach, &snapshot->placed[slot]))
        {
            continue;
        }
        Motion motion = motion_of(&snapshot->placed[slot], slice->begin, slice->end);
        Vec3 from = motion_takes(&motion, slice->start);
        bool stays = vec3_length(vec3_sub(center, from)) <= mover->profile->shortest; /* goes along */
        if (!stays && leads_through(mover, slice, &snapshot->placed[slot], from))
        {
            fits = insert_near(snapshot, near, slot) && fits;
        }
    }
    mover->candidates->leaves_seen += SEEN_SEARCH + near->count;
    return fits;
}

/* Moves by the push among what rests, then along that. */
static bool give_way(Mover *mover, Vec3 push)
{
    SlideEnd end;
    Vec3 start = mover->frame->center;
    double asked = vec3_length(push);
    Vec3 direction = vec3_scale(push, 1 / asked);
    if (!slide_among(mover, FILTER_RESTING, 0, start, push, &end))
    {
        return false;
    }
    double missing = asked - vec3_dot(vec3_sub(mover->frame->center, start), direction);
    if (missing < mover->profile->shortest)
    {
        return true;
    }
    Vec3 m[MAX_PLANES];
    for (uint32_t i = 0; i < end.plane_count; ++i)
    {
        m[i] = end.planes[i].m;
    }
    Vec3 out = project(direction, m, end.plane_count); /* its square is what of it leads along the push */
    double share = vec3_length2(out);
    return share < LEAST_SHARE || slide_among(mover, FILTER_RESTING, 0, mover->frame->center,
                                              vec3_scale(out, missing / share), &end);
}

/* Who falls onto something that rises stands on it, if it is no faster upwards. */
static void land_on(Mover *mover, const Slice *slice, Vec3 motion_way)
{
    double rate = mover->dt / (mover->motion_end - mover->motion_begin),
           dt = rate * (slice->end - slice->begin);
    Vec3 velocity = vec3_scale(motion_way, 1 / dt);
    mover->grounded =
        mover->profile->mode != SIDLE_FLY && vec3_dot(vec3_sub(mover->velocity, velocity), mover->up) <= 0;
    if (mover->grounded)
    {
        mover->rides = true;
        mover->carried_over = velocity;
        note_push(mover, velocity, rate * (slice->end - mover->motion_begin));
    }
}

typedef struct Pushes /* of one round */
{
    bool met;
    double fastest; /* the longest way of an instance that pushed */
    double left;    /* of the pushes, what was not given way to; radii */
} Pushes;

/* How much of a push is left; radii. */
static double left_of(const Mover *mover, Vec3 push, Vec3 moved)
{
    double length = vec3_length(push), done = lesser(vec3_dot(moved, push) / (length * length), 1);
    return (1 - done) * vec3_length(frame_to_ellipsoid(mover->frame, push));
}

/* What the instance does to the agent: where that should be for it, less where it is; zero: nothing. Whoever
 * it meets on ground of its own finds that in mover->ground, else none. */
static bool find_push(Mover *mover, const Slice *slice, const Motion *motion, uint32_t slot, Vec3 *push)
{
    Vec3 center = mover->frame->center, from = motion_takes(motion, slice->start);
    SlideEnd end;
    mover->ground.instance = (sidle_instance){0, 0};
    if (!slide_among(mover, FILTER_SLOT, slot, from, vec3_sub(center, from), &end))
    {
        return false;
    }
    *push = end.plane_count > 0 ? vec3_sub(mover->frame->center, center) : vec3(0, 0, 0);
    mover->crushed = mover->crushed || mover->pinned; /* no sweep says which way that core was left */
    mover->frame->center = center;
    return true;
}

static bool push_by(Mover *mover, const Slice *slice, uint32_t slot, Pushes *pushes)
{
    Motion motion = motion_of(&mover->snapshot->placed[slot], slice->begin, slice->end);
    Vec3 center = mover->frame->center, push;
    Ground ground = mover->ground;
    bool fits = find_push(mover, slice, &motion, slot, &push);
    Ground below = mover->ground;
    mover->ground = ground;
    if (!fits || vec3_length(push) < mover->profile->shortest)
    {
        return fits;
    }
    fits = give_way(mover, push);
    mover->ground = ground;
    Vec3 way = vec3_sub(motion_takes(&motion, slice->start), slice->start);
    pushes->met = true;
    pushes->fastest = larger(pushes->fastest, slot == slice->carrier ? 0 : vec3_length(way));
    pushes->left = larger(pushes->left, left_of(mover, push, vec3_sub(mover->frame->center, center)));
    if (!mover->grounded && below.instance.generation != 0)
    {
        mover->ground = below;
        land_on(mover, slice, way);
    }
    return fits;
}

static bool push_aside(Mover *mover, const Slice *slice, double *fastest)
{
    Pushes pushes = {true, 0, 0};
    for (int round = 0; round < ROUNDS && pushes.met; ++round)
    {
        Near near;
        if (!find_near(mover, slice, &near))
        {
            mover->reasons |= SIDLE_REASON_CANDIDATES;
        }
        pushes.met = false;
        pushes.left = 0;
        for (uint32_t i = 0; i < near.count; ++i)
        {
            if (work_is_spent(mover->candidates))
            {
                mover->reasons |= SIDLE_REASON_CANDIDATES;
                pushes.met = false;
                break;
            }
            if (!push_by(mover, slice, near.slots[i], &pushes))
            {
                return false;
            }
        }
    }
    mover->crushed = mover->crushed || pushes.left > 1;
    *fastest = pushes.fastest;
    return true;
}
