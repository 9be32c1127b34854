/* Collide and slide: K. Fauerby, "Improved Collision detection and Response", 2003, chapter 4, as a loop.
 *
 * Departures; docs/method.md shows the defects that they remove:
 *  - Each iteration projects the original displacement on all contacts that still hold, exactly (project.c), not the
 *    remainder on the last plane: wedges and grooves neither oscillate nor stop.
 *  - The remaining share of the displacement counts down as time, so sliding does not depend on the tick rate.
 *  - Sweeps use a radius of 1 + delta/2 and end 1 + delta from the surface, measured along its normal.
 *  - Sweeps run in ellipsoid space, lengths and projections in the world, so no slide exceeds its displacement. */
#include "crowd/mover.h"
#include "crowd/project.h"

#define SMALLEST_SHARE 1e-12 /* of |v|^2: what projection leaves of a displacement straight into a corner */
#define LEAST_APPROACH 1e-3  /* the pull-back along a grazing path is at most delta/2 times a thousand */

/* Skins by which a vertical path may end before the swept shell. A sweep down that grazes the nose of a step would
 * otherwise end far above the ground. */
#define MOST_PULL_BACK 2

/* Rise of a normal, about 6 degrees: up to it a contact counts as upright. */
#define LEANING .1

/* The length of the path at which the ball is 1 + delta from the surface that it hits at 1 + delta/2. */
static double pull_back(const Mover *mover, const Hit *hit, Vec3 direction)
{
    double approach = larger(-vec3_dot(hit->contact.normal, direction), LEAST_APPROACH);
    double rest = hit->contact.t * approach - mover->profile->skin / 2;
    return rest > SETTLED ? rest / approach : 0; /* mutant: no_pull_back, jitter_at_rest */
}

/* Finds the first hit on the path and the stop before it. Sweeps look_ahead beyond the path. Without it a path that
 * descends at more than 30 degrees could end between the shells, and a short fall would miss the ground right below.
 * Returns false if nothing stops the path. */
FORCE_INLINE bool find_stop_on(const Mover *mover, const SweepQuery *query, double length, Stop *stop)
{
    work_add_sweep(mover->candidates);
    if (!candidates_sweep(mover->candidates, query, &stop->hit))
    {
        return false;
    }
    stop->at = pull_back(mover, &stop->hit, query->direction);
    return stop->at < length;
}

/* The query of a path from the mover's position. */
FORCE_INLINE SweepQuery query_along(const Mover *mover, Vec3 direction, double length)
{
    const Profile *profile = mover->profile;
    /* mutant: no_look_ahead */
    return (SweepQuery){mover->state.position, direction, length + profile->look_ahead, profile->swept,
                        profile->slack};
}

FORCE_INLINE bool find_stop_here(const Mover *mover, Vec3 direction, double length, Stop *stop)
{
    SweepQuery query = query_along(mover, direction, length);
    return find_stop_on(mover, &query, length, stop);
}

static OUT_OF_LINE bool find_stop(const Mover *mover, Vec3 direction, double length, Stop *stop)
{
    return find_stop_here(mover, direction, length, stop);
}

/* find_stop_on for a path straight up or down. */
FORCE_INLINE bool find_vertical_stop(const Mover *mover, const SweepQuery *query, double length, Stop *stop)
{
    if (!find_stop_on(mover, query, length, stop))
    {
        return false;
    }
    double least = stop->hit.contact.t - MOST_PULL_BACK * mover->profile->skin; /* mutant: nose_launches */
    stop->at = lesser(larger(stop->at, least), length);
    return true;
}

static bool is_agent(const Mover *mover, const Hit *hit)
{
    return identity_of(mover->candidates, hit->candidate).placed->flags & SIDLE_INSTANCE_AGENT;
}

/* The reason bit of a contact that does not carry the agent. Flying agents have no ground, only walls. */
static uint32_t reason_of(Mover *mover, const Hit *hit, Vec3 m)
{
    double rise = vec3_dot(m, mover->up);
    if (is_agent(mover, hit)) /* mutant: agent_is_a_wall */
    {
        return SIDLE_REASON_AGENT;
    }
    if (rise < -LEANING)
    {
        return SIDLE_REASON_CEILING;
    }
    if (mover->profile->mode == SIDLE_FLY)
    {
        return SIDLE_REASON_WALL;
    }
    if (is_too_high(mover, hit, m)) /* mutant: high_is_steep */
    {
        return SIDLE_REASON_STEP;
    }
    return rise > LEANING ? SIDLE_REASON_SLOPE : SIDLE_REASON_WALL;
}

