/* What a captured move has looked at: triangles, and instances that move. */
#ifndef CROWD_CAPTURE_NOTES_H
#define CROWD_CAPTURE_NOTES_H

#include "narrow/candidates.h"

typedef struct Note /* a triangle */
{
    uint32_t instance, triangle;
    float corners[9]; /* stored space */
    uint16_t surface;
} Note;

typedef struct CaptureNotes
{
    const sidle_allocator *allocator;
    const sidle_snapshot *snapshot;
    Note *list;
    uint32_t count, capacity;
    uint8_t *is_moving; /* by slot: moves and has a part in the move; NULL where nothing moves */
    bool out_of_memory; /* something is missing */
} CaptureNotes;

CaptureNotes notes_begin(const sidle_allocator *allocator, const sidle_snapshot *snapshot);
void notes_end(CaptureNotes *notes);

void notes_add_candidates(CaptureNotes *notes, const Candidates *candidates);

/* If the instance moves. */
void notes_add_moving(CaptureNotes *notes, uint32_t slot);

/* Each triangle once, by instance and number; with those that span the boxes of what moves, since pushes look
 * at those boxes, and with at least one instance that moves if there is one in the world. */
void notes_sort(CaptureNotes *notes);

#endif
