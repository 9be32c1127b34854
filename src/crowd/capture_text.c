#include "crowd/capture_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof "failed_searches" + 21 * CAPTURE_FAILURES + 1 <= sizeof((CaptureText *)0)->line,
               "the longest line, of whole numbers with a space before each");
_Static_assert(sizeof "triangle" + 2 * 21 + 9 * 24 + 1 <= sizeof((CaptureText *)0)->line,
               "a float is at most -0x1.abcdefp-149, a double 24 characters");

static void put(CaptureText *text, const char *piece)
{
    size_t length = strlen(piece), room = sizeof text->line - text->line_length;
    length = length < room ? length : room;
    memcpy(text->line + text->line_length, piece, length);
    text->line_length += length;
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
        memcpy(desc->text + text->length, text->line, text->line_length);
        desc->text[text->length + text->line_length] = 0;
    }
    text->length += text->line_length;
    text->line_length = 0;
}

static void put_whole(CaptureText *text, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, " %llu", (unsigned long long)value);
    put(text, digits);
}

/* Not %a, which writes the decimal point of the host's language and chooses its leading digit as it likes. */
static void put_hexadecimal(CaptureText *text, double value)
{
    int exponent;
    double mantissa = frexp(fabs(value), &exponent); /* [.5, 1) */
    uint64_t digits = (uint64_t)(mantissa * 0x1p53); /* exact: 1 and 52 bits behind the point */
    char number[40], hex[16];
    if (value == 0)
    {
        put(text, signbit(value) ? " -0" : " 0");
        return;
    }
    snprintf(hex, sizeof hex, "%013llx", (unsigned long long)(digits & 0xFFFFFFFFFFFFFu));
    size_t length = 13;
    while (length > 0 && hex[length - 1] == '0')
    {
        hex[--length] = 0;
    }
    snprintf(number, sizeof number, " %s0x1%s%sp%d", value < 0 ? "-" : "", length ? "." : "", hex,
             exponent - 1);
    put(text, number);
}

static void put_bits(CaptureText *text, uint64_t bits)
{
    char number[32];
    snprintf(number, sizeof number, " bits:%llx", (unsigned long long)bits);
    put(text, number);
}

static void put_float(CaptureText *text, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    isfinite(value) ? put_hexadecimal(text, (double)value) : put_bits(text, bits);
}

static void put_double(CaptureText *text, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    isfinite(value) ? put_hexadecimal(text, value) : put_bits(text, bits);
}

/* What a field's numbers are, one after another. */
typedef union Number
{
    float f;
    double d;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
} Number;

static Number number_of(const void *structure, const CaptureField *field, uint32_t i)
{
    static const size_t sizes[] = {[CAPTURE_FLOAT] = sizeof(float),
                                   [CAPTURE_DOUBLE] = sizeof(double),
                                   [CAPTURE_16] = sizeof(uint16_t),
                                   [CAPTURE_32] = sizeof(uint32_t),
                                   [CAPTURE_64] = sizeof(uint64_t)};
    size_t size = sizes[field->kind];
    Number number = {.u64 = 0};
    memcpy(&number, (const char *)structure + field->offset + i * size, size);
    return number;
}

static void put_number(CaptureText *text, CaptureKind kind, Number number)
{
    switch (kind)
    {
    case CAPTURE_FLOAT:
        put_float(text, number.f);
        break;
    case CAPTURE_DOUBLE:
        put_double(text, number.d);
        break;
    case CAPTURE_16:
        put_whole(text, number.u16);
        break;
    case CAPTURE_32:
        put_whole(text, number.u32);
        break;
    default:
        put_whole(text, number.u64);
        break;
    }
}

static void put_decimals(CaptureText *text, const void *structure, const CaptureField *field)
{
    put(text, " #");
    for (uint32_t i = 0; i < field->count; ++i)
    {
        Number number = number_of(structure, field, i);
        char decimal[40];
        snprintf(decimal, sizeof decimal, " %.8g",
                 field->kind == CAPTURE_FLOAT ? (double)number.f : number.d);
        put(text, decimal);
    }
}

static void put_field(CaptureText *text, const void *structure, const CaptureField *field)
{
    put(text, field->name);
    for (uint32_t i = 0; i < field->count; ++i)
    {
        put_number(text, field->kind, number_of(structure, field, i));
    }
    if (field->kind == CAPTURE_FLOAT || field->kind == CAPTURE_DOUBLE)
    {
        put_decimals(text, structure, field);
    }
    end_line(text);
}

void text_line(CaptureText *text, const char *line)
{
    put(text, line);
    end_line(text);
}

void text_fields(CaptureText *text, const void *structure, const CaptureField *fields, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        put_field(text, structure, &fields[i]);
    }
}

void text_triangle(CaptureText *text, uint32_t number, uint16_t surface, const float corners[9])
{
    put(text, "triangle");
    put_whole(text, number);
    put_whole(text, surface);
    for (int i = 0; i < 9; ++i)
    {
        put_float(text, corners[i]);
    }
    end_line(text);
}
