#include "intersect/support/polygon.h"

#include "intersect/box_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t whole_between(Random *random, int64_t low, int64_t high)
{
    return low + (int64_t)(random_bits(random) % (uint64_t)(high - low + 1));
}

static WholePoint whole_point(Random *random, int64_t reach)
{
    int64_t x = whole_between(random, -reach, reach);
    int64_t y = whole_between(random, -reach, reach);
    return (WholePoint){x, y};
}

static void round_all(WholeCase *out)
{
    for (uint32_t i = 0; i < MAX_CORNERS; ++i)
    {
        out->rounded[i] = (sidle_dvec2){(double)out->points[i].x, (double)out->points[i].y};
    }
    out->asked_rounded = (sidle_dvec2){(double)out->asked.x, (double)out->asked.y};
    out->polygon = (sidle_polygon){out->rounded, out->ends, out->ring_count};
}

static uint32_t corner_count(const WholeCase *out)
{
    return out->ring_count ? out->ends[out->ring_count - 1] : 0;
}

/* Any rings at all: crossing themselves, spikes, repeated corners, one or two corners, none. */
static void draw_rings(Random *random, WholeCase *out, int64_t reach)
{
    uint32_t count = 0;
    out->ring_count = 1 + random_below(random, MAX_RINGS);
    for (uint32_t ring = 0; ring < out->ring_count; ++ring)
    {
        for (uint32_t left = random_below(random, MAX_CORNERS / MAX_RINGS + 1); left > 0; --left)
        {
            bool again = count > 0 && random_chance(random, .1);
            out->points[count] =
                again ? out->points[random_below(random, count)] : whole_point(random, reach);
            ++count;
        }
        out->ends[ring] = count;
    }
    out->asked = whole_point(random, reach);
}

/* A comb whose teeth's tips and gaps are on few levels, with a diamond as a hole in its back. */
static void draw_comb(Random *random, WholeCase *out)
{
    uint32_t count = 0, teeth = 1 + random_below(random, 8);
    int64_t width = 4 * (int64_t)teeth;
    out->points[count++] = (WholePoint){0, 0};
    out->points[count++] = (WholePoint){width, 0};
    for (uint32_t tooth = teeth; tooth > 0; --tooth)
    {
        out->points[count++] = (WholePoint){4 * (int64_t)tooth, 8 + whole_between(random, 0, 4)};
        out->points[count++] = (WholePoint){4 * (int64_t)tooth - 2, whole_between(random, 6, 8)};
    }
    out->points[count++] = (WholePoint){0, 10};
    out->ends[0] = count;
    const WholePoint hole[4] = {{2, 1}, {0, 3}, {2, 5}, {4, 3}};
    int64_t right = whole_between(random, 0, width - 4);
    for (int i = 0; i < 4; ++i)
    {
        out->points[count++] = (WholePoint){hole[i].x + right, hole[i].y};
    }
    out->ends[1] = count;
    out->ring_count = 2;
    out->asked = (WholePoint){whole_between(random, -1, width + 1), whole_between(random, -1, 13)};
}

/* The point on or some last bits beside an edge, a corner, or the line on from an edge. */
static void ask_at_edge(Random *random, WholeCase *out)
{
    uint32_t count = corner_count(out);
    if (count == 0)
    {
        return;
    }
    WholePoint a = out->points[random_below(random, count)], b = out->points[random_below(random, count)];
    double share = random_chance(random, .2) ? 0 : random_between(random, -.5, 1.5);
    int64_t off = random_chance(random, .5) ? 1 : 0;
    out->asked.x = a.x + (int64_t)(share * (double)(b.x - a.x)) + whole_between(random, -off, off);
    out->asked.y = a.y + (int64_t)(share * (double)(b.y - a.y)) + whole_between(random, -off, off);
    if (llabs(out->asked.x) > INT64_C(1) << 53 || llabs(out->asked.y) > INT64_C(1) << 53)
    {
        out->asked = a;
    }
}

void whole_case_draw(Random *random, WholeCase *out)
{
    *out = (WholeCase){0};
    switch (random_below(random, 4))
    {
    case 0:
        draw_rings(random, out, whole_between(random, 1, 4));
        break;
    case 1:
        draw_comb(random, out);
        break;
    case 2:
        draw_rings(random, out, INT64_C(1) << whole_between(random, 3, 52));
        ask_at_edge(random, out);
        break;
    default:
        draw_rings(random, out, whole_between(random, 4, 100));
        ask_at_edge(random, out);
    }
    round_all(out);
}

/* ---- convex ---- */

