#include "arrays.h"

#include <string.h>

enum /* bits of the first byte */
{
    IN_DOUBLE = 1,
    INDEXED = 2,
    SURFACES = 4,
    WIDE_STRIDES = 8,
    ANY_NUMBERS = 16 /* also no numbers at all */
};

static double decode_coordinate(Input *input, uint32_t flags)
{
    if (!(flags & ANY_NUMBERS))
    {
        return (double)input_number(input);
    }
    if (!(flags & IN_DOUBLE))
    {
        return (double)input_any(input);
    }
    uint64_t bits = input_bits(input, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void decode_vertices(Input *input, uint32_t flags, uint32_t stride, Arrays *arrays)
{
    for (uint32_t i = 0; i < arrays->desc.vertex_count; ++i)
    {
        Vector v = {0, 0, 0};
        if (flags & ANY_NUMBERS)
        {
            v.x = decode_coordinate(input, flags);
            v.y = decode_coordinate(input, flags);
            v.z = decode_coordinate(input, flags);
        }
        else
        {
            v = input_corner(input);
        }
        const double xyz[3] = {v.x, v.y, v.z};
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            arrays->floats[stride * i + axis] = (float)xyz[axis];
            arrays->doubles[stride * i + axis] = xyz[axis];
        }
    }
}

/* Most of them in range. */
static uint32_t decode_index(Input *input, uint32_t vertex_count)
{
    uint32_t byte = input_byte(input);
    return byte == 255 ? (uint32_t)input_bits(input, 4) : byte % (vertex_count + (byte == 254));
}

void arrays_decode(Input *input, Arrays *arrays)
{
    uint32_t flags = input_byte(input), stride = flags & WIDE_STRIDES ? MOST_STRIDE : 3;
    memset(arrays, 0, sizeof *arrays);
    sidle_mesh_desc *desc = &arrays->desc;
    desc->size = sizeof *desc;
    desc->vertex_count = 1 + input_below(input, MOST_VERTICES);
    desc->triangle_count = input_below(input, MOST_TRIANGLES + 1);
    if (flags & IN_DOUBLE)
    {
        desc->vertices_d = arrays->doubles;
    }
    else
    {
        desc->vertices_f = arrays->floats;
    }
    decode_vertices(input, flags, stride, arrays);
    desc->vertex_stride = flags & WIDE_STRIDES ? stride * (flags & IN_DOUBLE ? 8 : 4) : 0;
    desc->index_stride = flags & WIDE_STRIDES ? stride * 4 : 0;
    desc->indices = flags & INDEXED ? arrays->indices : NULL;
    desc->surfaces = flags & SURFACES ? arrays->surfaces : NULL;
    for (uint32_t i = 0; i < desc->triangle_count; ++i)
    {
        for (uint32_t corner = 0; corner < 3 && desc->indices; ++corner)
        {
            arrays->indices[stride * i + corner] = decode_index(input, desc->vertex_count);
        }
        arrays->surfaces[i] = (uint16_t)(i * 40503u);
    }
}

Vector arrays_vertex(const Arrays *arrays, uint32_t index)
{
    const sidle_mesh_desc *desc = &arrays->desc;
    size_t stride = desc->vertex_stride ? MOST_STRIDE : 3, at = stride * index;
    const float *f = arrays->floats + at;
    const double *d = arrays->doubles + at;
    return desc->vertices_d ? vector(d[0], d[1], d[2]) : vector((double)f[0], (double)f[1], (double)f[2]);
}

uint32_t arrays_index(const Arrays *arrays, uint32_t triangle, uint32_t corner)
{
    size_t stride = arrays->desc.index_stride ? MOST_STRIDE : 3;
    return arrays->desc.indices ? arrays->indices[stride * triangle + corner] : 3 * triangle + corner;
}
