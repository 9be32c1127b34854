/* How much of its stack a function takes. */
#ifndef TESTS_SUPPORT_STACKS_H
#define TESTS_SUPPORT_STACKS_H

#include <stddef.h>

/* What the library promises is of its own frames. An address sanitizer adds red zones to them, and gives each variable a place of its
 * own: a quarter more. */
#ifdef __SANITIZE_ADDRESS__
#define STACK_RED_ZONES(bytes) ((bytes) / 4)
#else
#define STACK_RED_ZONES(bytes) 0
#endif

/* Bytes that a thread running this has written to, without those of the thread itself. `run` returns its argument if all went well. */
size_t stack_taken(void *(*run)(void *), void *argument);

#endif
