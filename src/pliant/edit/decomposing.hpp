// edit/decomposing.hpp — a body that people cut into domains by painting its outer elements.
//
//     paint ──► outer elements ──► inner ones follow the nearest ──► strays join their neighbours ──► graph
//
// [BarbicZhao2011] §5. Domains keep their numbers while people paint, even empty ones; a map for the tree has
// only those with elements.
#pragma once

#include "pliant/draw/protocol.hpp"
#include "pliant/edit/sketching.hpp"
#include "pliant/scene/decompose.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant::view {

class CutDesk {
 public:
  /// Begins with the domains that the body has, else with one. Errors: it is made of placed parts.
  static Result<std::unique_ptr<CutDesk>> make(const BodyText& body, const WorkPiece& piece);

  /// The faces to paint on; `body` is left to the caller.
  [[nodiscard]] CutSurface surface() const;
  /// Outer elements become a domain's.
  [[nodiscard]] Status paint(std::uint32_t domain, const std::vector<std::uint32_t>& elements);
  /// Name and number of shapes of a domain.
  [[nodiscard]] Status name(const NameCut& wish);
  /// Domains found by the program instead.
  [[nodiscard]] Status split(std::uint32_t count);
  /// Parts of the first domain that are congruent to another one become domains like it; how many there are.
  [[nodiscard]] Result<Index> repeat(std::uint32_t domain);
  /// Of the outer elements' domains: whether the page and we see the same ones.
  [[nodiscard]] std::uint32_t checksum() const;

  /// What there is now. `merge`: rings become one.
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
  std::vector<Index> outer_number_;  // of each element; -1: inside
  std::vector<Index> of_element_;    // domain of each element
  std::vector<Wish> wishes_;         // per domain
  bool painted_ = false;             // since the inside was last filled
};

}  // namespace pliant::view
