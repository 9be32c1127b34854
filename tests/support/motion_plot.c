#include "support/motion_plot.h"

#include <math.h>
#include <stdio.h>

#define WIDTH  640.0
#define HEIGHT 260.0
#define LEFT   56.0
#define TOP    34.0
#define RIGHT  12.0
#define BOTTOM 34.0

PlotLine *plot_line(Plot *plot, const char *name, const char *color)
{
    PlotLine *line = &plot->lines[plot->line_count++];
    *line = (PlotLine){.name = name, .color = color};
    return line;
}

/* Full: every second point goes. What comes later is then denser than what was, which no line here minds. */
void plot_point(PlotLine *line, double x, double y)
{
    if (line->count == PLOT_POINTS)
    {
        for (int i = 0; i < PLOT_POINTS / 2; ++i)
        {
            line->x[i] = line->x[2 * i];
            line->y[i] = line->y[2 * i];
        }
        line->count = PLOT_POINTS / 2;
    }
    line->x[line->count] = x;
    line->y[line->count++] = y;
}

typedef struct Extent
{
    double left, right, low, high;
} Extent;

/* Where a value stands on the axis. */
static double across_of(const Plot *plot, double x)
{
    return plot->is_logarithmic ? log10(x) : x;
}

static Extent extent_of(const Plot *plot)
{
    Extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < plot->line_count; ++i)
    {
        const PlotLine *line = &plot->lines[i];
        for (int point = 0; point < line->count; ++point)
        {
            e.left = fmin(e.left, across_of(plot, line->x[point]));
            e.right = fmax(e.right, across_of(plot, line->x[point]));
            e.low = fmin(e.low, line->y[point]);
            e.high = fmax(e.high, line->y[point]);
        }
    }
    /* A round number where it costs nothing. */
    bool is_near_zero = e.low > 0.0 && e.low < 0.05 * e.high;
    e.low = is_near_zero || plot->is_from_zero ? 0.0 : e.low;
    double across = (e.right - e.left) / (WIDTH - LEFT - RIGHT);
    double up = (e.high - e.low) / (HEIGHT - TOP - BOTTOM);
    if (plot->same_scale && up < across)
    {
        e.high = e.low + across * (HEIGHT - TOP - BOTTOM);
    }
    else if (plot->same_scale)
    {
        e.right = e.left + up * (WIDTH - LEFT - RIGHT);
    }
    e.high = e.high > e.low ? e.high : e.low + 1.0;
    return e;
}

static void write_text(FILE *file, double x, double y, const char *anchor, const char *color,
                       const char *text)
{
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor,
            color, text);
}

static void write_number(FILE *file, double x, double y, const char *anchor, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", fabs(value) < 1e-9 ? 0.0 : value);
    write_text(file, x, y, anchor, "#555", text);
}

/* The numbers below the plot: two, or on a logarithmic axis every power of ten. */
static void write_scale(FILE *file, const Plot *plot, const Extent *e)
{
    const double bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT,
                 each = (right - LEFT) / (e->right - e->left);
    if (!plot->is_logarithmic)
    {
        write_number(file, LEFT, bottom + 14, "middle", e->left);
        write_number(file, right - 40, bottom + 14, "middle",
                     e->left + (e->right - e->left) * (right - 40 - LEFT) / (right - LEFT));
        return;
    }
    for (double power = ceil(e->left - 0.01); power <= e->right + 0.01; power += 1.0)
    {
        const double x = LEFT + each * (power - e->left);
        char text[32];
        snprintf(text, sizeof text, "%.0f", pow(10.0, power));
        write_text(file, x, bottom + 14, x > right - 20 ? "end" : "middle", "#555", text);
    }
}

static void write_frame(FILE *file, const Plot *plot, const Extent *e)
{
    double bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(file, "<path d=\"M%.0f %.0fV%.0fH%.0f\" fill=\"none\" stroke=\"#999\"/>\n", LEFT, TOP, bottom,
            right);
    write_text(file, LEFT, 16, "start", "#000", plot->title);
    write_text(file, right, HEIGHT - 6, "end", "#555", plot->across);
    write_text(file, LEFT, TOP - 4, "start", "#555", plot->up);
    write_scale(file, plot, e);
    write_number(file, LEFT - 6, bottom, "end", e->low);
    write_number(file, LEFT - 6, TOP + 10, "end", e->high);
}

static void write_line(FILE *file, const Plot *plot, const PlotLine *line, const Extent *e)
{
    double across = (WIDTH - LEFT - RIGHT) / (e->right - e->left),
           up = (HEIGHT - TOP - BOTTOM) / (e->high - e->low);
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", line->color);
    for (int i = 0; i < line->count; ++i)
    {
        fprintf(file, "%s%.1f,%.1f", i > 0 ? " " : "",
                LEFT + across * (across_of(plot, line->x[i]) - e->left),
                HEIGHT - BOTTOM - up * (line->y[i] - e->low));
    }
    fprintf(file, "\"/>\n");
}

bool plot_write(const Plot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
    {
        return false;
    }
    Extent extent = extent_of(plot);
    write_frame(file, plot, &extent);
    for (int i = 0; i < plot->line_count; ++i)
    {
        write_line(file, plot, &plot->lines[i], &extent);
        if (plot->lines[i].name)
        {
            write_text(file, WIDTH - RIGHT, 16 + 15 * i, "end", plot->lines[i].color, plot->lines[i].name);
        }
    }
    fprintf(file, "</svg>\n");
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}
