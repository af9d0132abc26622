#include "pliant/mesh/core/orientation.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

// Half an ulp of 1, as in [Shewchuk1997].
constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2;

/// An exact sum of doubles that do not overlap, smallest first, without zeros ([Shewchuk1997] §2).
class Expansion {
 public:
  /// a − b exactly: the rounded difference and its rounding error (TWO-DIFF).
  static Expansion difference(double a, double b) {
    Expansion e;
    const double high = a - b;
    const double virtual_b = a - high;
    const double low = (a - (high + virtual_b)) + (virtual_b - b);
    e.push(low);
    e.push(high);
    return e;
  }

  friend Expansion operator+(Expansion a, const Expansion& b) {
    for (std::size_t i = 0; i < b.size_; ++i) a.grow(b.parts_[i]);
    return a;
  }
  friend Expansion operator-(Expansion a, const Expansion& b) {
    for (std::size_t i = 0; i < b.size_; ++i) a.grow(-b.parts_[i]);
    return a;
  }
  friend Expansion operator*(const Expansion& a, const Expansion& b) {
    Expansion product;
    for (std::size_t i = 0; i < a.size_; ++i)
      for (std::size_t j = 0; j < b.size_; ++j) {
        // TWO-PRODUCT: fma yields the rounding error of the rounded product.
        const double high = a.parts_[i] * b.parts_[j];
        product.grow(std::fma(a.parts_[i], b.parts_[j], -high));
        product.grow(high);
      }
    return product;
  }

  /// The sign of the largest part, which outweighs all others.
  [[nodiscard]] int sign() const {
    if (size_ == 0) return 0;
    return parts_[size_ - 1] > 0.0 ? 1 : -1;
  }

 private:
  void push(double part) {
    if (part != 0.0) parts_[size_++] = part;
  }

  /// Adds one double (GROW-EXPANSION with zero elimination).
  void grow(double b) {
    double q = b;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const double a = parts_[i];
      const double sum = q + a;
      const double virtual_a = sum - q;
      const double low = (q - (sum - virtual_a)) + (a - virtual_a);
      if (low != 0.0) parts_[kept++] = low;
      q = sum;
    }
    size_ = kept;
    push(q);
  }

  // The largest expansion, orient3d, has 6 products of three differences with two parts each, and every
  // product doubles the number of parts: at most 6 · 2 · (2 · 2 · 2) · 2 = 192.
  std::array<double, 200> parts_;
  std::size_t size_ = 0;
};

int exact2d(const Vector2& a, const Vector2& b, const Vector2& c) {
  const Expansion bx = Expansion::difference(b.x(), a.x());
  const Expansion by = Expansion::difference(b.y(), a.y());
  const Expansion cx = Expansion::difference(c.x(), a.x());
  const Expansion cy = Expansion::difference(c.y(), a.y());
  return (bx * cy - by * cx).sign();
}

int exact3d(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const auto minus_a = [&](const Vector3& v) {
    return std::array{Expansion::difference(v.x(), a.x()), Expansion::difference(v.y(), a.y()),
                      Expansion::difference(v.z(), a.z())};
  };
  const auto u = minus_a(b);
  const auto v = minus_a(c);
  const auto w = minus_a(d);
  return ((v[0] * w[1] - v[1] * w[0]) * u[2] + (w[0] * u[1] - w[1] * u[0]) * v[2] +
          (u[0] * v[1] - u[1] * v[0]) * w[2])
      .sign();
}

int sign_of(double value) { return (value > 0.0 ? 1 : 0) - (value < 0.0 ? 1 : 0); }

}  // namespace

int orient2d(const Vector2& a, const Vector2& b, const Vector2& c) {
  const double left = (b.x() - a.x()) * (c.y() - a.y());
  const double right = (b.y() - a.y()) * (c.x() - a.x());
  const double determinant = left - right;
  // Error bound of the rounded determinant ([Shewchuk1997]); the exact sum is only needed below it.
  const double bound = (3.0 + 16.0 * kEpsilon) * kEpsilon * (std::abs(left) + std::abs(right));
  if (std::abs(determinant) > bound || bound == 0.0) return sign_of(determinant);
  return exact2d(a, b, c);
}

int orient3d(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 u = b - a;
  const Vector3 v = c - a;
  const Vector3 w = d - a;
  const double vw = v.x() * w.y();
  const double wv = v.y() * w.x();
  const double wu = w.x() * u.y();
  const double uw = w.y() * u.x();
  const double uv = u.x() * v.y();
  const double vu = u.y() * v.x();
  const double determinant = u.z() * (vw - wv) + v.z() * (wu - uw) + w.z() * (uv - vu);
  const double permanent = std::abs(u.z()) * (std::abs(vw) + std::abs(wv)) +
                           std::abs(v.z()) * (std::abs(wu) + std::abs(uw)) +
                           std::abs(w.z()) * (std::abs(uv) + std::abs(vu));
  // As above, with the permanent in place of the determinant's terms.
  const double bound = (7.0 + 56.0 * kEpsilon) * kEpsilon * permanent;
  if (std::abs(determinant) > bound || permanent == 0.0) return sign_of(determinant);
  return exact3d(a, b, c, d);
}

}  // namespace pliant
