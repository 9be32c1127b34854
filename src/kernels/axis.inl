/* Coordinates of a leaf as vectors of eight. */
#ifdef LANES_HAVE_PICK

/* From sixteen bytes to eight numbers: those of one byte, and of two. */
_Alignas(32) static const int8_t axis_bytes[2][32] = {
    {0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1, -1,
     4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1, 7, -1, -1, -1},
    {0, 1, -1, -1, 2,  3,  -1, -1, 4,  5,  -1, -1, 6,  7,  -1, -1,
     8, 9, -1, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, 15, -1, -1}};

/* Eight coordinates of whole steps. */
static inline simde__m256 axis_steps(const PacketAxis *axis, const uint8_t *at)
{
    simde__m256i both = simde_mm256_broadcastsi128_si256(simde_mm_loadu_si128((const simde__m128i *)at));
    simde__m256i steps =
        simde_mm256_shuffle_epi8(both, simde_mm256_load_si256((const simde__m256i *)axis_bytes[axis->form]));
    return simde_mm256_add_ps(
        simde_mm256_mul_ps(simde_mm256_cvtepi32_ps(steps), simde_mm256_set1_ps(axis->step)),
        simde_mm256_set1_ps(axis->base));
}

/* Eight coordinates from `first` on, the bits of packet_coordinate. Beyond the last vertex they are anything. */
static inline simde__m256 axis_numbers(const PacketAxis *axis, uint32_t first)
{
    const uint8_t *at = axis->at + ((size_t)first << axis->form);
    return axis->form == 2 ? simde_mm256_loadu_ps((const float *)(const void *)at) : axis_steps(axis, at);
}

/* The first sixteen. */
static inline PickTable axis_table(const PacketAxis *axis)
{
    const float *numbers = (const float *)(const void *)axis->at;
    if (axis->form == 2)
    {
        return (PickTable){simde_mm256_loadu_ps(numbers), simde_mm256_loadu_ps(numbers + 8)};
    }
    return (PickTable){axis_steps(axis, axis->at), axis_steps(axis, axis->at + ((size_t)8 << axis->form))};
}

/* The same if there are more than eight, else only eight. */
static inline PickTable axis_first(const PacketAxis *axis, uint32_t count)
{
    simde__m256 low = axis_numbers(axis, 0);
    return (PickTable){low, count > 8 ? axis_numbers(axis, 8) : low};
}
#endif
