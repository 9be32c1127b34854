#include "support/motion.h"

#include <stdlib.h>

#define PUBLISHED_GAP .005 /* radii */

MotionSetting motion_person(MotionSubject subject)
{
    return (MotionSetting){
        .subject = subject, .shape = {.radii = {0.4f, 0.9f, 0.4f}}, .rate = 60, .step_up = 0.4, .slope = 50};
}

static SceneOptions options_of(const MotionSetting *setting)
{
    const uint32_t modes[] = {[MOTION_WALK] = SIDLE_WALK,
                              [MOTION_SLIDE] = SIDLE_SLIDE,
                              [MOTION_FLY] = SIDLE_FLY,
                              [MOTION_PUBLISHED] = SIDLE_SLIDE};
    SceneOptions options = walking_ball();
    options.profile.shape = setting->shape;
    options.profile.mode = modes[setting->subject];
    options.profile.step_up = setting->step_up > 0.0 ? (float)setting->step_up : -1.0f;
    options.profile.max_slope_cos = (float)cos(radians(setting->slope));
    options.pieces = setting->pieces;
    options.place = setting->place;
    options.turned = setting->turned;
    options.dt = 1.0f / (float)setting->rate;
    return options;
}

/* Between the scene's axes and the world's. Without a turn, the bits stay. */
static Vector turned(const MotionSetting *setting, Vector v, double sign)
{
    Rotation rotation = rotation_about_y(sign * radians(setting->turned));
    return setting->turned != 0.0 ? vector_rotated(&rotation, v) : v;
}

static FauerbyVector published(Vector v)
{
    return (FauerbyVector){(float)v.x, (float)v.y, (float)v.z};
}

static void place_published(Actor *actor)
{
    const Soup *soup = &actor->scene.soup;
    actor->triangles = calloc(soup->count + 1, sizeof *actor->triangles);
    if (actor->triangles == NULL)
    {
        abort();
    }
    for (size_t i = 0; i < 3 * soup->count; ++i)
    {
        Vector v = vector_add(soup->triangles[i / 3].v[i % 3], actor->setting.place);
        actor->triangles[i / 3].p[i % 3] = published(v);
    }
}

Actor actor_of(const MotionSetting *setting, Soup soup, Vector start)
{
    Actor actor = {.setting = *setting};
    actor.scene = scene_of(soup, options_of(setting));
    actor.agent = agent_in(vector_add(turned(setting, start, 1.0), setting->place));
    actor.agent.rotation = setting->rotation;
    if (setting->subject == MOTION_PUBLISHED)
    {
        place_published(&actor);
    }
    return actor;
}

void actor_end(Actor *actor)
{
    scene_close(&actor->scene);
    free(actor->triangles);
}

/* The paper takes the fall as the displacement of one frame. An engine adds it up over the frames, and begins again
 * where the ground has taken most of it away. */
static void tick_published(Actor *actor, Vector velocity)
{
    double dt = (double)actor->scene.options.dt;
    FauerbyWorld world = {.triangles = actor->triangles, .triangle_count = actor->scene.soup.count};
    sidle_vec3 r = actor->setting.shape.radii;
    FauerbyVector radii = {r.x, r.y, r.z}, none = {0, 0, 0};
    actor->falling += 9.81 * dt;
    Vector fall = vector(0, -actor->falling * dt, 0), center = agent_center(&actor->agent);
    FauerbyVector middle =
        fauerby_move(&world, published(center), radii, published(vector_scale(velocity, dt)), none);
    FauerbyVector end = fauerby_move(&world, middle, radii, published(fall), none);
    double fallen = (double)middle.y - (double)end.y;
    actor->grounded = fallen < 0.5 * actor->falling * dt;
    actor->falling = actor->grounded ? 0.0 : actor->falling;
    actor->agent.body.center = (sidle_position){(double)end.x, (double)end.y, (double)end.z};
}

void actor_tick(Actor *actor, Vector velocity)
{
    velocity = turned(&actor->setting, velocity, 1.0);
    if (actor->setting.subject == MOTION_PUBLISHED)
    {
        tick_published(actor, velocity);
        return;
    }
    scene_tick(&actor->scene, &actor->agent, vector_scale(velocity, (double)actor->scene.options.dt));
    actor->grounded = (actor->agent.body.flags & SIDLE_BODY_GROUNDED) != 0;
}

int actor_ticks(const Actor *actor, double seconds)
{
    return (int)floor(seconds * actor->setting.rate + 0.5);
}

void actor_go(Actor *actor, Vector velocity, double seconds)
{
    int ticks = actor_ticks(actor, seconds);
    for (int tick = 0; tick < ticks; ++tick)
    {
        actor_tick(actor, velocity);
    }
}

bool actor_land(Actor *actor)
{
    for (int ticks = actor_ticks(actor, 10.0); ticks > 0 && !actor->grounded; --ticks)
    {
        actor_tick(actor, vector(0, 0, 0));
    }
    return actor->grounded;
}

void actor_fall(Actor *actor, double speed)
{
    actor->falling = speed;
    actor->agent.body.velocity = (sidle_vec3){0.0f, (float)-speed, 0.0f};
}

Vector actor_place(const Actor *actor)
{
    return turned(&actor->setting, vector_sub(agent_center(&actor->agent), actor->setting.place), -1.0);
}

/* A capsule is every ball along its core. */
double actor_clearance(const Actor *actor)
{
    const sidle_shape *shape = &actor->setting.shape;
    Vector radii = vector((double)shape->radii.x, (double)shape->radii.y, (double)shape->radii.z);
    double half = (double)shape->half_height, least = INFINITY;
    Vector place = vector_sub(agent_center(&actor->agent), actor->setting.place); /* as the soup is turned */
    for (int i = 0; i <= (half > 0.0 ? 32 : 0); ++i)
    {
        Vector center = vector_add(place, vector(0, half * (i / 16.0 - 1.0) * (half > 0.0), 0));
        least = fmin(least, soup_distance(&actor->scene.soup, center, radii));
    }
    return least;
}

double motion_rest(const MotionSetting *setting)
{
    double skin = setting->subject == MOTION_PUBLISHED ? PUBLISHED_GAP : 0.02;
    return (double)setting->shape.radii.y * (1.0 + skin) + (double)setting->shape.half_height;
}
