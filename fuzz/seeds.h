/* The files that fuzzers begin with, in parts. */
#ifndef SIDLE_FUZZ_SEEDS_H
#define SIDLE_FUZZ_SEEDS_H

#include <stddef.h>

void write_file(const char *folder, const char *name, const void *bytes, size_t size);

/* The named cases of the tests, as far as they fit. */
typedef void SeedsWriter(const char *folder);
SeedsWriter write_sweeps, write_slides, write_projections, write_bakes;

#endif
