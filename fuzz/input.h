/* An input as numbers, for the fuzzers whose input is no file. A number is a byte for its encoding,
 * and the bytes of that: any bits, small integers, lattice points, neighbours of 1, all scales, and earlier
 * numbers again, since what is hard for geometry is what is equal or almost equal. After the end of the input
 * everything is 0. */
#ifndef SIDLE_FUZZ_INPUT_H
#define SIDLE_FUZZ_INPUT_H

#include "support/vector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_KNOWN 16

typedef struct Input
{
    const uint8_t *data;
    size_t size, at;
    float numbers[INPUT_KNOWN]; /* the latest ones, around and around */
    Vector corners[INPUT_KNOWN];
    uint32_t number_count, corner_count;
} Input;

Input input_of(const uint8_t *data, size_t size);
bool input_ended(const Input *input);

uint32_t input_byte(Input *input);
uint32_t input_below(Input *input, uint32_t limit); /* one byte; limit <= 256 */
uint64_t input_bits(Input *input, uint32_t bytes);  /* the lowest first; up to 8 */
float input_any(Input *input);                      /* four bytes, also no number at all */
float input_number(Input *input);                   /* always finite */
double input_within(Input *input, double limit);    /* the rest of a number divided by it: -limit .. limit */

/* Three numbers, an earlier corner, a place between two of them, or one with another coordinate. Floats. */
Vector input_corner(Input *input);
Vector input_vector(Input *input, double limit); /* of numbers alone */

/* ---- Writing an input, for seeds. ---- */

typedef struct InputWriter
{
    uint8_t bytes[8192];
    size_t used;
} InputWriter;

void input_put_byte(InputWriter *writer, uint32_t byte);
void input_put_bits(InputWriter *writer, uint64_t bits, uint32_t bytes);
void input_put_any(InputWriter *writer, float number);
void input_put_number(InputWriter *writer, double number); /* as a float */
void input_put_vector(InputWriter *writer, Vector v);
void input_put_corner(InputWriter *writer, Vector v);

#endif
