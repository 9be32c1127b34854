/* Moving ground. */
#include "support/motion_scenes.h"

/* Publishes the platform's motion of the next tick. */
static void move_platform(Actor *actor, sidle_pose from, sidle_pose to)
{
    Scene *scene = &actor->scene;
    demand(sidle_world_move(scene->world, scene->instances[0], &from, &to), "sidle_world_move");
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

/* One quad in one piece, since its pose is what moves. */
static Actor actor_on_platform(const MotionSetting *setting, double half, Vector start)
{
    Soup soup = {0};
    MotionSetting in_one_piece = *setting;
    in_one_piece.pieces = SCENE_ONE_MESH;
    soup_floor(&soup, half, 0);
    return actor_of(&in_one_piece, soup, start);
}

static sidle_pose lifted(const Actor *actor, double height)
{
    Vector place = actor->setting.place;
    return (sidle_pose){.position = {place.x, place.y + height, place.z}};
}

/* Up for a second, down for a second, and so on. */
static double lift_height(double time)
{
    double phase = fmod(time, 2.0);
    return 2.0 * (phase < 1.0 ? phase : 2.0 - phase);
}

MotionLift motion_lift(const MotionSetting *setting)
{
    double rest = motion_rest(setting), dt = 1.0 / setting->rate;
    Actor actor = actor_on_platform(setting, 3, vector(0.2, rest + 0.01, 0.1));
    MotionLift lift = {0};
    actor_land(&actor);
    for (int tick = 0; tick < 600; ++tick)
    {
        double height = lift_height((tick + 1) * dt);
        move_platform(&actor, lifted(&actor, lift_height(tick * dt)), lifted(&actor, height));
        actor_tick(&actor, vector(0, 0, 0));
        double above = actor_place(&actor).y - rest - height;
        lift.lost += !actor.grounded || fabs(above) > 0.02;
        lift.launched = fmax(lift.launched, above);
    }
    actor_end(&actor);
    return lift;
}

static sidle_pose turned(const Actor *actor, double angle)
{
    sidle_pose pose = lifted(actor, 0);
    pose.rotation = (sidle_quat){0.0f, (float)sin(0.5 * angle), 0.0f, (float)cos(0.5 * angle)};
    return pose;
}

double motion_spin_slip(const MotionSetting *setting)
{
    double rest = motion_rest(setting), dt = 1.0 / setting->rate;
    Actor actor = actor_on_platform(setting, 4, vector(2, rest + 0.01, 0));
    actor_land(&actor);
    int ticks = actor_ticks(&actor, 10.0);
    for (int tick = 0; tick < ticks; ++tick)
    {
        move_platform(&actor, turned(&actor, tick * dt), turned(&actor, (tick + 1) * dt));
        actor_tick(&actor, vector(0, 0, 0));
    }
    /* A turn about y by a takes (2, 0) to (2 cos a, -2 sin a). */
    double angle = ticks * dt;
    Vector place = actor_place(&actor), carried = vector(2.0 * cos(angle), place.y, -2.0 * sin(angle));
    actor_end(&actor);
    return vector_distance(place, carried);
}
