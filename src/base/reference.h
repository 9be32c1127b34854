/* A thread-safe reference count. */
#ifndef BASE_REFERENCE_H
#define BASE_REFERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Reference
{
    atomic_uint_least32_t count;
} Reference;

static inline void reference_init(Reference *reference)
{
    atomic_init(&reference->count, 1);
}

static inline void reference_retain(Reference *reference)
{
    atomic_fetch_add_explicit(&reference->count, 1, memory_order_relaxed);
}

/* Returns true for the last reference; the caller then owns the object alone. */
static inline bool reference_release(Reference *reference)
{
    return atomic_fetch_sub_explicit(&reference->count, 1, memory_order_acq_rel) == 1;
}

/* Returns false after the last release. What its owner has read happened before. */
static inline bool reference_is_held(Reference *reference)
{
    return atomic_load_explicit(&reference->count, memory_order_acquire) > 0;
}

#endif
