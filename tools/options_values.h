/* The parsers of option values. Each returns EXIT_DONE, or prints what the option takes and returns
 * EXIT_USAGE. */
#ifndef SIDLE_TOOLS_OPTIONS_VALUES_H
#define SIDLE_TOOLS_OPTIONS_VALUES_H

#include "options.h"
#include "sidle/crowd.h"

int option_count(const char *option, const char *text, uint32_t minimum, uint32_t maximum, uint32_t *out);
int option_mode(const char *text, uint32_t *out);
int option_jobs(const char *text, uint32_t *out);
int option_lanes(const char *text, uint32_t *out);
int option_scale(const char *text, double *out);
int option_instance_scale(const char *text, double out[3]);
int option_up(const char *text, char *out);
int option_shape(const char *text, sidle_shape *out);
int option_capture(const char *text, CaptureWish *out);

#endif
