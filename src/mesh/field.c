#include "mesh/field.h"

#include <math.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static float place_of(const Field *field, int axis, uint32_t sample)
{
    return (float)sample * field->spacing[axis];
}

static float height_of(const Field *field, uint32_t column, uint32_t row)
{
    size_t at = (size_t)row * (field->columns + 1) + column;
    return field->heights ? field->heights[at] : (float)field->steps[at] * field->scale + field->base;
}

static uint16_t surface_of(const Field *field, uint32_t column, uint32_t row)
{
    return field->surfaces ? field->surfaces[(size_t)row * field->columns + column] : 0;
}

/* The samples of a packet: columns and rows from the first on. */
typedef struct Samples
{
    uint32_t column, row, columns, rows;
} Samples;

static Samples samples_of(const Field *field, uint32_t packet)
{
    uint32_t column = packet % field->packet_columns * FIELD_PACKET,
             row = packet / field->packet_columns * FIELD_PACKET;
    return (Samples){column, row, least(FIELD_PACKET, field->columns - column) + 1,
                     least(FIELD_PACKET, field->rows - row) + 1};
}

/* ---- a packet ---- */

static uint8_t *put(uint8_t *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

/* Three axes of floats, a multiple of four each. */
static uint8_t *put_vertices(const Field *field, const Samples *s, uint8_t *to)
{
    float places[3][12];
    uint32_t count = s->columns * s->rows, padded = (count + 3) & ~3u;
    for (uint32_t i = 0; i < padded; ++i)
    {
        uint32_t sample = least(i, count - 1), column = s->column + sample % s->columns,
                 row = s->row + sample / s->columns;
        places[0][i] = place_of(field, 0, column);
        places[1][i] = height_of(field, column, row);
        places[2][i] = place_of(field, 1, row);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        to = put(to, places[axis], padded * sizeof(float));
    }
    return to;
}

const LeafPacket *sidle_field_packet(const Field *field, uint32_t number, FieldPacket *memory)
{
    LeafPacket *packet = (LeafPacket *)(void *)memory->bytes;
    Samples s = samples_of(field, number);
    uint32_t sources[PACKET_TRIANGLES], count = 0;
    uint16_t surfaces[PACKET_TRIANGLES];
    uint8_t *index = packet->rest;
    for (uint32_t cell = 0; cell < (s.columns - 1) * (s.rows - 1); ++cell)
    {
        uint32_t x = cell % (s.columns - 1), z = cell / (s.columns - 1), from = z * s.columns + x;
        uint16_t surface = surface_of(field, s.column + x, s.row + z);
        if (surface == SIDLE_FIELD_HOLE && field->surfaces) /* mutant: holes_are_filled */
        {
            continue;
        }
        const uint8_t a = (uint8_t)from, b = a + 1, c = (uint8_t)(from + s.columns), d = c + 1;
        const uint8_t corners[2][3] = {{a, c, b}, {b, c, d}};
        index = put(index, corners, sizeof corners);
        for (uint32_t half = 0; half < 2; ++half, ++count)
        {
            sources[count] = 2 * ((s.row + z) * field->columns + s.column + x) + half;
            surfaces[count] = surface;
        }
    }
    *packet = (LeafPacket){.triangle_count = (uint8_t)count,
                           .vertex_count = (uint8_t)(s.columns * s.rows),
                           .forms = 2 << 0 | 2 << 2 | 2 << 4 | 2 << 2 * PACKET_SOURCES,
                           .has_surfaces = 1};
    uint8_t *to = packet->rest + ((3 * count + 3) & ~3u);
    to = put_vertices(field, &s, to);
    to = put(to, sources, count * sizeof *sources);
    put(to, surfaces, count * sizeof *surfaces);
    return packet;
}

Bounds sidle_field_packet_box(const Field *field, uint32_t packet)
{
    Samples s = samples_of(field, packet);
    Bounds box = bounds_empty();
    for (uint32_t row = s.row; row < s.row + s.rows; ++row)
    {
        for (uint32_t column = s.column; column < s.column + s.columns; ++column)
        {
            const float point[3] = {place_of(field, 0, column), height_of(field, column, row),
                                    place_of(field, 1, row)};
            bounds_add_point(&box, point);
        }
    }
    return box;
}

/* ---- where ---- */

uint32_t sidle_field_leaf(const Field *field, uint32_t leaf, uint32_t packets[FIELD_LEAF * FIELD_LEAF])
{
    uint32_t first = leaf % field->leaf_columns * FIELD_LEAF, row = leaf / field->leaf_columns * FIELD_LEAF,
             count = 0;
    uint32_t end = least(first + FIELD_LEAF, field->packet_columns),
             end_row = least(row + FIELD_LEAF, field->packet_rows);
    for (; row < end_row; ++row)
    {
        for (uint32_t column = first; column < end; ++column)
        {
            packets[count++] = row * field->packet_columns + column;
        }
    }
    return count;
}

/* The packets of an axis that touch [low, high]: from the first up to, without, the end. */
static void range_of(const Field *field, int axis, float low, float high, uint32_t *first, uint32_t *end)
{
    uint32_t cells = axis == 0 ? field->columns : field->rows;
    uint32_t packets = axis == 0 ? field->packet_columns : field->packet_rows;
    double width = (double)field->spacing[axis] * FIELD_PACKET;
    double a = floor((double)low / width), b = floor((double)high / width);
    *first = a > 0 ? (a < packets ? (uint32_t)a : packets) : 0;
    *end = b >= 0 ? (b < packets ? (uint32_t)b + 1 : packets) : 0;
    /* Places are rounded to floats, and both ends count. */
    while (*first > 0 && place_of(field, axis, least(*first * FIELD_PACKET, cells)) >= low)
    {
        --*first;
    }
    while (*end < packets && place_of(field, axis, *end * FIELD_PACKET) <= high)
    {
        ++*end;
    }
}

/* Whether heights of the packet lie in [low, high]. */
static bool is_as_high(const Field *field, uint32_t packet, float low, float high)
{
    Samples s = samples_of(field, packet);
    float lowest = INFINITY, highest = -INFINITY;
    for (uint32_t row = s.row; row < s.row + s.rows; ++row)
    {
        for (uint32_t column = s.column; column < s.column + s.columns; ++column)
        {
            float height = height_of(field, column, row);
            lowest = height < lowest ? height : lowest;
            highest = height > highest ? height : highest;
        }
    }
    return lowest <= high && highest >= low;
}

uint32_t sidle_field_find(const Field *field, const Bounds *box, uint32_t *packets, uint32_t capacity)
{
    uint32_t first, end, row, end_row, found = 0;
    range_of(field, 0, box->min[0], box->max[0], &first, &end);
    range_of(field, 1, box->min[2], box->max[2], &row, &end_row);
    for (; row < end_row && found <= capacity; ++row)
    {
        for (uint32_t column = first; column < end && found <= capacity; ++column)
        {
            uint32_t packet = row * field->packet_columns + column;
            if (is_as_high(field, packet, box->min[1], box->max[1]))
            {
                if (found < capacity)
                {
                    packets[found] = packet;
                }
                ++found;
            }
        }
    }
    return found;
}
