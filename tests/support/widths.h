/* Every width of the kernels that can run here. */
#ifndef TESTS_SUPPORT_WIDTHS_H
#define TESTS_SUPPORT_WIDTHS_H

#include "kernels/kernels.h"

#define WIDTH_COUNT 4

/* One lane first. Returns how many there are, two at least. */
uint32_t widths_here(const Kernels *widths[WIDTH_COUNT]);

#endif
