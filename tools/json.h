/* Writes one JSON object, one member a line; numbers that JSON cannot hold (NaN, infinity) become null. */
#ifndef SIDLE_TOOLS_JSON_H
#define SIDLE_TOOLS_JSON_H

#include <stdint.h>
#include <stdio.h>

typedef struct Json
{
    FILE *file;
    int depth, members; /* members written so far in the innermost object */
} Json;

void json_begin(Json *json, FILE *file);
void json_end(Json *json);
void json_object_begin(Json *json, const char *name);
void json_object_end(Json *json);
void json_count(Json *json, const char *name, uint64_t value);
void json_number(Json *json, const char *name, double value);
void json_numbers(Json *json, const char *name, const double *values, int count);
void json_text(Json *json, const char *name, const char *value);

#endif
