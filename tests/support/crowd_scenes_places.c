/* The places of the scenes, the persons there and their wishes. */
#include "support/crowd_scenes_places.h"

#define WALL 3.0 /* metres high */

/* ---- shared ---- */

Random crowd_random(const CrowdScene *scene)
{
    return random_seeded(4200 + scene->setting.seed);
}

double crowd_jitter(Random *random, double most)
{
    return most > 0 ? random_between(random, -most / 2, most / 2) : 0;
}

/* A floor and four walls around [-half, half] squared. Outside of them is out of the level. */
static void hall(CrowdScene *scene, Soup *soup, double half)
{
    double out = half + 1;
    soup_plate(soup, -out, out, -out, out, 0);
    soup_box(soup, vector(-out, 0, -out), vector(-half, WALL, out));
    soup_box(soup, vector(half, 0, -out), vector(out, WALL, out));
    soup_box(soup, vector(-half, 0, -out), vector(half, WALL, -half));
    soup_box(soup, vector(-half, 0, half), vector(half, WALL, out));
    scene->low = vector(-half, -1, -half);
    scene->high = vector(half, 100, half);
}

/* So many persons of the first profile on a jittered grid between two corners; they do not overlap. */
static void spread(CrowdScene *scene, int count, double x0, double x1, double z0, double z1)
{
    Random random = crowd_random(scene);
    int side = (int)ceil(sqrt((double)count));
    double width = 2.08 * (double)scene->setting.shape.radii.x;
    double step_x = (x1 - x0) / side, step_z = (z1 - z0) / side;
    for (int i = 0; i < count; ++i)
    {
        double x = x0 + step_x * (i % side + .5) + crowd_jitter(&random, step_x - width);
        double z = z0 + step_z * (i / side + .5) + crowd_jitter(&random, step_z - width);
        crowd_add(scene, 1000 + 7 * (uint64_t)i, x, 0, z, 0);
    }
}

void crowd_spread_around(CrowdScene *scene, int count, double half)
{
    spread(scene, count, -half, half, -half, half);
}

static uint32_t add_profile(CrowdScene *scene, sidle_shape shape)
{
    scene->profiles[scene->profile_count] = scene->profiles[0];
    scene->profiles[scene->profile_count].shape = shape;
    return scene->profile_count++;
}

static Vector toward(const CrowdScene *scene, uint32_t person, Vector goal)
{
    Vector path = vector_sub(goal, crowd_place(scene, person));
    path.y = 0;
    double length = vector_length(path);
    double speed = fmin(scene->persons[person].speed, length * scene->setting.rate);
    return vector_scale(vector_unit(path), speed);
}

Vector crowd_to_goal(const CrowdScene *scene, uint32_t person)
{
    return toward(scene, person, scene->persons[person].goal);
}

static Vector stand(const CrowdScene *scene, uint32_t person)
{
    (void)scene;
    (void)person;
    return vector(0, 0, 0);
}

Vector crowd_ahead(const CrowdScene *scene, uint32_t person)
{
    return vector(scene->persons[person].speed, 0, 0);
}

void crowd_all_go_to(CrowdScene *scene, Vector goal)
{
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        scene->persons[i].goal = goal;
    }
}

/* ---- halls ---- */

static void build_crush(CrowdScene *scene, Soup *soup)
{
    double half = sqrt((double)scene->setting.count) / 2 + .5;
    hall(scene, soup, half);
    crowd_spread_around(scene, scene->setting.count, half - .5);
    crowd_all_go_to(scene, scene->setting.kind == CROWD_CORNER ? vector(half, 0, half) : vector(0, 0, 0));
}

static void build_masses(CrowdScene *scene, Soup *soup)
{
    double half = .63 * sqrt((double)scene->setting.count);
    hall(scene, soup, half);
    crowd_spread_around(scene, scene->setting.count, half - .5);
    crowd_all_go_to(scene, vector(half - 1, 0, half - 1));
    for (uint32_t i = 0; i < scene->count; i += 2)
    {
        scene->moves[i].mass = 100;
    }
}

