/* Conventions, vocabulary types, status codes and memory.
 *
 * Space    right-handed; Y is up by default. Triangles are counter-clockwise seen from their front.
 * Units    any unit of length, the same throughout; seconds.
 * Descs    `size` is the sizeof of the structure. Any other field may be zero: none, or the default in its comment.
 *          _destroy and _release accept NULL.
 * Strides  bytes from element to element; 0: tightly packed.
 * Errors   a failed call changes nothing, not even `out`. After INCOMPLETE, outputs are partly written. Any call may return ARGUMENT,
 *          short for SIDLE_ERROR_ARGUMENT.
 * Threads  one thread at a time changes an object. Headers list what may run in parallel. */
#ifndef SIDLE_BASE_H
#define SIDLE_BASE_H

#include <stddef.h>
#include <stdint.h>

#define SIDLE_VERSION_MAJOR 0
#define SIDLE_VERSION_MINOR 1
#define SIDLE_VERSION_PATCH 0

#if defined(SIDLE_SHARED) && defined(_WIN32)
#ifdef SIDLE_BUILDING
#define SIDLE_EXPORT __declspec(dllexport)
#else
#define SIDLE_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SIDLE_EXPORT __attribute__((visibility("default")))
#else
#define SIDLE_EXPORT
#endif

#ifdef __cplusplus
#define SIDLE_API extern "C" SIDLE_EXPORT
#else
#define SIDLE_API SIDLE_EXPORT
#endif

/* [Limit] of every coordinate, and of all that agents, casts and instances reach. */
#define SIDLE_MAX_COORDINATE 1e9

typedef enum sidle_status
{
    SIDLE_OK = 0,
    /* A null pointer, an unknown size, a value outside its range: also dt, and fields of profiles. */
    SIDLE_ERROR_ARGUMENT,
    SIDLE_ERROR_NOT_FINITE,  /* a NaN or an infinity */
    SIDLE_ERROR_INDEX,       /* an index outside its array */
    SIDLE_ERROR_LIMIT,       /* a count, a coordinate or a length beyond its [Limit] */
    SIDLE_ERROR_MEMORY,      /* the allocator returned NULL */
    SIDLE_ERROR_STALE,       /* the id of a removed object */
    SIDLE_ERROR_UNSUPPORTED, /* not in this build or on this processor */
    SIDLE_ERROR_BUSY,        /* between _begin and _end */
    SIDLE_ERROR_INCOMPLETE,  /* a task has not run exactly once */
    SIDLE_STATUS_COUNT
} sidle_status;

/* A sentence; never NULL. */
SIDLE_API const char *sidle_status_text(sidle_status status);

/* Why a call is refused. A wrong `size`, jobs, allocator or worker count, or a null object, only returns a status, as do BUSY,
 * MEMORY and INCOMPLETE of ticks and steering. */
typedef struct sidle_error
{
    sidle_status status;
    uint64_t index; /* of the refused element */
    char text[240]; /* the field, its value and what is allowed */
} sidle_error;

typedef struct sidle_vec3
{
    float x, y, z;
} sidle_vec3;

typedef struct sidle_position
{
    double x, y, z;
} sidle_position;

/* w: the real part. Of any length; zero: identity. */
typedef struct sidle_quat
{
    float x, y, z, w;
} sidle_quat;

typedef struct sidle_pose
{
    sidle_position position;
    sidle_quat rotation;
    sidle_vec3 scale; /* before rotation; zero: 1; negative: mirrored; [Limit] 1e-6 to 1e6 */
} sidle_pose;

enum /* the part of a triangle that a contact is on */
{
    SIDLE_FEATURE_FACE = 0,
    SIDLE_FEATURE_EDGE = 1,
    SIDLE_FEATURE_VERTEX = 2,
    SIDLE_FEATURE_AGENT = 3 /* another agent: instance_key holds its id */
};

/* NULL: aligned malloc and free. `alignment`: a power of two up to 64. `free` never gets NULL. Jobs on several threads
 * need thread-safe callbacks, as do meshes and snapshots that other threads release. `user` must live as long as the last object. They
 * may run with sidle's floating-point environment (docs/determinism.md). */
typedef struct sidle_allocator
{
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} sidle_allocator;

#endif
