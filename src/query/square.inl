/* Leaves of heightfields: squares of packets, each of which is made for one test. */
#include "query/caster.h"

/* Returns true if the moving box of the walk enters this one before the limit: node_entered, for one box. */
static bool trace_enters(const Trace *trace, float limit, const Bounds *box)
{
    const float *planes[6] = {&box->min[0], &box->min[1], &box->min[2],
                              &box->max[0], &box->max[1], &box->max[2]};
    float enter = 0, leave = limit;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        float first =
                  (*planes[trace->near_at[axis] / BVH_WIDTH] - trace->near_side[axis]) * trace->inverse[axis],
              last =
                  (*planes[trace->far_at[axis] / BVH_WIDTH] - trace->far_side[axis]) * trace->inverse[axis];
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave * (float)TRACE_GROWTH;
}

static bool enters_box(const Caster *caster, const Bounds *box)
{
    const PathBox *own = &caster->box;
    if (!caster->has_box)
    {
        return trace_enters(&caster->triangles, caster->share, box);
    }
    return box->min[0] <= own->max[0] && own->min[0] <= box->max[0] && box->min[1] <= own->max[1] &&
           own->min[1] <= box->max[1] && box->min[2] <= own->max[2] && own->min[2] <= box->max[2];
}

static void test_field_packet(Caster *caster, uint32_t packet)
{
    FieldPacket memory;
    Candidates *c = caster->candidates;
    const LeafPacket *made = sidle_field_packet(caster->placed->mesh->field, packet, &memory);
    if (!caster->is_capsule)
    {
        caster_test_leaf(caster, made, caster->at_origin);
        caster->copy.packet = NULL;
        return;
    }
    const uint32_t first = 0;
    Bounds reach = caster_reach(caster);
    append_packets(memory.bytes, &first, 1, &caster->transform, &reach, &c->wide, c->list);
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        c->list[i].leaf = packet;
    }
    caster_test(caster);
}

/* Tests the packets of a leaf of a heightfield that the path enters. */
static OUT_OF_LINE void test_square(Caster *caster, uint32_t leaf)
{
    const Field *field = caster->placed->mesh->field;
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], count = sidle_field_leaf(field, leaf, packets);
    for (uint32_t i = 0; i < count; ++i)
    {
        Bounds box = sidle_field_packet_box(field, packets[i]);
        if (enters_box(caster, &box))
        {
            test_field_packet(caster, packets[i]);
        }
    }
}
