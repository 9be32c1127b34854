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
