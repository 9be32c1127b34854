/* What is under the pointer, near an agent, and inside a mesh. */
#include "viewer.h"

#include "sidle/capture.h"
#include "sidle/intersect.h"
#include "sidle/query.h"
/* For boxes and packets of the tree, which the public headers do not show. */
#include "src/mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The pointer. ---- */

/* In the space where the shape is the unit ball or a capsule of radius 1. */
static bool ray_hits_agent(const sidle_ray *ray, const Record *record, double *t)
{
    sidle_shape shape = shape_of(record->profile);
    sidle_position c = record->body.center;
    c.y -= (double)record->body.step_offset;
    double rx = (double)shape.radii.x, ry = (double)shape.radii.y, rz = (double)shape.radii.z;
    sidle_ray scaled = {
        .origin = {(ray->origin.x - c.x) / rx, (ray->origin.y - c.y) / ry, (ray->origin.z - c.z) / rz},
        .direction = {ray->direction.x / rx, ray->direction.y / ry, ray->direction.z / rz}};
    double half = (double)shape.half_height / ry;
    sidle_capsule capsule = {.a = {0, -half, 0}, .b = {0, half, 0}, .radius = 1};
    sidle_ray_hit hit;
    bool good = sidle_ray_capsule(&scaled, &capsule, &hit);
    *t = hit.t;
    return good;
}

static uint32_t pick_agent(const sidle_ray *ray, uint32_t tick, double *nearest)
{
    const Record *row = history_row(tick);
    uint32_t found = NO_AGENT;
    for (uint32_t i = 0; i < viewer.run.count; i++)
    {
        double t;
        if (ray_hits_agent(ray, &row[i], &t) && t <= *nearest)
        {
            *nearest = t;
            found = i;
        }
    }
    return found;
}

static bool pick_triangle(const sidle_ray *ray, sidle_cast_hit *hit)
{
    sidle_dvec3 d = ray->direction;
    sidle_cast cast = {.origin = ray->origin, .displacement = {(float)d.x, (float)d.y, (float)d.z}};
    return sidle_cast_closest(viewer.run.snapshot, 0, &cast, hit) == SIDLE_OK && hit->hit == SIDLE_CAST_HIT;
}

/* What the ray from the near plane to the far plane hits first. `inverse`: of projection times view; x, y: normalised device
 * coordinates. Writes kind (0 nothing, 1 an agent, 2 a triangle), its number, instance key, surface, point and normal. */
EXPORT const double *viewer_pick(uint32_t tick, const double *inverse, double x, double y)
{
    static double picked[10];
    sidle_ray ray;
    sidle_cast_hit hit;
    memset(picked, 0, sizeof picked);
    viewer_lock();
    if (viewer.state == VIEWER_READY && sidle_ray_from_matrix(inverse, x, y, -1, 1, &ray))
    {
        bool has_triangle = pick_triangle(&ray, &hit);
        double t = has_triangle ? hit.t : 1;
        uint32_t agent = pick_agent(&ray, tick, &t);
        sidle_dvec3 d = ray.direction;
        double from_agent[10] = {
            1, agent, 0, 0, ray.origin.x + t * d.x, ray.origin.y + t * d.y, ray.origin.z + t * d.z};
        double from_triangle[10] = {
            2,           hit.triangle, (double)hit.instance_key, hit.surface,          hit.point.x,
            hit.point.y, hit.point.z,  (double)hit.normal.x,     (double)hit.normal.y, (double)hit.normal.z};
        if (agent != NO_AGENT || has_triangle)
        {
            memcpy(picked, agent != NO_AGENT ? from_agent : from_triangle, sizeof picked);
        }
    }
    viewer_unlock();
    return picked;
}

/* ---- An agent. ---- */

EXPORT void viewer_select(uint32_t agent)
{
    viewer_lock();
    viewer.selected = agent;
    viewer_unlock();
}

/* Fields in the order of page/module.js. */
EXPORT const double *viewer_agent(uint32_t tick, uint32_t agent)
{
    static double fields[24];
    if (viewer.state != VIEWER_READY || agent >= viewer.history.count)
    {
        return NULL;
    }
    const Record *record = &history_row(tick)[agent];
    const sidle_body *b = &record->body;
    sidle_shape shape = shape_of(record->profile);
    const double now[] = {b->center.x,
                          b->center.y,
                          b->center.z,
                          (double)b->velocity.x,
                          (double)b->velocity.y,
                          (double)b->velocity.z,
                          b->flags,
                          record->reasons,
                          (double)b->step_offset,
                          b->ground_triangle,
                          b->ground_surface,
                          (double)b->ground_normal.x,
                          (double)b->ground_normal.y,
                          (double)b->ground_normal.z,
                          (double)record->impact_speed,
                          (double)shape.radii.x,
                          (double)shape.radii.y,
                          (double)shape.radii.z,
                          (double)shape.half_height,
                          record->profile,
                          (double)viewer.headings[agent],
                          (double)b->ground_key};
    memcpy(fields, now, sizeof now);
    return fields;
}

EXPORT const char *viewer_reason(uint32_t bit)
{
    return sidle_reason_text(bit);
}

EXPORT const char *viewer_advice(uint32_t bit)
{
    return sidle_reason_advice(bit);
}

