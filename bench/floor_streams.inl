/* Streams of operations that do not wait for each other: enough chains side by side that the processor's rate is
 * what is measured, few enough that all stay in registers. */

static void chains_load(Lanes x[STEP_CHAINS], const Real *values)
{
    for (uint32_t i = 0; i < STEP_CHAINS; ++i)
    {
        x[i] = (lanes_load)(values + i * LANE_COUNT);
    }
}

static void chains_store(const Lanes x[STEP_CHAINS], Real *values)
{
    for (uint32_t i = 0; i < STEP_CHAINS; ++i)
    {
        (lanes_store)(values + i * LANE_COUNT, x[i]);
    }
}

static void stream_divide(uint64_t steps, float *values)
{
    Lanes x[STEP_CHAINS], a = (lanes_load)(values + STEP_CHAINS * LANE_COUNT);
    chains_load(x, values);
    for (; steps; --steps)
    {
#pragma GCC unroll 13
        for (uint32_t i = 0; i < STEP_CHAINS; ++i)
        {
            x[i] = (lanes_div)(a, x[i]);
        }
    }
    chains_store(x, values);
}

/* The additions take other ports, and keep the roots from becoming 1. */
static void stream_root(uint64_t steps, float *values)
{
    Lanes x[STEP_CHAINS], a = (lanes_load)(values + STEP_CHAINS * LANE_COUNT);
    chains_load(x, values);
    for (; steps; --steps)
    {
#pragma GCC unroll 13
        for (uint32_t i = 0; i < STEP_CHAINS; ++i)
        {
            x[i] = (lanes_sqrt)((lanes_add)(x[i], a));
        }
    }
    chains_store(x, values);
}

static void stream_arithmetic(uint64_t steps, float *values)
{
    Lanes x[STEP_CHAINS], half = lanes_set(.5f), a = (lanes_load)(values + STEP_CHAINS * LANE_COUNT);
    chains_load(x, values);
    for (; steps; --steps)
    {
#pragma GCC unroll 13
        for (uint32_t i = 0; i < STEP_CHAINS; ++i)
        {
            x[i] = (lanes_add)((lanes_mul)(x[i], half), a);
        }
    }
    chains_store(x, values);
}

/* A sixth of a sweep's block: 34 multiplications, 30 additions, a division, a root, 9 compares, 9 operations on masks,
 * 6 choices, 2 changes of sign. Each step begins with what it loads, so no step waits for another. */
static void stream_mixed(uint64_t steps, float *values)
{
    Lanes one = lanes_set(1), found = one, half = lanes_set(.5f);
    Mask met = (lanes_less)(one, half);
    for (; steps; --steps)
    {
        __asm__ volatile("" ::: "memory"); /* so it does load */
        Lanes x[10], product[4];
#pragma GCC unroll 10
        for (uint32_t i = 0; i < 10; ++i)
        {
            x[i] = (lanes_load)(values + i * LANE_COUNT);
        }
#pragma GCC unroll 30
        for (uint32_t i = 0; i < 30; ++i)
        {
            x[i % 10] = (lanes_add)((lanes_mul)(x[i % 10], half), one);
        }
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; ++i)
        {
            product[i] = (lanes_mul)(x[i], x[i + 4]);
        }
        Lanes quotient = (lanes_div)((lanes_negate)(product[0]), product[1]);
        Lanes root = (lanes_sqrt)((lanes_abs)(product[2]));
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; ++i)
        {
            Mask both = (mask_and)((lanes_less)(x[i], quotient), (lanes_less_equal)(root, x[i + 4]));
            met = (mask_or)(met, both);
        }
        met = (mask_without)(met, (lanes_less)(product[3], x[8]));
        Lanes first = (lanes_min)((lanes_max)(x[8], half), quotient);
        Lanes second = (lanes_min)((lanes_max)(x[9], half), root);
        Mask later = (lanes_less)(x[4], half);
        found = (lanes_min)((lanes_select)(later, first, second), found);
    }
    (lanes_store)(values, (lanes_select)(met, found, half));
}
