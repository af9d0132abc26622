// model/coupled/full_domains.hpp — full domains in the equations of coupled ones: the inertia, the elements
// and the weight of vertices that move on their own (docs/theory/coupled.md, "Full domains").
//
// Everything is in world axes: the momentum of a vertex is Σ M_ab v_b with the consistent mass, and elements
// give forces and stiffness as they are. Only the held vertices appear with wrenches, about the frame of
// their cell (full_cells.hpp).
#pragma once

#include "pliant/model/coupled/coupled_trial.hpp"
#include "pliant/model/coupled/site_rows.hpp"
#include "pliant/model/model.hpp"

#include <memory>
#include <span>
#include <vector>

namespace pliant {

class FullDomains {
 public:
  FullDomains(const CoupledBody& body, const CoupledLayout& layout);

  [[nodiscard]] bool empty() const { return vertices_.empty(); }
  /// Vertices that are not held: three unknowns each, the last of all.
  [[nodiscard]] Index free_count() const { return free_; }
  /// The same elements with other constants; densities of the material groups of the body.
  void set_elements(std::shared_ptr<const ElementForces> elements);
  void set_densities(const std::vector<Material>& materials);

  // Shapes. Coordinates are displacements times the roots of masses.
  void set_displacements(ConstVectorRef whole, CoupledShape& shape) const;
  void set_velocities(ConstVectorRef whole, CoupledShape& shape) const;

  // Forces
  void begin(const CoupledShape& before);
  [[nodiscard]] bool add_elastic(const CoupledTrial& trial, SiteForces& sum);
  [[nodiscard]] bool add_mean_elastic(const CoupledTrial& trial, SiteForces& sum);
  /// S += factors (per part) times the stiffness of the elements.
  [[nodiscard]] bool add_stiffness(const CoupledShape& shape, bool projected, std::span<const double> factors,
                                   BlockCholesky& S);
  void add_weight(const CoupledShape& shape, const Vector3& gravity, SiteForces& sum);
  [[nodiscard]] double elastic_energy(const CoupledShape& shape);
  [[nodiscard]] VectorX von_mises(const CoupledShape& shape);

  // Inertia
  /// sum += factors (per part; the mean of two) times the momenta, those of held cells about their frames.
  void add_momenta(const CoupledShape& shape, std::span<const double> factors, SiteForces& sum);
  /// The left side of Eq. C10: the change of the momenta.
  void add_momentum_change(const CoupledShape& before, const CoupledShape& after, SiteForces& sum);
  /// S += factors (likewise) times the mass.
  void add_mass(std::span<const double> factors, BlockCholesky& S) const;
  /// momentum += that of the held cells per second, where `force` acts on all coordinates.
  [[nodiscard]] bool add_momentum_rate(const CoupledShape& shape, ConstVectorRef force, BlockCholesky& system,
                                       SiteForces& momentum);
  /// y += M x, of all unknowns.
  void multiply_mass(ConstVectorRef x, VectorRef y) const;

  // Sums over vertices
  struct Sums {
    double mass = 0.0, kinetic = 0.0;
    Vector3 first = Vector3::Zero();    // Σ m x
    Vector3 linear = Vector3::Zero();   // momentum
    Vector3 angular = Vector3::Zero();  // about the origin of the world
  };
  [[nodiscard]] Sums sums(const CoupledShape& shape);
  /// Σ m (x − X).
  [[nodiscard]] Vector3 moved(const CoupledShape& shape);
  /// Angular momentum about `center` of turning about it, by axes.
  [[nodiscard]] Matrix3 spin_inertia(const CoupledShape& shape, const Vector3& center);
  void add_spin(const Vector3& spin, const Vector3& center, CoupledShape& shape);
  /// Σ (x₁ − x₀) × f over the free vertices, f by coordinates.
  [[nodiscard]] Vector3 moment_of_ways(const CoupledShape& from, const CoupledShape& to,
                                       ConstVectorRef f) const;

  /// Of a force on coordinates, in the metric of the lumped mass.
  [[nodiscard]] double squared_norm(const SiteForces& forces) const {
    return forces.q.segment(first_coordinate_, 3 * free_).squaredNorm();
  }
  /// The least mass of a free vertex, kg.
  [[nodiscard]] double lightest() const;
  /// Roots of sums over vertices of (|K_aa| |u| / √m)² and (√m (|v| + factor |u|))²: what rounds.
  [[nodiscard]] double force_rounding(const CoupledShape& shape);
  [[nodiscard]] double inertia_rounding(const CoupledShape& shape, double velocity_factor);

 private:
  /// A block of 3 × 3 between two free vertices, with its place in a block of the system.
  struct StiffnessEntry {
    Index at[3];  // places of its columns in the values of K
    Index row, column;
    double scale;
    bool flipped, diagonal;
  };
  struct MassEntry {
    Index row, column;
    double value;
  };
  struct Target {
    Index first, second;  // parts, first ≥ second
    std::vector<StiffnessEntry> stiffness;
    std::vector<MassEntry> mass;
  };
  void number_vertices();
  void find_stiffness_places();
  void find_mass_places();
  [[nodiscard]] Target& target_of(Index first, Index second);
  void displace(const CoupledShape& shape, VectorRef u) const;
  void move(const CoupledShape& shape, VectorRef v) const;
  void weigh(ConstVectorRef v, VectorRef p) const;
  void gather(ConstVectorRef x, ConstVectorRef f, SiteForces& sum) const;
  void center(const CoupledShape& from, const CoupledShape& to);
  void to_elements(const CoupledShape& shape, VectorRef e);
  void from_elements(SiteForces& sum);

  const CoupledBody* body_;
  const CoupledLayout* layout_;
  std::vector<VertexId> vertices_;       // free ones, in the order of their coordinates, then held ones
  Index free_ = 0;                       // so many are free
  std::vector<Index> parts_, rows_;      // of each vertex: its cell, and its place there
  std::vector<Index> element_vertices_;  // place in vertices_ of each vertex of the elements
  Index first_coordinate_ = 0;           // of the cells
  VectorX scale_;                        // of free vertices: 1 / √m
  VectorX rest_;                         // 3 per vertex
  SparseMatrix mass_;                    // of vertices_, full storage
  VectorX row_sums_;
  std::shared_ptr<const ElementForces> elements_;
  SparseMatrix K_;
  std::vector<Target> targets_;
  std::vector<std::vector<std::size_t>> targets_of_;  // by their second part
  bool mean_ = false;

  // Scratch, 3 per vertex of vertices_; with an e, of elements
  VectorX x_, u_, v_, p_, f_, e_before_, e_end_, ef_;
  std::vector<Vector3> centers_;  // per part
};

}  // namespace pliant
