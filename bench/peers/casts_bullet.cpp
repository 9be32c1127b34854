// Bullet's sweep of a sphere against its tree of triangles.
//
// btCollisionWorld::objectQuerySingle is what convexSweepTest calls for each object that its broad phase finds. The level
// is the only object, so the broad phase is skipped.
#include "casts.h"

#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct State
{
    explicit State(const CastMesh &mesh);

    std::vector<float> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    btBvhTriangleMeshShape shape;
    btCollisionObject level;
};

State::State(const CastMesh &mesh)
    : vertices(mesh.vertices, mesh.vertices + 3 * std::size_t(mesh.vertex_count)),
      indices(mesh.indices, mesh.indices + 3 * std::size_t(mesh.triangle_count)),
      triangles(int(mesh.triangle_count), indices.data(), 3 * sizeof(int), int(mesh.vertex_count),
                vertices.data(), 3 * sizeof(float)),
      shape(&triangles, true)
{
    shape.setMargin(0);
    level.setCollisionShape(&shape);
}

void *open(const CastMesh *mesh)
{
    return new State(*mesh);
}

void close(void *memory)
{
    delete static_cast<State *>(memory);
}

float sweep(State &state, const PeerCast &cast)
{
    constexpr btScalar allowed_penetration = 0;
    btSphereShape ball(cast.radius); // its margin is its radius
    btTransform from = btTransform::getIdentity(), to = from;
    btVector3 origin(cast.origin[0], cast.origin[1], cast.origin[2]);
    from.setOrigin(origin);
    to.setOrigin(origin + btVector3(cast.displacement[0], cast.displacement[1], cast.displacement[2]));
    btCollisionWorld::ClosestConvexResultCallback closest(from.getOrigin(), to.getOrigin());
    btCollisionWorld::objectQuerySingle(&ball, from, to, &state.level, &state.shape,
                                        state.level.getWorldTransform(), closest, allowed_penetration);
    return closest.hasHit() ? float(closest.m_closestHitFraction) : CAST_MISSED;
}

void cast_all(void *memory, const CastSet *set, float *times)
{
    State &state = *static_cast<State *>(memory);
    for (uint32_t i = 0; i < set->count; ++i)
    {
        times[i] = sweep(state, set->casts[i]);
    }
}

} // namespace

// Its tree numbers triangles by 21 bits.
const CastPeer casts_bullet = {
    "Bullet", true, false, 1u << 21, open, close, {{"Bullet", cast_all, false, false}, {}, {}}};
