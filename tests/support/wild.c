#include "support/wild.h"

#include <math.h>

static void add_upright(Soup *soup, Random *random, double half, double size)
{
    Vector at = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    double angle = random_between(random, 0, 6.28), rise = random_between(random, .1, size);
    Vector along = vector(size * cos(angle), 0, size * sin(angle)), up = vector(0, rise, 0);
    soup_quad(soup, at, vector_add(at, along), vector_add(vector_add(at, along), up), vector_add(at, up));
}

static void add_sliver(Soup *soup, Random *random, double half)
{
    Vector at = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    Vector along = vector_scale(random_direction(random), random_between(random, .2, 2));
    double height = random_chance(random, .2) ? 0 : random_scale(random, 1e-6, .05);
    Vector middle = vector_along(at, random_unit(random), along);
    soup_triangle(soup, at, vector_add(at, along),
                  random_chance(random, .1) ? at : vector_along(middle, height, random_direction(random)));
}

/* Triangles of any size, upright quads, ground, slivers and triangles without area. */
static Soup draw_soup(Random *random, double half, int each)
{
    Soup soup = {0};
    soup_scatter(&soup, random, each, half);
    for (int i = 0; i < each; ++i)
    {
        add_upright(&soup, random, half, random_scale(random, .05, 2));
    }
    for (int i = 0; i < each / 3; ++i)
    {
        add_sliver(&soup, random, half);
    }
    Vector at = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    soup_plate(&soup, -half, half, -half, half, at.y);
    soup_quad(&soup, vector(at.x, at.y, -half), vector(at.x, at.y, half), vector(at.x + 2, at.y + 1, half),
              vector(at.x + 2, at.y + 1, -half));
    soup_round(&soup);
    return soup;
}

/* About the origin, and far from it. */
static Vector draw_place(Random *random)
{
    return random_chance(random, .5) ? vector(0, 0, 0)
                                     : vector_scale(random_direction(random), random_scale(random, 10, 1e6));
}

Scene wild_scene(Random *random, double half, int each)
{
    SceneOptions options = walking_ball();
    options.place = draw_place(random);
    options.pieces = random_chance(random, .3) ? SCENE_QUAD_EACH : SCENE_ONE_MESH;
    return scene_of(draw_soup(random, half, each), options);
}

Vector wild_center(Random *random, const Scene *scene, double half)
{
    Vector center = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    if (random_chance(random, .05))
    {
        const Vector *v = scene->soup.triangles[random_below(random, (uint32_t)scene->soup.count)].v;
        double a = random_between(random, .2, .4), b = random_between(random, .2, .4);
        center = vector_add(vector_scale(v[0], 1 - a - b), vector_along(vector_scale(v[1], a), b, v[2]));
    }
    return vector_add(scene->options.place, center);
}
