/* Conventions, vocabulary types, status codes and memory.
 *
 * Space      right-handed; Y is up unless a desc says otherwise.
 * Front      a triangle's vertices appear counter-clockwise from its front.
 * Units      any unit of length, the same throughout; seconds. Radii and half heights along the shape's axes.
 * Precision  world positions are double; everything relative to an agent or a mesh is float.
 * Descs      structures that may grow start with `size_t size`, their sizeof. Another size is refused. Every other field
 *            may be zero, which means the default in its comment.
 * Errors     a call that can fail returns a sidle_status. On failure it changes nothing and leaves `out` alone.
 * Threads    objects have no locks: one thread at a time changes an object. Each header says what may run in
 *            parallel. */
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

/* [Limit] of every coordinate: vertices, agents, casts, instances, and all that they reach. */
#define SIDLE_MAX_COORDINATE 1e9

typedef enum sidle_status
{
    SIDLE_OK = 0,
    SIDLE_ERROR_ARGUMENT,    /* a null pointer, a wrong size, a value out of range */
    SIDLE_ERROR_NOT_FINITE,  /* a NaN or an infinity */
    SIDLE_ERROR_INDEX,       /* an index outside its array */
    SIDLE_ERROR_LIMIT,       /* more than a documented [Limit] */
    SIDLE_ERROR_MEMORY,      /* the allocator returned NULL */
    SIDLE_ERROR_STALE,       /* an id whose object was removed */
    SIDLE_ERROR_UNSUPPORTED, /* not in this build, or not on this processor */
    SIDLE_ERROR_BUSY,        /* the object is inside a begin/end pair */
    SIDLE_ERROR_INCOMPLETE,  /* a task has not run exactly once; results are incomplete */
    SIDLE_STATUS_COUNT
} sidle_status;

/* Describes a status in a sentence; never NULL. */
SIDLE_API const char *sidle_status_text(sidle_status status);

/* Details of a failure, for descs with a `sidle_error *error`: what is wrong with the desc or with what it points to.
 * Errors of the call itself (null pointers, jobs, allocators, worker counts) set the status only. */
typedef struct sidle_error
{
    sidle_status status;
    uint64_t index; /* of the offending element, if any */
    char text[240]; /* one sentence, zero-terminated */
} sidle_error;

typedef struct sidle_vec3
{
    float x, y, z;
} sidle_vec3;

typedef struct sidle_position /* in the world */
{
    double x, y, z;
} sidle_position;

/* x y z: the imaginary part. All zero: the identity. Need not be normalized. */
typedef struct sidle_quat
{
    float x, y, z, w;
} sidle_quat;

typedef struct sidle_pose
{
    sidle_position position;
    sidle_quat rotation;
    sidle_vec3 scale; /* along the mesh's axes, before rotation; all zero: 1; negative mirrors */
} sidle_pose;

enum /* the part of a triangle that a contact is on */
{
    SIDLE_FEATURE_FACE = 0,
    SIDLE_FEATURE_EDGE = 1,
    SIDLE_FEATURE_VERTEX = 2,
    SIDLE_FEATURE_AGENT = 3 /* another agent: instance_key holds its id */
};

/* Memory callbacks; a NULL allocator means aligned malloc and free. Both must be thread-safe if jobs run on several
 * threads. `alignment` is a power of two <= 64. `free` gets the size of the allocation, never NULL. They may run with
 * sidle's floating-point environment: rounding to nearest, no flush to zero, no traps. */
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
