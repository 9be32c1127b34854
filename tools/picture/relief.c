#include "relief.h"

#include <math.h>
#include <stdlib.h>

/* Steeper faces are walls, which from above are lines. */
#define WALL_COS .05

/* Indoors, the rock between the rooms is drawn as if cut off this far above the floor beside it. [Units]
 * metres */
#define CUT_HEIGHT 2.5

#define DIAGONAL 1.41421356f

/* x and y in pixels, the height in metres. */
typedef struct Corner
{
    double x, y, height;
} Corner;

typedef struct Face
{
    Corner corners[3];
    double slope_x, slope_y; /* metres a pixel */
} Face;

static Corner corner_of(const ReliefDesc *desc, uint32_t triangle, int corner)
{
    const double *v =
        &desc->level->vertices[3 * (size_t)desc->level->indices[3 * (size_t)triangle + (size_t)corner]];
    return (Corner){(v[0] - desc->min_x) * desc->pixels_per_metre,
                    (v[2] - desc->min_z) * desc->pixels_per_metre, v[1]};
}

/* Returns 1 if the front faces up, -1 if it faces down, 0 for a wall. */
static int read_face(const ReliefDesc *desc, uint32_t triangle, Face *face)
{
    for (int i = 0; i < 3; i++)
    {
        face->corners[i] = corner_of(desc, triangle, i);
    }
    const Corner *a = &face->corners[0], *b = &face->corners[1], *c = &face->corners[2];
    double ux = b->x - a->x, uy = b->y - a->y, uh = (b->height - a->height) * desc->pixels_per_metre;
    double vx = c->x - a->x, vy = c->y - a->y, vh = (c->height - a->height) * desc->pixels_per_metre;
    double nx = uh * vy - uy * vh, up = uy * vx - ux * vy, ny = ux * vh - uh * vx;
    if (!(fabs(up) > WALL_COS * sqrt(nx * nx + up * up + ny * ny)))
    {
        return 0;
    }
    face->slope_x = -nx / up / desc->pixels_per_metre;
    face->slope_y = -ny / up / desc->pixels_per_metre;
    return up > 0 ? 1 : -1;
}

static int first_pixel(double edge, int limit)
{
    double pixel = ceil(edge - .5); /* its centre is the first one not before the edge */
    return pixel > 0 ? (pixel < limit ? (int)pixel : limit) : 0;
}

/* Finds where the row through the pixel centres `y` enters and leaves the face. An edge owns the rows from
 * its upper end on and before its lower end, and every edge runs downwards. So adjacent faces leave neither
 * gaps nor doubles. */
static bool cut_row(const Face *face, double y, double *enter, double *leave)
{
    *enter = INFINITY;
    *leave = -INFINITY;
    for (int i = 0; i < 3; i++)
    {
        const Corner *a = &face->corners[i], *b = &face->corners[(i + 1) % 3];
        const Corner *upper = a->y <= b->y ? a : b, *lower = a->y <= b->y ? b : a;
        if (upper->y <= y && y < lower->y)
        {
            double x = upper->x + (y - upper->y) / (lower->y - upper->y) * (lower->x - upper->x);
            *enter = fmin(*enter, x);
            *leave = fmax(*leave, x);
        }
    }
    return *enter < *leave;
}

/* The highest face wins; `triangles` may be NULL. */
static void draw_face(const ReliefDesc *desc, const Face *face, uint32_t triangle, float *heights,
                      uint32_t *triangles)
{
    const Corner *c = face->corners;
    int begin = first_pixel(fmin(c[0].y, fmin(c[1].y, c[2].y)), desc->height);
    int end = first_pixel(fmax(c[0].y, fmax(c[1].y, c[2].y)), desc->height);
    for (int y = begin; y < end; y++)
    {
        double enter, leave;
        if (!cut_row(face, y + .5, &enter, &leave))
        {
            continue;
        }
        int last = first_pixel(leave, desc->width);
        for (int x = first_pixel(enter, desc->width); x < last; x++)
        {
            size_t pixel = (size_t)y * (size_t)desc->width + (size_t)x;
            float height =
                (float)(c[0].height + (x + .5 - c[0].x) * face->slope_x + (y + .5 - c[0].y) * face->slope_y);
            if (height > heights[pixel])
            {
                heights[pixel] = height;
                if (triangles)
                {
                    triangles[pixel] = triangle;
                }
            }
        }
    }
}

static void draw_faces(Relief *relief, float *ceilings)
{
    for (uint32_t i = 0; i < relief->desc.level->triangle_count; i++)
    {
        Face face;
        int side = read_face(&relief->desc, i, &face);
        if (side != 0)
        {
            draw_face(&relief->desc, &face, i, side > 0 ? relief->heights : ceilings,
                      side > 0 ? relief->triangles : NULL);
        }
    }
}

