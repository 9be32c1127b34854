#include "input.h"

#include <stdlib.h>
#include <string.h>

/* How a number is encoded. */
enum Telling
{
    ANY_BITS,
    INTEGER,
    LATTICE_POINT,    /* 1/256 wide */
    NEIGHBOUR_OF_ONE, /* and of -1 */
    ANY_SCALE,
    KNOWN,
    KNOWN_NEGATED,
    KNOWN_NEIGHBOUR,
    TELLINGS
};

enum CornerTelling
{
    THREE_NUMBERS,
    KNOWN_CORNER,
    BETWEEN_CORNERS,
    MOVED_CORNER,
    CORNER_TELLINGS
};

Input input_of(const uint8_t *data, size_t size)
{
    return (Input){.data = data, .size = size};
}

bool input_ended(const Input *input)
{
    return input->at >= input->size;
}

uint64_t input_bits(Input *input, uint32_t bytes)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < bytes && !input_ended(input); ++i)
    {
        bits |= (uint64_t)input->data[input->at++] << 8 * i;
    }
    return bits;
}

uint32_t input_byte(Input *input)
{
    return (uint32_t)input_bits(input, 1);
}

uint32_t input_below(Input *input, uint32_t limit)
{
    return input_byte(input) % limit;
}

static int input_signed(Input *input)
{
    int byte = (int)input_byte(input);
    return byte < 128 ? byte : byte - 256;
}

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

float input_any(Input *input)
{
    return float_of((uint32_t)input_bits(input, 4));
}

static float finite(float number)
{
    return isfinite(number) ? number : float_of(bits_of(number) & ~0x40000000u);
}

/* So many floats away from it; away from zero or towards it. */
static float neighbour(float number, int steps)
{
    uint32_t bits = bits_of(number), sign = bits & 0x80000000u;
    int64_t magnitude = (int64_t)(bits & 0x7fffffffu) + steps;
    return finite(float_of(sign | (uint32_t)(magnitude < 0 ? -magnitude : magnitude)));
}

float input_number(Input *input)
{
    uint32_t how = input_byte(input), which = how / TELLINGS % INPUT_KNOWN;
    float known = input->numbers[which], number = known;
    switch (how % TELLINGS)
    {
    case ANY_BITS:
        number = finite(input_any(input));
        break;
    case INTEGER:
        number = (float)input_signed(input);
        break;
    case LATTICE_POINT:
        number = (float)(int16_t)input_bits(input, 2) / 256;
        break;
    case NEIGHBOUR_OF_ONE:
        number = neighbour(which % 2 ? -1.f : 1.f, input_signed(input));
        break;
    case ANY_SCALE:
        number = (float)input_signed(input);
        number = ldexpf(number, input_signed(input) / 3);
        break;
    case KNOWN_NEGATED:
        number = -known;
        break;
    case KNOWN_NEIGHBOUR:
        number = neighbour(known, input_signed(input));
        break;
    default:
        break;
    }
    input->numbers[input->number_count++ % INPUT_KNOWN] = number;
    return number;
}

double input_within(Input *input, double limit)
{
    double number = (double)input_number(input);
    return fabs(number) <= limit ? number : fmod(number, limit);
}

Vector input_vector(Input *input, double limit)
{
    Vector v;
    v.x = input_within(input, limit);
    v.y = input_within(input, limit);
    v.z = input_within(input, limit);
    return v;
}

Vector input_corner(Input *input)
{
    uint32_t how = input_byte(input);
    const Vector *known = &input->corners[how / CORNER_TELLINGS % INPUT_KNOWN];
    Vector corner = *known;
    switch (how % CORNER_TELLINGS)
    {
    case THREE_NUMBERS:
        corner = input_vector(input, INFINITY);
        break;
    case BETWEEN_CORNERS:
    {
        const Vector *other = &input->corners[input_byte(input) % INPUT_KNOWN];
        corner = vector_along(corner, input_signed(input) / 64.0, vector_sub(*other, corner));
        corner = vector((double)finite((float)corner.x), (double)finite((float)corner.y),
                        (double)finite((float)corner.z));
        break;
    }
    case MOVED_CORNER:
    {
        uint32_t axis = input_below(input, 3);
        *(axis == 0 ? &corner.x : axis == 1 ? &corner.y : &corner.z) = (double)input_number(input);
        break;
    }
    default:
        break;
    }
    input->corners[input->corner_count++ % INPUT_KNOWN] = corner;
    return corner;
}

void input_put_bits(InputWriter *writer, uint64_t bits, uint32_t bytes)
{
    if (writer->used + bytes > sizeof writer->bytes)
    {
        abort();
    }
    for (uint32_t i = 0; i < bytes; ++i)
    {
        writer->bytes[writer->used++] = (uint8_t)(bits >> 8 * i);
    }
}

void input_put_byte(InputWriter *writer, uint32_t byte)
{
    input_put_bits(writer, byte, 1);
}

void input_put_any(InputWriter *writer, float number)
{
    input_put_bits(writer, bits_of(number), 4);
}

void input_put_number(InputWriter *writer, double number)
{
    input_put_byte(writer, ANY_BITS);
    input_put_any(writer, (float)number);
}

void input_put_vector(InputWriter *writer, Vector v)
{
    input_put_number(writer, v.x);
    input_put_number(writer, v.y);
    input_put_number(writer, v.z);
}

void input_put_corner(InputWriter *writer, Vector v)
{
    input_put_byte(writer, THREE_NUMBERS);
    input_put_vector(writer, v);
}
