#include "mesh/leaves.h"

#include <math.h>

/* A leaf whose one triangle has three vertices of floats takes the most. */
_Static_assert(sizeof(LeafPacket) + 4 + 3 * 16 + 4 + 2 <= PACKET_MOST + 2, "as the header says");

/* The vertices of a packet, by axis. Equal ones are merged by value, so that soup without an index is compact as
 * well. */
typedef struct Vertices
{
    float at[3][PACKET_VERTICES];
    uint32_t numbers[PACKET_VERTICES]; /* in the source */
    uint32_t count;
} Vertices;

static uint32_t find_or_add(const Source *source, Vertices *vertices, uint32_t number)
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
        if (vertices->at[0][i] == v[0] && vertices->at[1][i] == v[1] && vertices->at[2][i] == v[2])
        {
            return i;
        }
    }
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        vertices->at[axis][count] = v[axis];
    }
    vertices->numbers[count] = number;
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
    int misses = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        float steps = (at[i] - axis.base) * inverse, whole = (float)(int32_t)steps;
        misses |= whole * axis.step + axis.base != at[i]; /* mutant: steps_lose_bits */
    }
    return !misses;
}

/* The fewest bytes of a number that keep every bit. */
static PacketAxis form_axis(const float *at, uint32_t count, uint32_t *exponent)
{
    float low = at[0], high = at[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    for (uint32_t bytes = 1; bytes <= 2; ++bytes)
    {
        *exponent = high > low ? step_over(high - low, bytes == 1 ? 255 : 65535) : 127;
        uint32_t bits = *exponent << 23;
        PacketAxis axis = {NULL, bytes, low, 0};
        memcpy(&axis.step, &bits, sizeof bits);
        if (*exponent > 0 && *exponent < 254 && fits_steps(at, count, axis))
        {
            return axis;
        }
    }
    *exponent = 0;
    return (PacketAxis){NULL, 4, 0, 0};
}

static uint8_t *write_axis(uint8_t *to, const float *at, uint32_t count, const PacketAxis *axis)
{
    uint32_t size = packet_axis_size(count, axis->bytes), numbers = size / axis->bytes;
    float inverse = axis->bytes < 4 ? 1 / axis->step : 0;
    for (uint32_t i = 0; i < numbers; ++i)
    {
        float value = at[i < count ? i : count - 1];
        uint16_t steps = (uint16_t)((value - axis->base) * inverse);
        uint8_t low = (uint8_t)steps;
        memcpy(to + i * axis->bytes,
               axis->bytes == 4   ? (const void *)&value
               : axis->bytes == 2 ? (const void *)&steps
                                  : &low,
               axis->bytes);
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

uint32_t sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafPacket *packet)
{
    const BvhPrimitive *own = primitives + leaf->first;
    Vertices vertices;
    vertices.count = 0;
    *packet = (LeafPacket){.triangle_count = (uint8_t)leaf->count};
    uint8_t *to = packet->rest;
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, own[i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            *to++ = (uint8_t)find_or_add(source, &vertices, corners[corner]);
        }
    }
    for (; (to - packet->rest) % 4; ++to)
    {
        *to = 0;
    }
    packet->vertex_count = (uint8_t)vertices.count;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        uint32_t exponent;
        PacketAxis form = form_axis(vertices.at[axis], vertices.count, &exponent);
        packet->forms = (uint8_t)(packet->forms | form_of(form.bytes) << 2 * axis);
        packet->exponent[axis] = (uint8_t)exponent;
        packet->base[axis] = form.base;
        to = write_axis(to, vertices.at[axis], vertices.count, &form);
    }
    to = write_origins(source, own, leaf->count, packet, to);
    for (; (to - (uint8_t *)packet) % PACKET_UNIT; ++to)
    {
        *to = 0;
    }
    return (uint32_t)(to - (uint8_t *)packet) / PACKET_UNIT;
}
