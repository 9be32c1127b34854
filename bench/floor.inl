/* One width of the floor, FLOOR_WIDTH, named as its kernels are. Included after one of the lanes_N.h. */
#include "floor.h"

#define JOIN_WORDS(one, other) one##other
#define JOIN(one, other)       JOIN_WORDS(one, other)
#define NAME_OF(word)          #word
#define NAME(word)             NAME_OF(word)

/* Functions of lanes that count, and then do. */
static uint64_t operation_counts[OPERATIONS];

static inline void
count_operation(enum Operation operation) /* a function: macros have no order among arguments */
{
    ++operation_counts[operation];
}

#define COUNTED(operation, call) (count_operation(operation), call)

#define lanes_add(a, b)          COUNTED(ADD, (lanes_add)(a, b))
#define lanes_sub(a, b)          COUNTED(ADD, (lanes_sub)(a, b))
#define lanes_mul(a, b)          COUNTED(MULTIPLY, (lanes_mul)(a, b))
#define lanes_div(a, b)          COUNTED(DIVIDE, (lanes_div)(a, b))
#define lanes_sqrt(a)            COUNTED(ROOT, (lanes_sqrt)(a))
#define lanes_less(a, b)         COUNTED(COMPARE, (lanes_less)(a, b))
#define lanes_less_equal(a, b)   COUNTED(COMPARE, (lanes_less_equal)(a, b))
#define lanes_min(a, b)          COUNTED(CHOOSE, (lanes_min)(a, b))
#define lanes_max(a, b)          COUNTED(CHOOSE, (lanes_max)(a, b))
#define lanes_min_where(m, a, b) COUNTED(CHOOSE, (lanes_min_where)(m, a, b))
#define lanes_select(m, a, b)    COUNTED(CHOOSE, (lanes_select)(m, a, b))
#define lanes_abs(a)             COUNTED(SIGN, (lanes_abs)(a))
#define lanes_negate(a)          COUNTED(SIGN, (lanes_negate)(a))
#define mask_and(a, b)           COUNTED(MASK, (mask_and)(a, b))
#define mask_or(a, b)            COUNTED(MASK, (mask_or)(a, b))
#define mask_without(a, b)       COUNTED(MASK, (mask_without)(a, b))
#define mask_bits(a)             COUNTED(MASK, (mask_bits)(a))
#define lanes_load(p)            COUNTED(LOAD, (lanes_load)(p))
#define lanes_store(p, a)        COUNTED(STORE, (lanes_store)(p, a))

/* The walks of trees are no part of this. */
#define KERNELS_COLLECT NULL
#define KERNELS_TRACE   NULL
#define KERNELS_TABLE   JOIN(floor_kernels_, FLOOR_WIDTH)
extern const Kernels KERNELS_TABLE;
#include "kernels/kernels.inl"

#include "floor_streams.inl"

const FloorWidth JOIN(floor_, FLOOR_WIDTH) = {
    .name = NAME(FLOOR_WIDTH),
    .lanes = LANE_COUNT,
    .kernels = &JOIN(kernels_, FLOOR_WIDTH),
    .counts = operation_counts,
    .counted = &KERNELS_TABLE,
    .streams = {stream_divide, stream_root, stream_arithmetic, stream_mixed},
};
