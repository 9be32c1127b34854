/* What a captured move has looked at: triangles, and instances. */
#ifndef CAPTURE_NOTES_H
#define CAPTURE_NOTES_H

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
    uint8_t *has_instance; /* by slot */
    bool out_of_memory;    /* something is missing */
} CaptureNotes;

CaptureNotes notes_begin(const sidle_allocator *allocator, const sidle_snapshot *snapshot);
void notes_end(CaptureNotes *notes);

void notes_add_candidates(CaptureNotes *notes, const Candidates *candidates);
void notes_add_instance(CaptureNotes *notes, uint32_t slot);

/* Adds what moves look at beside these: the triangles that span the boxes of the instances that move, and one instance
 * that moves if there is one in the world. Then each triangle is there once, by instance and number. */
void notes_complete(CaptureNotes *notes);

#endif
