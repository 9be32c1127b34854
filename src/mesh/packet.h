/* A stored leaf: up to eight triangles with their own vertices. A vertex shared within a leaf is stored and transformed
 * once. With n triangles, a packet is
 *
 *     0                 24         + 3 n (to a multiple of 4)            + n         + 2 n
 *     | LeafPacket      | index[n] | x of all vertices | y of all | z of all | source[n] | surface[n] | zero |
 *
 * Levels are built on grids. So the coordinates of an axis are stored as base + a whole number of steps, in one or two bytes, if
 * that gives back every bit of them, else as floats: a multiple of 4 of them, of which the unused ones repeat the last, so that a load
 * of four reads no integers as denormals. Likewise sources are numbers above the first one, and a surface that all have is stored
 * once. docs/performance/memory.md counts the bytes.
 *
 * Loads of vectors read up to PACKET_SLACK bytes behind a packet, which every mesh has behind its last one. */
#ifndef MESH_PACKET_H
#define MESH_PACKET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACKET_BITS      3
#define PACKET_TRIANGLES (1 << PACKET_BITS)
#define PACKET_VERTICES  (3 * PACKET_TRIANGLES)
#define PACKET_UNIT      8 /* bytes; a leaf is identified by its offset in units */
#define PACKET_SLACK     64

typedef struct LeafPacket
{
    uint8_t triangle_count, vertex_count;
    uint8_t forms; /* two bits for each axis, then two of the sources: 0, 1, 2 for 1, 2, 4 bytes a number */
    uint8_t has_surfaces; /* one for each triangle; 0: one for all */
    uint8_t exponent[3];  /* of the steps, as in a float */
    uint8_t zero;
    float base[3]; /* 0 of an axis of floats */
    uint32_t source;
    uint8_t rest[];
} LeafPacket;

_Static_assert(sizeof(LeafPacket) == 24 && offsetof(LeafPacket, rest) == 24, "as drawn");

#define PACKET_SOURCES 3 /* in `forms`, after the axes */

/* One coordinate of all vertices. */
typedef struct PacketAxis
{
    const uint8_t *at;
    uint32_t form; /* as in `forms`; 2: floats */
    float base, step;
} PacketAxis;

static inline uint32_t packet_form(const LeafPacket *packet, uint32_t row)
{
    return packet->forms >> 2 * row & 3;
}

static inline const uint8_t (*packet_index(const LeafPacket *packet))[3]
{
    return (const uint8_t(*)[3])packet->rest;
}

/* Bytes of an axis. */
static inline uint32_t packet_axis_size(uint32_t vertex_count, uint32_t form)
{
    return (form == 2 ? (vertex_count + 3) & ~3u : vertex_count) << form;
}

static inline PacketAxis packet_axis_at(const LeafPacket *packet, uint32_t axis, const uint8_t *at)
{
    uint32_t bits = (uint32_t)packet->exponent[axis] << 23;
    PacketAxis out = {at, packet_form(packet, axis), packet->base[axis], 0};
    memcpy(&out.step, &bits, sizeof bits);
    return out;
}

static inline const uint8_t *packet_axis_end(const LeafPacket *packet, const PacketAxis *axis)
{
    return axis->at + packet_axis_size(packet->vertex_count, axis->form);
}

static inline void packet_axes(const LeafPacket *packet, PacketAxis axes[3])
{
    const uint8_t *at = packet->rest + ((3u * packet->triangle_count + 3) & ~3u);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        axes[axis] = packet_axis_at(packet, axis, at);
        at = packet_axis_end(packet, &axes[axis]);
    }
}

static inline float packet_coordinate(const PacketAxis *axis, uint32_t vertex)
{
    const uint8_t *at = axis->at + (vertex << axis->form);
    if (axis->form == 2)
    {
        float number;
        memcpy(&number, at, sizeof number);
        return number;
    }
    uint32_t steps = axis->form == 1 ? at[0] | (uint32_t)at[1] << 8 : at[0];
    return (float)steps * axis->step + axis->base;
}

/* A corner of a triangle. */
static inline void packet_corner(const LeafPacket *packet, const PacketAxis axes[3], uint32_t triangle,
                                 uint32_t corner, float out[3])
{
    uint32_t vertex = packet_index(packet)[triangle][corner];
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        out[axis] = packet_coordinate(&axes[axis], vertex);
    }
}

/* The numbers and surfaces of the triangles. */
typedef struct PacketOrigins
{
    const uint8_t *sources, *surfaces;
    uint32_t first, form, mask, surface_bytes;
} PacketOrigins;

static inline PacketOrigins packet_origins(const LeafPacket *packet, const PacketAxis axes[3])
{
    static const uint32_t masks[4] = {UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t form = packet_form(packet, PACKET_SOURCES);
    const uint8_t *sources = packet_axis_end(packet, &axes[2]);
    return (PacketOrigins){.sources = sources,
                           .surfaces = sources + ((size_t)packet->triangle_count << form),
                           .first = packet->source,
                           .form = form,
                           .mask = masks[form],
                           .surface_bytes = packet->has_surfaces ? 2 : 0};
}

static inline uint32_t packet_source(const PacketOrigins *origins, uint32_t triangle)
{
    uint32_t number;
    memcpy(&number, origins->sources + ((size_t)triangle << origins->form), sizeof number);
    return origins->first + (number & origins->mask);
}

static inline uint16_t packet_surface(const PacketOrigins *origins, uint32_t triangle)
{
    uint16_t surface;
    memcpy(&surface, origins->surfaces + triangle * origins->surface_bytes, sizeof surface);
    return surface;
}

/* For one triangle; out of line, since they are called from many places. */
void sidle_packet_corners(const LeafPacket *packet, uint32_t triangle, float corners[3][3]);

typedef struct PacketOrigin
{
    uint32_t source;
    uint16_t surface;
} PacketOrigin;

PacketOrigin sidle_packet_origin(const LeafPacket *packet, uint32_t triangle);

/* In units. */
uint32_t sidle_packet_size(const LeafPacket *packet);

static inline const LeafPacket *packet_at(const uint8_t *packets, uint32_t leaf)
{
    return (const LeafPacket *)(const void *)(packets + (size_t)leaf * PACKET_UNIT);
}

#endif
