#include "support/denormals.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

static const unsigned int flush_bits = 0x8040u; /* FTZ, bit 15, and DAZ, bit 6, of MXCSR */

bool flush_denormals(bool flush)
{
    _mm_setcsr(flush ? _mm_getcsr() | flush_bits : _mm_getcsr() & ~flush_bits);
    return true;
}

bool denormals_are_flushed(void)
{
    return (_mm_getcsr() & flush_bits) == flush_bits;
}

#elif defined(__aarch64__)
#include <stdint.h>

static const uint64_t flush_bit = UINT64_C(1) << 24; /* FZ of FPCR */

static uint64_t control(void)
{
    uint64_t bits;
    __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
}

bool flush_denormals(bool flush)
{
    uint64_t bits = flush ? control() | flush_bit : control() & ~flush_bit;
    __asm__ volatile("msr fpcr, %0" ::"r"(bits));
    return true;
}

bool denormals_are_flushed(void)
{
    return (control() & flush_bit) != 0;
}

#else

bool flush_denormals(bool flush)
{
    return !flush;
}

bool denormals_are_flushed(void)
{
    return false;
}

#endif
