#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    {
        if (*c == '"' || *c == '\\')
        {
            fprintf(file, "\\%c", *c);
        }
        else if (*c < 0x20)
        {
            fprintf(file, "\\u%04x", *c);
        }
        else
        {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

/* A reader gets the same double back; 15 digits are enough for most and look better than 17. */
static void put_number(FILE *file, double value)
{
    char text[32];
    if (!isfinite(value))
    {
        fputs("null", file);
        return;
    }
    snprintf(text, sizeof text, "%.15g", value);
    double back = strtod(text, NULL);
    if (back < value || back > value)
    {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, file);
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
    put_text(json->file, name);
    fputs(": ", json->file);
}

void json_begin(Json *json, FILE *file)
{
    *json = (Json){.file = file, .depth = 1, .members = 0};
    fputc('{', file);
}

void json_end(Json *json)
{
    json->depth--;
    new_line(json);
    fputs("}\n", json->file);
}

void json_object_begin(Json *json, const char *name)
{
    begin_member(json, name);
    fputc('{', json->file);
    json->depth++;
    json->members = 0;
}

void json_object_end(Json *json)
{
    json->depth--;
    new_line(json);
    fputc('}', json->file);
    json->members = 1; /* whatever comes next in the outer object follows this one */
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

void json_text(Json *json, const char *name, const char *value)
{
    begin_member(json, name);
    put_text(json->file, value);
}
