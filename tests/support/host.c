#include "support/host.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

#define CONTROL 0xFFC0u /* of MXCSR; the other bits only remember what happened */

static uint64_t control_for(uint32_t modes)
{
    uint32_t control = 0x1F80;
    control |= modes & HOST_FLUSHES ? 0x8040 : 0;
    control |= modes & HOST_ROUNDS_DOWN ? 0x2000 : 0;
    control |= modes & HOST_ROUNDS_UP ? 0x4000 : 0;
    control |= modes & HOST_CHOPS ? 0x6000 : 0;
    control &= modes & HOST_TRAPS ? ~0x1F80u : ~0u;
    return control;
}

static uint64_t control_read(void)
{
    return _mm_getcsr() & CONTROL;
}

static void control_write(uint64_t control)
{
    _mm_setcsr((uint32_t)control);
}

bool host_has(uint32_t modes)
{
    (void)modes;
    return true;
}

#elif defined(__aarch64__)

static uint64_t control_for(uint32_t modes)
{
    uint64_t control = 0;
    control |= modes & HOST_FLUSHES ? 1u << 24 : 0;
    control |= modes & HOST_ROUNDS_UP ? 1u << 22 : 0;
    control |= modes & HOST_ROUNDS_DOWN ? 2u << 22 : 0;
    control |= modes & HOST_CHOPS ? 3u << 22 : 0;
    control |= modes & HOST_TRAPS ? 0x1F00 : 0;
    return control;
}

static uint64_t control_read(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void control_write(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(control));
}

/* Few processors of this kind can trap: the bits then stay 0. */
bool host_has(uint32_t modes)
{
    control_write(control_for(modes));
    bool has = control_read() == control_for(modes);
    control_write(0);
    return has;
}

#else

static uint64_t control_for(uint32_t modes)
{
    return modes;
}

static uint64_t control_read(void)
{
    return HOST_PLAIN;
}

static void control_write(uint64_t control)
{
    (void)control;
}

bool host_has(uint32_t modes)
{
    return modes == HOST_PLAIN;
}

#endif

void host_enter(uint32_t modes)
{
    control_write(control_for(modes));
}

bool host_leave(uint32_t modes)
{
    uint64_t control = control_read();
    control_write(control_for(HOST_PLAIN));
    return control == control_for(modes);
}
