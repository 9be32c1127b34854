// Irrlicht's ellipsoid response over its octree of triangles. It has no steps, no slope limit and no characters.
#include "peer.h"

#include <irrlicht.h>
#include <memory>
#include <vector>

namespace {

using namespace irr;

// Frees by Irrlicht's own count of references.
struct Drop
{
    void operator()(const IReferenceCounted *object) const
    {
        object->drop();
    }
};

struct Character
{
    core::vector3df center;
    float fall = 0; // [m/s], downwards
};

// A buffer of vertices has 16-bit indices.
constexpr uint32_t most_triangles = 21845;

struct State
{
    explicit State(const PeerScene &scene);

    std::unique_ptr<IrrlichtDevice, Drop> device;
    std::unique_ptr<scene::ITriangleSelector, Drop> selector;
    scene::ISceneCollisionManager *collisions = nullptr;
    std::vector<Character> characters;
};

core::vector3df vector_at(const double *v)
{
    return {f32(v[0]), f32(v[1]), f32(v[2])};
}

void add_buffer(scene::SMesh &mesh, const PeerScene &scene, uint32_t first, uint32_t end)
{
    auto *buffer = new scene::SMeshBuffer;
    for (uint32_t corner = 3 * first; corner < 3 * end; ++corner)
    {
        const core::vector3df place = vector_at(scene.vertices + 3 * std::size_t(scene.indices[corner]));
        buffer->Vertices.push_back(video::S3DVertex(place, {}, video::SColor(0), {}));
        buffer->Indices.push_back(u16(corner - 3 * first));
    }
    buffer->recalculateBoundingBox();
    mesh.addMeshBuffer(buffer);
    buffer->drop();
}

State::State(const PeerScene &scene) : characters(scene.count)
{
    SIrrlichtCreationParameters parameters;
    parameters.DriverType = video::EDT_NULL;
    parameters.LoggingLevel = ELL_NONE;
    device.reset(createDeviceEx(parameters));
    if (!device)
    {
        return;
    }
    std::unique_ptr<scene::SMesh, Drop> mesh(new scene::SMesh);
    for (uint32_t first = 0; first < scene.triangle_count; first += most_triangles)
    {
        uint32_t end = first + most_triangles;
        add_buffer(*mesh, scene, first, end < scene.triangle_count ? end : scene.triangle_count);
    }
    mesh->recalculateBoundingBox();
    selector.reset(device->getSceneManager()->createOctreeTriangleSelector(mesh.get(), nullptr));
    collisions = device->getSceneManager()->getSceneCollisionManager();
    for (uint32_t i = 0; i < scene.count; ++i)
    {
        characters[i].center = vector_at(scene.starts + 3 * std::size_t(i));
    }
}

void *open(const PeerScene *scene)
{
    auto state = std::make_unique<State>(*scene);
    return state->selector && !scene->agents_collide ? state.release() : nullptr;
}

// The fall of one tick is the gravity of the call, and grows while the ellipsoid falls.
void tick(void *memory, const float *displacements)
{
    State &state = *static_cast<State *>(memory);
    constexpr float dt = 1.0f / PEER_HZ;
    const core::vector3df radii(PEER_RADIUS, PEER_HALF, PEER_RADIUS);
    core::triangle3df triangle;
    core::vector3df place;
    scene::ISceneNode *node = nullptr;
    for (Character &character : state.characters)
    {
        bool falls = false;
        float speed = character.fall + 9.81f * dt;
        character.center = state.collisions->getCollisionResultPosition(
            state.selector.get(), character.center, radii,
            core::vector3df(displacements[0], 0, displacements[1]), triangle, place, falls, node, 0.0005f,
            core::vector3df(0, -speed * dt, 0));
        character.fall = falls ? speed : 0;
        displacements += 2;
    }
}

void read(void *memory, double *centers)
{
    for (const Character &character : static_cast<State *>(memory)->characters)
    {
        *centers++ = double(character.center.X);
        *centers++ = double(character.center.Y);
        *centers++ = double(character.center.Z);
    }
}

void close(void *memory)
{
    delete static_cast<State *>(memory);
}

} // namespace

const Peer peer_irrlicht = {"Irrlicht", "ellipsoid", true, false, open, tick, read, close};
