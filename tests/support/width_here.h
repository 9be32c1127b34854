/* Makes the including file a width of its own, of one lane, so that it sees what src/ keeps inside a width. To be included
 * first. */
#ifndef TESTS_SUPPORT_WIDTH_HERE_H
#define TESTS_SUPPORT_WIDTH_HERE_H

#pragma GCC diagnostic ignored "-Wunused-function"
#include "kernels/kernels.h"
#include "simd/lanes_1.h"

#define KERNELS_TABLE kernels_here
extern const Kernels kernels_here;
#include "widths/width.inl"

#endif
