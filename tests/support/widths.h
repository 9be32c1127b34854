/* The kernels that can run here. */
#ifndef TESTS_SUPPORT_WIDTHS_H
#define TESTS_SUPPORT_WIDTHS_H

#include "kernels/kernels.h"

#define WIDTH_COUNT 4
#define BUILD_COUNT 5

/* One of each width, as selected for that many lanes; one lane first. Returns how many there are, two at
 * least. */
uint32_t widths_here(const Kernels *widths[WIDTH_COUNT]);

/* All: where there is AVX-512, eight lanes are there twice. */
uint32_t builds_here(const Kernels *builds[BUILD_COUNT]);

#endif
