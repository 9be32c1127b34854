/* The triangles and instances that a captured move depends on. */
#ifndef CAPTURE_NOTES_H
#define CAPTURE_NOTES_H

#include "narrow/candidates.h"

/* A triangle. */
typedef struct Note
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
    uint8_t *has_instance; /* by slot */
    bool out_of_memory;    /* the notes are incomplete */
} CaptureNotes;

CaptureNotes sidle_notes_begin(const sidle_allocator *allocator, const sidle_snapshot *snapshot);
void sidle_notes_end(CaptureNotes *notes);

void sidle_notes_add_candidates(CaptureNotes *notes, const Candidates *candidates);
void sidle_notes_add_instance(CaptureNotes *notes, uint32_t slot);

/* Adds the triangles that span the boxes of moving instances, and one moving instance if the world has any. Then sorts
 * by instance and number, and removes duplicates. */
void sidle_notes_complete(CaptureNotes *notes);

#endif
