// A small program on sidle.hpp: an agent walks on a floor, and every object is ended once.
#include <sidle/sidle.hpp>

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

static_assert(!std::is_copy_constructible_v<sidle::mesh> && !std::is_copy_assignable_v<sidle::mesh>);
static_assert(std::is_nothrow_move_constructible_v<sidle::crowd> &&
              std::is_nothrow_move_assignable_v<sidle::crowd>);
static_assert(sizeof(sidle::world) == sizeof(sidle_world *), "an owner is a pointer");
static_assert(sidle::make_desc<sidle_tick_desc>().size == sizeof(sidle_tick_desc));
static_assert(sidle::make_desc<sidle_tick_desc>().count == 0 && !sidle::make_desc<sidle_tick_desc>().moves);

namespace {

int failures = 0, blocks = 0;

void expect(bool claim, const char *text)
{
    if (!claim)
    {
        std::printf("FAILED: %s\n", text);
        ++failures;
    }
}

void *allocate(void *, size_t size, size_t alignment)
{
    ++blocks;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void deallocate(void *, void *memory, size_t)
{
    --blocks;
    std::free(memory);
}

const sidle_allocator counting = {allocate, deallocate, nullptr};

sidle::mesh make_floor()
{
    const float floor[] = {-90, 0, -90, 0, 0, 90, 90, 0, -90};
    auto desc = sidle::make_desc<sidle_mesh_desc>();
    desc.vertices_f = floor;
    desc.vertex_count = 3;
    desc.triangle_count = 1;
    sidle::mesh mesh;
    expect(sidle_mesh_create(&desc, nullptr, &counting, mesh.out()) == SIDLE_OK, "a mesh is baked");
    return mesh;
}

sidle::world make_world()
{
    sidle::mesh mesh = make_floor();
    sidle::world world;
    auto placed = sidle::make_desc<sidle_instance_desc>();
    placed.mesh = mesh.get();
    sidle_instance instance;
    bool is_good = sidle_world_create(nullptr, &counting, world.out()) == SIDLE_OK &&
                   sidle_world_add(world.get(), &placed, &instance) == SIDLE_OK &&
                   sidle_world_commit(world.get(), nullptr) == SIDLE_OK;
    expect(is_good, "a world holds the floor");
    return world;
}

sidle::crowd make_crowd()
{
    auto profile = sidle::make_desc<sidle_profile>();
    profile.shape.radii = {.4f, .9f, .4f};
    auto desc = sidle::make_desc<sidle_crowd_desc>();
    desc.profiles = &profile;
    desc.profile_count = 1;
    sidle::crowd crowd;
    expect(sidle_crowd_create(&desc, &counting, crowd.out()) == SIDLE_OK, "a crowd has a profile");
    return crowd;
}

void an_agent_stands_on_the_floor(const sidle_jobs *jobs)
{
    sidle::world world = make_world();
    sidle::crowd crowd = make_crowd();
    sidle::snapshot snapshot;
    expect(sidle_world_snapshot(world.get(), snapshot.out()) == SIDLE_OK, "there is a snapshot");
    sidle_move move{};
    sidle_result result{};
    move.body.center = {0, 2, 0};
    auto tick = sidle::make_desc<sidle_tick_desc>();
    tick.snapshot = snapshot.get();
    tick.jobs = jobs;
    tick.dt = .02f;
    tick.moves = &move;
    tick.results = &result;
    tick.count = 1;
    world.reset();
    for (int i = 0; i < 100 && sidle_crowd_tick(crowd.get(), &tick) == SIDLE_OK; ++i)
    {
        move.body = result.body;
    }
    expect(move.body.flags == SIDLE_BODY_GROUNDED, "the agent stands");
}

void an_owner_moves_and_lets_go()
{
    sidle::mesh a = make_floor(), b = std::move(a);
    sidle_mesh *object = b.get();
    expect(!a && b && object != nullptr, "a move empties the source");
    a = std::move(b);
    sidle::mesh &same = a;
    a = std::move(same);
    expect(a.get() == object && !b, "a move to itself keeps the object");
    sidle::mesh second = sidle::retain(a);
    int before = blocks;
    a.reset();
    expect(blocks == before && second.get() == object, "a second reference keeps the mesh");
    sidle::mesh owned(second.release());
    expect(!second && owned.get() == object, "an owner takes a raw pointer");
    expect(sidle_mesh_create(nullptr, nullptr, nullptr, owned.out()) != SIDLE_OK && !owned,
           "out() ends the old one");
    expect(!sidle::retain(owned) && !sidle::retain(sidle::snapshot()), "nothing is retained of nothing");
}

} // namespace

int main()
{
    sidle::pool pool;
    auto desc = sidle::make_desc<sidle_pool_desc>();
    desc.worker_count = 2;
    sidle_status status = sidle_pool_create(&desc, &counting, pool.out());
    expect(pool ? status == SIDLE_OK : status == SIDLE_ERROR_UNSUPPORTED, "a pool, if the build has one");
    an_agent_stands_on_the_floor(sidle_pool_jobs(pool.get()));
    an_owner_moves_and_lets_go();
    pool.reset();
    expect(blocks == 0, "all memory is freed");
    return failures;
}
