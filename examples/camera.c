/* A third-person camera. It is a ball that is swept from the player's head to where the camera should be, and slides along walls. The
 * ball contains the near plane, so no wall is cut open by it: checked here at each of its corners in each tick. */
#include "courtyard.h"

#include <math.h>

#define NEAR     .1        /* metres */
#define FOV      1.0471976 /* radians, vertical */
#define ASPECT   (16 / 9.)
#define RADIUS   .2f  /* of the ball; the corners of the near plane are .155 from the eye */
#define DISTANCE 4    /* of the camera from the head */
#define GAP      .005 /* kept to what the ball hits */
#define TICKS    6000

typedef sidle_position Vec;

static Vec along(Vec from, Vec by, double share)
{
    return (Vec){from.x + by.x * share, from.y + by.y * share, from.z + by.z * share};
}

static double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec unit(Vec a)
{
    return along((Vec){0, 0, 0}, a, 1 / sqrt(dot(a, a)));
}

/* A ball of radius r, or a ray. */
static sidle_cast_hit cast(const sidle_snapshot *snapshot, Vec from, Vec to, float r)
{
    sidle_cast path = {.origin = from, .shape.radii = {r, r, r}};
    path.displacement = (sidle_vec3){(float)(to.x - from.x), (float)(to.y - from.y), (float)(to.z - from.z)};
    sidle_cast_hit hit;
    must(sidle_cast_closest(snapshot, 0, &path, &hit));
    return hit;
}

/* Sweeps the ball and returns where it stops; `to` becomes what is left to go, along what it hit. */
static Vec sweep(const sidle_snapshot *snapshot, Vec from, Vec *to)
{
    Vec path = along(*to, from, -1);
    sidle_cast_hit hit = cast(snapshot, from, *to, RADIUS);
    if (hit.hit == SIDLE_CAST_MISS)
        return *to;
    Vec normal = {hit.normal.x, hit.normal.y, hit.normal.z},
        stop = along(from, path, fmax(0, hit.t - GAP / sqrt(dot(path, path))));
    *to = along(*to, normal, dot(along(stop, *to, -1), normal));
    return stop;
}

/* The sweep to the end of the slide decides, so that nothing comes between the camera and the head. */
static Vec camera_place(const sidle_snapshot *snapshot, Vec head, Vec back)
{
    Vec to = along(head, back, DISTANCE), stop = sweep(snapshot, head, &to), end = sweep(snapshot, stop, &to);
    return sweep(snapshot, head, &end);
}

/* The least distance of the corners from walls and ground; negative if a wall is between the eye and a corner. */
static double clearance(const sidle_snapshot *snapshot, Vec eye, Vec forward)
{
    Vec right = unit(cross(forward, (Vec){0, 1, 0})), up = cross(right, forward);
    double least = RADIUS, half = NEAR * tan(FOV / 2);
    for (int i = 0; i < 4; ++i)
    {
        Vec middle = along(eye, forward, NEAR), side = along(middle, right, (i % 2 ? half : -half) * ASPECT);
        sidle_place corner = {.center = along(side, up, i / 2 ? half : -half)};
        sidle_closest closest;
        must(sidle_place_closest(snapshot, 0, &corner, RADIUS, &closest));
        if (cast(snapshot, eye, corner.center, 0).hit != SIDLE_CAST_MISS)
            return -1;
        least = fmin(least, closest.found ? closest.distance : RADIUS);
    }
    return least;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_move player = {.id = 1, .body.center = {0, 1, 5}};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = snapshot, .dt = 1 / 60.f, .count = 1};
    tick.moves = &player;
    tick.results = &result;
    double least = RADIUS, sum = 0;
    int hidden = 0, close = 0;
    for (int i = 0; i < TICKS; ++i)
    {
        double heading = .013 * i + 2 * sin(.0017 * i), yaw = .0071 * i, pitch = .2 + .5 * sin(.011 * i);
        player.displacement = (sidle_vec3){.07f * (float)sin(heading), 0, .07f * (float)cos(heading)};
        must(sidle_crowd_tick(crowd, &tick));
        player.body = result.body;
        Vec head = along(player.body.center, (Vec){0, 1, 0}, .5 - (double)player.body.step_offset),
            back = {cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)},
            eye = camera_place(snapshot, head, back), view = along(head, eye, -1);
        double distance = sqrt(dot(view, view));
        least = fmin(least, clearance(snapshot, eye, unit(along(view, back, -.1))));
        hidden += cast(snapshot, head, eye, 0).hit != SIDLE_CAST_MISS;
        close += distance < .99 * DISTANCE;
        sum += distance;
    }
    printf("the near plane stays %.3f m clear; the head is hidden in %d ticks; %.1f m away on average, and\n"
           "nearer than %d m in %d of %d ticks\n",
           least, hidden, sum / TICKS, DISTANCE, close, TICKS);
    sidle_crowd_destroy(crowd);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return least < .04 || hidden > 0 || close < TICKS / 10;
}
