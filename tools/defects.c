#include "defects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* kappa of a sliver, as in src/mesh/bake_phases.c */
#define SLIVER_KAPPA 0x1p-6

/* Of the longest edge: float loses the area of a triangle that is lower. */
#define FLOAT_ROUNDING 0x1p-24

/* Of the length of an edge: how far beside it a vertex is on it. */
#define ON_EDGE 1e-6

/* Pairs of an open edge and a vertex that are compared. */
#define MOST_PAIRS 200000000u

/* An edge between two vertices, the lower one first. */
typedef struct Edge
{
    uint32_t low, high;
    uint32_t along, against; /* triangles that have it from low to high, and from high to low */
    uint32_t first;          /* triangle */
} Edge;

typedef struct Survey
{
    const sidle_triangle *triangles;
    uint32_t count;
    uint32_t *corners;      /* three a triangle: numbers of vertices */
    sidle_position *places; /* of vertices */
    uint32_t place_count;
    Edge *edges;
    uint32_t edge_count;
    uint32_t *table; /* of a hash; reused */
    uint32_t mask;
    double least_height; /* of the longest edge; below it a triangle is degenerate */
    Defects *out;
} Survey;

const char *defect_name(DefectKind kind)
{
    static const char *const names[DEFECT_KINDS] = {
        "degenerate", "slivers", "duplicates", "open edges", "T-junctions", "shared edges", "flipped edges"};
    return names[kind];
}

static void add(Survey *survey, DefectKind kind, uint32_t triangle)
{
    Defect *defect = &survey->out->of[kind];
    defect->count += 1;
    defect->first = triangle < defect->first ? triangle : defect->first;
}

/* ---- hashing ---- */

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static void clear_table(Survey *survey)
{
    memset(survey->table, 0xff, ((size_t)survey->mask + 1) * sizeof *survey->table);
}

static uint64_t hash_place(const sidle_position *p)
{
    const double at[3] = {p->x + 0., p->y + 0., p->z + 0.}; /* -0 as 0 */
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint64_t bits;
        memcpy(&bits, &at[axis], sizeof bits);
        hash = mixed(hash, bits);
    }
    return hash;
}

static uint32_t number_of(Survey *survey, const sidle_position *place)
{
    uint32_t slot = (uint32_t)hash_place(place) & survey->mask;
    for (; survey->table[slot] != NONE; slot = (slot + 1) & survey->mask)
    {
        const sidle_position *known = &survey->places[survey->table[slot]];
        if (known->x == place->x && known->y == place->y && known->z == place->z)
        {
            return survey->table[slot];
        }
    }
    survey->places[survey->place_count] = *place;
    return survey->table[slot] = survey->place_count++;
}

static Edge *edge_of(Survey *survey, uint32_t low, uint32_t high)
{
    uint32_t slot = (uint32_t)mixed(mixed(0, low), high) & survey->mask;
    for (; survey->table[slot] != NONE; slot = (slot + 1) & survey->mask)
    {
        Edge *known = &survey->edges[survey->table[slot]];
        if (known->low == low && known->high == high)
        {
            return known;
        }
    }
    survey->table[slot] = survey->edge_count;
    survey->edges[survey->edge_count] = (Edge){low, high, 0, 0, NONE};
    return &survey->edges[survey->edge_count++];
}

/* ---- triangles ---- */

static void sort3(uint32_t v[3])
{
    for (int i = 0; i < 2; ++i)
    {
        for (int j = 0; j < 2 - i; ++j)
        {
            uint32_t low = v[j] < v[j + 1] ? v[j] : v[j + 1];
            v[j + 1] = v[j] < v[j + 1] ? v[j + 1] : v[j];
            v[j] = low;
        }
    }
}

