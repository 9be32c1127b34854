/* One agent's move as a small text file: everything that decides it, and what came of it. `sidle replay FILE`
 * runs it again, on any machine, at any width, to the same bits; so "why is this one stuck?" becomes a test.
 */
#ifndef SIDLE_CAPTURE_H
#define SIDLE_CAPTURE_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define SIDLE_CAPTURE_VERSION 4 /* of the format; its first line says it, and no other is read */

typedef struct sidle_capture_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move; /* as before the tick; what it meets is recorded whatever its flags say */

    /* Where the text goes: to `write`, piece by piece and in order, on this thread, with arithmetic set as
     * sidle needs it; or, if that is NULL, to `text`, zero-terminated. */
    void (*write)(void *user, const char *piece, size_t length);
    void *user;
    char *text;
    size_t capacity; /* bytes of `text`; 0: only ask for the length */
    size_t *length;  /* NULL, or where the length of the whole text is told, without the zero at its end */

    sidle_result *result; /* NULL, or where the result of the move goes */
} sidle_capture_desc;

/* Makes the move and writes down the request, its profile, what of the crowd's desc matters, the instances
 * and triangles around the agent, the result and what was met. Numbers are hexadecimal and lose no bit, with
 * decimals behind them for people. Some tens of lines, one for each triangle, and for each moving instance
 * around, whose box carries and pushes look at, up to 48 triangles more that span it.
 *
 * Nothing changes by it. The crowd is in use during the call as in sidle_crowd_what_if. ARGUMENT (also if
 * the move's profile is none), LIMIT (the text does not fit; `length` says what would; or the move took more
 * than 1024 searches and a later one found more than max_candidates), MEMORY, BUSY. Takes memory and gives
 * it back: for hunting, not for every tick. */
SIDLE_API sidle_status sidle_capture_move(sidle_crowd *crowd, const sidle_capture_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
