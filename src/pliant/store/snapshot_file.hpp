// store/snapshot_file.hpp — a run that can be continued: a snapshot as a checkpoint file.
//
// The file holds a hash of the scene and its meshes. Another scene cannot go on from it.
#pragma once

#include "pliant/sim/world.hpp"
#include "pliant/store/checkpoint.hpp"

#include <filesystem>

namespace pliant {

/// The snapshot with the hash of what it belongs to.
[[nodiscard]] Checkpoint to_checkpoint(const Snapshot& snapshot, const std::string& input_hash);

/// Back again; kInconsistent when it belongs to other inputs, or when its rows do not fit together.
Result<Snapshot> from_checkpoint(const Checkpoint& checkpoint, const std::string& input_hash,
                                 const std::string& file);

/// A run that was over wrote a last row for every probe, whatever its `every`; one that goes on beyond drops
/// it, so that its rows are those of an uninterrupted run.
void drop_final_rows(const World& world, Snapshot& snapshot);

/// Writes a checkpoint that only a scene with this input hash may go on from.
Status write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot,
                      const std::string& input_hash);
/// Reads it back; a damaged file or one of another scene is an error.
Result<Snapshot> read_snapshot(const std::filesystem::path& file, const std::string& input_hash);

}  // namespace pliant
