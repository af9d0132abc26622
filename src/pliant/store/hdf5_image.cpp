#include "pliant/store/hdf5_image.hpp"

#include <algorithm>
#include <hdf5.h>
#include <mutex>
#include <numeric>

namespace pliant {
namespace {

constexpr std::size_t kIncrement = std::size_t{1} << 20;  // step by which the file in memory grows
constexpr int kLargestRank = 4;

/// HDF5 may be built without protection against concurrent calls.
std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// A handle of HDF5 with the function that closes it; negative if the call that created it failed.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] bool ok() const { return id_ >= 0; }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Suppresses HDF5's own error messages while it lives.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

bool write_array(hid_t file, hid_t link, hid_t creation, const Hdf5Array& array) {
  const std::vector<hsize_t> sizes(array.shape.begin(), array.shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  if (!space.ok()) return false;
  const Handle set(H5Dcreate2(file, array.name.c_str(), H5T_IEEE_F64LE, space, link, creation, H5P_DEFAULT),
                   H5Dclose);
  if (!set.ok()) return false;
  const bool empty = std::find(sizes.begin(), sizes.end(), hsize_t{0}) != sizes.end();
  return empty || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values) >= 0;
}

/// The whole file, or an empty string.
std::string write_image(std::span<const Hdf5Array> arrays) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, kIncrement, 0);
  const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link, 1);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);  // no timestamps: equal arrays give equal bytes
  const Handle file(H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  if (!file.ok()) return {};
  for (const Hdf5Array& array : arrays)
    if (!write_array(file, link, creation, array)) return {};
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return {};
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) return {};
  std::string bytes(to_size(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) return {};
  return bytes;
}

hid_t open_image(std::string_view bytes) {
  if (bytes.empty()) return -1;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, kIncrement, 0);
  // HDF5 takes a copy, so the bytes are not written to.
  if (H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()) < 0) return -1;
  return H5Fopen("memory", H5F_ACC_RDONLY, access);
}

}  // namespace

Result<std::string> write_hdf5(std::span<const Hdf5Array> arrays) {
  const std::lock_guard lock(hdf5_mutex());
  const Silence silence;
  std::string bytes = write_image(arrays);
  if (bytes.empty())
    return Diagnostic{ErrorCode::kUnwritable, {}, "HDF5 could not write the arrays", "is there memory left?"};
  return bytes;
}

/// The lock is the first member: it is released last, after HDF5 has closed the file.
struct Hdf5Image::File {
  explicit File(std::string_view bytes)
      : lock(hdf5_mutex()), size(bytes.size()), id(open_image(bytes), H5Fclose) {}
  std::lock_guard<std::mutex> lock;
  Silence silence;
  std::size_t size;
  Handle id;
};

Hdf5Image::Hdf5Image(std::string_view bytes) : file_(std::make_unique<File>(bytes)) {}
Hdf5Image::~Hdf5Image() = default;

bool Hdf5Image::ok() const { return file_->id.ok(); }

std::optional<std::vector<Index>> Hdf5Image::shape(const std::string& name) const {
  if (!ok()) return std::nullopt;
  const Handle set(H5Dopen2(file_->id, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.ok()) return std::nullopt;
  const Handle type(H5Dget_type(set), H5Tclose);
  const Handle creation(H5Dget_create_plist(set), H5Pclose);
  const Handle space(H5Dget_space(set), H5Sclose);
  // Other types and layouts (external files, filters, chunks) are not ours, and reading them would run more
  // of HDF5.
  if (H5Tequal(type, H5T_IEEE_F64LE) <= 0 || H5Pget_layout(creation) != H5D_CONTIGUOUS ||
      H5Pget_external_count(creation) != 0)
    return std::nullopt;
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > kLargestRank) return std::nullopt;
  std::vector<hsize_t> sizes(to_size(rank));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  if (std::find(sizes.begin(), sizes.end(), hsize_t{0}) == sizes.end()) {
    // Division, since the product of claimed sizes could overflow.
    hsize_t left = file_->size / sizeof(double);
    for (const hsize_t size : sizes) {
      if (size > left) return std::nullopt;
      left /= size;
    }
  }
  return std::vector<Index>(sizes.begin(), sizes.end());
}

bool Hdf5Image::read(const std::string& name, std::span<const Index> shape, double* values) const {
  const std::optional<std::vector<Index>> found = this->shape(name);
  if (!found || !std::equal(found->begin(), found->end(), shape.begin(), shape.end())) return false;
  const Index count = std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
  if (count == 0) return true;
  const Handle set(H5Dopen2(file_->id, name.c_str(), H5P_DEFAULT), H5Dclose);
  return set.ok() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

}  // namespace pliant