static void build_radii(CrowdScene *scene, Soup *soup)
{
    int side = (int)ceil(sqrt((double)scene->setting.count));
    double step = 1.64, half = step * side / 2 + .1;
    hall(scene, soup, half);
    uint32_t profiles[8];
    for (int i = 0; i < 8; ++i)
    {
        float radius = (float)(.2 * pow(4, i / 7.0));
        profiles[i] = add_profile(scene, (sidle_shape){.radii = {radius, fmaxf(radius, .9f), radius}});
    }
    Random random = crowd_random(scene);
    for (int i = 0; i < scene->setting.count; ++i)
    {
        uint32_t size = random_below(&random, 8);
        double x = step * (i % side + .5 - side / 2.0), z = step * (i / side + .5 - side / 2.0);
        sidle_move *move = crowd_add(scene, 1000 + 7 * (uint64_t)i, x, 0, z, profiles[size]);
        float radius = scene->profiles[profiles[size]].shape.radii.x;
        move->mass = radius * radius / .16f;
    }
    double corner = scene->setting.amount > 0 ? half - 1 : 0;
    crowd_all_go_to(scene, vector(corner, 0, corner));
}

static void build_heights(CrowdScene *scene, Soup *soup)
{
    int side = (int)ceil(sqrt((double)scene->setting.count));
    double step = 1.1, half = step * side / 2 + .1;
    hall(scene, soup, half);
    uint32_t profiles[10];
    for (int i = 0; i < 7; ++i)
    {
        profiles[i] = add_profile(scene, (sidle_shape){.radii = {.4f, .4f + .25f * (float)i, .4f}});
    }
    for (int i = 7; i < 10; ++i)
    {
        profiles[i] =
            add_profile(scene, (sidle_shape){.radii = {.4f, .4f, .4f}, .half_height = .3f * (float)(i - 6)});
    }
    Random random = crowd_random(scene);
    for (int i = 0; i < scene->setting.count; ++i)
    {
        double x = step * (i % side + .5 - side / 2.0), z = step * (i / side + .5 - side / 2.0);
        crowd_add(scene, 1000 + 7 * (uint64_t)i, x, 0, z, profiles[random_below(&random, 10)]);
    }
}

static void build_heads(CrowdScene *scene, Soup *soup)
{
    double half = .62 * sqrt((double)scene->setting.count) + .8;
    hall(scene, soup, half);
    crowd_spread_around(scene, scene->setting.count - 20, half - 1.8);
    Random random = crowd_random(scene);
    double step = (2 * half - 4) / 5;
    for (int i = 0; i < 20; ++i)
    {
        double x = step * (i % 5 - 2) + crowd_jitter(&random, .3),
               z = step * (i / 5 - 1.5) + crowd_jitter(&random, .3);
        crowd_add(scene, 5000 + (uint64_t)i, x, 3, z, 0);
    }
}

/* Back on the floor. */
static bool is_down(const CrowdScene *scene, uint32_t person)
{
    const sidle_shape *shape = &scene->setting.shape;
    return crowd_place(scene, person).y < 1.5 * (double)(shape->radii.y + shape->half_height);
}

static void build_wander(CrowdScene *scene, Soup *soup)
{
    double half = sqrt(scene->setting.count / scene->setting.amount) / 2;
    hall(scene, soup, half);
    crowd_spread_around(scene, scene->setting.count, half - .02);
}

static Vector wander(const CrowdScene *scene, uint32_t person)
{
    Random random = random_seeded(scene->moves[person].id * 977 + (uint64_t)(crowd_time(scene) / 2));
    double angle = random_between(&random, 0, 6.283185307179586);
    return vector_scale(vector(cos(angle), 0, sin(angle)), scene->persons[person].speed);
}

static void build_teleport(CrowdScene *scene, Soup *soup)
{
    hall(scene, soup, 8);
    double at = scene->setting.amount > 0 ? 7.5 : 0;
    for (int i = 0; i < scene->setting.count; ++i)
    {
        crowd_add(scene, 1000 * (1 + scene->setting.seed) + (uint64_t)i, at, 0, at, 0);
    }
}

/* ---- one among many ---- */

