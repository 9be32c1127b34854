/* The floating-point environment of a host thread, as engines leave it: flushed denormals, another rounding,
 * traps. */
#ifndef TESTS_SUPPORT_HOST_H
#define TESTS_SUPPORT_HOST_H

#include <stdbool.h>
#include <stdint.h>

enum HostMode
{
    HOST_PLAIN = 0,
    HOST_FLUSHES = 1, /* denormals to zero, in and out */
    HOST_ROUNDS_UP = 2,
    HOST_ROUNDS_DOWN = 4,
    HOST_CHOPS = 8,
    HOST_TRAPS = 16 /* every exception is a signal: invalid, divide by zero, overflow, underflow, inexact */
};

/* Whether this processor has these modes and we know how to set them. */
bool host_has(uint32_t modes);

/* From here on this thread, and those that it starts, run so. The caller computes nothing until host_leave.
 */
void host_enter(uint32_t modes);

/* Back to the plain environment; false: the modes are no longer what was entered. */
bool host_leave(uint32_t modes);

#endif
