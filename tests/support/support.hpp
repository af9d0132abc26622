// tests/support/support.hpp — what every test folder needs.
#pragma once

#include "pliant/base/rng.hpp"
#include "pliant/math/types.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace pliant::test {

/// A sanitizer slows everything several times over; long runs then go only as far as the memory and thread
/// errors that it looks for need.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Largest |a − b| over the largest |b|; the scale is b's.
[[nodiscard]] double relative_error(ConstMatrixRef a, ConstMatrixRef b);

[[nodiscard]] VectorX random_vector(Index size, Rng& rng);  // uniform in [-1, 1]
[[nodiscard]] Matrix3 random_matrix(Rng& rng);              // uniform in [-1, 1]
[[nodiscard]] Matrix3 random_rotation(Rng& rng);

/// Jacobian of f at x by central differences with one Richardson step (error O(step⁴)).
[[nodiscard]] MatrixX jacobian(const std::function<VectorX(const VectorX&)>& f, const VectorX& x,
                               double step);
/// Gradient of a scalar, likewise.
[[nodiscard]] VectorX gradient(const std::function<double(const VectorX&)>& f, const VectorX& x, double step);

/// ../shared beside the project, when it is there; otherwise says loudly that a part is skipped.
[[nodiscard]] std::optional<std::filesystem::path> shared_folder();
/// The project's root.
[[nodiscard]] std::filesystem::path source_folder();

/// A fresh folder, removed with its content when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pliant::test

/// Leaves the test, loudly, when ../shared is not there; otherwise defines `name` as its path.
#define PLIANT_SHARED_OR_SKIP(name)                                                         \
  const auto name##_found = pliant::test::shared_folder();                                  \
  if (!name##_found) GTEST_SKIP() << "../shared is not there: this comparison is NOT done"; \
  const std::filesystem::path name = *name##_found
