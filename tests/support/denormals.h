/* Flush-to-zero and denormals-are-zero, as audio and game engines set them on their threads. */
#ifndef TESTS_SUPPORT_DENORMALS_H
#define TESTS_SUPPORT_DENORMALS_H

#include <stdbool.h>

/* Sets the mode of this thread; false where this processor's mode cannot be set from here. */
bool flush_denormals(bool flush);
bool denormals_are_flushed(void);

#endif
