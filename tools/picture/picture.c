#include "picture.h"

#include "relief.h"
#include "text.h"
#include "tools/console.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGER_SIDE   1600 /* pixels of the level, with its rim */
#define SHORTEST_SIDE 64
#define RIM           24 /* space around the level, for walls and agents that left it */
#define MARGIN        24
#define FOOT          92  /* below the level, for title and legend */
#define NARROWEST     980 /* the legend needs this width */

#define BACKGROUND 0x171b22
#define INK        0xe8e4da
#define FAINT_INK  0x8d949e

/* Heights of a capital letter. [Units] pixels */
#define LARGE_TEXT 18
#define SMALL_TEXT 10.5

#define FASTEST 4.0 /* m/s, where the ramp ends */

/* Discs have their true size as long as there is space for it, and a least size that is always visible.
 * [Units] pixels */
#define LARGEST_MINIMUM  2.6
#define SMALLEST_MINIMUM .8
#define MINIMUM_SHARE    .13 /* of the mean distance between agents */
#define MAXIMUM_SHARE    .36

#define TRAIL_WIDTH 1.4
#define TRAIL_ALPHA .9
#define TRAIL_SHADE .4
/* [Units] pixels. Shorter pieces would be all ends. */
#define TRAIL_PIECE 2.0
/* Length over the mean distance between agents. Longer trails would hide the ground. */
#define TRAIL_SHARE  2.5
#define USUAL_SPEED  2.75
#define FEWEST_SHOWN 4 /* samples of a trail */

typedef struct Layout
{
    int left, top, width, height; /* of the level on the canvas */
    double pixels_per_metre;
    double min_x, min_z;
} Layout;

typedef struct Scenery
{
    const CrowdRun *run;
    Layout layout;
    Relief relief;
    Canvas canvas;
    Font *font;          /* NULL: no captions */
    double spacing;      /* mean distance between agents, in pixels */
    uint32_t trail_from; /* the first sample that is drawn */
} Scenery;

bool picture_is_possible(char *message, int message_size)
{
    return canvas_has_png() ||
           explain(message, message_size,
                   "This build of sidle cannot write pictures: install libpng-dev and build again");
}

/* The colours from standing to running, on ground that is mostly grey. */
static Colour speed_colour(double speed)
{
    static const uint32_t hexes[] = {0x5a35f0, 0xc026d3, 0xf43f5e, 0xff8a1f, 0xffe14a};
    Colour stops[5];
    for (int i = 0; i < 5; i++)
    {
        stops[i] = colour_from_hex(hexes[i]);
    }
    return colour_ramp(stops, 5, speed / FASTEST);
}

static Layout plan(const CrowdRun *run)
{
    const sidle_mesh_info *info = &run->desc.scene->info;
    double size_x = info->max.x - info->min.x, size_z = info->max.z - info->min.z;
    double longer = fmax(fmax(size_x, size_z), 1e-3);
    Layout layout = {.pixels_per_metre = (LONGER_SIDE - 2 * RIM) / longer, .top = MARGIN};
    layout.width = (int)fmax(ceil(size_x * layout.pixels_per_metre) + 2 * RIM, SHORTEST_SIDE);
    layout.height = (int)fmax(ceil(size_z * layout.pixels_per_metre) + 2 * RIM, SHORTEST_SIDE);
    int canvas_width = layout.width > NARROWEST ? layout.width : NARROWEST;
    layout.left = MARGIN + (canvas_width - layout.width) / 2;
    layout.min_x = info->min.x - .5 * (layout.width / layout.pixels_per_metre - size_x);
    layout.min_z = info->min.z - .5 * (layout.height / layout.pixels_per_metre - size_z);
    return layout;
}

static Point on_canvas(const Layout *layout, double x, double z)
{
    return (Point){layout->left + (x - layout->min_x) * layout->pixels_per_metre,
                   layout->top + (z - layout->min_z) * layout->pixels_per_metre};
}

/* Returns true if there is ground above the place, as for an agent on a lower storey. */
static bool is_hidden(const Scenery *scenery, Point place, double height)
{
    const Relief *relief = &scenery->relief;
    double x = SUPERSAMPLING * (place.x - scenery->layout.left),
           y = SUPERSAMPLING * (place.y - scenery->layout.top);
    if (!(x >= 0 && y >= 0 && x < relief->desc.width && y < relief->desc.height))
    {
        return false;
    }
    size_t pixel = (size_t)y * (size_t)relief->desc.width + (size_t)x;
    return relief->triangles[pixel] != NO_TRIANGLE && (double)relief->heights[pixel] > height;
}

static double speed_of(const CrowdRun *run, uint32_t agent)
{
    sidle_vec3 v = run->results[agent].body.velocity;
    return sqrt((double)v.x * (double)v.x + (double)v.z * (double)v.z);
}

