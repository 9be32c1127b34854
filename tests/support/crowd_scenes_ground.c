/* Places whose ground is not level, ends, or moves. */
#include "support/crowd_scenes_places.h"

void crowd_build_stairs(CrowdScene *scene, Soup *soup)
{
    soup_plate(soup, -60, 0, -1, 1, 0);
    for (int i = 0; i < 24; ++i)
    {
        soup_box(soup, vector(.3 * i, -1, -1), vector(20, .2 * (i + 1), 1));
    }
    soup_box(soup, vector(-60, -1, -2), vector(20, 12, -1));
    soup_box(soup, vector(-60, -1, 1), vector(20, 12, 2));
    Random random = crowd_random(scene);
    for (int i = 0; i < scene->setting.count; ++i)
    {
        double x = -1 - .9 * (i / 2) - .1 * random_unit(&random);
        crowd_add(scene, 1000 + 13 * (uint64_t)i, x, 0, -.5 + i % 2 + crowd_jitter(&random, .1), 0);
    }
    const double blockers[2][2] = {{7.2, .59}, {7.2, -.59}};
    for (int i = 0; i < 2; ++i)
    {
        crowd_add(scene, 1 + (uint64_t)i, blockers[i][0], 5.3, blockers[i][1], 0)->mass = INFINITY;
        scene->persons[scene->count - 1].is_hero = true;
    }
    scene->low = vector(-60, -1, -1);
    scene->high = vector(20, 100, 1);
}

Vector crowd_queue(const CrowdScene *scene, uint32_t person)
{
    return scene->persons[person].is_hero ? vector(0, 0, 0) : crowd_ahead(scene, person);
}

void crowd_build_slope(CrowdScene *scene, Soup *soup)
{
    double half = .71 * sqrt((double)scene->setting.count), out = half + 2, rise = tan(radians(30));
    soup_quad(soup, vector(-out, -out * rise, -out), vector(-out, -out * rise, out),
              vector(out, out * rise, out), vector(out, out * rise, -out));
    soup_box(soup, vector(-half - 1, -20, -half - 1), vector(-half, 20, half + 1));
    soup_box(soup, vector(half, -20, -half - 1), vector(half + 1, 20, half + 1));
    soup_box(soup, vector(-half, -20, -half - 1), vector(half, 20, -half));
    soup_box(soup, vector(-half, -20, half), vector(half, 20, half + 1));
    crowd_spread_around(scene, scene->setting.count, half - .6);
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        scene->moves[i].body.center.y += scene->moves[i].body.center.x * rise + .25;
    }
    scene->low = vector(-half, -half * rise - .5, -half);
    scene->high = vector(half, 100, half);
}

static Vector lift_at(const CrowdScene *scene, double time)
{
    return vector(scene->setting.amount * sin(time), 2 - 2 * cos(1.2 * time), 0);
}

static double lift_half(const CrowdScene *scene)
{
    return .73 * sqrt((double)scene->setting.count);
}

/* The first call adds the lift. */
void crowd_move_lift(CrowdScene *scene, double from, double to)
{
    Vector begin = lift_at(scene, from), end = lift_at(scene, to);
    double half = lift_half(scene);
    if (scene->stage.body_count == 0)
    {
        Soup plate = {0};
        soup_box(&plate, vector(-half, -1, -half), vector(half, 0, half));
        stage_add(&scene->stage, plate, pose_at(begin.x, begin.y, 0));
    }
    else
    {
        stage_move(&scene->stage, 0, pose_at(end.x, end.y, 0));
    }
    stage_commit(&scene->stage);
    scene->drift = vector_sub(end, begin);
    scene->low = vector(end.x - half, end.y, -half);
    scene->high = vector(end.x + half, 100, half);
    crowd_all_go_to(scene, begin);
}

void crowd_build_lift(CrowdScene *scene, Soup *soup)
{
    soup_plate(soup, -20, 20, -20, 20, -8);
    crowd_spread_around(scene, scene->setting.count, lift_half(scene) - .8);
}

static double ledge_half(const CrowdScene *scene)
{
    return .65 * sqrt((double)scene->setting.count);
}

void crowd_build_ledge(CrowdScene *scene, Soup *soup)
{
    double half = ledge_half(scene);
    soup_box(soup, vector(-half, -1, -half), vector(half, 0, half));
    soup_plate(soup, -30, 30, -30, 30, -8);
    crowd_spread_around(scene, scene->setting.count, half - 1);
    crowd_all_go_to(scene, vector(half - .3, 0, 0));
    scene->low = vector(-INFINITY, 0, -INFINITY);
}

Vector crowd_push(const CrowdScene *scene, uint32_t person)
{
    return scene->moves[person].id % 3 ? crowd_to_goal(scene, person) : vector(0, 0, 0);
}
