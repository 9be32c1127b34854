/* One agent's move as a small text file: all inputs and the result. `sidle replay FILE` runs it again to the same bits on
 * any machine at any width, so that a stuck agent becomes a test. */
#ifndef SIDLE_CAPTURE_H
#define SIDLE_CAPTURE_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define SIDLE_CAPTURE_VERSION 4 /* other versions are refused */

typedef struct sidle_capture_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move;             /* as before the tick; contacts are recorded whatever its flags */

    /* The text goes to `write`, piece by piece, on this thread; if that is NULL, to `text`, zero-terminated. */
    void (*write)(void *user, const char *piece, size_t length);
    void *user;
    char *text;
    size_t capacity; /* bytes of `text`; 0: only the length */
    size_t *length;  /* may be NULL; of the whole text, without the terminating zero */

    sidle_result *result; /* may be NULL */
} sidle_capture_desc;

/* Makes the move and writes the request, its profile, the crowd's settings, the instances and triangles around the agent,
 * the result and its contacts. Numbers are hexadecimal, with decimals beside them. One line a triangle; a moving instance
 * nearby adds up to 48 triangles that span its box.
 *
 * Changes nothing. The crowd is in use during the call, as in sidle_crowd_what_if. ARGUMENT, LIMIT (the text does not fit;
 * or more than 1024 searches, and a later one exceeded max_candidates), MEMORY, BUSY. Allocates and frees memory: for
 * debugging, not for every tick. */
SIDLE_API sidle_status sidle_capture_move(sidle_crowd *crowd, const sidle_capture_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
