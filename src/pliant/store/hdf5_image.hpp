// store/hdf5_image.hpp — named arrays of doubles as an HDF5 file that lives in memory.
//
// HDF5 never touches the disk here: what it writes is handed out as bytes, and what it reads are bytes that
// somebody has checked before. Datasets are little-endian doubles, contiguous, without filters; a slash in a
// name makes a group. Equal arrays give equal bytes.
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

/// An array to be written: the last index varies fastest.
struct Hdf5Array {
  std::string name;
  std::vector<Index> shape;
  const double* values = nullptr;
};

/// The bytes of an HDF5 file with these arrays; kUnwritable when HDF5 fails (names that clash, no memory).
Result<std::string> write_hdf5(std::span<const Hdf5Array> arrays);

/// A view into the bytes of an HDF5 file. One at a time in the whole process: a second waits.
class Hdf5Image {
 public:
  /// Copies the bytes.
  explicit Hdf5Image(std::string_view bytes);
  ~Hdf5Image();
  Hdf5Image(const Hdf5Image&) = delete;
  Hdf5Image& operator=(const Hdf5Image&) = delete;

  /// Whether it is an HDF5 file at all.
  [[nodiscard]] bool ok() const;
  /// The shape of an array, if there is one of that name, of the kind that we write, inside of the file.
  [[nodiscard]] std::optional<std::vector<Index>> shape(const std::string& name) const;
  /// All values of an array of exactly this shape; false when it is another, or cannot be read.
  [[nodiscard]] bool read(const std::string& name, std::span<const Index> shape, double* values) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace pliant
