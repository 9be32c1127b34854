/* Characters of text that may hold broken bytes, as file names do. */
#ifndef SIDLE_TOOLS_UTF8_H
#define SIDLE_TOOLS_UTF8_H

#include <stdint.h>

/* U+FFFD, the replacement character. */
#define UTF8_REPLACEMENT 0xFFFDu

/* Reads one character of zero-terminated text and moves the pointer behind it. Returns 0 at the end without moving.
 * A byte that begins no character of the Unicode standard (table 3-7) reads as UTF8_REPLACEMENT. */
uint32_t utf8_next(const char **text);

#endif