/* A trail is older and fainter towards its beginning, and hardly there under a higher storey. */
static void draw_trail(Scenery *scenery, uint32_t agent, const Pen *pen)
{
    const Trails *trails = &scenery->run->trails;
    Point before = {0, 0};
    double before_alpha = 0;
    uint32_t shown = trails->count - scenery->trail_from;
    for (uint32_t i = scenery->trail_from; i < trails->count; i++)
    {
        const float *p = &trails->points[3 * ((size_t)i * trails->agents + agent)];
        Point place =
            on_canvas(&scenery->layout, (double)p[0] + trails->origin.x, (double)p[2] + trails->origin.z);
        bool is_end = i == scenery->trail_from || i + 1 == trails->count;
        if (!is_end && hypot(place.x - before.x, place.y - before.y) < TRAIL_PIECE)
        {
            continue;
        }
        double share = (double)(i - scenery->trail_from) / shown;
        double alpha = share * (is_hidden(scenery, place, (double)p[1] + trails->origin.y) ? .3 : 1);
        if (i > scenery->trail_from)
        {
            canvas_stroke(&scenery->canvas, before, place, pen, before_alpha, alpha, false);
        }
        before = place;
        before_alpha = alpha;
    }
}

/* A dark line below each trail separates it from bright ground. */
static void draw_trails(Scenery *scenery)
{
    Pen dark = {colour_from_hex(0x0b0d12), TRAIL_WIDTH + 1.6, TRAIL_SHADE};
    for (uint32_t i = 0; i < scenery->run->count; i++)
    {
        draw_trail(scenery, i, &dark);
    }
    for (uint32_t i = 0; i < scenery->run->count; i++)
    {
        Pen bright = {speed_colour(speed_of(scenery->run, i)), TRAIL_WIDTH, TRAIL_ALPHA};
        draw_trail(scenery, i, &bright);
    }
}

static void draw_agent(Scenery *scenery, uint32_t agent)
{
    const CrowdRun *run = scenery->run;
    const Agents *agents = run->desc.agents;
    sidle_position center = run->results[agent].body.center;
    Point place = on_canvas(&scenery->layout, center.x, center.z);
    double radius =
        (double)agents->shapes[agents->list[agent].shape].radii.x * scenery->layout.pixels_per_metre;
    double alpha = is_hidden(scenery, place, center.y) ? .35 : 1;
    Colour colour = speed_colour(speed_of(run, agent));
    double smallest = fmin(fmax(MINIMUM_SHARE * scenery->spacing, SMALLEST_MINIMUM), LARGEST_MINIMUM);
    radius = fmax(fmin(radius, MAXIMUM_SHARE * scenery->spacing), smallest);
    double rim = fmin(1.1, .45 * radius);
    canvas_disc(&scenery->canvas, (Point){place.x + .35 * radius, place.y + .45 * radius}, radius + rim,
                colour_from_hex(0x05070a), .35 * alpha);
    canvas_disc(&scenery->canvas, place, radius + rim, colour_from_hex(0x14161c), .85 * alpha);
    canvas_disc(&scenery->canvas, place, radius, colour, alpha);
    canvas_disc(&scenery->canvas, (Point){place.x - .3 * radius, place.y - .3 * radius}, .4 * radius,
                colour_mix(colour, (Colour){1, 1, 1}, .5), fmin(.5, 3 / radius) * alpha);
}

/* The space that each agent has decides how large it may be drawn and how long its trail is. */
static void measure_room(Scenery *scenery)
{
    const Relief *relief = &scenery->relief;
    const CrowdRun *run = scenery->run;
    size_t floor_pixels = 0, count = (size_t)relief->desc.width * (size_t)relief->desc.height;
    for (size_t i = 0; i < count; i++)
    {
        floor_pixels += relief->triangles[i] != NO_TRIANGLE;
    }
    double area = fmax((double)floor_pixels, 1) / (SUPERSAMPLING * SUPERSAMPLING);
    scenery->spacing = sqrt(area / run->count);
    double seconds = TRAIL_SHARE * scenery->spacing / (USUAL_SPEED * scenery->layout.pixels_per_metre);
    double samples = fmax(seconds * run->desc.hz / fmax(run->trails.interval, 1), FEWEST_SHOWN);
    scenery->trail_from = run->trails.count > samples ? run->trails.count - (uint32_t)samples : 0;
}

static void draw_agents(Scenery *scenery)
{
    measure_room(scenery);
    draw_trails(scenery);
    for (uint32_t i = 0; i < scenery->run->count; i++)
    {
        draw_agent(scenery, i);
    }
}

/* ---- Below the level. ---- */

