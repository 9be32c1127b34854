// Embree's single rays, in a scene with its robust traversal: the nearest hit, and whether there is one.
#include "casts.h"

#include <algorithm>
#include <embree3/rtcore.h>
#include <memory>

namespace {

struct State
{
    ~State()
    {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
};

void copy_triangles(const CastMesh &mesh, RTCGeometry geometry)
{
    void *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof(float), mesh.vertex_count);
    void *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(uint32_t), mesh.triangle_count);
    std::copy_n(mesh.vertices, 3 * std::size_t(mesh.vertex_count), static_cast<float *>(vertices));
    std::copy_n(mesh.indices, 3 * std::size_t(mesh.triangle_count), static_cast<uint32_t *>(indices));
    rtcCommitGeometry(geometry);
}

void *open(const CastMesh *mesh)
{
    auto state = std::make_unique<State>();
    state->device = rtcNewDevice(nullptr);
    state->scene = rtcNewScene(state->device);
    rtcSetSceneFlags(state->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(state->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    copy_triangles(*mesh, geometry);
    rtcAttachGeometry(state->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(state->scene);
    return rtcGetDeviceError(state->device) == RTC_ERROR_NONE ? state.release() : nullptr;
}

void close(void *memory)
{
    delete static_cast<State *>(memory);
}

RTCRay ray_of(const PeerCast &cast)
{
    RTCRay ray = {};
    ray.org_x = cast.origin[0];
    ray.org_y = cast.origin[1];
    ray.org_z = cast.origin[2];
    ray.dir_x = cast.displacement[0];
    ray.dir_y = cast.displacement[1];
    ray.dir_z = cast.displacement[2];
    ray.tfar = 1;
    ray.mask = ~0u;
    return ray;
}

void find_closest(void *memory, const CastSet *set, float *times)
{
    RTCScene scene = static_cast<State *>(memory)->scene;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (uint32_t i = 0; i < set->count; ++i)
    {
        RTCRayHit hit;
        hit.ray = ray_of(set->casts[i]);
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &hit);
        times[i] = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? CAST_MISSED : hit.ray.tfar;
    }
}

void find_any(void *memory, const CastSet *set, float *times)
{
    RTCScene scene = static_cast<State *>(memory)->scene;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (uint32_t i = 0; i < set->count; ++i)
    {
        RTCRay ray = ray_of(set->casts[i]);
        rtcOccluded1(scene, &context, &ray);
        times[i] = ray.tfar < 0 ? 0 : CAST_MISSED; // a hit makes it minus infinity
    }
}

} // namespace

const CastPeer casts_embree = {
    "Embree",
    false,
    true,
    0,
    open,
    close,
    {{"`rtcIntersect1`", find_closest, false, true}, {"`rtcOccluded1`", find_any, true, true}, {}}};