static size_t pixel_count(const Relief *relief)
{
    return (size_t)relief->desc.width * (size_t)relief->desc.height;
}

static int compare_heights(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void survey(Relief *relief, const float *ceilings)
{
    /* A sample of the pixels is enough. The stride spreads it over all columns. */
    static const size_t stride = 101;
    size_t count = pixel_count(relief), seen = 0, covered = 0;
    float *sample = relief->sun; /* free until the light is cast */
    for (size_t i = 0; i < count; i += stride)
    {
        if (relief->triangles[i] != NO_TRIANGLE)
        {
            sample[seen++] = relief->heights[i];
            covered += ceilings[i] > relief->heights[i];
        }
    }
    relief->is_indoors = 2 * covered > seen;
    if (seen > 0)
    {
        qsort(sample, seen, sizeof *sample, compare_heights);
        relief->lowest = sample[seen / 100];
        relief->highest = sample[seen - 1 - seen / 100];
    }
}

double round_length(double metres)
{
    double power = pow(10, floor(log10(metres)));
    double first = metres / power;
    return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
}

/* ---- Pixels without a face. ---- */

static void take_from(Relief *relief, int x, int y, int from_x, int from_y, float step)
{
    int width = relief->desc.width, height = relief->desc.height;
    if (from_x < 0 || from_y < 0 || from_x >= width || from_y >= height)
    {
        return;
    }
    size_t here = (size_t)y * (size_t)width + (size_t)x,
           there = (size_t)from_y * (size_t)width + (size_t)from_x;
    if (relief->gaps[there] + step < relief->gaps[here])
    {
        relief->gaps[here] = relief->gaps[there] + step;
        relief->heights[here] = relief->heights[there];
    }
}

/* Finds the distance to the next face and its height in two passes over the picture (G. Borgefors,
 * "Distance transformations in digital images", 1986). Each pass takes from the neighbours that it has
 * already visited. */
static void spread(Relief *relief, int direction)
{
    int width = relief->desc.width, height = relief->desc.height;
    for (int row = 0; row < height; row++)
    {
        int y = direction > 0 ? row : height - 1 - row;
        for (int column = 0; column < width; column++)
        {
            int x = direction > 0 ? column : width - 1 - column;
            if (relief->gaps[(size_t)y * (size_t)width + (size_t)x] > 0)
            {
                take_from(relief, x, y, x - direction, y, 1);
                take_from(relief, x, y, x, y - direction, 1);
                take_from(relief, x, y, x - direction, y - direction, DIAGONAL);
                take_from(relief, x, y, x + direction, y - direction, DIAGONAL);
            }
        }
    }
}

/* Outdoors, the level stands on a table as low as its lowest place. Indoors, it is cut out of rock. */
static void fill_between(Relief *relief)
{
    for (size_t i = 0; i < pixel_count(relief); i++)
    {
        relief->gaps[i] = relief->triangles[i] == NO_TRIANGLE ? INFINITY : 0;
    }
    spread(relief, 1);
    spread(relief, -1);
    for (size_t i = 0; i < pixel_count(relief); i++)
    {
        if (relief->gaps[i] > 0)
        {
            relief->heights[i] = relief->is_indoors ? relief->heights[i] + (float)CUT_HEIGHT : relief->lowest;
        }
    }
}

bool relief_create(const ReliefDesc *desc, Relief *relief)
{
    *relief = (Relief){.desc = *desc};
    size_t count = pixel_count(relief);
    relief->heights = malloc(count * sizeof(float));
    relief->triangles = malloc(count * sizeof(uint32_t));
    relief->gaps = malloc(count * sizeof(float));
    relief->sun = malloc(count * sizeof(float));
    relief->sky = malloc(count * sizeof(float));
    if (!relief->heights || !relief->triangles || !relief->gaps || !relief->sun || !relief->sky)
    {
        relief_destroy(relief);
        return false;
    }
    float *ceilings = relief->gaps; /* free until the gaps are filled */
    for (size_t i = 0; i < count; i++)
    {
        relief->heights[i] = ceilings[i] = -INFINITY;
        relief->triangles[i] = NO_TRIANGLE;
    }
    draw_faces(relief, ceilings);
    survey(relief, ceilings);
    fill_between(relief);
    return true;
}

void relief_destroy(Relief *relief)
{
    free(relief->heights);
    free(relief->triangles);
    free(relief->gaps);
    free(relief->sun);
    free(relief->sky);
    *relief = (Relief){.heights = NULL};
}
