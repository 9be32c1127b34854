#include "crowd_capture.h"

#include "console.h"
#include "draft.h"
#include "sidle/capture.h"

#include <stdio.h>

bool crowd_capture_is_possible(const CrowdDesc *desc, char *message, int message_size)
{
    const CaptureWish *wish = &desc->capture;
    if (wish->path && (wish->agent >= desc->agents->count || wish->tick >= desc->ticks))
    {
        return explain(message, message_size,
                       "--capture asks for agent %u of %u in tick %u of %u, counted from 0", wish->agent,
                       desc->agents->count, wish->tick, desc->ticks);
    }
    return true;
}

static void write_piece(void *user, const char *piece, size_t length)
{
    /* The draft reports a failure. */
    fwrite(piece, 1, length, user);
}

bool crowd_capture(CrowdRun *run, const sidle_tick_desc *tick, char *message, int message_size)
{
    const CaptureWish *wish = &run->desc.capture;
    Draft draft;
    if (!draft_begin(wish->path, &draft, message, message_size))
    {
        return false;
    }
    sidle_capture_desc desc = {.size = sizeof desc,
                               .snapshot = tick->snapshot,
                               .dt = tick->dt,
                               .motion_begin = tick->motion_begin,
                               .motion_end = tick->motion_end,
                               .move = &run->moves[wish->agent],
                               .write = write_piece,
                               .user = draft.file,
                               .moves = run->moves,
                               .count = run->count,
                               .flags = tick->flags,
                               .max_moves = tick->max_moves};
    sidle_status status = sidle_capture_move(run->crowd, &desc);
    if (status != SIDLE_OK)
    {
        draft_drop(&draft);
        return explain(message, message_size, "Agent %u cannot be captured: %s", wish->agent,
                       sidle_status_text(status));
    }
    return draft_publish(&draft, message, message_size);
}
