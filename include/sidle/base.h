/* Conventions, vocabulary types, status codes and memory.
 *
 * Space      right-handed; Y is up unless a desc says otherwise (the up vector is data).
 * Front      a triangle's front is where its vertices appear counter-clockwise.
 * Units      any unit of length, the same throughout; seconds; radii and half heights along the shape's axes.
 * Precision  positions in the world are double, everything relative to an agent or a mesh is float.
 * Descs      structures that may grow start with `size_t size` = sizeof the structure the caller compiled
 *            with; every other field may be zero and then means the default that its comment gives.
 * Errors     a fallible function returns a sidle_status, changes nothing on failure, leaves its `out` alone.
 * Threads    objects carry no locks: one thread at a time changes an object; what may run in parallel says
 *            so. */
#ifndef SIDLE_BASE_H
#define SIDLE_BASE_H

#include <stddef.h>
#include <stdint.h>

#define SIDLE_VERSION_MAJOR 0
#define SIDLE_VERSION_MINOR 1
#define SIDLE_VERSION_PATCH 0

#if defined(SIDLE_SHARED) && defined(_WIN32)
#ifdef SIDLE_BUILDING
#define SIDLE_API __declspec(dllexport)
#else
#define SIDLE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SIDLE_API __attribute__((visibility("default")))
#else
#define SIDLE_API
#endif

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] of any coordinate: of vertices, agents, casts, instances and everything they reach. */
#define SIDLE_MAX_COORDINATE 1e9

typedef enum sidle_status
{
    SIDLE_OK = 0,
    SIDLE_ERROR_ARGUMENT,    /* a null pointer, a wrong size, a value outside its range */
    SIDLE_ERROR_NOT_FINITE,  /* a NaN or an infinity where a number is needed */
    SIDLE_ERROR_INDEX,       /* an index that points outside its array */
    SIDLE_ERROR_LIMIT,       /* more than the documented [Limit] */
    SIDLE_ERROR_MEMORY,      /* the allocator returned NULL */
    SIDLE_ERROR_STALE,       /* an id whose object is gone */
    SIDLE_ERROR_UNSUPPORTED, /* this build or this processor cannot do it */
    SIDLE_ERROR_BUSY, /* the object is inside a begin/end pair, or still in use; not every task has run once */
    SIDLE_STATUS_COUNT
} sidle_status;

/* A sentence for a status; never NULL, also for a value that is none. */
SIDLE_API const char *sidle_status_text(sidle_status status);

/* Where a desc has a `sidle_error *error`, what is wrong with the desc or with what it points to is told there as
 * a whole story. What is wrong with the call (a null pointer, jobs, an allocator, a number of workers) only the
 * status tells. [Limit] text: 239 bytes. */
typedef struct sidle_error
{
    sidle_status status;
    uint64_t index; /* the offending element, where there is one */
    char text[240]; /* one sentence, zero-terminated */
} sidle_error;

typedef struct sidle_vec3
{
    float x, y, z;
} sidle_vec3;

typedef struct sidle_position /* a place in the world */
{
    double x, y, z;
} sidle_position;

typedef struct sidle_quat /* x y z are the imaginary part; all zero means the identity; need not be unit
                           */
{
    float x, y, z, w;
} sidle_quat;

typedef struct sidle_pose
{
    sidle_position position;
    sidle_quat rotation;
    sidle_vec3 scale; /* along the mesh's own axes, before rotation; all zero means 1; negative mirrors */
} sidle_pose;

enum /* the part of a triangle that a contact touches */
{
    SIDLE_FEATURE_FACE = 0,
    SIDLE_FEATURE_EDGE = 1,
    SIDLE_FEATURE_VERTEX = 2
};

/* One place for memory. Both functions must be thread-safe if the jobs are. `alignment` is a power of two
 * <= 64. A NULL allocator means aligned malloc and free. `free` gets the size that was asked for, never
 * NULL. They may run with arithmetic set as sidle needs it (rounded to nearest, nothing flushed to zero, no
 * traps) or as the caller has it. */
typedef struct sidle_allocator
{
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} sidle_allocator;

#ifdef __cplusplus
}
#endif

#endif
