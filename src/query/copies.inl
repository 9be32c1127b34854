/* Triangles stored more than once. Levels hold some triangles twice, and some levels hold thousands of copies, of which the lowest
 * identity wins. A copy of a triangle with a known answer needs no test, and neither does a leaf of such copies. */
#include "query/caster.h"

static inline Candidate packet_candidate(const Caster *caster, const LeafPacket *packet, uint32_t local)
{
    PacketOrigin origin = sidle_packet_origin(packet, local);
    return (Candidate){.key = caster->placed->key,
                       .triangle = origin.source,
                       .instance = caster->slot,
                       .surface = origin.surface,
                       .local = (uint8_t)local};
}

/* Returns true if both triangles have the same coordinates in the same order, and so the same time of a hit. */
static bool is_copy(const Copy *known, const LeafPacket *packet, uint32_t local)
{
    const LeafPacket *other = known->packet;
    if (!other)
    {
        return false;
    }
    const uint8_t *a = packet_index(other)[known->local], *b = packet_index(packet)[local];
    if (other == packet)
    {
        return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
    }
    float corners[2][3][3];
    bool differs = false;
    sidle_packet_corners(other, known->local, corners[0]);
    sidle_packet_corners(packet, local, corners[1]);
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        const float *x = corners[0][corner], *y = corners[1][corner];
        differs |= x[0] != y[0] || x[1] != y[1] || x[2] != y[2];
    }
    return !differs;
}

/* Levels hold some triangles twice, and some levels hold thousands of copies. A copy of the best so far needs no
 * contact of its own: the lower identity wins. It is compared with the copy found last, which mostly lies in the same
 * leaf. `answer`: of its lane. */
static bool take_copy(Caster *caster, const LeafPacket *packet, uint32_t local, double answer, bool overlaps)
{
    Best *best = &caster->best;
    if (!best->found || best->overlaps != overlaps || !(answer == caster->answer) ||
        best->candidate.instance != caster->slot || !is_copy(&caster->copy, packet, local))
    {
        return false;
    }
    caster->copy.packet = packet;
    caster->copy.local = (uint8_t)local;
    Candidate candidate = packet_candidate(caster, packet, local);
    best->candidate = candidate_before(&candidate, &best->candidate) ? candidate : best->candidate;
    return true;
}

/* ---- leaves of copies ---- */

/* The tree sorts a heap of copies into leaves of three vertices. Most other leaves have more. */
static bool is_leaf_of_copies(const LeafPacket *packet)
{
    if (packet->vertex_count > 3 || packet->triangle_count < 2)
    {
        return false;
    }
    const uint8_t(*index)[3] = packet_index(packet);
    uint32_t differs = 0;
    for (uint32_t i = 1; i < packet->triangle_count; ++i)
    {
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            differs |= (uint32_t)(index[i][corner] ^ index[0][corner]);
        }
    }
    return !differs;
}

/* The one with the lowest identity. */
static uint32_t first_of_leaf(const LeafPacket *packet)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    uint32_t first = 0;
    for (uint32_t i = 1; i < packet->triangle_count; ++i)
    {
        first = packet_source(&origins, i) < packet_source(&origins, first) ? i : first;
    }
    return first;
}

/* Returns true if the triangles of a leaf of copies are known: the best so far, of which the lowest identity is kept, or later. */
static OUT_OF_LINE bool take_leaf_of_copies(Caster *caster, const LeafPacket *packet)
{
    Best *best = &caster->best;
    if (caster->late.packet && caster->late_slot == caster->slot && is_copy(&caster->late, packet, 0))
    {
        return true;
    }
    if (!best->found || best->candidate.instance != caster->slot || !is_copy(&caster->copy, packet, 0))
    {
        return false;
    }
    Candidate first = packet_candidate(caster, packet, first_of_leaf(packet));
    if (candidate_before(&first, &best->candidate)) /* mutant: first_copy_found */
    {
        best->candidate = first;
    }
    return true;
}

/* After the test of a leaf of copies. If their identity comes before that of the best so far, and they are not it, they are not just
 * as early, but later. They stay so, since the best only becomes earlier. */
static OUT_OF_LINE void keep_leaf_of_copies(Caster *caster, const LeafPacket *packet)
{
    const Best *best = &caster->best;
    bool is_best =
        best->found && best->candidate.instance == caster->slot && is_copy(&caster->copy, packet, 0);
    Candidate first = packet_candidate(caster, packet, first_of_leaf(packet));
    /* mutant: equal_copies_are_late */
    bool is_before = !best->found || candidate_before(&first, &best->candidate);
    if (!is_best && is_before)
    {
        caster->late = (Copy){packet, 0};
        caster->late_slot = caster->slot;
    }
}

/* Ignored surfaces: copies of a triangle may have different ones. */
static inline bool may_be_of_copies(const Caster *caster, const LeafPacket *packet)
{
    bool counts_all = !caster->ignored_surfaces; /* mutant: copies_of_any_surface */
    return packet->vertex_count <= 3 && counts_all && is_leaf_of_copies(packet);
}
