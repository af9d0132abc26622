#include "pliant/contact/penalty.hpp"

namespace pliant {
namespace {

/// Without friction every touching point slips.
ContactForce with_slip(ContactForce force, bool touching) {
  force.slips = touching;
  return force;
}

}  // namespace

ContactForce contact_force(const ContactSpring& spring, double gap, const Vector3& normal,
                           const Vector3& stretch) {
  ContactForce result;
  const double k = spring.stiffness;
  const Matrix3 along = normal * normal.transpose();
  if (gap < 0.0) {
    result.normal = -k * gap;
    result.force = result.normal * normal;
    result.stiffness = k * along;
  }
  if (!(spring.bound > 0.0)) return with_slip(result, gap < 0.0);
  const Matrix3 across = Matrix3::Identity() - along;
  const Vector3 trial = -k * (stretch - normal.dot(stretch) * normal);
  const double size = trial.norm();
  if (size <= spring.bound) {
    result.tangential = trial;
    result.stiffness += k * across;
  } else {  // Eq. K3: the Huber function is a cone here
    const Vector3 direction = trial / size;
    result.slips = true;
    result.tangential = spring.bound * direction;
    result.stiffness += k * spring.bound / size * (across - direction * direction.transpose());
  }
  result.force += result.tangential;
  return result;
}

double contact_energy(const ContactSpring& spring, double gap, const Vector3& normal,
                      const Vector3& stretch) {
  const double k = spring.stiffness;
  const double size = k * (stretch - normal.dot(stretch) * normal).norm();
  const double normal_part = gap < 0.0 ? 0.5 * k * gap * gap : 0.0;
  if (size <= spring.bound) return normal_part + 0.5 * size * size / k;
  return normal_part + spring.bound * (size - 0.5 * spring.bound) / k;
}

}  // namespace pliant
