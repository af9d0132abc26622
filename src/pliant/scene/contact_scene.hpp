// scene/contact_scene.hpp — obstacles and pairs of a scene, from their text.
#pragma once

#include "pliant/scene/description.hpp"
#include "pliant/sim/contacts.hpp"

namespace pliant {

/// `surfaces`: in which each body touches.
[[nodiscard]] Result<ContactScene> make_contact_scene(
    const SceneDescription& scene, std::vector<std::shared_ptr<const CarriedSurface>> surfaces);

/// The integrator of a model in a scene with contact that gives none.
[[nodiscard]] Integrator contact_integrator(const std::string& model_type);

}  // namespace pliant
