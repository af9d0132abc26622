// model/reduced/growing_body.hpp — a reduced body whose basis gets local shapes, and loses them again.
//
// The original coordinates come first, then those of the insertions in their order. Everything that is kept
// follows from the original body and the list of insertions alone, not from how the list came about: a body
// that is restored from a checkpoint is the same bit by bit.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/model/reduced/grown_forces.hpp"
#include "pliant/subspace/local_shapes.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pliant {

class GrowingBody {
 public:
  /// `seeds`: vertices at which inserted domains are zero. `forces`: those of the original body.
  GrowingBody(std::shared_ptr<const ReducedBody> original, std::shared_ptr<const RestBody> rest,
              std::shared_ptr<const LocalElements> elements, std::vector<VertexId> seeds,
              GrownForces& forces);

  /// The body with everything inserted. Valid until the next change, also for those who keep the pointer.
  [[nodiscard]] const std::shared_ptr<const ReducedBody>& body() const { return body_; }
  [[nodiscard]] const std::vector<LocalShapes>& inserted() const { return inserted_; }
  /// The first coordinate of an insertion.
  [[nodiscard]] Index first_of(std::size_t i) const;
  /// The place of a name; none if nothing has it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  /// Makes the shapes and appends them. `displacement` as in LocalElements.
  [[nodiscard]] Status insert(const Insertion& insertion,
                              const std::function<Vector3(VertexId)>& displacement);
  /// Drops what is marked: one flag per insertion.
  void drop(const std::vector<char>& marked);
  /// Replaces the whole list.
  void assign(std::vector<LocalShapes> list);
  void set_materials(const std::vector<Material>& materials);

  /// field (3n) += what the local coordinates among all `q` add.
  void add_to(ConstVectorRef q, VectorRef field) const;
  /// As arrays whose names begin with "inserted ".
  void save(StateArrays& arrays) const;
  /// The list in such arrays; an error where they are broken.
  [[nodiscard]] Result<std::vector<LocalShapes>> saved(const StateArrays& arrays) const;

 private:
  void append(const LocalShapes& shapes);
  void remove_columns(Index first, Index count);
  [[nodiscard]] Status make_independent(LocalShapes& shapes) const;
  [[nodiscard]] MatrixX mass_with_all(const LocalShapes& shapes) const;
  void place_forces();

  std::shared_ptr<const ReducedBody> original_;
  std::shared_ptr<const RestBody> rest_;
  std::shared_ptr<const LocalElements> elements_;
  std::vector<VertexId> seeds_;
  GrownForces& forces_;
  std::vector<Material> materials_;
  std::shared_ptr<ReducedBody> grown_;  // null: nothing has ever been inserted
  std::shared_ptr<const ReducedBody> body_;
  std::vector<LocalShapes> inserted_;
  std::vector<std::vector<Index>> touched_;  // elements of each insertion
};

}  // namespace pliant
