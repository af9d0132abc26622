// fem/mechanics.hpp — the loops over the elements of an ElasticBody, for the sources of that class alone.
#pragma once

#include "pliant/base/lazy.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/fem/element.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace pliant {

inline constexpr Index kBatchesPerBlock = 64;  // batches per task and per partial sum of an energy
inline constexpr Index kFewBlocks = 64;        // for so many the sums need no heap

/// The vertices that one thread adds to, and the elements that touch them.
struct AssemblyPart {
  std::vector<VertexId> vertices;
  LawGroups groups;
};

/// What forces and stiffness are computed from.
struct Mechanics {
  BlockPattern pattern;
  std::vector<AssemblyPart> parts;
  LawGroups whole;  // empty when there is one part: it is parts[0].groups then

  Mechanics(const VolumeMesh& mesh, const MaterialMap& materials);

  [[nodiscard]] const LawGroups& all() const { return parts.size() == 1 ? parts[0].groups : whole; }

  /// body(part): each part once, concurrently.
  template <class Body>
  void for_each_part(Body&& body) const {
    parallel_tasks(std::ssize(parts), [&](Index p) { body(parts[to_size(p)]); });
  }

  /// Sets the part's own entries of f to zero, then adds what element_force(batch, group, forces) computes.
  template <class ElementForce>
  void assemble_vector(VectorRef f, const ElementForce& element_force) const {
    for_each_part([&](const AssemblyPart& part) {
      for (const VertexId v : part.vertices) f.segment<3>(3 * static_cast<Index>(v)).setZero();
      for (const LawGroup& group : part.groups) {
        const auto run = [&](const auto& batches) {
          for (const auto& batch : batches) {
            constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
            Pack4 forces[kN][3] = {};
            element_force(batch, group, forces);
            close_force<kN>(forces);
            scatter_force<kN>(batch, forces, f.data());
          }
        };
        run(group.tets);
        run(group.hexes);
        run(group.tet10s);
      }
    });
  }

  /// The same with a matrix, and with f only where it is not null: element(batch, group, forces, blocks).
  /// Each part writes only to the columns of its own vertices, so threads share the arrays without locks.
  template <class Element>
  void assemble_matrix(double* f, SparseMatrix& K, const Element& element) const {
    const int* outer = K.outerIndexPtr();
    double* values = K.valuePtr();
    for_each_part([&](const AssemblyPart& part) {
      for (const VertexId v : part.vertices) {
        if (f != nullptr) std::fill_n(f + 3 * static_cast<Index>(v), 3, 0.0);
        std::fill(values + outer[3 * v], values + outer[3 * v + 3], 0.0);
      }
      for (const LawGroup& group : part.groups) {
        const auto run = [&](const auto& batches) {
          for (const auto& batch : batches) {
            constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
            Pack4 forces[kN][3] = {};
            Pack4 blocks[kN * (kN + 1) / 2][9] = {};
            element(batch, group, forces, blocks);
            close_force<kN>(forces);
            close_tangent<kN>(blocks);
            if (f != nullptr) scatter_force<kN>(batch, forces, f);
            scatter_tangent<kN>(batch, blocks, outer, values);
          }
        };
        run(group.tets);
        run(group.hexes);
        run(group.tet10s);
      }
    });
  }

  /// Sum over all elements of value(batch, group, lanes), in an order that depends on the mesh alone.
  template <class Value>
  double sum_over_elements(const Value& value) const {
    double total = 0.0;
    for (const LawGroup& group : all()) {
      const auto run = [&](const auto& batches) {
        const auto count = std::ssize(batches);
        const Index blocks = block_count(count, kBatchesPerBlock);
        std::array<double, kFewBlocks> few{};  // steps of small bodies allocate nothing
        std::vector<double> many(blocks > kFewBlocks ? to_size(blocks) : 0, 0.0);
        const std::span<double> partial(many.empty() ? few.data() : many.data(), to_size(blocks));
        const auto add = [&](Index block, Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            const auto& batch = batches[to_size(i)];
            Pack4 lanes = {};
            value(batch, group, lanes);
            // Within a block in order, then block by block: the same sum for any number of threads.
            for (int lane = 0; lane < batch.count; ++lane) partial[to_size(block)] += lanes[lane];
          }
        };
        parallel_blocks(count, kBatchesPerBlock, std::ref(add));
        total = std::accumulate(partial.begin(), partial.end(), total);
      };
      run(group.tets);
      run(group.hexes);
      run(group.tet10s);
    }
    return total;
  }
};

/// A body assembled of many copies of a class is never computed as a whole, so what only the whole body needs
/// is created on first use.
struct ElasticBody::Parts {
  const VolumeMesh& mesh;  // of the body that this is a part of
  const MaterialMap& materials;
  Lazy<Mechanics> lazy_mechanics;

  Parts(const VolumeMesh& m, const MaterialMap& map) : mesh(m), materials(map) {}

  [[nodiscard]] const Mechanics& mechanics() const {
    return lazy_mechanics.get([&] { return Mechanics(mesh, materials); });
  }
};

}  // namespace pliant