/* The instance of a hit if it moves, else NULL. */
static const Placed *moving_instance(const Mover *mover, const Hit *hit)
{
    if (mover->snapshot->moving_count == 0)
    {
        return NULL;
    }
    const Placed *placed = identity_of(mover->candidates, hit->candidate).placed;
    return placed->moves ? placed : NULL;
}

/* Adds a contact to the slide. Returns true if the slide ends here. */
static bool add_contact(Mover *mover, const Hit *hit, uint32_t flags, SlideEnd *end)
{
    Vec3 m = frame_normal_to_world(mover->frame, hit->contact.normal);
    bool walkable = mover->profile->mode != SIDLE_FLY && is_walkable(mover, hit, m);
    report_contact(mover, hit, m);
    mover->report.reasons |= walkable ? 0 : reason_of(mover, hit, m);
    end->blocked = end->blocked || !walkable;
    end->carried = end->carried || walkable;
    end->stepped_at = end->stepped_at || is_step(mover, hit, m);
    if (walkable)
    {
        stand_on(mover, hit, m);
    }
    forget_far_planes(mover, end);
    if (walkable && mover->state.in_flight)
    {
        note_impact(mover, m, end);
    }
    put_plane(mover, end, m, false, moving_instance(mover, hit));
    if ((flags & SLIDE_ONLY_WALKABLE) && !walkable)
    {
        add_wall(mover, end, m);
    }
    end->landed = walkable && (flags & SLIDE_LANDS);
    return end->landed;
}

/* Moves straight up along `displacement` (world) to the first hit. Returns the reason bit of the hit, or 0.
 * */
static OUT_OF_LINE uint32_t lift(Mover *mover, Vec3 displacement)
{
    Vec3 path = frame_to_ellipsoid(mover->frame, displacement);
    double length = vec3_length(path);
    Vec3 direction = vec3_scale(path, 1 / length);
    Stop stop;
    SweepQuery query = query_along(mover, direction, length);
    bool stops = find_vertical_stop(mover, &query, length, &stop);
    mover->state.position = vec3_add_scaled(mover->state.position, direction, stops ? stop.at : length);
    uint32_t reason = stops && is_agent(mover, &stop.hit) ? SIDLE_REASON_AGENT : SIDLE_REASON_CEILING;
    return stops ? reason : 0;
}

/* Finds the hit of a straight path. Returns false if there is none. */
static OUT_OF_LINE bool probe(const Mover *mover, Vec3 displacement, Hit *hit)
{
    Vec3 path = frame_to_ellipsoid(mover->frame, displacement);
    double length = vec3_length(path);
    Stop stop;
    bool stops = find_stop(mover, vec3_scale(path, 1 / length), length, &stop);
    *hit = stop.hit;
    return stops;
}

/* The end of a straight path down. */
typedef struct Landing
{
    Stop stop;
    Vec3 m;           /* the contact's normal, world; zero: none */
    SweepQuery query; /* along the path */
    double drop;      /* stop.at in the world; set by follow.inl */
} Landing;

/* Sweeps along `displacement` (world). Returns true if it ends on a contact that can be stood on. */
FORCE_INLINE bool find_landing(Mover *mover, Vec3 displacement, Landing *landing)
{
    Vec3 path = frame_to_ellipsoid(mover->frame, displacement);
    double length = vec3_length(path);
    landing->query = query_along(mover, vec3_scale(path, 1 / length), length);
    if (mover->state.pinned || !find_vertical_stop(mover, &landing->query, length, &landing->stop))
    {
        landing->stop.at = mover->state.pinned ? 0 : length;
        landing->m = vec3(0, 0, 0);
        return false;
    }
    landing->m = frame_normal_to_world(mover->frame, landing->stop.hit.contact.normal);
    return is_walkable(mover, &landing->stop.hit, landing->m);
}

/* Moves the mover to the result of find_landing, and stands it there. */
FORCE_INLINE void land(Mover *mover, const Landing *landing)
{
    mover->state.position =
        vec3_add_scaled(mover->state.position, landing->query.direction, landing->stop.at);
    report_contact(mover, &landing->stop.hit, landing->m);
    stand_on(mover, &landing->stop.hit, landing->m);
}

/* find_landing and land. The mover moves only to a contact that can be stood on. */
static OUT_OF_LINE bool settle(Mover *mover, Vec3 displacement)
{
    Landing landing;
    bool lands = find_landing(mover, displacement, &landing);
    if (lands)
    {
        land(mover, &landing);
    }
    return lands;
}

