/* What the fuzzers share. Each is a libFuzzer target: cmake/fuzz.sh builds and runs them all. */
#ifndef SIDLE_FUZZ_H
#define SIDLE_FUZZ_H

#include "sidle/sidle.h"

#include <stddef.h>
#include <stdint.h>

/* Short enough that long sentences are cut, since that has to work as well. */
#define FUZZ_MESSAGE_SIZE 96

/* What libFuzzer calls; it declares neither. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The path of a file that lives in memory alone and holds these bytes until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Asks at every width that runs here and demands that all give the same bits; `hits` has room for the
 * answers. */
void fuzz_cast(const sidle_snapshot *snapshot, const sidle_cast *casts, uint32_t count, sidle_cast_hit *hits);

/* Ends the process, for libFuzzer to keep the input. */
void fuzz_demand(int condition, const char *what);
void fuzz_demand_at_most(double value, double most, const char *what); /* prints both; NaN fails */

#endif
