#include "capture/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof "failed_searches" + 21 * CAPTURE_FAILURES + 1 <= sizeof((CaptureText *)0)->line,
               "the longest line, of whole numbers with a space before each");
_Static_assert(sizeof "triangle" + 2 * 21 + 9 * 24 + 1 <= sizeof((CaptureText *)0)->line,
               "a float is at most -0x1.abcdefp-149, a double 24 characters");

static void put(CaptureText *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(text->line + text->line_length, sizeof text->line - text->line_length, format, arguments);
    va_end(arguments);
    text->line_length += (size_t)length;
}

static void end_line(CaptureText *text)
{
    const sidle_capture_desc *desc = text->desc;
    put(text, "\n");
    if (desc->write)
    {
        desc->write(desc->user, text->line, text->line_length);
    }
    else if (text->length + text->line_length < desc->capacity)
    {
        memcpy(desc->text + text->length, text->line, text->line_length + 1);
    }
    text->length += text->line_length;
    text->line_length = 0;
}

/* Replaces %a, which depends on the host's locale and does not define the leading digit. */
static void put_hexadecimal(CaptureText *text, double value)
{
    int exponent;
    double mantissa = frexp(fabs(value), &exponent); /* [.5, 1) */
    /* The 52 bits after the point, exactly. */
    uint64_t digits = (uint64_t)(mantissa * 0x1p53) & 0xFFFFFFFFFFFFFu;
    int places = 13;
    while (places > 0 && (digits & 15) == 0)
    {
        digits >>= 4;
        --places;
    }
    put(text, " %s0x1", value < 0 ? "-" : "");
    if (places > 0)
    {
        put(text, ".%0*llx", places, (unsigned long long)digits);
    }
    put(text, "p%d", exponent - 1);
}

static void put_real(CaptureText *text, double value, uint64_t bits)
{
    if (!isfinite(value))
    {
        put(text, " bits:%llx", (unsigned long long)bits);
    }
    else if (value == 0)
    {
        put(text, signbit(value) ? " -0" : " 0");
    }
    else
    {
        put_hexadecimal(text, value);
    }
}

static void put_float(CaptureText *text, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_real(text, (double)value, bits);
}

/* Number i of a field: returns reals as double, and writes the bits of any kind. */
static double number_of(const void *structure, const CaptureField *field, uint32_t i, uint64_t *bits)
{
    static const size_t sizes[] = {
        [CAPTURE_FLOAT] = 4, [CAPTURE_DOUBLE] = 8, [CAPTURE_16] = 2, [CAPTURE_32] = 4, [CAPTURE_64] = 8};
    size_t size = sizes[field->kind];
    const char *from = (const char *)structure + field->offset + i * size;
    float narrow;
    double wide;
    *bits = 0; /* all targets are little-endian */
    memcpy(bits, from, size);
    memcpy(&narrow, bits, sizeof narrow);
    memcpy(&wide, bits, sizeof wide);
    return field->kind == CAPTURE_FLOAT ? (double)narrow : wide;
}

static void put_field(CaptureText *text, const void *structure, const CaptureField *field)
{
    bool is_real = field->kind == CAPTURE_FLOAT || field->kind == CAPTURE_DOUBLE;
    uint64_t bits;
    put(text, "%s", field->name);
    for (uint32_t i = 0; i < field->count; ++i)
    {
        double value = number_of(structure, field, i, &bits);
        is_real ? put_real(text, value, bits) : put(text, " %llu", (unsigned long long)bits);
    }
    if (is_real)
    {
        put(text, " #");
    }
    for (uint32_t i = 0; is_real && i < field->count; ++i)
    {
        put(text, " %.8g", number_of(structure, field, i, &bits));
    }
    end_line(text);
}

void sidle_text_line(CaptureText *text, const char *line)
{
    put(text, "%s", line);
    end_line(text);
}

void sidle_text_fields(CaptureText *text, const void *structure, const CaptureField *fields, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        put_field(text, structure, &fields[i]);
    }
}

void sidle_text_triangle(CaptureText *text, uint32_t number, uint16_t surface, const float corners[9])
{
    put(text, "triangle %u %u", number, surface);
    for (int i = 0; i < 9; ++i)
    {
        put_float(text, corners[i]);
    }
    end_line(text);
}
