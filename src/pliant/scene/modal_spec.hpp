// scene/modal_spec.hpp — the settings of a `modal` body, with its files read and its selections evaluated.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/scene/description.hpp"

namespace pliant {

Result<ModalSpec> modal_spec(const SceneDescription& scene, const BodyText& text, const VolumeMesh& mesh);

}  // namespace pliant
