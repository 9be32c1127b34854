#include "mesh/leaves.h"

#include <math.h>

/* A leaf whose one triangle has three vertices of floats takes the most. */
_Static_assert(sizeof(LeafPacket) + 4 + 3 * 16 + 1 + 2 <= PACKET_MOST, "as the header says");

static void set_vertex(LeafVertices *vertices, uint32_t vertex, uint32_t number, const float v[3])
{
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        vertices->at[axis][vertex] = v[axis];
    }
    vertices->numbers[vertex] = number;
}

static bool is_at(const LeafVertices *vertices, uint32_t vertex, const float v[3])
{
    return vertices->at[0][vertex] == v[0] && vertices->at[1][vertex] == v[1] &&
           vertices->at[2][vertex] == v[2];
}

static uint32_t find_or_add(const Source *source, LeafVertices *vertices, uint32_t number)
{
    uint32_t count = vertices->count;
    for (uint32_t i = 0; i < count; ++i) /* most that a leaf shares have the same number */
    {
        if (vertices->numbers[i] == number)
        {
            return i;
        }
    }
    float v[3];
    source_stored_vertex(source, number, v);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_at(vertices, i, v))
        {
            return i;
        }
    }
    set_vertex(vertices, count, number, v);
    return vertices->count++;
}

/* ---- the coordinates of an axis ---- */

/* The least power of two that so many steps of which reach over the range, as the exponent of a float; 0: none. */
static uint32_t step_over(float range, float steps)
{
    uint32_t bits;
    float step = range / steps;
    memcpy(&bits, &step, sizeof bits);
    uint32_t exponent = (bits >> 23) + ((bits & 0x7FFFFF) != 0);
    return bits >> 23 == 0 || exponent > 254 ? 0 : exponent;
}

/* Returns true if every coordinate is the base and a whole number of steps, to the last bit. */
static bool fits_steps(const float *at, uint32_t count, PacketAxis axis)
{
    float inverse = 1 / axis.step;
    for (uint32_t i = 0; i < count; ++i)
    {
        float steps = (at[i] - axis.base) * inverse, whole = (float)(int32_t)steps;
        if (whole * axis.step + axis.base != at[i]) /* mutant: steps_lose_bits */
        {
            return false;
        }
    }
    return true;
}

static void find_range(const float *at, uint32_t count, float *low, float *high)
{
    *low = *high = at[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        *low = at[i] < *low ? at[i] : *low;
        *high = at[i] > *high ? at[i] : *high;
    }
}

/* The fewest bytes of a number that keep every bit. */
static PacketAxis form_axis(const float *at, uint32_t count, float low, float high, uint32_t *exponent)
{
    for (uint32_t form = 0; form < 2; ++form)
    {
        *exponent = high > low ? step_over(high - low, form == 0 ? 255 : 65535) : 127;
        uint32_t bits = *exponent << 23;
        PacketAxis axis = {NULL, form, low, 0};
        memcpy(&axis.step, &bits, sizeof bits);
        if (*exponent > 0 && *exponent < 254 && fits_steps(at, count, axis))
        {
            return axis;
        }
    }
    *exponent = 0;
    return (PacketAxis){NULL, 2, 0, 0};
}

/* Numbers behind the last one repeat it. */
static uint8_t *write_axis(uint8_t *to, const float *at, uint32_t count, const PacketAxis *axis)
{
    uint32_t size = packet_axis_size(count, axis->form);
    if (axis->form == 2)
    {
        memcpy(to, at, count * sizeof *at);
        for (uint32_t i = count; i < size / 4; ++i)
        {
            memcpy(to + 4 * i, &at[count - 1], sizeof *at);
        }
        return to + size;
    }
    float inverse = 1 / axis->step;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t steps = (uint32_t)(int32_t)((at[i] - axis->base) * inverse);
        to[i << axis->form] = (uint8_t)steps;
        if (axis->form == 1)
        {
            to[2 * i + 1] = (uint8_t)(steps >> 8);
        }
    }
    return to + size;
}

/* ---- the packet ---- */

static uint32_t form_of(uint32_t bytes)
{
    return bytes >> 1; /* 0, 1, 2 */
}

