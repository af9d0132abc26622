// scene/modal_spec.hpp — what a scene says of `modal`, its files read and its selections evaluated.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/scene/description.hpp"

namespace pliant {

Result<ModalSpec> modal_spec(const SceneDescription& scene, const BodyText& text, const VolumeMesh& mesh);

}  // namespace pliant