static void add_hero(CrowdScene *scene, double x, double z, float mass, double speed)
{
    crowd_add(scene, 1, x, 0, z, 0)->mass = mass;
    CrowdPerson *hero = &scene->persons[scene->count - 1];
    hero->is_hero = true;
    hero->speed = speed;
}

static Vector hero_alone(const CrowdScene *scene, uint32_t person)
{
    return scene->persons[person].is_hero ? crowd_ahead(scene, person) : vector(0, 0, 0);
}

static void build_fast(CrowdScene *scene, Soup *soup)
{
    soup_plate(soup, -60, 60, -30, 30, 0);
    crowd_spread_around(scene, scene->setting.count, sqrt(scene->setting.count * .75) / 2);
    add_hero(scene, -12, .13, (float)scene->setting.amount, 20);
}

static void build_pass(CrowdScene *scene, Soup *soup)
{
    soup_plate(soup, -90, 90, -30, 30, 0);
    crowd_add(scene, 1, -2, 0, 0, 0);
    crowd_add(scene, 2, 2, 0, .05, 0);
    scene->persons[0].speed = scene->setting.amount;
    scene->persons[1].speed = -scene->setting.amount;
}

static void build_giant(CrowdScene *scene, Soup *soup)
{
    hall(scene, soup, 9);
    spread(scene, scene->setting.count, -5, 8, -8, 8);
    add_hero(scene, -7, 0, (float)scene->setting.amount, 1.4);
}

/* ---- doors and streams ---- */

static double door_depth(const CrowdScene *scene)
{
    double radius = (double)scene->setting.shape.radii.x;
    return sqrt(scene->setting.count * radius * radius * 4 * 1.6);
}

static void build_door(CrowdScene *scene, Soup *soup)
{
    double depth = door_depth(scene), half = depth / 2, jamb = scene->setting.amount / 2;
    soup_plate(soup, -40, 40, -40, 40, 0);
    soup_box(soup, vector(0, 0, jamb), vector(.3, WALL, half + 1));
    soup_box(soup, vector(0, 0, -half - 1), vector(.3, WALL, -jamb));
    soup_box(soup, vector(-depth - 1, 0, half), vector(0, WALL, half + 1));
    soup_box(soup, vector(-depth - 1, 0, -half - 1), vector(0, WALL, -half));
    soup_box(soup, vector(-depth - 1, 0, -half), vector(-depth, WALL, half));
    spread(scene, scene->setting.count, -depth, 0, -half, half);
    scene->low = vector(-depth, -1, -40);
    scene->high = vector(40, 100, 40);
}

static Vector through_door(const CrowdScene *scene, uint32_t person)
{
    double room = fmax(scene->setting.amount / 2 - 1.05 * (double)scene->setting.shape.radii.x, 0);
    Vector place = crowd_place(scene, person);
    return place.x < 0 ? toward(scene, person, vector(.3, 0, fmin(fmax(place.z, -room), room)))
                       : crowd_ahead(scene, person);
}

static bool is_through_door(const CrowdScene *scene, uint32_t person)
{
    return crowd_place(scene, person).x > .3;
}

static bool has_left_door(const CrowdScene *scene, uint32_t person)
{
    return crowd_place(scene, person).x > 4;
}

static void build_corridor(CrowdScene *scene, Soup *soup)
{
    double length = 8 + scene->setting.count / 6 + 10;
    soup_plate(soup, -length, length, -4, 4, 0);
    soup_box(soup, vector(-length, 0, -3), vector(length, WALL, -2));
    soup_box(soup, vector(-length, 0, 2), vector(length, WALL, 3));
    Random random = crowd_random(scene);
    for (int i = 0; i < scene->setting.count; ++i)
    {
        int side = i % 2 ? 1 : -1, place = i / 2;
        double x = side * (4 + place / 3 + .15 * random_unit(&random));
        crowd_add(scene, 1000 + 13 * (uint64_t)i, x, 0, -1.2 + 1.2 * (place % 3) + crowd_jitter(&random, .3),
                  0);
        scene->persons[scene->count - 1].side = side;
    }
    scene->low = vector(-length, -1, -2);
    scene->high = vector(length, 100, 2);
}

