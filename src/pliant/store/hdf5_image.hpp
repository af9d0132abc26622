// store/hdf5_image.hpp — named arrays of doubles as an HDF5 file in memory.
//
// HDF5 never accesses the disk here: what it writes is returned as bytes, and it only reads bytes that were
// checked before. Datasets are contiguous little-endian doubles without filters; a slash in a name creates a
// group. Equal arrays give equal bytes.
#pragma once

#include "pliant/base/index.hpp"
#include "pliant/base/result.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// An array to be written; its last index varies fastest.
struct Hdf5Array {
  std::string name;
  std::vector<Index> shape;
  const double* values = nullptr;
};

/// The bytes of an HDF5 file with these arrays; kUnwritable if HDF5 fails (clashing names, no memory).
Result<std::string> write_hdf5(std::span<const Hdf5Array> arrays);

/// A view of the bytes of an HDF5 file. Only one exists at a time in the whole process; a second one waits.
class Hdf5Image {
 public:
  /// Copies the bytes.
  explicit Hdf5Image(std::string_view bytes);
  ~Hdf5Image();
  Hdf5Image(const Hdf5Image&) = delete;
  Hdf5Image& operator=(const Hdf5Image&) = delete;

  /// Whether the bytes are an HDF5 file.
  [[nodiscard]] bool ok() const;
  /// The shape of the array of that name, if it exists, has the kind that we write, and fits into the file.
  [[nodiscard]] std::optional<std::vector<Index>> shape(const std::string& name) const;
  /// Reads all values of an array of exactly this shape; false if it has another one or cannot be read.
  [[nodiscard]] bool read(const std::string& name, std::span<const Index> shape, double* values) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace pliant
