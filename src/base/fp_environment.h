/* The floating-point environment of a task: round to nearest, no flush to zero, no traps. It does not depend on the
 * host thread, whose settings are restored at the end; results have the same bits everywhere. Between enter and leave
 * is one call of a function that is not inlined, so that the compiler moves no arithmetic across. */
#ifndef BASE_FP_ENVIRONMENT_H
#define BASE_FP_ENVIRONMENT_H

#include <stdint.h>

#define FP_BODY __attribute__((noinline)) /* of the function called between enter and leave */

#ifdef __SSE2__
#include <xmmintrin.h>

typedef uint32_t FpEnvironment;

static inline FpEnvironment fp_enter(void)
{
    FpEnvironment host = _mm_getcsr();
    /* mutant: host_denormals, host_rounding, host_traps */
    _mm_setcsr(0x1F80); /* all exceptions masked, to nearest, FTZ and DAZ off */
    return host;
}

static inline void fp_leave(FpEnvironment host)
{
    _mm_setcsr(host); /* mutant: not_restored */
}

#elif defined(__aarch64__)

typedef uint64_t FpEnvironment;

static inline FpEnvironment fp_enter(void)
{
    FpEnvironment host;
    __asm__ volatile("mrs %0, fpcr" : "=r"(host));
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0));
    return host;
}

static inline void fp_leave(FpEnvironment host)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(host));
}

#else /* WebAssembly has only this environment */

typedef int FpEnvironment;

static inline FpEnvironment fp_enter(void)
{
    return 0;
}

static inline void fp_leave(FpEnvironment host)
{
    (void)host;
}

#endif
#endif