static uint8_t *write_origins(const Source *source, const BvhPrimitive *primitives, uint32_t count,
                              LeafPacket *packet, uint8_t *to)
{
    uint32_t low = primitives[0].id, high = low;
    uint16_t surfaces[PACKET_TRIANGLES];
    bool differ = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t id = primitives[i].id;
        low = id < low ? id : low;
        high = id > high ? id : high;
        surfaces[i] = source_surface(source, id);
        differ |= surfaces[i] != surfaces[0];
    }
    uint32_t bytes = high - low < 256 ? 1 : high - low < 65536 ? 2 : 4;
    for (uint32_t i = 0; i < count; ++i, to += bytes)
    {
        uint32_t above = primitives[i].id - low;
        uint16_t some = (uint16_t)above;
        uint8_t few = (uint8_t)above;
        memcpy(to, bytes == 4 ? (const void *)&above : bytes == 2 ? (const void *)&some : &few, bytes);
    }
    packet->source = low;
    packet->forms = (uint8_t)(packet->forms | form_of(bytes) << 2 * PACKET_SOURCES);
    packet->has_surfaces = differ;
    size_t size = (differ ? count : 1) * sizeof *surfaces;
    memcpy(to, surfaces, size);
    return to + size;
}

void sidle_leaf_begin(const Source *source, const BvhPrimitive *own, uint32_t count, LeafPacket *packet,
                      LeafVertices *vertices)
{
    *packet = (LeafPacket){.triangle_count = (uint8_t)count};
    vertices->count = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, own[i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            packet->rest[3 * i + corner] = (uint8_t)find_or_add(source, vertices, corners[corner]);
        }
    }
    packet->vertex_count = (uint8_t)vertices->count;
}

bool sidle_leaf_begin_as(const LeafPacket *form, const Source *source, const BvhPrimitive *own,
                         LeafPacket *packet, LeafVertices *vertices)
{
    uint32_t seen = 0; /* a bit for each vertex */
    *packet = (LeafPacket){.triangle_count = form->triangle_count, .vertex_count = form->vertex_count};
    vertices->count = form->vertex_count;
    for (uint32_t i = 0; i < form->triangle_count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, own[i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            uint32_t vertex = packet_index(form)[i][corner];
            packet->rest[3 * i + corner] = (uint8_t)vertex;
            bool is_seen = seen >> vertex & 1;
            if (is_seen && vertices->numbers[vertex] == corners[corner])
            {
                continue;
            }
            float v[3];
            source_stored_vertex(source, corners[corner], v);
            if (is_seen && !is_at(vertices, vertex, v)) /* mutant: parted_vertices_merged */
            {
                return false;
            }
            set_vertex(vertices, vertex, corners[corner], v);
            seen |= 1u << vertex;
        }
    }
    return seen == (1u << form->vertex_count) - 1;
}

static uint8_t *align_with_zeros(const LeafPacket *packet, uint8_t *to, uint32_t alignment)
{
    for (; (uint32_t)(to - (const uint8_t *)packet) % alignment; ++to)
    {
        *to = 0;
    }
    return to;
}

uint32_t sidle_leaf_end(const Source *source, const BvhPrimitive *own, LeafPacket *packet,
                        const LeafVertices *vertices, Bounds *box)
{
    uint8_t *to = align_with_zeros(packet, packet->rest + 3 * packet->triangle_count, 4);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        const float *at = vertices->at[axis];
        uint32_t exponent;
        find_range(at, vertices->count, &box->min[axis], &box->max[axis]);
        PacketAxis form = form_axis(at, vertices->count, box->min[axis], box->max[axis], &exponent);
        packet->forms = (uint8_t)(packet->forms | form.form << 2 * axis);
        packet->exponent[axis] = (uint8_t)exponent;
        packet->base[axis] = form.base;
        to = write_axis(to, at, vertices->count, &form);
    }
    to = write_origins(source, own, packet->triangle_count, packet, to);
    to = align_with_zeros(packet, to, PACKET_UNIT);
    return (uint32_t)(to - (uint8_t *)packet) / PACKET_UNIT;
}

uint32_t sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafPacket *packet)
{
    LeafVertices vertices;
    Bounds box;
    sidle_leaf_begin(source, primitives + leaf->first, leaf->count, packet, &vertices);
    return sidle_leaf_end(source, primitives + leaf->first, packet, &vertices, &box);
}
