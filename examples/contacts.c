/* Contacts between pairs of shapes, without a world: the tests of sidle/intersect.h. All pairs report the same contact:
 * the direction out, the depth, the features and the points. */
#include <sidle/intersect.h>

#include <stdio.h>

/* Turned by 45 degrees about z. */
#define HALF_ROOT 0.70710678118654752

static const sidle_sphere ball = {{0, 1.4, 0}, .5}, other_ball = {{.6, 1.4, 0}, .5};
static const sidle_plane table_top = {{0, 1, 0}, 1};
static const sidle_box crate = {{-1, 0, -1}, {1, 1, 1}}, on_top = {{-.5, .9, -.5}, {.5, 1.9, .5}};
static const sidle_box column = {{-.2, -3, -.2}, {.2, 3, .2}};
static const sidle_oriented_box upright = {{0, .5, 0}, {1, .5, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const sidle_oriented_box on_edge = {
    {0, 1.6, 0}, {.5, .5, .5}, {{HALF_ROOT, HALF_ROOT, 0}, {-HALF_ROOT, HALF_ROOT, 0}, {0, 0, 1}}};
static const sidle_dtriangle ramp = {{{-2, .5, -2}, {-2, .5, 2}, {2, 1.5, 0}}};

static bool ball_and_ball(sidle_touch *touch)
{
    return sidle_sphere_sphere(&ball, &other_ball, touch);
}

static bool ball_and_plane(sidle_touch *touch)
{
    return sidle_sphere_plane(&ball, &table_top, touch);
}

static bool crate_and_ball(sidle_touch *touch)
{
    return sidle_box_sphere(&crate, &ball, touch);
}

static bool crate_and_crate(sidle_touch *touch)
{
    return sidle_box_box(&crate, &on_top, touch);
}

/* Crossing like a plus sign: no corner of either is in the other. */
static bool crate_and_column(sidle_touch *touch)
{
    return sidle_box_box(&crate, &column, touch);
}

static bool crate_and_edge(sidle_touch *touch)
{
    return sidle_oriented_box_oriented_box(&upright, &on_edge, touch);
}

static bool crate_and_ramp(sidle_touch *touch)
{
    return sidle_box_triangle(&crate, &ramp, touch);
}

static bool edge_and_ramp(sidle_touch *touch)
{
    return sidle_oriented_box_triangle(&on_edge, &ramp, touch);
}

static const struct Pair
{
    const char *name;
    bool (*touch)(sidle_touch *touch);
} pairs[] = {
    {"ball, ball", ball_and_ball},
    {"ball, plane", ball_and_plane},
    {"box, ball", crate_and_ball},
    {"box, box on top", crate_and_crate},
    {"box, column through it", crate_and_column},
    {"box, box on its edge", crate_and_edge},
    {"box, triangle", crate_and_ramp},
    {"box on its edge, triangle", edge_and_ramp},
};

static const char *feature_name(sidle_feature feature)
{
    static const char *const names[] = {"face", "edge", "corner"};
    return names[feature.kind];
}

static void print_touch(const char *name, const sidle_touch *touch)
{
    printf("%-26s %5.3f  (%6.3f %6.3f %6.3f)  %-6s %-6s", name, touch->depth, touch->normal.x + 0,
           touch->normal.y + 0, touch->normal.z + 0, feature_name(touch->feature_a),
           feature_name(touch->feature_b));
    for (uint32_t i = 0; i < touch->point_count; ++i)
    {
        const sidle_position *p = &touch->points[i];
        printf("  (%.2f %.2f %.2f) %.3f", p->x, p->y, p->z, touch->depths[i]);
    }
    printf("\n");
}

int main(void)
{
    const uint32_t count = sizeof pairs / sizeof *pairs;
    uint32_t touching = 0;
    printf("%-26s %5s  %-22s  %-6s %-6s  points and their depths\n", "pair", "depth", "from a to b", "of a",
           "of b");
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_touch touch;
        if (pairs[i].touch(&touch))
        {
            print_touch(pairs[i].name, &touch);
            touching += 1;
        }
        else
        {
            printf("%-26s apart\n", pairs[i].name);
        }
    }
    return touching == count ? 0 : 1;
}