/* Returns true if an earlier triangle has the same corners. */
static bool is_duplicate(Survey *survey, uint32_t triangle)
{
    uint32_t own[3], other[3];
    memcpy(own, &survey->corners[3 * (size_t)triangle], sizeof own);
    sort3(own);
    uint32_t slot = (uint32_t)mixed(mixed(mixed(0, own[0]), own[1]), own[2]) & survey->mask;
    for (; survey->table[slot] != NONE; slot = (slot + 1) & survey->mask)
    {
        memcpy(other, &survey->corners[3 * (size_t)survey->table[slot]], sizeof other);
        sort3(other);
        if (memcmp(own, other, sizeof own) == 0)
        {
            return true;
        }
    }
    survey->table[slot] = triangle;
    return false;
}

static void subtract(const sidle_position *a, const sidle_position *b, double out[3])
{
    out[0] = a->x - b->x;
    out[1] = a->y - b->y;
    out[2] = a->z - b->z;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Squared kappa of a triangle, the sine of its largest angle, and 0 if it is degenerate. */
static double kappa2(const Survey *survey, const sidle_triangle *triangle)
{
    double e[3][3], longest2 = 0, product = 1, least = survey->least_height;
    for (int i = 0; i < 3; ++i)
    {
        subtract(&triangle->vertices[(i + 1) % 3], &triangle->vertices[i], e[i]);
        double e2 = dot(e[i], e[i]);
        longest2 = e2 > longest2 ? e2 : longest2;
        product *= e2;
    }
    const double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                         e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    bool has_area = product > 0 && dot(n, n) >= least * least * longest2 * longest2;
    return has_area ? dot(n, n) * longest2 / product : 0;
}

static void look_at_triangles(Survey *survey)
{
    clear_table(survey);
    for (uint32_t i = 0; i < 3 * survey->count; ++i)
    {
        survey->corners[i] = number_of(survey, &survey->triangles[i / 3].vertices[i % 3]);
    }
    clear_table(survey);
    for (uint32_t i = 0; i < survey->count; ++i)
    {
        double kappa = kappa2(survey, &survey->triangles[i]);
        if (kappa == 0)
        {
            add(survey, DEFECT_DEGENERATE, i);
        }
        else if (kappa < SLIVER_KAPPA * SLIVER_KAPPA)
        {
            add(survey, DEFECT_SLIVER, i);
        }
        if (is_duplicate(survey, i))
        {
            add(survey, DEFECT_DUPLICATE, i);
        }
    }
}

/* ---- edges ---- */

static void look_at_edges(Survey *survey)
{
    clear_table(survey);
    for (uint32_t i = 0; i < 3 * survey->count; ++i)
    {
        const uint32_t *corners = &survey->corners[i - i % 3];
        uint32_t from = corners[i % 3], to = corners[(i + 1) % 3];
        if (from != to)
        {
            Edge *edge = edge_of(survey, from < to ? from : to, from < to ? to : from);
            *(from < to ? &edge->along : &edge->against) += 1;
            edge->first = i / 3 < edge->first ? i / 3 : edge->first;
        }
    }
    for (uint32_t i = 0; i < survey->edge_count; ++i)
    {
        const Edge *edge = &survey->edges[i];
        uint32_t count = edge->along + edge->against;
        if (count != 2)
        {
            add(survey, count == 1 ? DEFECT_OPEN_EDGE : DEFECT_SHARED_EDGE, edge->first);
        }
        else if (edge->along != 1)
        {
            add(survey, DEFECT_FLIPPED, edge->first);
        }
    }
}

/* ---- T-junctions ---- */

static const sidle_position *sorted_places; /* for qsort */

static int by_x(const void *a, const void *b)
{
    double x = sorted_places[*(const uint32_t *)a].x, y = sorted_places[*(const uint32_t *)b].x;
    return (x > y) - (x < y);
}

static bool is_on(const Survey *survey, const Edge *edge, uint32_t vertex)
{
    double e[3], p[3];
    subtract(&survey->places[edge->high], &survey->places[edge->low], e);
    subtract(&survey->places[vertex], &survey->places[edge->low], p);
    double length2 = dot(e, e), along = dot(p, e) / length2;
    double beside2 = dot(p, p) - along * along * length2;
    return along > ON_EDGE && along < 1 - ON_EDGE && beside2 < ON_EDGE * ON_EDGE * length2;
}

/* The first of `ends`, sorted by x, that is not below. */
static uint32_t find_x(const Survey *survey, const uint32_t *ends, uint32_t count, double x)
{
    uint32_t low = 0, high = count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (survey->places[ends[middle]].x < x)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

/* Returns false if too many would have to be compared. */
static bool look_along(Survey *survey, const Edge *edge, const uint32_t *ends, uint32_t count, uint32_t *left)
{
    double a = survey->places[edge->low].x, b = survey->places[edge->high].x;
    double low = a < b ? a : b, high = a < b ? b : a, slack = ON_EDGE * (high - low) + 1e-9 * fabs(high);
    for (uint32_t i = find_x(survey, ends, count, low - slack); i < count; ++i)
    {
        if (survey->places[ends[i]].x > high + slack)
        {
            return true;
        }
        if (*left == 0)
        {
            return false;
        }
        --*left;
        if (is_on(survey, edge, ends[i]))
        {
            add(survey, DEFECT_T_JUNCTION, edge->first);
            return true;
        }
    }
    return true;
}

static bool look_at_junctions(Survey *survey)
{
    uint32_t *ends = malloc((2 * (size_t)survey->edge_count + 1) * sizeof *ends), count = 0,
             left = MOST_PAIRS;
    if (!ends)
    {
        return false;
    }
    for (uint32_t i = 0; i < survey->edge_count; ++i)
    {
        if (survey->edges[i].along + survey->edges[i].against == 1)
        {
            ends[count++] = survey->edges[i].low;
            ends[count++] = survey->edges[i].high;
        }
    }
    sorted_places = survey->places;
    qsort(ends, count, sizeof *ends, by_x);
    for (uint32_t i = 0; i < survey->edge_count && !survey->out->is_partial; ++i)
    {
        const Edge *edge = &survey->edges[i];
        survey->out->is_partial =
            edge->along + edge->against == 1 && !look_along(survey, edge, ends, count, &left);
    }
    free(ends);
    return true;
}

/* ---- all of it ---- */

static void scale_triangles(const Survey *survey, const double scale[3], sidle_triangle *triangles)
{
    for (uint32_t i = 0; i < 3 * survey->count; ++i)
    {
        sidle_position *v = &triangles[i / 3].vertices[i % 3];
        *v = (sidle_position){v->x * scale[0], v->y * scale[1], v->z * scale[2]};
    }
}

static bool look(Survey *survey, const sidle_mesh *mesh, const double scale[3], sidle_triangle *triangles)
{
    if (sidle_mesh_get_triangles(mesh, 0, survey->count, triangles) != SIDLE_OK)
    {
        return false;
    }
    if (scale)
    {
        scale_triangles(survey, scale, triangles);
        survey->least_height = FLOAT_ROUNDING;
    }
    look_at_triangles(survey);
    look_at_edges(survey);
    return look_at_junctions(survey);
}

bool defects_find(const sidle_mesh *mesh, uint32_t triangle_count, const double scale[3], Defects *out)
{
    size_t corners = 3 * (size_t)triangle_count + 1;
    sidle_triangle *triangles = malloc(corners * sizeof *triangles / 3 + sizeof *triangles);
    Survey survey = {.triangles = triangles, .count = triangle_count, .mask = 63, .out = out};
    while (survey.mask < 2 * corners)
    {
        survey.mask = 2 * survey.mask + 1;
    }
    survey.corners = malloc(corners * sizeof *survey.corners);
    survey.places = malloc(corners * sizeof *survey.places);
    survey.edges = malloc(corners * sizeof *survey.edges);
    survey.table = malloc(((size_t)survey.mask + 1) * sizeof *survey.table);
    *out = (Defects){.is_partial = false};
    for (int kind = 0; kind < DEFECT_KINDS; ++kind)
    {
        out->of[kind].first = NONE;
    }
    bool done = triangles && survey.corners && survey.places && survey.edges && survey.table &&
                look(&survey, mesh, scale, triangles);
    free(triangles);
    free(survey.corners);
    free(survey.places);
    free(survey.edges);
    free(survey.table);
    return done;
}
