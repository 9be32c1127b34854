/* Where functions go. The functions that are kept out of line are the rare cases of a move: together they say what an
 * ordinary one is. */
#ifndef BASE_INLINING_H
#define BASE_INLINING_H

/* Written once and compiled in several forms, by an argument that is constant where it is called. */
#define FORCE_INLINE static inline __attribute__((always_inline))

/* Few moves come here, and the others need not keep registers for it. */
#define OUT_OF_LINE __attribute__((noinline))

#endif
