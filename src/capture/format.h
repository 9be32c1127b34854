/* The text of a capture, line by line. text.c writes it and tools/replay_file.c reads it.
 *
 *     sidle capture 8
 *     NAME VALUE... # decimals         the fields of a CaptureHead, in this order
 *     neighbour                        neighbour_count of the head, in the order of ids
 *     NAME VALUE...
 *     instance                         repeated, in the order of ids
 *     NAME VALUE...
 *     triangle NUMBER SURFACE X Y Z X Y Z X Y Z     triangle_count of the instance, by number; relative to its origin
 *     result
 *     NAME VALUE...
 *     contact                          contact_count of the result
 *     NAME VALUE...
 *     end
 *
 * Integers are decimal. Other numbers are hexadecimal as in C, or bits:HEX if they are not finite. */
#ifndef CAPTURE_FORMAT_H
#define CAPTURE_FORMAT_H

#include "sidle/capture.h"

/* Numbers of 64 bits for failed searches: 256 parts of a tick with up to four searches each. [Limit] A failure after
 * 64 * CAPTURE_FAILURES searches is SIDLE_ERROR_LIMIT. */
#define CAPTURE_FAILURES 16

/* [Limit] neighbours of an agent that collides with others. */
#define CAPTURE_NEIGHBOURS 48

typedef enum CaptureKind
{
    CAPTURE_FLOAT,
    CAPTURE_DOUBLE,
    CAPTURE_16,
    CAPTURE_32,
    CAPTURE_64
} CaptureKind;

typedef struct CaptureField
{
    const char *name;
    CaptureKind kind;
    uint32_t count; /* of consecutive numbers */
    size_t offset;  /* in the structure */
} CaptureField;

/* All that a move depends on, except for the world. */
typedef struct CaptureHead
{
    sidle_vec3 up, gravity;
    uint32_t max_candidates, lanes;
    sidle_profile profile;
    float dt, motion_begin, motion_end;
    uint64_t epoch;
    sidle_move move;
    uint32_t turn; /* an enum Turn: whether the agent was deferred */
    /* A bit for each search, for candidates or for moving instances, in order: set if it exceeded a limit. Stored,
     * since it depends on the leaves of the whole mesh and on the instances of the whole world. */
    uint64_t failed_searches[CAPTURE_FAILURES];
    /* Of agents that collide: what the other agents of the tick allow this one, as AgentGaps. The requests of the other agents
     * are not stored, since the move depends on them through these numbers alone. */
    double correction[3];
    uint32_t is_pushed, neighbour_count;
} CaptureHead;

/* An AgentGap. */
typedef struct CaptureNeighbour
{
    uint64_t id;
    double normal[3], most;
    uint32_t touches;
} CaptureNeighbour;

typedef struct CaptureInstance
{
    sidle_instance id;
    uint64_t key;
    uint32_t member_of, flags, group;
    sidle_position origin; /* of the mesh */
    sidle_pose from, to;
    uint32_t triangle_count;
} CaptureInstance;

/* New fields of these structures must be added to a table below. */
_Static_assert(sizeof(sidle_profile) ==
                   (sizeof(size_t) + 48 + sizeof(size_t) - 1) / sizeof(size_t) * sizeof(size_t),
               "a capture holds every field of a profile");
_Static_assert(sizeof(sidle_body) == 128 && sizeof(sidle_move) == 240 && sizeof(sidle_contact) == 72 &&
                   sizeof(sidle_pose) == 56 && sizeof(sidle_result) == 144,
               "a capture holds every field");

#define CAPTURE_FIELD(structure, name, kind, count)                                                          \
    {                                                                                                        \
#name, kind, count, offsetof(structure, name)                                                        \
    }

#define CAPTURE_BODY_FIELDS(structure, body)                                                                 \
    CAPTURE_FIELD(structure, body.center, CAPTURE_DOUBLE, 3),                                                \
        CAPTURE_FIELD(structure, body.velocity, CAPTURE_FLOAT, 3),                                           \
        CAPTURE_FIELD(structure, body.ground_normal, CAPTURE_FLOAT, 3),                                      \
        CAPTURE_FIELD(structure, body.carried_over, CAPTURE_FLOAT, 3),                                       \
        CAPTURE_FIELD(structure, body.support_normal, CAPTURE_FLOAT, 3),                                     \
        CAPTURE_FIELD(structure, body.overhang, CAPTURE_FLOAT, 1),                                           \
        CAPTURE_FIELD(structure, body.step_offset, CAPTURE_FLOAT, 1),                                        \
        CAPTURE_FIELD(structure, body.ground, CAPTURE_32, 2),                                                \
        CAPTURE_FIELD(structure, body.ground_triangle, CAPTURE_32, 1),                                       \
        CAPTURE_FIELD(structure, body.ground_surface, CAPTURE_16, 1),                                        \
        CAPTURE_FIELD(structure, body.flags, CAPTURE_16, 1),                                                 \
        CAPTURE_FIELD(structure, body.waited, CAPTURE_FLOAT, 1),                                             \
        CAPTURE_FIELD(structure, body.postponed, CAPTURE_FLOAT, 3),                                          \
        CAPTURE_FIELD(structure, body.ground_key, CAPTURE_64, 1),                                            \
        CAPTURE_FIELD(structure, body.motion_epoch, CAPTURE_32, 1),                                          \
        CAPTURE_FIELD(structure, body.motion_done, CAPTURE_FLOAT, 1)

