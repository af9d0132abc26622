// edit/decomposing.hpp — cuts a body into domains that the user paints on its outer elements.
//
//     paint ──► outer elements ──► inner ones follow the nearest ──► strays join their neighbours ──► graph
//
// [BarbicZhao2011] §5. Domains keep their numbers while the user paints, even when they become empty. The map
// for the tree contains only domains with elements.
#pragma once

#include "pliant/draw/protocol.hpp"
#include "pliant/edit/sketching.hpp"
#include "pliant/scene/decompose.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant::view {

/// A cut in the making.
class CutDesk {
 public:
  /// Starts with the domains of the body, or with one. Fails for bodies of placed parts.
  static Result<std::unique_ptr<CutDesk>> make(const BodyText& body, const WorkPiece& piece);

  /// The faces to paint on; the caller fills in `body`.
  [[nodiscard]] CutSurface surface() const;
  /// Assigns outer elements to a domain.
  [[nodiscard]] Status paint(std::uint32_t domain, const std::vector<std::uint32_t>& elements);
  /// Sets name and number of shapes of a domain.
  [[nodiscard]] Status name(const NameCut& wish);
  /// Replaces the cut by an automatic one with so many domains.
  [[nodiscard]] Status split(std::uint32_t count);
  /// Makes domains of all parts of the first domain that are congruent to `domain`. Returns their number.
  [[nodiscard]] Result<Index> repeat(std::uint32_t domain);
  /// A checksum of the outer elements' domains, to detect that the page shows another cut.
  [[nodiscard]] std::uint32_t checksum() const;

  /// The present cut, for the page. `merge`: domains that form a ring become one.
  [[nodiscard]] Cut look(bool merge);
  /// The body as a tree of these domains.
  [[nodiscard]] Result<BodyText> apply(bool merge, std::uint32_t linear_modes);
  /// The mesh labelled by domain, 1, 2, … in the order of the tree.
  [[nodiscard]] Result<VolumeMesh> labelled(const BodyText& applied) const;

 private:
  CutDesk(const BodyText& body, const WorkPiece& piece);
  struct Wish {
    std::string name;
    std::uint32_t modes = 20;
  };
  struct Compact {
    DomainMap map;
    std::vector<std::uint32_t> numbers;  // of each domain of the map
  };
  [[nodiscard]] const VolumeMesh& mesh() const { return piece_->mesh(); }
  void use(const DomainMap& map);
  void want(std::size_t domains);
  void settle();
  void fill_inside();
  bool join_strays();
  void merge_rings();
  void split_rest();
  void describe_tree(const Compact& compact, Cut& cut) const;
  [[nodiscard]] Compact compact() const;

  BodyText text_;
  std::shared_ptr<const ElasticBody> piece_;
  std::vector<VertexId> held_;
  ElementGraph graph_;
  std::vector<Index> outer_;         // elements with a face outside, ascending
  std::vector<Index> outer_number_;  // of each element: index in outer_; -1: inside
  std::vector<Index> of_element_;    // domain of each element
  std::vector<Wish> wishes_;         // per domain
  bool painted_ = false;             // since the inside was last filled
};

}  // namespace pliant::view
