/* No energy appears. With the path p of a tick, the kinetic energy of the motion is m p^2 / (2 dt^2). Two bounds hold for sums of m p^2.
 *
 * Each agent alone: own is the longest path that its request, its velocity and gravity explain. With a neighbour within reach its path is
 * at most the longer of own and the longest push of a tick, since the library clamps what the rounds have corrected, and a slide
 * shortens every path. A push out of the level adds the same again. So for any masses, infinite ones too, the sum over agents
 * is at most that of m (allowance)^2. On the ground the height of steps is apart: it is no motion of the agent's own.
 *
 * Agents together: what a neighbour gains, another has lost. A corrected pair moves as two bodies that collide without
 * bouncing. The one that moves towards the other yields at least by its share of the masses, so the sum of m p^2 does not grow. Only the
 * push out of the soft zone adds energy, at most m (push)^2. So in each cluster of agents that can reach one another the sum is
 * at most that of m (own)^2, plus m (push)^2 of those with a neighbour that is or passes in the soft zone.
 *
 * A velocity is what the next tick begins with: it is no longer than the path explains, or in the air gravity and steering.
 *
 * The room rests, so nothing carries or pushes an agent besides. */
#include "crowd_checks.h"

#include "fuzz.h"

#define GRAVITY  9.81
#define STEERING 2   /* 1/s: how fast a velocity in the air follows the displacement */
#define PUSH     7.5 /* smallest radii a second, if the profile leaves it open */
#define COMFORT  .15 /* smallest radii, the same */
#define SOFT     .27 /* mean smallest radii: the widest zone that two keep free, for their comfort aside */
/* By how much the library may rate a gap lower: of mean smallest radii, and, since the normal of an agent that falls onto a head leans,
 * of the distance of the centres and of half the widths. */
#define DOUBT    .1
#define LEANING  .02
#define TILT     .17
#define ROUNDING 1e-5 /* relative, and metres */

typedef struct Motion /* of an agent in a tick */
{
    const sidle_move *move;
    const sidle_result *result;
    double dt; /* since its last move */
    bool walks, grounded, waits;
    Vector path, alone;                  /* what it did, and what it would do alone */
    double length;                       /* of the path, but for the height of steps on the ground */
    double own, push;                    /* the most that it moves alone; the longest push */
    double fall;                         /* of slide mode, which follows the displacement */
    double landing;                      /* from the end of a fall to the ground */
    double mass, height, comfort, least; /* height: by which the ground may move it along up */
    double widest;                       /* half of the shape along its longest axis */
    bool is_near, is_soft;               /* another agent is within reach; is in the soft zone */
    uint32_t cluster;
} Motion;

static Vector from_floats(sidle_vec3 v)
{
    return vector((double)v.x, (double)v.y, (double)v.z);
}

static Vector wish_of(const Motion *motion)
{
    return vector_add(from_floats(motion->move->displacement), from_floats(motion->move->body.postponed));
}

static double positive(float value, double otherwise)
{
    return value > 0 ? (double)value : value < 0 ? 0 : otherwise;
}

/* The velocity after steering, which turns towards the displacement. */
static Vector steered(Vector velocity, Vector wish, double dt)
{
    double turn = STEERING * dt / (1 + STEERING * dt / 2);
    return vector(velocity.x + turn * (wish.x / dt - velocity.x), velocity.y,
                  velocity.z + turn * (wish.z / dt - velocity.z));
}

/* The longest path that the agent takes alone. */
static void set_own(Motion *motion, uint32_t mode)
{
    double dt = motion->dt, gained = GRAVITY * dt * dt / 2;
    Vector v = from_floats(motion->move->body.velocity);
    Vector wish = wish_of(motion);
    if (mode == SIDLE_FLY)
    {
        motion->alone = wish;
        motion->own = vector_length(wish);
    }
    else if (mode == SIDLE_SLIDE)
    {
        double sinks = gained - (motion->grounded ? 0 : v.y) * dt;
        motion->alone = vector(wish.x, wish.y - (motion->grounded ? 0 : sinks), wish.z);
        motion->fall = fabs(sinks);
        motion->own = vector_length(wish) + motion->fall;
    }
    else if (motion->grounded)
    {
        motion->alone = vector(wish.x, 0, wish.z);
        motion->own = hypot(wish.x, wish.z);
    }
    else
    {
        Vector turned = vector_scale(vector_add(v, steered(v, wish, dt)), .5);
        bool is_still = hypot(wish.x, wish.z) < 1e-5 * motion->least; /* no steering */
        Vector free = vector(v.x * dt, v.y * dt - gained, v.z * dt);
        motion->alone = vector(turned.x * dt, free.y, turned.z * dt);
        motion->own = fmax(vector_length(motion->alone), is_still ? vector_length(free) : 0);
        motion->landing = .002 * motion->least;
    }
}

