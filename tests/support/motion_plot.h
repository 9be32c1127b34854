/* Small line drawings as SVG, the same bytes in every run. */
#ifndef TESTS_SUPPORT_MOTION_PLOT_H
#define TESTS_SUPPORT_MOTION_PLOT_H

#include <stdbool.h>

#define PLOT_LINES  80
#define PLOT_POINTS 400 /* of a line; what is more is thinned out */

typedef struct PlotLine
{
    const char *name, *color; /* name NULL: none is written */
    double x[PLOT_POINTS], y[PLOT_POINTS];
    int count;
} PlotLine;

typedef struct Plot
{
    const char *title, *across, *up; /* of the axes */
    bool same_scale;                 /* a metre is as long upwards as across */
    bool is_logarithmic;             /* across; the values are positive */
    bool is_from_zero;               /* upwards */
    PlotLine lines[PLOT_LINES];
    int line_count;
} Plot;

PlotLine *plot_line(Plot *plot, const char *name, const char *color);
void plot_point(PlotLine *line, double x, double y);
/* False if the file cannot be written. */
bool plot_write(const Plot *plot, const char *path);

#endif
