#include "canvas.h"

#include <math.h>
#include <stdlib.h>

#ifdef SIDLE_HAVE_PNG
#include <png.h>
#endif

/* ---- Colours. ---- */

/* IEC 61966-2-1 (sRGB), in both directions. */
static double linear_from_screen(double value)
{
    return value <= .04045 ? value / 12.92 : pow((value + .055) / 1.055, 2.4);
}

static double screen_from_linear(double value)
{
    return value <= .0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - .055;
}

Colour colour_from_hex(uint32_t hex)
{
    return (Colour){(float)linear_from_screen((hex >> 16 & 0xFF) / 255.0),
                    (float)linear_from_screen((hex >> 8 & 0xFF) / 255.0),
                    (float)linear_from_screen((hex & 0xFF) / 255.0)};
}

Colour colour_mix(Colour a, Colour b, double share_of_b)
{
    float t = (float)share_of_b;
    return (Colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

Colour colour_times(Colour a, double factor)
{
    float f = (float)factor;
    return (Colour){a.r * f, a.g * f, a.b * f};
}

Colour colour_ramp(const Colour *stops, int count, double at)
{
    double place = fmin(fmax(at, 0), 1) * (count - 1);
    int first = place < count - 2 ? (int)place : count - 2;
    return colour_mix(stops[first], stops[first + 1], place - first);
}

/* ---- Shapes. Coverage of a pixel is taken from the distance of its centre to the outline. ---- */

typedef struct PixelRange
{
    int x0, y0, x1, y1; /* x1 and y1 excluded */
} PixelRange;

bool canvas_create(Canvas *canvas, int width, int height, Colour background)
{
    size_t count = (size_t)width * (size_t)height;
    *canvas = (Canvas){width, height, malloc(count * sizeof(Colour))};
    for (size_t i = 0; canvas->pixels && i < count; i++)
    {
        canvas->pixels[i] = background;
    }
    return canvas->pixels != NULL;
}

void canvas_destroy(Canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (Canvas){0};
}

static int clamp_pixel(double value, int limit)
{
    return value > 0 ? (value < limit ? (int)value : limit) : 0;
}

static PixelRange pixels_around(const Canvas *canvas, Point a, Point b, double reach)
{
    return (PixelRange){clamp_pixel(floor(fmin(a.x, b.x) - reach), canvas->width),
                        clamp_pixel(floor(fmin(a.y, b.y) - reach), canvas->height),
                        clamp_pixel(ceil(fmax(a.x, b.x) + reach), canvas->width),
                        clamp_pixel(ceil(fmax(a.y, b.y) + reach), canvas->height)};
}

static void blend(Canvas *canvas, int x, int y, Colour colour, double alpha)
{
    Colour *pixel = &canvas->pixels[(size_t)y * (size_t)canvas->width + (size_t)x];
    *pixel = colour_mix(*pixel, colour, fmin(alpha, 1));
}

void canvas_blend(Canvas *canvas, int x, int y, Colour colour, double alpha)
{
    if (x >= 0 && y >= 0 && x < canvas->width && y < canvas->height)
    {
        blend(canvas, x, y, colour, alpha);
    }
}

void canvas_disc(Canvas *canvas, Point center, double radius, Colour colour, double alpha)
{
    PixelRange range = pixels_around(canvas, center, center, radius + 1);
    for (int y = range.y0; y < range.y1; y++)
    {
        for (int x = range.x0; x < range.x1; x++)
        {
            double distance = hypot(x + .5 - center.x, y + .5 - center.y);
            double coverage = fmin(fmax(radius + .5 - distance, 0), 1);
            if (coverage > 0)
            {
                blend(canvas, x, y, colour, alpha * coverage);
            }
        }
    }
}

static double stroke_coverage(Point a, Point b, Point p, double half_width, bool round_ends, double *along)
{
    double ex = b.x - a.x, ey = b.y - a.y, length = hypot(ex, ey);
    double t = length > 0 ? ((p.x - a.x) * ex + (p.y - a.y) * ey) / length : 0;
    double inside = fmin(fmax(t, 0), length);
    double share = length > 0 ? inside / length : 0;
    *along = share;
    if (round_ends)
    {
        double distance = hypot(p.x - a.x - share * ex, p.y - a.y - share * ey);
        return fmin(fmax(half_width + .5 - distance, 0), 1);
    }
    double aside = length > 0 ? fabs((p.x - a.x) * ey - (p.y - a.y) * ex) / length : 0;
    double lengthwise = fmin(fmax(fmin(t, length - t) + .5, 0), 1);
    return lengthwise * fmin(fmax(half_width + .5 - aside, 0), 1);
}

void canvas_stroke(Canvas *canvas, Point a, Point b, const Pen *pen, double alpha_a, double alpha_b,
                   bool round_ends)
{
    double half_width = .5 * pen->width;
    PixelRange range = pixels_around(canvas, a, b, half_width + 1);
    for (int y = range.y0; y < range.y1; y++)
    {
        for (int x = range.x0; x < range.x1; x++)
        {
            double along;
            double coverage = stroke_coverage(a, b, (Point){x + .5, y + .5}, half_width, round_ends, &along);
            if (coverage > 0)
            {
                blend(canvas, x, y, pen->colour,
                      pen->alpha * coverage * (alpha_a + along * (alpha_b - alpha_a)));
            }
        }
    }
}

static double overlap(double low, double high, int pixel)
{
    return fmax(fmin(high, pixel + 1) - fmax(low, pixel), 0);
}

void canvas_rectangle(Canvas *canvas, Point a, Point b, Colour colour, double alpha)
{
    PixelRange range = pixels_around(canvas, a, b, 0);
    for (int y = range.y0; y < range.y1; y++)
    {
        for (int x = range.x0; x < range.x1; x++)
        {
            blend(canvas, x, y, colour, alpha * overlap(a.x, b.x, x) * overlap(a.y, b.y, y));
        }
    }
}

/* ---- PNG. ---- */

#ifdef SIDLE_HAVE_PNG

/* So fine that no two of the 256 screen values share an entry. */
#define TABLE_SIZE 8192

static void fill_table(uint8_t table[TABLE_SIZE])
{
    for (int i = 0; i < TABLE_SIZE; i++)
    {
        table[i] = (uint8_t)(255 * screen_from_linear((double)i / (TABLE_SIZE - 1)) + .5);
    }
}

static uint8_t look_up(const uint8_t table[TABLE_SIZE], float value)
{
    float place = value * (TABLE_SIZE - 1) + .5f;
    return table[place > 0 ? (place < TABLE_SIZE - 1 ? (int)place : TABLE_SIZE - 1) : 0];
}

bool canvas_has_png(void)
{
    return true;
}

bool canvas_write_png(const Canvas *canvas, FILE *file)
{
    uint8_t table[TABLE_SIZE];
    size_t count = (size_t)canvas->width * (size_t)canvas->height;
    uint8_t *bytes = malloc(3 * count);
    if (!bytes)
    {
        return false;
    }
    fill_table(table);
    for (size_t i = 0; i < count; i++)
    {
        bytes[3 * i] = look_up(table, canvas->pixels[i].r);
        bytes[3 * i + 1] = look_up(table, canvas->pixels[i].g);
        bytes[3 * i + 2] = look_up(table, canvas->pixels[i].b);
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->width,
                       .height = (png_uint_32)canvas->height,
                       .format = PNG_FORMAT_RGB};
    bool good = png_image_write_to_stdio(&image, file, 0, bytes, 0, NULL) != 0;
    png_image_free(&image);
    free(bytes);
    return good && fflush(file) == 0;
}

#else

bool canvas_has_png(void)
{
    return false;
}

bool canvas_write_png(const Canvas *canvas, FILE *file)
{
    (void)canvas;
    (void)file;
    (void)screen_from_linear;
    return false;
}

#endif
