/* Reports a failure. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "sidle/base.h"

/* Writes the failure to `error`, unless it is NULL, and returns `status`. Without a format the text is the status's
 * own. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
sidle_status
sidle_status_fail(sidle_error *error, sidle_status status, uint64_t index, const char *format, ...);

#endif
