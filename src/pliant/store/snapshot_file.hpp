// store/snapshot_file.hpp — the state of a run as a checkpoint file, from which the run can continue.
//
// The file contains a hash of the scene and its meshes. Another scene cannot continue from it.
#pragma once

#include "pliant/sim/world.hpp"
#include "pliant/store/checkpoint.hpp"

#include <filesystem>

namespace pliant {

/// The snapshot, with the hash of the inputs to which it belongs.
[[nodiscard]] Checkpoint to_checkpoint(const Snapshot& snapshot, const std::string& input_hash);

/// The reverse; kInconsistent if it belongs to other inputs, or if its rows do not fit together.
Result<Snapshot> from_checkpoint(const Checkpoint& checkpoint, const std::string& input_hash,
                                 const std::string& file);

/// At its end, a run writes a last row for every probe, whatever its `every`. If the run is continued beyond
/// that end, this drops the extra row, so that the rows are those of an uninterrupted run.
void drop_final_rows(const World& world, Snapshot& snapshot);

/// Writes a checkpoint from which only a scene with this input hash can continue.
Status write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot,
                      const std::string& input_hash);
/// Reads it back. A damaged file, or one of another scene, is an error.
Result<Snapshot> read_snapshot(const std::filesystem::path& file, const std::string& input_hash);

}  // namespace pliant