static Motion motion_of(const TickCheck *check, uint32_t agent)
{
    const sidle_move *move = &check->tick->moves[agent];
    const sidle_result *result = &check->tick->results[agent];
    const sidle_profile *profile = &check->profiles[move->profile];
    sidle_vec3 r = profile->shape.radii;
    double tall = (double)(fmaxf(r.x, fmaxf(r.y, r.z)) + profile->shape.half_height);
    Motion motion = {.move = move, .result = result, .least = checked_least(check, move)};
    motion.dt = (double)check->tick->dt + (double)move->body.waited;
    motion.waits = result->reasons & SIDLE_REASON_DEFERRED;
    motion.grounded = (move->body.flags & SIDLE_BODY_GROUNDED) && profile->mode != SIDLE_FLY;
    motion.walks = motion.grounded && profile->mode == SIDLE_WALK;
    motion.path = vector_sub(checked_center(&result->body), checked_center(&move->body));
    motion.length = motion.walks ? hypot(motion.path.x, motion.path.z) : vector_length(motion.path);
    motion.mass = move->mass > 0 ? (double)move->mass : 1;
    motion.comfort = positive(profile->comfort, COMFORT) * motion.least;
    motion.push = positive(profile->recovery_speed, PUSH) * motion.least * motion.dt;
    motion.widest = tall;
    motion.height = motion.grounded ? tall : 0; /* half of it is a step, a twentieth the skin */
    set_own(&motion, profile->mode);
    if (motion.waits)
    {
        motion.own = motion.push = motion.fall = motion.height = 0;
        motion.alone = vector(0, 0, 0);
    }
    return motion;
}

/* ---- neighbours ---- */

static double soft_zone(const Motion *a, const Motion *b, double apart)
{
    double mean = (a->least + b->least) / 2;
    double leans = a->grounded && b->grounded ? 0 : TILT * (a->widest + b->widest);
    return fmax((a->comfort + b->comfort) / 2, SOFT * mean) + DOUBT * mean + LEANING * apart + leans;
}

static void join(Motion *motions, uint32_t count, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        motions[i].cluster = motions[i].cluster == from ? to : motions[i].cluster;
    }
}

static double support(const CrowdBody *body, Vector n)
{
    Vector own =
        vector(vector_dot(n, body->axes[0]), vector_dot(n, body->axes[1]), vector_dot(n, body->axes[2]));
    return vector_length(vector_times(own, body->radii)) + body->half_height * fabs(own.y);
}

static double apart_along(const CrowdBody *a, const CrowdBody *b, Vector n)
{
    return vector_dot(vector_sub(b->center, a->center), n) - support(a, n) - support(b, n);
}

/* A lower bound of the gap, by a few directions, and the best of them. */
static double apart(const CrowdBody *a, const CrowdBody *b, Vector *normal)
{
    Vector away = vector_sub(b->center, a->center);
    const Vector tries[5] = {away, vector(away.x, 0, away.z), vector(away.x, 0, 0), vector(0, away.y, 0),
                             vector(0, 0, away.z)};
    double most = -INFINITY;
    for (int i = 0; i < 5; ++i)
    {
        Vector n = vector_unit(tries[i]);
        double gap = apart_along(a, b, n);
        *normal = gap > most ? n : *normal;
        most = fmax(most, gap);
    }
    return most;
}

#define PLACES 16 /* of the tick */

/* Whether two begin in the soft zone, or pass each other in it: along the normal of a later place they are that near from the beginning.
 * Two that run into each other are not. The places end where they touch. */
static bool is_in_soft_zone(const CrowdBody bodies[2], Vector closing, double soft)
{
    CrowdBody moved = bodies[1];
    bool is_soft = false;
    for (int i = 0; i <= PLACES && !is_soft; ++i)
    {
        Vector normal = vector(0, 0, 0);
        moved.center = vector_along(bodies[1].center, i / (double)PLACES, closing);
        double gap = apart(&bodies[0], &moved, &normal);
        is_soft = gap <= soft && apart_along(&bodies[0], &bodies[1], normal) <= soft;
        if (gap < 0)
        {
            break;
        }
    }
    return is_soft;
}