static const CaptureField capture_head_fields[] = {
    CAPTURE_FIELD(CaptureHead, up, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, gravity, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, max_candidates, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, lanes, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, profile.shape.radii, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, profile.shape.half_height, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.max_slope_cos, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.step_up, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.step_down, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.skin, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.mode, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, profile.flags, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, profile.recovery_speed, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, profile.comfort, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, dt, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, motion_begin, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, motion_end, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, epoch, CAPTURE_64, 1),
    CAPTURE_FIELD(CaptureHead, move.id, CAPTURE_64, 1),
    CAPTURE_BODY_FIELDS(CaptureHead, move.body),
    CAPTURE_FIELD(CaptureHead, move.rotation, CAPTURE_FLOAT, 4),
    CAPTURE_FIELD(CaptureHead, move.displacement, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, move.up, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, move.gravity, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureHead, move.ignore, CAPTURE_32, 2),
    CAPTURE_FIELD(CaptureHead, move.mass, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, move.profile, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.collides_with, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.member_of, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.group, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.flags, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.collides_with_agents, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.interval, CAPTURE_FLOAT, 1),
    CAPTURE_FIELD(CaptureHead, move.ignored_surfaces, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, move.ignored_group, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, turn, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, failed_searches, CAPTURE_64, CAPTURE_FAILURES),
    CAPTURE_FIELD(CaptureHead, correction, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(CaptureHead, is_pushed, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureHead, neighbour_count, CAPTURE_32, 1),
};

static const CaptureField capture_neighbour_fields[] = {
    CAPTURE_FIELD(CaptureNeighbour, id, CAPTURE_64, 1),
    CAPTURE_FIELD(CaptureNeighbour, normal, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(CaptureNeighbour, most, CAPTURE_DOUBLE, 1),
    CAPTURE_FIELD(CaptureNeighbour, touches, CAPTURE_32, 1),
};

static const CaptureField capture_instance_fields[] = {
    CAPTURE_FIELD(CaptureInstance, id, CAPTURE_32, 2),
    CAPTURE_FIELD(CaptureInstance, key, CAPTURE_64, 1),
    CAPTURE_FIELD(CaptureInstance, member_of, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureInstance, flags, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureInstance, group, CAPTURE_32, 1),
    CAPTURE_FIELD(CaptureInstance, origin, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(CaptureInstance, from.position, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(CaptureInstance, from.rotation, CAPTURE_FLOAT, 4),
    CAPTURE_FIELD(CaptureInstance, from.scale, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureInstance, to.position, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(CaptureInstance, to.rotation, CAPTURE_FLOAT, 4),
    CAPTURE_FIELD(CaptureInstance, to.scale, CAPTURE_FLOAT, 3),
    CAPTURE_FIELD(CaptureInstance, triangle_count, CAPTURE_32, 1),
};

static const CaptureField capture_result_fields[] = {
    CAPTURE_BODY_FIELDS(sidle_result, body),
    CAPTURE_FIELD(sidle_result, reasons, CAPTURE_32, 1),
    CAPTURE_FIELD(sidle_result, contact_count, CAPTURE_32, 1),
    CAPTURE_FIELD(sidle_result, impact_speed, CAPTURE_FLOAT, 1),
};

static const CaptureField capture_contact_fields[] = {
    CAPTURE_FIELD(sidle_contact, agent, CAPTURE_64, 1),
    CAPTURE_FIELD(sidle_contact, instance_key, CAPTURE_64, 1),
    CAPTURE_FIELD(sidle_contact, instance, CAPTURE_32, 2),
    CAPTURE_FIELD(sidle_contact, triangle, CAPTURE_32, 1),
    CAPTURE_FIELD(sidle_contact, surface, CAPTURE_16, 1),
    CAPTURE_FIELD(sidle_contact, feature, CAPTURE_16, 1),
    CAPTURE_FIELD(sidle_contact, point, CAPTURE_DOUBLE, 3),
    CAPTURE_FIELD(sidle_contact, normal, CAPTURE_FLOAT, 3),
};

#define CAPTURE_FIELD_COUNT(fields) (sizeof(fields) / sizeof *(fields))

#endif