/* Distance from the shape to the plane of a contact; negative: the depth of an overlap. */
static double gap_of(const sidle_contact *contact, const Record *record)
{
    sidle_shape s = shape_of(record->profile);
    sidle_position c = record->body.center;
    double nx = (double)contact->normal.x, ny = (double)contact->normal.y, nz = (double)contact->normal.z;
    double rx = (double)s.radii.x * nx, ry = (double)s.radii.y * ny, rz = (double)s.radii.z * nz;
    double support = sqrt(rx * rx + ry * ry + rz * rz) + (double)s.half_height * fabs(ny);
    return (c.x - contact->point.x) * nx + (c.y - contact->point.y) * ny + (c.z - contact->point.z) * nz -
           support;
}

/* Of the last tick: agent, feature, triangle, gap, point, normal; ten numbers each. */
EXPORT const double *viewer_contacts(void)
{
    static double *list;
    static uint32_t capacity;
    viewer_lock();
    if (viewer.contact_count > capacity)
    {
        capacity = viewer.contact_capacity;
        free(list);
        list = malloc(10 * sizeof *list * capacity);
        capacity = list ? capacity : 0;
    }
    const Record *row = history_row(viewer.run.tick);
    for (uint32_t i = 0; i < viewer.contact_count && i < capacity; i++)
    {
        const sidle_contact *c = &viewer.contacts[i];
        const double now[10] = {
            (double)c->agent,    c->feature,         c->triangle, gap_of(c, &row[c->agent]),
            c->point.x,          c->point.y,         c->point.z,  (double)c->normal.x,
            (double)c->normal.y, (double)c->normal.z};
        memcpy(&list[10 * i], now, sizeof now);
    }
    viewer_unlock();
    return list;
}

/* The next move of an agent as the text that `sidle replay` runs. The caller calls free(). NULL: it cannot be captured. */
EXPORT char *viewer_capture(uint32_t agent)
{
    char *text = NULL;
    double unused;
    viewer_lock();
    if (viewer.state == VIEWER_READY && agent < viewer.run.count &&
        crowd_run_wish(&viewer.run, &unused) == SIDLE_OK)
    {
        sidle_tick_desc tick = crowd_run_tick_desc(&viewer.run);
        size_t length = 0;
        sidle_capture_desc desc = {.size = sizeof desc,
                                   .snapshot = tick.snapshot,
                                   .dt = tick.dt,
                                   .move = &viewer.run.moves[agent],
                                   .length = &length,
                                   .moves = viewer.run.moves,
                                   .count = viewer.run.count,
                                   .flags = tick.flags};
        if (sidle_capture_move(viewer.run.crowd, &desc) == SIDLE_OK && (text = malloc(length + 1)))
        {
            desc.text = text;
            desc.capacity = length + 1;
            sidle_capture_move(viewer.run.crowd, &desc);
        }
    }
    viewer_unlock();
    return text;
}

/* ---- The tree. ---- */

typedef struct BoxList
{
    float *boxes; /* min, max */
    uint32_t count, most;
    float center[3], radius;
} BoxList;

static void add_box(BoxList *list, const BvhNode *node, int child)
{
    Vec3 o = viewer.scene.mesh->origin;
    const float low[3] = {(float)o.x + node->min_x[child], (float)o.y + node->min_y[child],
                          (float)o.z + node->min_z[child]};
    const float high[3] = {(float)o.x + node->max_x[child], (float)o.y + node->max_y[child],
                           (float)o.z + node->max_z[child]};
    for (int axis = 0; axis < 3; axis++)
    {
        bool is_far =
            low[axis] > list->center[axis] + list->radius || high[axis] < list->center[axis] - list->radius;
        if (is_far || list->count == list->most)
        {
            return;
        }
    }
    memcpy(&list->boxes[6 * list->count], low, sizeof low);
    memcpy(&list->boxes[6 * list->count + 3], high, sizeof high);
    list->count++;
}

static void add_level(BoxList *list, uint32_t at, uint32_t level)
{
    const BvhNode *node = bvh_node(viewer.scene.mesh->nodes, at);
    for (int i = 0; i < BVH_WIDTH; i++)
    {
        if (isnan(node->min_x[i]))
        {
            continue;
        }
        if (level == 0)
        {
            add_box(list, node, i);
        }
        else if (!(node->child[i] & BVH_LEAF))
        {
            add_level(list, node->child[i], level - 1);
        }
    }
}

/* Boxes of one level of the level's tree around a place: six floats each. Returns their number. */
EXPORT uint32_t viewer_boxes(float *out, uint32_t most, uint32_t level, float x, float y, float z,
                             float radius)
{
    BoxList list = {.boxes = out, .most = most, .center = {x, y, z}, .radius = radius};
    if (viewer.state == VIEWER_READY && viewer.scene.mesh->node_count > 0)
    {
        add_level(&list, 0, level);
    }
    return list.count;
}

/* The packet of each triangle of the level, as a number. The caller calls free(). */
EXPORT uint32_t *viewer_packets(void)
{
    const sidle_mesh *mesh = viewer.scene.mesh;
    uint32_t *packets = calloc(mesh->triangle_count, sizeof *packets);
    for (uint32_t n = 0; packets && n < mesh->node_count; n++)
    {
        for (int i = 0; i < BVH_WIDTH; i++)
        {
            uint32_t child = mesh->nodes[n].child[i];
            if (isnan(mesh->nodes[n].min_x[i]) || !(child & BVH_LEAF))
            {
                continue;
            }
            const LeafPacket *packet = packet_at(mesh->packets, child & ~BVH_LEAF);
            PacketAxis axes[3];
            packet_axes(packet, axes);
            PacketOrigins origins = packet_origins(packet, axes);
            for (uint32_t k = 0; k < packet->triangle_count; k++)
            {
                packets[packet_source(&origins, k)] = child & ~BVH_LEAF;
            }
        }
    }
    return packets;
}
