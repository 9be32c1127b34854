/* What every call of sidle_steer promises. */
#ifndef SIDLE_FUZZ_STEER_CHECKS_H
#define SIDLE_FUZZ_STEER_CHECKS_H

#include "fuzz.h"
#include "input.h"

#define STEERED_MOST 16 /* agents */

/* Steers some of the time in the first crowd, whose up is y, and writes the displacements to the moves. The input chooses the reach and
 * the speed, `desc` has the rest. Checked: displacements are no faster than max_speed allows and keep their part along up; the other
 * crowds, which have other widths, and the moves in another order give the same bits. */
void steer_checked(Input *input, sidle_steer_desc desc, sidle_crowd *const *crowds, uint32_t crowd_count,
                   sidle_move *moves);

#endif
