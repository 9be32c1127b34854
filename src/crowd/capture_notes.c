#include "crowd/capture_notes.h"

#include "base/memory.h"

#include <string.h>

CaptureNotes notes_begin(const sidle_allocator *allocator, const sidle_snapshot *snapshot)
{
    CaptureNotes notes = {.allocator = allocator, .snapshot = snapshot};
    if (snapshot->moving_count > 0)
    {
        notes.is_moving = memory_allocate(allocator, snapshot->placed_count, 1);
        notes.out_of_memory = !notes.is_moving;
    }
    if (notes.is_moving)
    {
        memset(notes.is_moving, 0, snapshot->placed_count);
    }
    return notes;
}

void notes_end(CaptureNotes *notes)
{
    memory_free(notes->allocator, notes->list, notes->capacity, sizeof *notes->list);
    memory_free(notes->allocator, notes->is_moving, notes->snapshot->placed_count, 1);
}

/* ---- noting ---- */

static bool reserve(CaptureNotes *notes, uint32_t more)
{
    if (more <= notes->capacity - notes->count)
    {
        return true;
    }
    uint64_t wanted = 2 * (uint64_t)notes->count + more;
    Note *list = wanted <= UINT32_MAX ? memory_allocate(notes->allocator, wanted, sizeof *list) : NULL;
    if (!list)
    {
        notes->out_of_memory = true;
        return false;
    }
    if (notes->count > 0)
    {
        memcpy(list, notes->list, notes->count * sizeof *list);
    }
    memory_free(notes->allocator, notes->list, notes->capacity, sizeof *list);
    notes->list = list;
    notes->capacity = (uint32_t)wanted;
    return true;
}

static Note note_of(uint32_t instance, const LeafPacket *packet, uint32_t local)
{
    Note note = {.instance = instance,
                 .triangle = packet_sources(packet)[local],
                 .surface = packet_surfaces(packet)[local]};
    for (uint32_t i = 0; i < 9; ++i)
    {
        note.corners[i] = packet->vertices[packet->index[local][i / 3] + i % 3 * packet->stride];
    }
    return note;
}

void notes_add_candidates(CaptureNotes *notes, const Candidates *c)
{
    if (reserve(notes, c->wide.count))
    {
        for (uint32_t i = 0; i < c->wide.count; ++i)
        {
            const Candidate *candidate = &c->list[i];
            notes->list[notes->count++] = note_of(candidate->instance, candidate->packet, candidate->local);
            notes_add_moving(notes, candidate->instance);
        }
    }
}

void notes_add_moving(CaptureNotes *notes, uint32_t slot)
{
    if (notes->is_moving && notes->snapshot->placed[slot].moves)
    {
        notes->is_moving[slot] = 1;
    }
}

/* ---- the ends of a mesh ---- */

/* Which sides of the mesh's box, a bit for each, a node's child reaches. */
static uint32_t sides_reached(const Bounds *box, const BvhNode *node, uint32_t child)
{
    return (uint32_t)(node->min_x[child] == box->min[0]) |
           (uint32_t)(node->min_y[child] == box->min[1]) << 1 |
           (uint32_t)(node->min_z[child] == box->min[2]) << 2 |
           (uint32_t)(node->max_x[child] == box->max[0]) << 3 |
           (uint32_t)(node->max_y[child] == box->max[1]) << 4 |
           (uint32_t)(node->max_z[child] == box->max[2]) << 5;
}

/* All of its triangles: which of them reaches as far as the leaf does is not stored. */
static void note_leaf(CaptureNotes *notes, uint32_t slot, const LeafPacket *packet)
{
    if (reserve(notes, packet->triangle_count))
    {
        for (uint32_t i = 0; i < packet->triangle_count; ++i)
        {
            notes->list[notes->count++] = note_of(slot, packet, i);
        }
    }
}

/* For each side of the mesh's box the first leaf that reaches it. A mesh of these triangles alone has the same
 * box, since a box is that of its triangles, and that of a triangle depends on nothing else. */
static void note_ends(CaptureNotes *notes, uint32_t slot)
{
    const sidle_mesh *mesh = notes->snapshot->placed[slot].mesh;
    uint32_t missing = 0x3F;
    for (uint32_t i = 0; i < mesh->node_count * BVH_WIDTH && missing; ++i)
    {
        const BvhNode *node = &mesh->nodes[i / BVH_WIDTH];
        uint32_t child = node->child[i % BVH_WIDTH];
        uint32_t reached = child & BVH_LEAF ? missing & sides_reached(&mesh->bounds, node, i % BVH_WIDTH) : 0;
        if (reached)
        {
            size_t leaf = child & ~BVH_LEAF;
            note_leaf(notes, slot, (const LeafPacket *)(mesh->packets + leaf * PACKET_UNIT));
            missing &= ~reached;
        }
    }
}

/* That something moves, however far away, is a question that moves ask. */
static void note_what_moves(CaptureNotes *notes)
{
    const sidle_snapshot *snapshot = notes->snapshot;
    const void *any = memchr(notes->is_moving, 1, snapshot->placed_count);
    for (uint32_t i = 0; !any && i < snapshot->present_count; ++i)
    {
        notes_add_moving(notes, snapshot->present[i]);
        any = notes->is_moving[snapshot->present[i]] ? notes->is_moving : NULL;
    }
    for (uint32_t slot = 0; slot < snapshot->placed_count; ++slot)
    {
        if (notes->is_moving[slot])
        {
            note_ends(notes, slot);
        }
    }
}

/* ---- each once, in order ---- */

static bool note_before(const Note *a, const Note *b)
{
    return a->instance != b->instance ? a->instance < b->instance : a->triangle < b->triangle;
}

/* D. Shell, "A high-speed sorting procedure", 1959: in place and without recursion. */
static void sort(Note *list, uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : (uint32_t)(gap * (uint64_t)5 / 11))
    {
        for (uint32_t i = gap; i < count; ++i)
        {
            Note note = list[i];
            uint32_t at = i;
            for (; at >= gap && note_before(&note, &list[at - gap]); at -= gap)
            {
                list[at] = list[at - gap];
            }
            list[at] = note;
        }
    }
}

void notes_sort(CaptureNotes *notes)
{
    uint32_t kept = 0;
    if (notes->is_moving)
    {
        note_what_moves(notes);
    }
    sort(notes->list, notes->count);
    for (uint32_t i = 0; i < notes->count; ++i)
    {
        if (kept == 0 || note_before(&notes->list[kept - 1], &notes->list[i]))
        {
            notes->list[kept++] = notes->list[i];
        }
    }
    notes->count = kept;
}
