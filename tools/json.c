#include "json.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define ROUNDED_DIGITS 6

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *begin = text; *text; begin = text)
    {
        uint32_t character = utf8_next(&text);
        if (character == '"' || character == '\\')
        {
            fprintf(file, "\\%c", (char)character);
        }
        else if (character < 0x20 || character == UTF8_REPLACEMENT)
        {
            fprintf(file, "\\u%04" PRIx32, character);
        }
        else
        {
            fwrite(begin, 1, (size_t)(text - begin), file);
        }
    }
    fputc('"', file);
}

/* Fewer digits than `least` read back as other bits for most values; `most` are always enough. */
static void put_shortest(FILE *file, double value, int least, int most, bool is_float)
{
    char text[32];
    if (!isfinite(value))
    {
        fputs("null", file);
        return;
    }
    for (int digits = least; digits <= most; digits++)
    {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back = is_float ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (back >= value && back <= value)
        {
            break;
        }
    }
    fputs(text, file);
}

static void put_number(FILE *file, double value)
{
    put_shortest(file, value, 15, 17, false);
}

static void put_float(FILE *file, float value)
{
    put_shortest(file, (double)value, 6, 9, true);
}

static void new_line(Json *json)
{
    fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

static void begin_member(Json *json, const char *name)
{
    if (json->members++ > 0)
    {
        fputc(',', json->file);
    }
    new_line(json);
    if (name)
    {
        put_text(json->file, name);
        fputs(": ", json->file);
    }
}

static void open_bracket(Json *json, char bracket)
{
    fputc(bracket, json->file);
    json->depth++;
    json->members = 0;
}

static void close_bracket(Json *json, char bracket)
{
    json->depth--;
    if (json->members > 0)
    {
        new_line(json);
    }
    fputc(bracket, json->file);
    json->members = 1; /* the next member follows this one */
}

void json_begin(Json *json, FILE *file)
{
    *json = (Json){.file = file};
    open_bracket(json, '{');
}

void json_end(Json *json)
{
    close_bracket(json, '}');
    fputc('\n', json->file);
}

void json_object_begin(Json *json, const char *name)
{
    begin_member(json, name);
    open_bracket(json, '{');
}

void json_object_end(Json *json)
{
    close_bracket(json, '}');
}

void json_array_begin(Json *json, const char *name)
{
    begin_member(json, name);
    open_bracket(json, '[');
}

void json_array_end(Json *json)
{
    close_bracket(json, ']');
}

void json_text(Json *json, const char *name, const char *value)
{
    begin_member(json, name);
    put_text(json->file, value);
}

void json_null(Json *json, const char *name)
{
    begin_member(json, name);
    fputs("null", json->file);
}

void json_count(Json *json, const char *name, uint64_t value)
{
    begin_member(json, name);
    fprintf(json->file, "%" PRIu64, value);
}

void json_number(Json *json, const char *name, double value)
{
    begin_member(json, name);
    put_number(json->file, value);
}

void json_float(Json *json, const char *name, float value)
{
    begin_member(json, name);
    put_float(json->file, value);
}

void json_numbers(Json *json, const char *name, const double *values, int count)
{
    begin_member(json, name);
    for (int i = 0; i < count; i++)
    {
        fputs(i ? ", " : "[", json->file);
        put_number(json->file, values[i]);
    }
    fputc(']', json->file);
}

void json_floats(Json *json, const char *name, const float *values, int count)
{
    begin_member(json, name);
    for (int i = 0; i < count; i++)
    {
        fputs(i ? ", " : "[", json->file);
        put_float(json->file, values[i]);
    }
    fputc(']', json->file);
}

/* Through text and back: %g with six digits would write 2.12346e+06. */
void json_rounded(Json *json, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", ROUNDED_DIGITS - 1, value);
    json_number(json, name, isfinite(value) ? strtod(text, NULL) : value);
}
