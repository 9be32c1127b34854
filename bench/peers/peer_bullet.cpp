// Bullet's kinematic character controller: a capsule that sweeps up, across and down, and steps out of overlaps.
//
// The controller has no ellipsoid, so its capsule has the same radius and height. The world is never stepped as a
// whole: a tick is the controllers' own action and the broad phase's own update, which is the least that they need.
#include "peer.h"

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct Character
{
    Character(btConvexShape *shape, const btVector3 &start)
    {
        btTransform place;
        place.setIdentity();
        place.setOrigin(start);
        ghost.setWorldTransform(place);
        ghost.setCollisionShape(shape);
        ghost.setCollisionFlags(btCollisionObject::CF_CHARACTER_OBJECT);
        controller =
            std::make_unique<btKinematicCharacterController>(&ghost, shape, PEER_STEP, btVector3(0, 1, 0));
        controller->setGravity(btVector3(0, btScalar(-9.81), 0));
        controller->setMaxSlope(SIMD_PI / 4);
    }

    btPairCachingGhostObject ghost;
    std::unique_ptr<btKinematicCharacterController> controller;
};

// The members are destroyed from the last to the first, so the world goes before what it points at.
struct State
{
    State(const PeerScene &scene, bool sweeps_world);
    ~State();

    std::vector<float> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    btCollisionObject level;
    btCapsuleShape capsule{PEER_RADIUS, 2 * (PEER_HALF - PEER_RADIUS)};
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btGhostPairCallback pairs;
    std::vector<std::unique_ptr<Character>> characters;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
};

State::State(const PeerScene &scene, bool sweeps_world)
    : vertices(scene.vertices, scene.vertices + 3 * std::size_t(scene.vertex_count)),
      indices(scene.indices, scene.indices + 3 * std::size_t(scene.triangle_count)),
      triangles(int(scene.triangle_count), indices.data(), 3 * sizeof(int), int(scene.vertex_count),
                vertices.data(), 3 * sizeof(float))
{
    mesh = std::make_unique<btBvhTriangleMeshShape>(&triangles, true);
    level.setCollisionShape(mesh.get());
    broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(&pairs);
    world.addCollisionObject(&level, btBroadphaseProxy::StaticFilter, btBroadphaseProxy::CharacterFilter);
    int hits =
        btBroadphaseProxy::StaticFilter | (scene.agents_collide ? btBroadphaseProxy::CharacterFilter : 0);
    for (uint32_t i = 0; i < scene.count; ++i)
    {
        const double *start = scene.starts + 3 * std::size_t(i);
        btVector3 center{btScalar(start[0]), btScalar(start[1]), btScalar(start[2])};
        characters.push_back(std::make_unique<Character>(&capsule, center));
        characters.back()->controller->setUseGhostSweepTest(!sweeps_world);
        world.addCollisionObject(&characters.back()->ghost, btBroadphaseProxy::CharacterFilter, hits);
    }
}

State::~State()
{
    for (auto &character : characters)
    {
        world.removeCollisionObject(&character->ghost);
    }
    world.removeCollisionObject(&level);
}

void *open_ghost_sweep(const PeerScene *scene)
{
    return new State(*scene, false);
}

void *open_world_sweep(const PeerScene *scene)
{
    return new State(*scene, true);
}

void tick(void *memory, const float *displacements)
{
    State &state = *static_cast<State *>(memory);
    for (auto &character : state.characters)
    {
        character->controller->setWalkDirection(btVector3(displacements[0], 0, displacements[1]));
        character->controller->updateAction(&state.world, btScalar(1) / PEER_HZ);
        displacements += 2;
    }
    state.broadphase.calculateOverlappingPairs(&state.dispatcher);
}

void read(void *memory, double *centers)
{
    for (const auto &character : static_cast<State *>(memory)->characters)
    {
        const btVector3 &center = character->ghost.getWorldTransform().getOrigin();
        *centers++ = double(center.x());
        *centers++ = double(center.y());
        *centers++ = double(center.z());
    }
}

void close(void *memory)
{
    delete static_cast<State *>(memory);
}

} // namespace

// With ghost sweeps, the default, a sweep tests what the character's box overlaps at its start. With world sweeps it
// tests what the box of the whole path overlaps, which only makes a difference between characters.
const Peer peer_bullet = {"Bullet", "capsule", true, true, open_ghost_sweep, tick, read, close};
const Peer peer_bullet_world_sweep = {"Bullet, world sweeps", "capsule", false, true,
                                      open_world_sweep,       tick,      read,  close};
