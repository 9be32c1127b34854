/* A small stroke font of sidle's own, for titles and legends of pictures.
 *
 * A glyph is a list of strokes between spaces; each is a row of points, two digits each: x from the left, y
 * down from the top of a capital letter, whose foot is at 6. A stroke is a polyline; after an 's' its points
 * are the controls of a quadratic B-spline that begins in the first and ends in the last; after a 'c' of a
 * closed one. */
#include "picture_canvas.h"

#include <math.h>
#include <string.h>

#define CAPITAL       6.0 /* height of a capital letter in the glyphs' units */
#define GAP           2.0 /* between two letters */
#define SPACE         2.5
#define CURVE_PIECES  8
#define STROKE_POINTS 16

static const char *const glyphs[128] = {
    ['A'] = "062046 1434",
    ['B'] = "0006 s002040432303 s032343462606",
    ['C'] = "s414000064645",
    ['D'] = "0006 s002040462606",
    ['E'] = "40000646 0333",
    ['F'] = "400006 0333",
    ['G'] = "s414000064643 4323",
    ['H'] = "0006 4046 0343",
    ['I'] = "0006",
    ['J'] = "s3034360604",
    ['K'] = "0006 4004 1346",
    ['L'] = "000646",
    ['M'] = "0600244046",
    ['N'] = "06004640",
    ['O'] = "c00505606",
    ['P'] = "0006 s002040432303",
    ['Q'] = "c00505606 3456",
    ['R'] = "0006 s002040432303 2346",
    ['S'] = "s4140000343460605",
    ['T'] = "0040 2026",
    ['U'] = "s000406464440",
    ['V'] = "002640",
    ['W'] = "0016213640",
    ['X'] = "0046 4006",
    ['Y'] = "002340 2326",
    ['Z'] = "00400646",
    ['a'] = "c02323606 3236",
    ['b'] = "0006 c02323606",
    ['c'] = "s333202063635",
    ['d'] = "3036 c02323606",
    ['e'] = "0434 s343202063635",
    ['f'] = "s301013 1316 0232",
    ['g'] = "c02323606 s32380807",
    ['h'] = "0006 s0402323436",
    ['i'] = "0206 0000",
    ['j'] = "s121808 1010",
    ['k'] = "0006 3205 1436",
    ['l'] = "0006",
    ['m'] = "0206 s0402222426 s2422424446",
    ['n'] = "0206 s0402323436",
    ['o'] = "c02323606",
    ['p'] = "0208 c02323606",
    ['q'] = "3238 c02323606",
    ['r'] = "0206 s040232",
    ['s'] = "s3332020434360605",
    ['t'] = "s10141636 0232",
    ['u'] = "s020406363432 3236",
    ['v'] = "022642",
    ['w'] = "0216233642",
    ['x'] = "0236 3206",
    ['y'] = "0226 4218",
    ['z'] = "02320636",
    ['0'] = "c00404606",
    ['1'] = "012026",
    ['2'] = "s0100404306 0646",
    ['3'] = "s0100404323 s2343460605",
    ['4'] = "300444 3036",
    ['5'] = "400003 s0342460605",
    ['6'] = "s300004 c02424606",
    ['7'] = "004016",
    ['8'] = "c00404303 c03434606",
    ['9'] = "s424616 c00404404",
    ['.'] = "0606",
    [','] = "1607",
    [':'] = "0303 0606",
    [';'] = "1313 1607",
    ['-'] = "0333",
    ['+'] = "0343 2125",
    ['='] = "0242 0444",
    ['/'] = "0640",
    ['\\'] = "0046",
    ['_'] = "0747",
    ['('] = "s10000616",
    [')'] = "s00101606",
    ['%'] = "4006 c00202202 c24444626",
    ['\''] = "0001",
    ['~'] = "s04034443",
    ['#'] = "1016 3036 0242 0444",
};

static const char unknown_glyph[] = "0040460600";

static const char *glyph_of(char letter)
{
    unsigned char code = (unsigned char)letter;
    return code < 128 && glyphs[code] ? glyphs[code] : unknown_glyph;
}

static Point middle(Point a, Point b)
{
    return (Point){.5 * (a.x + b.x), .5 * (a.y + b.y)};
}

static void draw_curve(Canvas *canvas, Point a, Point control, Point b, const Pen *pen)
{
    Point before = a;
    for (int i = 1; i <= CURVE_PIECES; i++)
    {
        double t = (double)i / CURVE_PIECES, s = 1 - t;
        Point next = {s * s * a.x + 2 * s * t * control.x + t * t * b.x,
                      s * s * a.y + 2 * s * t * control.y + t * t * b.y};
        canvas_stroke(canvas, before, next, pen, 1, 1, true);
        before = next;
    }
}

static void draw_stroke(Canvas *canvas, char kind, const Point *p, int count, const Pen *pen)
{
    if (kind == 'c')
    {
        for (int i = 0; i < count; i++)
        {
            Point before = p[(i + count - 1) % count], after = p[(i + 1) % count];
            draw_curve(canvas, middle(before, p[i]), p[i], middle(p[i], after), pen);
        }
        return;
    }
    for (int i = 1; kind == 's' && i + 1 < count; i++)
    {
        Point begin = i == 1 ? p[0] : middle(p[i - 1], p[i]);
        Point end = i + 2 == count ? p[count - 1] : middle(p[i], p[i + 1]);
        draw_curve(canvas, begin, p[i], end, pen);
    }
    for (int i = 1; kind != 's' && i < count; i++)
    {
        canvas_stroke(canvas, p[i - 1], p[i], pen, 1, 1, true);
    }
}

static double glyph_width(const char *glyph)
{
    int widest = 0, digits = 0;
    for (; *glyph; glyph++)
    {
        bool is_digit = *glyph >= '0' && *glyph <= '9';
        if (is_digit && digits % 2 == 0 && *glyph - '0' > widest)
        {
            widest = *glyph - '0';
        }
        digits = is_digit ? digits + 1 : 0;
    }
    return widest;
}

static void draw_glyph(Canvas *canvas, Point foot, double unit, const char *glyph, const Pen *pen)
{
    while (*glyph)
    {
        Point points[STROKE_POINTS];
        int count = 0;
        char kind = *glyph == 's' || *glyph == 'c' ? *glyph++ : 'p';
        for (; *glyph && *glyph != ' ' && count < STROKE_POINTS; glyph += 2)
        {
            points[count++] =
                (Point){foot.x + unit * (glyph[0] - '0'), foot.y + unit * (glyph[1] - '0' - CAPITAL)};
        }
        draw_stroke(canvas, kind, points, count, pen);
        glyph += *glyph == ' ';
    }
}

/* Draws if there is a canvas, and measures in any case. */
static double set_text(Canvas *canvas, Point baseline, double size, const char *text, const Pen *pen)
{
    double unit = size / CAPITAL, x = 0;
    for (; *text; text++)
    {
        if (*text == ' ')
        {
            x += unit * (SPACE + GAP);
            continue;
        }
        const char *glyph = glyph_of(*text);
        if (canvas)
        {
            draw_glyph(canvas, (Point){baseline.x + x, baseline.y}, unit, glyph, pen);
        }
        x += unit * (glyph_width(glyph) + GAP);
    }
    return fmax(x - unit * GAP, 0);
}

double canvas_text(Canvas *canvas, Point baseline, double size, const char *text, const Pen *pen)
{
    return set_text(canvas, baseline, size, text, pen);
}

double canvas_text_width(double size, const char *text)
{
    return set_text(NULL, (Point){0, 0}, size, text, NULL);
}
