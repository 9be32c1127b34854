/* Lines that show what decided a move or a cast. Threads: any. */
#ifndef SIDLE_DRAW_H
#define SIDLE_DRAW_H

#include "sidle/query.h"

enum /* sidle_line.kind */
{
    SIDLE_LINE_START,
    SIDLE_LINE_END,
    SIDLE_LINE_ASKED,
    SIDLE_LINE_PATH,
    SIDLE_LINE_CONTACT,
    SIDLE_LINE_GROUND,
    SIDLE_LINE_BOX,
    SIDLE_LINE_TRIANGLE,
    SIDLE_LINE_HIT /* a contact's or the ground's triangle */
};

typedef struct sidle_line
{
    sidle_position from, to;
    uint32_t kind;
} sidle_line;

/* Lists the first `capacity`. `count`: of all. `shape`: of the profile. `contacts`: the tick's, or NULL.
 * NOT_FINITE, LIMIT. */
SIDLE_API sidle_status sidle_draw_move(const sidle_snapshot *snapshot, float motion_time,
                                       const sidle_shape *shape, const sidle_move *move,
                                       const sidle_result *result, const sidle_contact *contacts,
                                       sidle_line *lines, uint32_t capacity, uint32_t *count);
SIDLE_API sidle_status sidle_draw_cast(const sidle_snapshot *snapshot, float motion_time,
                                       const sidle_cast *cast, const sidle_cast_hit *hit, sidle_line *lines,
                                       uint32_t capacity, uint32_t *count);

#endif