static Vector along_corridor(const CrowdScene *scene, uint32_t person)
{
    const CrowdPerson *self = &scene->persons[person];
    return vector_scale(vector(-self->side, 0, scene->setting.amount * self->side), self->speed);
}

static bool is_past(const CrowdScene *scene, uint32_t person)
{
    return -scene->persons[person].side * crowd_place(scene, person).x > 4;
}

static bool has_left_corridor(const CrowdScene *scene, uint32_t person)
{
    return -scene->persons[person].side * crowd_place(scene, person).x > 8 + scene->setting.count / 6;
}

static void build_circle(CrowdScene *scene, Soup *soup)
{
    double radius = scene->setting.count * .95 / 6.283185307179586;
    soup_plate(soup, -radius - 20, radius + 20, -radius - 20, radius + 20, 0);
    for (int i = 0; i < scene->setting.count; ++i)
    {
        double angle = 6.283185307179586 * i / scene->setting.count;
        crowd_add(scene, 1000 + 13 * (uint64_t)i, radius * cos(angle), 0, radius * sin(angle), 0);
        scene->persons[scene->count - 1].goal = vector(-radius * cos(angle), 0, -radius * sin(angle));
    }
}

static double left_to_goal(const CrowdScene *scene, uint32_t person)
{
    Vector path = vector_sub(scene->persons[person].goal, crowd_place(scene, person));
    return hypot(path.x, path.z);
}

static Vector across_circle(const CrowdScene *scene, uint32_t person)
{
    Vector wish = crowd_to_goal(scene, person);
    double turn = left_to_goal(scene, person) < 3 ? 0 : scene->setting.amount;
    return vector_add(wish, vector(-turn * wish.z, 0, turn * wish.x));
}

static bool is_across(const CrowdScene *scene, uint32_t person)
{
    return left_to_goal(scene, person) < 1.5;
}

/* ---- all of them ---- */

const CrowdPlace crowd_places[CROWD_KINDS] = {
    [CROWD_CRUSH] = {"crush", 1000, 25, 0, build_crush, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_CORNER] = {"corner", 600, 25, 0, build_crush, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_DOOR] = {"door", 100, 120, 1.2, build_door, through_door, is_through_door, has_left_door, NULL},
    [CROWD_CORRIDOR] = {"corridor", 120, 60, .2, build_corridor, along_corridor, is_past, has_left_corridor,
                        NULL},
    [CROWD_CIRCLE] = {"circle", 200, 100, .5, build_circle, across_circle, is_across, NULL, NULL},
    [CROWD_STAIRS] = {"stairs", 60, 40, 0, crowd_build_stairs, crowd_queue, NULL, NULL, NULL},
    [CROWD_SLOPE] = {"slope", 200, 20, 0, crowd_build_slope, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_LIFT] = {"lift", 30, 20, 0, crowd_build_lift, crowd_to_goal, NULL, NULL, crowd_move_lift},
    [CROWD_LEDGE] = {"ledge", 150, 40, 0, crowd_build_ledge, crowd_push, NULL, NULL, NULL},
    [CROWD_FAST] = {"fast", 196, 3, 1, build_fast, hero_alone, NULL, NULL, NULL},
    [CROWD_PASS] = {"pass", 2, 4, 1.4, build_pass, crowd_ahead, NULL, NULL, NULL},
    [CROWD_TELEPORT] = {"teleport", 50, 15, 0, build_teleport, stand, NULL, NULL, NULL},
    [CROWD_MASSES] = {"masses", 200, 20, 0, build_masses, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_RADII] = {"radii", 300, 25, 0, build_radii, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_HEIGHTS] = {"heights", 300, 25, 0, build_heights, crowd_to_goal, NULL, NULL, NULL},
    [CROWD_HEADS] = {"heads", 120, 15, 0, build_heads, stand, is_down, NULL, NULL},
    [CROWD_WANDER] = {"wander", 2000, 5, 1, build_wander, wander, NULL, NULL, NULL},
    [CROWD_GIANT] = {"giant", 120, 10, 100, build_giant, hero_alone, NULL, NULL, NULL},
};