static int in_order(const void *left, const void *right)
{
    const WholePoint *a = left, *b = right;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

static bool turns_right(WholePoint a, WholePoint b, WholePoint p)
{
    __extension__ __int128 area = b.x - a.x;
    area = area * (p.y - a.y) - (__extension__(__int128)(b.y - a.y)) * (p.x - a.x);
    return area < 0;
}

/* A. M. Andrew's chains, 1979: below from left to right, above back again; collinear points stay. */
static uint32_t add_chain(const WholePoint *sorted, int count, bool back, WholePoint *out)
{
    uint32_t kept = 0;
    for (int i = 0; i < count; ++i)
    {
        WholePoint p = sorted[back ? count - 1 - i : i];
        if (kept && p.x == out[kept - 1].x && p.y == out[kept - 1].y)
        {
            continue; /* would hide a turn */
        }
        while (kept >= 2 && turns_right(out[kept - 2], out[kept - 1], p))
        {
            --kept;
        }
        out[kept++] = p;
    }
    return kept;
}

void whole_case_draw_convex(Random *random, WholeCase *out)
{
    *out = (WholeCase){.ring_count = 1};
    int64_t reach = INT64_C(1) << whole_between(random, 0, 51);
    WholePoint sorted[MAX_CORNERS / 2];
    int count = (int)random_below(random, MAX_CORNERS / 2);
    bool flat = random_chance(random, .2);
    for (int i = 0; i < count; ++i)
    {
        bool again = i > 0 && random_chance(random, .2);
        sorted[i] = again ? sorted[random_below(random, (uint32_t)i)] : whole_point(random, reach);
        sorted[i].y = flat ? sorted[i].x : sorted[i].y;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, in_order);
    uint32_t below = add_chain(sorted, count, false, out->points);
    out->ends[0] = below + add_chain(sorted, count, true, out->points + below);
    for (uint32_t i = 1; i < out->ends[0]; ++i) /* repeated corners */
    {
        bool same = out->points[i].x == out->points[i - 1].x && out->points[i].y == out->points[i - 1].y;
        if (!same && out->ends[0] < MAX_CORNERS && random_chance(random, .1))
        {
            memmove(&out->points[i + 1], &out->points[i], (out->ends[0] - i) * sizeof *out->points);
            ++out->ends[0];
        }
    }
    bool clockwise = random_chance(random, .5);
    for (uint32_t i = 0; clockwise && i < out->ends[0] / 2; ++i)
    {
        WholePoint swapped = out->points[i];
        out->points[i] = out->points[out->ends[0] - 1 - i];
        out->points[out->ends[0] - 1 - i] = swapped;
    }
    out->asked = whole_point(random, reach);
    if (random_chance(random, .7))
    {
        ask_at_edge(random, out);
    }
    round_all(out);
}

void whole_case_scale(const WholeCase *from, double scale, WholeCase *out)
{
    *out = *from;
    for (uint32_t i = 0; i < MAX_CORNERS; ++i)
    {
        out->rounded[i].x *= scale;
        out->rounded[i].y *= scale;
    }
    out->asked_rounded.x *= scale;
    out->asked_rounded.y *= scale;
    out->polygon = (sidle_polygon){out->rounded, out->ends, out->ring_count};
}

/* ---- in space ---- */

static sidle_position place(Vector v)
{
    return (sidle_position){v.x, v.y, v.z};
}

static Vector vector_mixed(const Vector v[3], double a, double b)
{
    Vector e = vector_sub(v[1], v[0]), f = vector_sub(v[2], v[0]);
    return vector_add(v[0], vector_add(vector_scale(e, a), vector_scale(f, b)));
}

static Vector lattice_vector(Random *random, double reach)
{
    double x = floor(random_between(random, -reach, reach + 1));
    double y = floor(random_between(random, -reach, reach + 1));
    double z = floor(random_between(random, -reach, reach + 1));
    return vector(x, y, z);
}

static void draw_needle(Random *random, Vector v[3])
{
    Vector along = random_direction(random), aside = random_direction(random);
    double thin = random_scale(random, 1e-14, 1);
    double share = random_chance(random, .5) ? random_unit(random) : 0;
    v[0] = vector_scale(random_direction(random), random_scale(random, 1e-3, 1e3));
    v[1] = vector_add(v[0], vector_scale(along, random_scale(random, .1, 10)));
    Vector on_edge = vector_add(v[0], vector_scale(vector_sub(v[1], v[0]), share));
    v[2] = vector_add(on_edge, vector_scale(aside, thin));
    if (random_chance(random, .05)) /* no area, but for rounding */
    {
        v[2] = vector_add(v[0], vector_scale(along, share));
    }
}

void space_case_draw(Random *random, SpaceCase *out)
{
    Vector v[3], p;
    if (random_chance(random, .4))
    {
        double reach = 1 + random_below(random, 4);
        for (int i = 0; i < 3; ++i)
        {
            v[i] = lattice_vector(random, reach);
        }
        p = lattice_vector(random, reach);
    }
    else
    {
        draw_needle(random, v);
        double a = random_chance(random, .3) ? 0 : random_between(random, -.5, 1.5);
        double b = random_chance(random, .3) ? 0 : random_between(random, -.5, 1.5);
        double off = random_chance(random, .3) ? 0 : random_scale(random, 1e-17, 10);
        p = vector_add(vector_mixed(v, a, b), vector_scale(random_direction(random), off));
    }
    for (int i = 0; i < 3; ++i)
    {
        out->triangle.corners[i] = place(v[i]);
    }
    out->point = place(p);
}

static Vector mixed_vector(Random *random)
{
    double x = random_between(random, -1, 1) * random_scale(random, 0x1p-80, 1);
    double y = random_between(random, -1, 1) * random_scale(random, 0x1p-80, 1);
    double z = random_between(random, -1, 1) * random_scale(random, 0x1p-80, 1);
    return vector(x, y, z);
}

void space_case_draw_mixed(Random *random, SpaceCase *out)
{
    Vector v[3] = {mixed_vector(random), mixed_vector(random)};
    double share = random_between(random, 0, 2), thin = random_scale(random, 0x1p-95, 0x1p-40);
    double along = random_between(random, 0, 1), far = random_scale(random, 1, 0x1p40);
    v[2] = vector_add(v[0], vector_scale(vector_sub(v[1], v[0]), share));
    v[2] = vector_add(v[2], vector_scale(random_direction(random), thin));
    Vec3 corners[3];
    for (int i = 0; i < 3; ++i)
    {
        out->triangle.corners[i] = place(v[i]);
        corners[i] = vec3(v[i].x, v[i].y, v[i].z);
    }
    Vec3 up = sidle_precise_normal(corners); /* a plain one of a sliver points anywhere */
    out->point = place(vector_add(vector_mixed(v, along, 0), vector(up.x * far, up.y * far, up.z * far)));
}
