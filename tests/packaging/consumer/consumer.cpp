// The same from C++17: an agent stands on a floor.
#include <sidle/sidle.hpp>

#include <utility>

static sidle::world world_with_floor()
{
    const float floor[] = {-90, 0, -90, 0, 0, 90, 90, 0, -90};
    auto soup = sidle::make_desc<sidle_mesh_desc>();
    soup.vertices_f = floor;
    soup.vertex_count = 3;
    soup.triangle_count = 1;
    sidle::mesh mesh;
    sidle::world world;
    auto placed = sidle::make_desc<sidle_instance_desc>();
    sidle_instance instance{};
    bool good = sidle_mesh_create(&soup, nullptr, nullptr, mesh.out()) == SIDLE_OK &&
                sidle_world_create(nullptr, nullptr, world.out()) == SIDLE_OK;
    placed.mesh = mesh.get();
    good = good && sidle_world_add(world.get(), &placed, &instance) == SIDLE_OK &&
           sidle_world_commit(world.get(), nullptr) == SIDLE_OK;
    return good ? std::move(world) : sidle::world();
}

static sidle::crowd crowd_of_people()
{
    auto profile = sidle::make_desc<sidle_profile>();
    profile.shape.radii = {.4f, .9f, .4f};
    auto people = sidle::make_desc<sidle_crowd_desc>();
    people.profiles = &profile;
    people.profile_count = 1;
    sidle::crowd crowd;
    sidle_crowd_create(&people, nullptr, crowd.out()); // none if it fails
    return crowd;
}

int main()
{
    sidle::world world = world_with_floor();
    sidle::crowd crowd = crowd_of_people();
    sidle::snapshot snapshot;
    if (!world || !crowd || sidle_world_snapshot(world.get(), snapshot.out()) != SIDLE_OK)
        return 1;
    sidle_move move{};
    sidle_result result{};
    move.body.center = {0, 2, 0};
    auto tick = sidle::make_desc<sidle_tick_desc>();
    tick.snapshot = snapshot.get();
    tick.dt = .02f;
    tick.moves = &move;
    tick.results = &result;
    tick.count = 1;
    for (int i = 0; i < 100 && sidle_crowd_tick(crowd.get(), &tick) == SIDLE_OK; ++i)
        move.body = result.body;
    return move.body.flags != SIDLE_BODY_GROUNDED;
}
