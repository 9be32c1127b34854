// The same from C++17: an agent stands on a floor.
#include <sidle/sidle.h>

#include <memory>

template <auto end> struct End
{
    template <class T> void operator()(T *object) const
    {
        end(object);
    }
};
using Mesh = std::unique_ptr<sidle_mesh, End<sidle_mesh_release>>;
using World = std::unique_ptr<sidle_world, End<sidle_world_destroy>>;
using Snapshot = std::unique_ptr<sidle_snapshot, End<sidle_snapshot_release>>;
using Crowd = std::unique_ptr<sidle_crowd, End<sidle_crowd_destroy>>;

// What a `create` writes through its last argument, as an owner.
template <class Owner, class Create> Owner made(Create create)
{
    typename Owner::pointer out = nullptr;
    return create(&out) == SIDLE_OK ? Owner(out) : Owner();
}

static World world_with_floor()
{
    const float floor[] = {-90, 0, -90, 0, 0, 90, 90, 0, -90};
    sidle_mesh_desc soup{};
    soup.size = sizeof soup;
    soup.vertices_f = floor;
    soup.vertex_count = 3;
    soup.triangle_count = 1;
    Mesh mesh = made<Mesh>([&](auto out) { return sidle_mesh_create(&soup, nullptr, nullptr, out); });
    World world = made<World>([](auto out) { return sidle_world_create(nullptr, nullptr, out); });
    sidle_instance_desc placed{};
    placed.size = sizeof placed;
    placed.mesh = mesh.get();
    sidle_instance instance{};
    bool good = mesh && world && sidle_world_add(world.get(), &placed, &instance) == SIDLE_OK &&
                sidle_world_commit(world.get(), nullptr) == SIDLE_OK;
    return good ? std::move(world) : World();
}

static Crowd crowd_of_people()
{
    sidle_profile profile{};
    profile.size = sizeof profile;
    profile.shape.radii = {.4f, .9f, .4f};
    sidle_crowd_desc people{};
    people.size = sizeof people;
    people.profiles = &profile;
    people.profile_count = 1;
    return made<Crowd>([&](auto out) { return sidle_crowd_create(&people, nullptr, out); });
}

int main()
{
    World world = world_with_floor();
    Crowd crowd = crowd_of_people();
    if (!world || !crowd)
        return 1;
    Snapshot snapshot = made<Snapshot>([&](auto out) { return sidle_world_snapshot(world.get(), out); });
    sidle_move move{};
    sidle_result result{};
    move.body.center = {0, 2, 0};
    sidle_tick_desc tick{};
    tick.size = sizeof tick;
    tick.snapshot = snapshot.get();
    tick.dt = .02f;
    tick.moves = &move;
    tick.results = &result;
    tick.count = 1;
    for (int i = 0; i < 100 && sidle_crowd_tick(crowd.get(), &tick) == SIDLE_OK; ++i)
        move.body = result.body;
    return move.body.flags != SIDLE_BODY_GROUNDED;
}
