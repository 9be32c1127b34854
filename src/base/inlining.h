/* Control of inlining. Functions out of line are the rare cases of a move. */
#ifndef BASE_INLINING_H
#define BASE_INLINING_H

/* For functions that are compiled in several forms, by arguments that are constant at the call. And for those that only
 * prefetch: gcc 12 takes them for functions without effects, and deletes their calls unless they are inlined. */
#define FORCE_INLINE static inline __attribute__((always_inline))

/* For rare cases, so that the common path needs no registers for them. */
#define OUT_OF_LINE __attribute__((noinline))

#endif