/* Reports the share of the displacement before the first hit, once per step. */
static inline void note_clear(Mover *mover, double share)
{
    mover->state.step_clear = mover->state.step_clear < 0 ? share : mover->state.step_clear;
}

/* A slide after its first hit. */
typedef struct Slide
{
    Vec3 displacement, direction; /* world; of the current path, ellipsoid space */
    double asked2, shortest2;     /* squared lengths: of the displacement, and of the shortest motion */
    double length;                /* of the current path */
    uint32_t flags;
    Stop stop;
} Slide;

/* Continues a slide from its first contact. */
static OUT_OF_LINE void slide_along(Mover *mover, Slide *s, SlideEnd *end)
{
    for (int sweeps = 1;; ++sweeps)
    {
        note_clear(mover, s->stop.at / s->length);
        mover->state.position = vec3_add_scaled(mover->state.position, s->direction, s->stop.at);
        end->left *= 1 - s->stop.at / s->length;
        if (mover->limits && s->stop.limit)
        {
            add_agent(mover, s->stop.limit, end);
        }
        else if (add_contact(mover, &s->stop.hit, s->flags, end))
        {
            return;
        }
        if (sweeps == MAX_SWEEPS || work_is_spent(mover->candidates))
        {
            mover->report.reasons |= sweeps == MAX_SWEEPS ? (uint32_t)SIDLE_REASON_SWEEPS : 0;
            return;
        }
        Vec3 w = project_on(end, s->displacement); /* mutant: rest_projected */
        double w2 = vec3_length2(w);
        if (w2 < SMALLEST_SHARE * s->asked2 || !(w2 * end->left * end->left > s->shortest2))
        {
            return;
        }
        Vec3 path = vec3_scale(frame_to_ellipsoid(mover->frame, w), end->left);
        s->length = vec3_length(path);
        s->direction = vec3_scale(path, 1 / s->length);
        bool stops = find_stop(mover, s->direction, s->length, &s->stop);
        if (mover->limits)
        {
            stops = stop_at_limit(mover, s->direction, s->length, stops, &s->stop);
        }
        if (!stops)
        {
            mover->state.position = vec3_add(mover->state.position, path);
            end->left = 0;
            return;
        }
    }
}

/* Moves along the free part of a displacement. Returns true if a contact ends it; slide_along continues from there. */
FORCE_INLINE bool slide_hits(Mover *mover, Vec3 displacement, uint32_t flags, Slide *sliding, SlideEnd *end)
{
    end->left = 1; /* field by field: 768 bytes of planes need no zeros */
    end->blocked = end->landed = end->carried = end->stepped_at = false;
    end->plane_count = 0;
    bool is_free = mover->state.is_free;
    mover->state.is_free = false;
    if (mover->state.pinned)
    {
        end->blocked = true;
        return false;
    }
    double asked2 = vec3_length2(displacement), shortest = mover->profile->shortest;
    double shortest2 = shortest * shortest;
    if (flags & SLIDE_HOWEVER_SHORT)
    {
        shortest2 = lesser(shortest2, asked2 / 4); /* half of the displacement */
    }
    if (!(asked2 > shortest2)) /* mutant: short_in_ellipsoid */
    {
        note_clear(mover, 1);
        return false;
    }
    Vec3 path = frame_to_ellipsoid(mover->frame, displacement);
    if (is_free)
    {
        work_add_sweep(mover->candidates);
    }
    if (!is_free || mover->limits)
    {
        double length = vec3_length(path);
        Vec3 direction = vec3_scale(path, 1 / length);
        bool stops = !is_free && find_stop_here(mover, direction, length, &sliding->stop);
        if (mover->limits)
        {
            stops = stop_at_limit(mover, direction, length, stops, &sliding->stop);
        }
        if (stops)
        {
            sliding->displacement = displacement;
            sliding->direction = direction;
            sliding->asked2 = asked2;
            sliding->shortest2 = shortest2;
            sliding->length = length;
            sliding->flags = flags;
            return true;
        }
    }
    note_clear(mover, 1);
    mover->state.position = vec3_add(mover->state.position, path);
    end->left = 0;
    return false;
}

/* Moves along `displacement` (world), sliding. */
static OUT_OF_LINE void slide(Mover *mover, Vec3 displacement, uint32_t flags, SlideEnd *end)
{
    Slide sliding;
    if (slide_hits(mover, displacement, flags, &sliding, end))
    {
        slide_along(mover, &sliding, end);
    }
}