static void draw_scale(Scenery *scenery, double right, double baseline)
{
    double metres = round_length(240 / scenery->layout.pixels_per_metre);
    double length = metres * scenery->layout.pixels_per_metre;
    char text[32];
    Pen pen = {colour_from_hex(INK), 1.6, 1};
    double left = right - length;
    canvas_stroke(&scenery->canvas, (Point){left, baseline}, (Point){right, baseline}, &pen, 1, 1, true);
    canvas_stroke(&scenery->canvas, (Point){left, baseline - 5}, (Point){left, baseline}, &pen, 1, 1, true);
    canvas_stroke(&scenery->canvas, (Point){right, baseline - 5}, (Point){right, baseline}, &pen, 1, 1, true);
    snprintf(text, sizeof text, "%g m", metres);
    double middle = .5 * (left + right - font_width(scenery->font, SMALL_TEXT, text));
    font_draw(scenery->font, &scenery->canvas, (Point){middle, baseline - 9}, SMALL_TEXT, text, pen.colour);
}

static void draw_legend(Scenery *scenery, double right, double baseline)
{
    const int length = 180;
    double left = right - length;
    char text[32];
    Colour ink = colour_from_hex(INK);
    for (int i = 0; i < length; i++)
    {
        canvas_rectangle(&scenery->canvas, (Point){left + i, baseline - 6}, (Point){left + i + 1, baseline},
                         speed_colour(FASTEST * i / (length - 1)), 1);
    }
    snprintf(text, sizeof text, "%g m/s", FASTEST);
    double end = right - font_width(scenery->font, SMALL_TEXT, text);
    font_draw(scenery->font, &scenery->canvas, (Point){left, baseline - 13}, SMALL_TEXT, "0", ink);
    font_draw(scenery->font, &scenery->canvas, (Point){end, baseline - 13}, SMALL_TEXT, text, ink);
}

static void draw_title(Scenery *scenery, double left, double baseline)
{
    static const char *const modes[] = {
        [SIDLE_WALK] = "walking", [SIDLE_SLIDE] = "sliding", [SIDLE_FLY] = "flying"};
    const CrowdRun *run = scenery->run;
    const Level *level = &run->desc.scene->level;
    const char *slash = strrchr(level->name, '/');
    char text[160];
    snprintf(text, sizeof text, "%.44s", slash ? slash + 1 : level->name);
    font_draw(scenery->font, &scenery->canvas, (Point){left, baseline - 25}, LARGE_TEXT, text,
              colour_from_hex(INK));
    snprintf(text, sizeof text, "%s agent%s %s, %s ticks at %u Hz, %s triangles", grouped(run->count),
             run->count == 1 ? "" : "s", modes[run->desc.mode], grouped(run->desc.ticks), run->desc.hz,
             grouped(level->triangle_count));
    font_draw(scenery->font, &scenery->canvas, (Point){left, baseline}, SMALL_TEXT, text,
              colour_from_hex(FAINT_INK));
}

static void draw_foot(Scenery *scenery)
{
    double baseline = scenery->canvas.height - 42, right = scenery->canvas.width - 2 * MARGIN;
    /* Agents that fell out of the level may have been drawn here. */
    canvas_rectangle(&scenery->canvas, (Point){0, scenery->layout.top + scenery->layout.height},
                     (Point){scenery->canvas.width, scenery->canvas.height}, colour_from_hex(BACKGROUND), 1);
    if (scenery->font)
    {
        draw_title(scenery, 2 * MARGIN, baseline);
        draw_scale(scenery, right, baseline);
        draw_legend(scenery, right - 280, baseline);
    }
}

static bool draw(Scenery *scenery)
{
    const Layout *layout = &scenery->layout;
    ReliefDesc desc = {.level = &scenery->run->desc.scene->level,
                       .min_x = layout->min_x,
                       .min_z = layout->min_z,
                       .pixels_per_metre = SUPERSAMPLING * layout->pixels_per_metre,
                       .width = SUPERSAMPLING * layout->width,
                       .height = SUPERSAMPLING * layout->height};
    int width = layout->width > NARROWEST ? layout->width : NARROWEST;
    int height = layout->height + 2 * MARGIN + (scenery->font ? FOOT : 0);
    if (!relief_create(&desc, &scenery->relief) || !relief_light(&scenery->relief) ||
        !canvas_create(&scenery->canvas, width + 2 * MARGIN, height, colour_from_hex(BACKGROUND)))
    {
        return false;
    }
    relief_paint(&scenery->relief, &scenery->canvas, layout->left, layout->top);
    draw_agents(scenery);
    draw_foot(scenery);
    return true;
}

bool picture_write(const CrowdRun *run, const char *path, FILE *file, char *message, int message_size)
{
    Scenery scenery = {.run = run, .layout = plan(run), .font = font_open()};
    bool good = draw(&scenery);
    if (!good)
    {
        explain(message, message_size, "%s: not enough memory to draw the picture", path);
    }
    else if (!canvas_write_png(&scenery.canvas, file))
    {
        good = explain(message, message_size, "%s: the picture could not be written", path);
    }
    relief_destroy(&scenery.relief);
    canvas_destroy(&scenery.canvas);
    font_close(scenery.font);
    return good;
}
