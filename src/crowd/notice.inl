/* The first look of steering at the agents around: in float lanes, in the order of the grid. Few of them can collide
 * with the agent; those are tested again in double. A first look is wide enough for rounding, so results do not depend on it. */
#include "crowd/steer.h"

/* Share of head-on motion from which on a neighbour counts. 0: it follows the same direction at the same speed. .5: it stands
 * or crosses. 1: it comes straight at the agent. */
#define HEAD_ON .1

/* The agent that looks around. */
typedef struct Lookout
{
    Lanes center[3], ground[3], forward[3], right[3], up[3];
    Lanes behind;   /* x from which a neighbour counts */
    Lanes reach2;   /* squared distance up to which it counts */
    Lanes parallel; /* its speed forward up to which it counts */
    Lanes speed;    /* preferred */
    Lanes speeds;   /* of the agent and of its ground, summed up */
    Lanes radius, height;
    Lanes error; /* of a place */
} Lookout;

/* Floats round a place, its difference and its parts by at most 2^-24 each, of a coordinate or of the reach. */
#define PLACE_ERROR 0x1p-20f
/* The same for velocities, of the sum of all that enters. */
#define SPEED_ERROR 0x1p-20f

static inline void lookout_axis(Lanes to[3], Vec3 v)
{
    to[0] = lanes_set((Real)v.x);
    to[1] = lanes_set((Real)v.y);
    to[2] = lanes_set((Real)v.z);
}

static inline Lanes lookout_part(const Lanes axis[3], const Lanes v[3])
{
    Lanes xy = lanes_add(lanes_mul(axis[0], v[0]), lanes_mul(axis[1], v[1]));
    return lanes_add(xy, lanes_mul(axis[2], v[2]));
}

static inline Lanes lookout_size(const Lanes v[3])
{
    return lanes_add(lanes_add(lanes_abs(v[0]), lanes_abs(v[1])), lanes_abs(v[2]));
}

/* Bits of the walkers from place `at` on that the agent may collide with. */
static inline uint32_t lookout_sees(const Lookout *own, const Steering *steering, uint32_t at)
{
    const float *row = steering->places + at;
    size_t stride = steering->place_stride;
    Lanes away[3], velocity[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        away[axis] = lanes_sub(lanes_load_unaligned(row + (size_t)axis * stride), own->center[axis]);
        velocity[axis] = lanes_sub(lanes_load_unaligned(row + (PLACE_VELOCITY + (size_t)axis) * stride),
                                   own->ground[axis]);
    }
    Lanes x = lookout_part(own->forward, away), y = lookout_part(own->right, away);
    Lanes distance2 = lanes_add(lanes_mul(x, x), lanes_mul(y, y));
    Lanes rise = lanes_abs(lookout_part(own->up, away));
    Lanes heights = lanes_add(own->height, lanes_load_unaligned(row + PLACE_HEIGHT * stride));
    Mask sees = mask_and(lanes_less_equal(own->behind, x), lanes_less_equal(distance2, own->reach2));
    sees = mask_and(sees, lanes_less_equal(rise, lanes_add(heights, own->error)));
    if (!mask_bits(sees))
    {
        return 0;
    }
    Lanes ahead = lookout_part(own->forward, velocity), aside = lookout_part(own->right, velocity);
    Lanes doubt = lanes_mul(lanes_add(lookout_size(velocity), own->speeds), lanes_set(SPEED_ERROR));
    Lanes closing = lanes_sub(own->speed, ahead);
    Lanes closing2 = lanes_add(lanes_mul(closing, closing), lanes_mul(aside, aside));
    /* The distance at which the straight paths pass, times the relative speed. With |a + b|^2 <= 1.01 a^2 + 101 b^2. */
    Lanes passes = lanes_add(lanes_mul(x, aside), lanes_mul(y, closing));
    Lanes touch =
        lanes_add(lanes_add(own->radius, lanes_load_unaligned(row + PLACE_RADIUS * stride)), own->error);
    Lanes most2 = lanes_mul(lanes_mul(lanes_mul(touch, touch), closing2), lanes_set(1.01f));
    most2 = lanes_add(most2, lanes_mul(lanes_mul(lanes_mul(doubt, doubt), distance2), lanes_set(101)));
    sees = mask_and(sees, lanes_less_equal(ahead, lanes_add(own->parallel, doubt)));
    return mask_bits(mask_and(sees, lanes_less_equal(lanes_mul(passes, passes), most2)));
}

static void set_lookout(const Peer *peer, const Walker *walker, const Preference *own, double reach,
                        Lookout *to)
{
    double farthest = larger(fabs(peer->center.x), larger(fabs(peer->center.y), fabs(peer->center.z)));
    /* mutant: notices_nearly_all */
    double error = PLACE_ERROR * (farthest + reach), parallel = 1 - 2 * HEAD_ON;
    Vec3 size = vec3_abs(own->ground);
    lookout_axis(to->center, peer->center);
    lookout_axis(to->ground, own->ground);
    lookout_axis(to->forward, own->forward);
    lookout_axis(to->right, own->right);
    lookout_axis(to->up, peer->shape->up);
    to->behind = lanes_set((Real)(-walker->radius - error));
    to->reach2 = lanes_set((Real)((reach + error) * (reach + error)));
    to->parallel = lanes_set((Real)(parallel * own->speed));
    to->speed = lanes_set((Real)own->speed);
    to->speeds = lanes_set((Real)(own->speed + size.x + size.y + size.z));
    to->radius = lanes_set((Real)(PERSONAL_SPACE * walker->radius));
    to->height = lanes_set((Real)walker->height);
    to->error = lanes_set((Real)error);
}
