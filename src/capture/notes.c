#include "capture/notes.h"

#include "base/memory.h"
#include "mesh/field.h"

#include <string.h>

CaptureNotes sidle_notes_begin(const sidle_allocator *allocator, const sidle_snapshot *snapshot)
{
    CaptureNotes notes = {.allocator = allocator, .snapshot = snapshot};
    size_t slots = (size_t)snapshot->placed_count + 1;
    notes.has_instance = sidle_memory_allocate(allocator, slots, 1);
    notes.out_of_memory = !notes.has_instance;
    if (notes.has_instance)
    {
        memset(notes.has_instance, 0, slots);
    }
    return notes;
}

void sidle_notes_end(CaptureNotes *notes)
{
    sidle_memory_free(notes->allocator, notes->list, notes->capacity, sizeof *notes->list);
    sidle_memory_free(notes->allocator, notes->has_instance, (size_t)notes->snapshot->placed_count + 1, 1);
}

static void grow(CaptureNotes *notes)
{
    uint32_t capacity = notes->capacity < 64 ? 64 : 2 * notes->capacity;
    Note *list =
        capacity > notes->capacity ? sidle_memory_allocate(notes->allocator, capacity, sizeof *list) : NULL;
    if (!list)
    {
        notes->out_of_memory = true;
        return;
    }
    if (notes->count > 0)
    {
        memcpy(list, notes->list, notes->count * sizeof *list);
    }
    sidle_memory_free(notes->allocator, notes->list, notes->capacity, sizeof *list);
    notes->list = list;
    notes->capacity = capacity;
}

static void add_triangle(CaptureNotes *notes, uint32_t slot, const LeafPacket *packet, uint32_t local)
{
    if (notes->count == notes->capacity)
    {
        grow(notes);
    }
    if (notes->out_of_memory)
    {
        return;
    }
    Note *note = &notes->list[notes->count++];
    float corners[3][3];
    PacketOrigin origin = sidle_packet_origin(packet, local);
    sidle_packet_corners(packet, local, corners);
    *note = (Note){.instance = slot, .triangle = origin.source, .surface = origin.surface};
    memcpy(note->corners, corners, sizeof corners);
    notes->has_instance[slot] = 1;
}

void sidle_notes_add_candidates(CaptureNotes *notes, const Candidates *c)
{
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        FieldPacket memory;
        const Candidate *candidate = &c->list[i];
        const sidle_mesh *mesh = snapshot_placed(notes->snapshot, candidate->instance)->mesh;
        add_triangle(notes, candidate->instance, mesh_packet(mesh, candidate->leaf, &memory),
                     candidate->local);
    }
}

void sidle_notes_add_instance(CaptureNotes *notes, uint32_t slot)
{
    if (!notes->out_of_memory)
    {
        notes->has_instance[slot] = 1;
    }
}

static void add_packet(CaptureNotes *notes, uint32_t slot, uint32_t number)
{
    FieldPacket memory;
    const LeafPacket *packet = mesh_packet(snapshot_placed(notes->snapshot, slot)->mesh, number, &memory);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        add_triangle(notes, slot, packet, i);
    }
}

/* A bit for each side of the mesh's box that a node's child reaches. */
static uint32_t sides_reached(const Bounds *box, const BvhNode *node, uint32_t child)
{
    return (uint32_t)(node->min_x[child] == box->min[0]) |
           (uint32_t)(node->min_y[child] == box->min[1]) << 1 |
           (uint32_t)(node->min_z[child] == box->min[2]) << 2 |
           (uint32_t)(node->max_x[child] == box->max[0]) << 3 |
           (uint32_t)(node->max_y[child] == box->max[1]) << 4 |
           (uint32_t)(node->max_z[child] == box->max[2]) << 5;
}

/* Adds, for each side of the mesh's box, all triangles of the first leaf that reaches it. A mesh of these triangles has
 * the same box. The tree does not store which triangle of a leaf reaches the side. */
static void add_ends(CaptureNotes *notes, uint32_t slot)
{
    const sidle_mesh *mesh = snapshot_placed(notes->snapshot, slot)->mesh;
    uint32_t missing = 0x3F;
    for (uint32_t i = 0; i < mesh->node_count * BVH_WIDTH && missing; ++i)
    {
        const BvhNode *node = &mesh->nodes[i / BVH_WIDTH];
        uint32_t child = node->child[i % BVH_WIDTH];
        uint32_t reached = child & BVH_LEAF ? missing & sides_reached(&mesh->bounds, node, i % BVH_WIDTH) : 0;
        uint32_t packets[FIELD_LEAF * FIELD_LEAF],
            count = reached ? mesh_leaf(mesh, child & ~BVH_LEAF, packets) : 0;
        for (uint32_t k = 0; k < count; ++k)
        {
            add_packet(notes, slot, packets[k]);
        }
        missing &= ~reached;
    }
}

/* Adds the triangles that span moving instances. One moving instance is added in any case, since a move depends on
 * whether the world has any. */
static void add_what_moves(CaptureNotes *notes)
{
    const sidle_snapshot *snapshot = notes->snapshot;
    uint32_t any = UINT32_MAX, count = 0;
    for (uint32_t slot = 0; slot < snapshot->placed_count; ++slot)
    {
        const Placed *placed = snapshot_placed(snapshot, slot);
        if (placed->mesh && placed->moves && notes->has_instance[slot])
        {
            add_ends(notes, slot);
            ++count;
        }
        else if (placed->mesh && placed->moves && placed->mesh->node_count > 0)
        {
            any = any == UINT32_MAX ? slot : any;
        }
    }
    if (count == 0 && any != UINT32_MAX)
    {
        add_ends(notes, any);
    }
}

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

void sidle_notes_complete(CaptureNotes *notes)
{
    uint32_t kept = 0;
    if (notes->out_of_memory)
    {
        return;
    }
    add_what_moves(notes);
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
