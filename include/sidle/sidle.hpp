// Optional owners for C++17, beside the C interface.
//
//     auto desc = sidle::make_desc<sidle_mesh_desc>();   // zeroed, with its size
//     ...
//     sidle::mesh mesh;
//     if (sidle_mesh_create(&desc, nullptr, nullptr, mesh.out()) != SIDLE_OK) ...
//     placed.mesh = mesh.get();
//
#ifndef SIDLE_SIDLE_HPP
#define SIDLE_SIDLE_HPP

#include "sidle/sidle.h"

namespace sidle {

// Zeros, and the size.
template <class Desc> constexpr Desc make_desc() noexcept
{
    Desc desc{};
    desc.size = sizeof desc;
    return desc;
}

// Owns one object, or none: calls its _release or _destroy once.
template <class Object, void (*End)(Object *)> class owner {
  public:
    owner() noexcept = default;

    explicit owner(Object *object) noexcept : object_(object)
    {
    }

    owner(owner &&other) noexcept : object_(other.release())
    {
    }

    owner &operator=(owner &&other) noexcept
    {
        reset(other.release());
        return *this;
    }

    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    ~owner()
    {
        reset();
    }

    Object *get() const noexcept
    {
        return object_;
    }

    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

    // Gives the object up without ending it.
    Object *release() noexcept
    {
        Object *object = object_;
        object_ = nullptr;
        return object;
    }

    // Ends the object and owns another.
    void reset(Object *object = nullptr) noexcept
    {
        Object *old = object_;
        object_ = object;
        if (old != nullptr)
        {
            End(old);
        }
    }

    // For the last argument of a call that creates an object. Ends the old one.
    Object **out() noexcept
    {
        reset();
        return &object_;
    }

  private:
    Object *object_ = nullptr;
};

using mesh = owner<sidle_mesh, sidle_mesh_release>;
using world = owner<sidle_world, sidle_world_destroy>;
using snapshot = owner<sidle_snapshot, sidle_snapshot_release>;
using crowd = owner<sidle_crowd, sidle_crowd_destroy>;
using pool = owner<sidle_pool, sidle_pool_destroy>;
using agents = owner<sidle_agents, sidle_agents_destroy>;

// Another reference to the same object.
inline mesh retain(const mesh &from) noexcept
{
    if (from)
    {
        sidle_mesh_retain(from.get());
    }
    return mesh(from.get());
}

inline snapshot retain(const snapshot &from) noexcept
{
    if (from)
    {
        sidle_snapshot_retain(from.get());
    }
    return snapshot(from.get());
}

} // namespace sidle

#endif
