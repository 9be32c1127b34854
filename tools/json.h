/* Writes one JSON object, one member a line. The output is valid UTF-8 whatever bytes a text holds: the replacement
 * character stands for a broken one. Numbers that JSON cannot hold (NaN, infinity) become null. */
#ifndef SIDLE_TOOLS_JSON_H
#define SIDLE_TOOLS_JSON_H

#include <stdint.h>
#include <stdio.h>

typedef struct Json
{
    FILE *file;
    int depth, members; /* members written so far in the innermost object or array */
} Json;

void json_begin(Json *json, FILE *file);
void json_end(Json *json);

/* A name of NULL makes an element of the array that is open. */
void json_object_begin(Json *json, const char *name);
void json_object_end(Json *json);
void json_array_begin(Json *json, const char *name);
void json_array_end(Json *json);

void json_text(Json *json, const char *name, const char *value);
void json_null(Json *json, const char *name);
void json_count(Json *json, const char *name, uint64_t value);

/* A double or a float: the shortest text that a reader turns into the same bits. */
void json_number(Json *json, const char *name, double value);
void json_float(Json *json, const char *name, float value);
void json_numbers(Json *json, const char *name, const double *values, int count);
void json_floats(Json *json, const char *name, const float *values, int count);

/* Something measured, or a share or a mean: six significant digits. */
void json_rounded(Json *json, const char *name, double value);

#endif
