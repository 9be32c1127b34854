/* Reports a failure. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "sidle/base.h"

/* Writes the story to `error` (may be NULL) and returns `status`. A NULL format takes the status's own
 * sentence. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
sidle_status
status_fail(sidle_error *error, sidle_status status, uint64_t index, const char *format, ...);

#endif
