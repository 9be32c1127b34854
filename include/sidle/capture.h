/* One agent's move as a small text file, which `sidle replay FILE` runs again to the same bits on any machine. */
#ifndef SIDLE_CAPTURE_H
#define SIDLE_CAPTURE_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#define SIDLE_CAPTURE_VERSION 8 /* other versions are refused */

typedef struct sidle_capture_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move;             /* as before the tick */

    /* Gets the text in pieces; NULL: it goes to `text`. */
    void (*write)(void *user, const char *piece, size_t length);
    void *user;
    char *text;      /* zero-terminated */
    size_t capacity; /* bytes of `text`; 0: only the length */
    size_t *length;  /* or NULL; without the zero */

    sidle_result *result; /* or NULL */

    /* With SIDLE_TICK_AGENTS_COLLIDE or max_moves: all requests of the tick, as in sidle_tick_desc. `move` is one of them. */
    const sidle_move *moves;
    size_t move_stride;
    uint32_t count, flags, max_moves;
} sidle_capture_desc;

/* Makes the move, changes nothing, and writes the request, profile, crowd's settings, limits that neighbours set, instances
 * and triangles nearby, result and contacts, whatever its flags. Uses the crowd. Allocates memory. LIMIT (the text does not
 * fit, and *length is what it needs; or a search after the first 1024 exceeded max_candidates), MEMORY, BUSY. */
SIDLE_API sidle_status sidle_capture_move(sidle_crowd *crowd, const sidle_capture_desc *desc);

#endif