static void compare_pair(const TickCheck *check, Motion *motions, Motion *a, Motion *b)
{
    const CrowdBody bodies[2] = {checked_shape(check, a->move, &a->move->body),
                                 checked_shape(check, b->move, &b->move->body)};
    Vector normal = vector(0, 0, 0);
    double reach = fmax(a->own, a->push) + fmax(b->own, b->push) + a->height + b->height;
    double soft = soft_zone(a, b, vector_distance(bodies[0].center, bodies[1].center));
    if (!checked_collide(a->move, b->move) || apart(&bodies[0], &bodies[1], &normal) > reach + soft)
    {
        return;
    }
    bool is_soft = is_in_soft_zone(bodies, vector_sub(b->alone, a->alone), soft);
    a->is_near = b->is_near = true;
    a->is_soft = a->is_soft || is_soft;
    b->is_soft = b->is_soft || is_soft;
    join(motions, check->tick->count, a->cluster, b->cluster);
}

static void find_neighbours(const TickCheck *check, Motion *motions)
{
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        motions[i].cluster = i;
        for (uint32_t k = 0; k < i; ++k)
        {
            compare_pair(check, motions, &motions[i], &motions[k]);
        }
    }
}

/* ---- bounds ---- */

static void check_path(const TickCheck *check, uint32_t agent, const Motion *motion)
{
    bool is_pushed = motion->result->reasons & SIDLE_REASON_OVERLAP;
    double most = motion->is_near ? fmax(motion->own, motion->push) + 2 * motion->fall : motion->own;
    most += motion->landing + (is_pushed ? motion->push : 0);
    if (!(motion->length <= most * (1 + ROUNDING) + ROUNDING))
    {
        checked_print(check, agent);
        fuzz_demand_at_most(motion->length, most, "a path that nothing explains");
    }
    double fall =
        fabs((double)motion->move->body.velocity.y) * motion->dt + GRAVITY * motion->dt * motion->dt;
    if (motion->walks && !is_pushed)
    {
        fuzz_demand_at_most(fabs(motion->path.y), motion->height + motion->own + fall,
                            "a height that nothing explains");
    }
}

static void check_velocity(const TickCheck *check, uint32_t agent, const Motion *motion)
{
    Vector before = from_floats(motion->move->body.velocity),
           after = from_floats(motion->result->body.velocity);
    Vector wish = wish_of(motion);
    double dt = motion->dt;
    double passed = hypot(motion->path.x, motion->path.z) + motion->fall; /* the fall may lead back */
    double flat = fmax(fmax(passed, hypot(wish.x, wish.z)) / dt, hypot(before.x, before.z));
    double rise = fmax(fabs(motion->path.y) / dt, fabs(before.y) + GRAVITY * dt);
    bool is_pushed = motion->result->reasons & SIDLE_REASON_OVERLAP;
    double most = hypot(flat, rise) + (is_pushed ? motion->push / dt : 0); /* the push is no velocity */
    if (!(vector_length(after) <= most * (1 + ROUNDING) + ROUNDING / dt))
    {
        checked_print(check, agent);
        fuzz_demand_at_most(vector_length(after), most, "a velocity that nothing explains");
    }
}

static void check_cluster(const TickCheck *check, const Motion *motions, uint32_t cluster)
{
    double sum = 0, most = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        const Motion *m = &motions[i];
        if (m->cluster != cluster)
        {
            continue;
        }
        bool is_pushed = m->result->reasons & SIDLE_REASON_OVERLAP;
        double own = m->own + 2 * m->fall + m->landing;
        double push = m->is_soft ? m->push + m->landing : 0; /* a push ends on the ground, too */
        own += is_pushed ? m->push + push : 0; /* the level's comes first, perhaps in the same direction */
        ++count;
        sum += m->mass * m->length * m->length;
        most += m->mass * (own * own + push * push + ROUNDING * ROUNDING);
    }
    if (count > 1 && isfinite(most) && sum > most * (1 + ROUNDING))
    {
        for (uint32_t i = 0; i < check->tick->count; ++i)
        {
            if (motions[i].cluster == cluster)
            {
                checked_print(check, i);
            }
        }
        fuzz_demand_at_most(sum, most, "energy from nothing");
    }
}

void energy_check(const TickCheck *check)
{
    Motion motions[CHECKED_MOST];
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        motions[i] = motion_of(check, i);
    }
    find_neighbours(check, motions);
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        check_path(check, i, &motions[i]);
        check_velocity(check, i, &motions[i]);
        check_cluster(check, motions, i);
    }
}
