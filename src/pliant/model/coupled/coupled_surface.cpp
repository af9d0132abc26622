#include "pliant/model/coupled/coupled_surface.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace pliant {
namespace {

struct Carrier {
  VertexId vertex;
  double weight;
};

class SurfaceMaker {
 public:
  SurfaceMaker(const CoupledBody& body, const CarriedSurface& surface) : body_(body), surface_(surface) {}

  PartTables make() {
    sort_points();
    for (std::size_t d = 0; d < body_.domains.size(); ++d) add_part(static_cast<Index>(d));
    for (std::size_t d = 0; d < body_.domains.size(); ++d) add_samples(static_cast<Index>(d));
    add_rows();
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::vector<Carrier> carriers(Index point) const {
    const WeightRows& rows = surface_.embedding.points;
    std::vector<Carrier> result;
    for (Index e = rows.starts[to_size(point)]; e < rows.starts[to_size(point) + 1]; ++e)
      result.push_back({rows.columns[to_size(e)], rows.weights[to_size(e)]});
    return result;
  }
  [[nodiscard]] Index domain_of(VertexId vertex) const { return body_.domain_of[to_size(vertex)]; }

  /// The domain with the largest weight in each point has it; points across domains are noted.
  void sort_points() {
    const Index count = surface_.rest.vertex_count();
    std::vector<Index> owner(to_size(count));
    across_.assign(to_size(count), 0);
    made_.starts.assign(body_.domains.size() + 1, 0);
    for (Index i = 0; i < count; ++i) {
      std::map<Index, double> weights;
      for (const Carrier& carrier : carriers(i)) weights[domain_of(carrier.vertex)] += carrier.weight;
      const auto most = std::max_element(weights.begin(), weights.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      owner[to_size(i)] = most->first;
      across_[to_size(i)] = weights.size() > 1 ? 1 : 0;
      ++made_.starts[to_size(most->first) + 1];
    }
    for (std::size_t d = 0; d < body_.domains.size(); ++d) made_.starts[d + 1] += made_.starts[d];
    std::vector<Index> next(made_.starts.begin(), made_.starts.end() - 1);
    made_.origin.resize(to_size(count));
    std::vector<VertexId> number(to_size(count));
    for (Index i = 0; i < count; ++i) {
      const Index place = next[to_size(owner[to_size(i)])]++;
      made_.origin[to_size(place)] = i;
      number[to_size(i)] = static_cast<VertexId>(place);
    }
    for (const Index i : made_.origin) made_.surface.vertices.push_back(surface_.rest.vertices[to_size(i)]);
    for (const Triangle& t : surface_.rest.triangles)
      made_.surface.triangles.push_back(
          {number[to_size(t[0])], number[to_size(t[1])], number[to_size(t[2])]});
    made_.across = body_.domains.size() > 1;
  }

  void append(const CoupledDomain& domain, std::span<const Carrier> carriers, std::vector<float>& rest,
              std::vector<float>& shapes) const {
    const MatrixX& U = domain.reduced->basis.shapes;
    Vector3 x = -domain.origin();
    MatrixX rows = MatrixX::Zero(3, U.cols());
    for (const Carrier& carrier : carriers) {
      x += carrier.weight * body_.rest->mesh().vertices[to_size(carrier.vertex)];
      rows += carrier.weight * U.middleRows<3>(3 * Index{body_.row_of[to_size(carrier.vertex)]});
    }
    for (Index c = 0; c < 3; ++c) {
      rest.push_back(static_cast<float>(x[c]));
      for (Index k = 0; k < U.cols(); ++k) shapes.push_back(static_cast<float>(rows(c, k)));
    }
  }

  /// A point across domains gets the place of its carriers in this domain; its row replaces it.
  void add_part(Index d) {
    const CoupledDomain& domain = body_.domains[to_size(d)];
    PartTable table;
    table.points = made_.starts[to_size(d) + 1] - made_.starts[to_size(d)];
    table.size = domain.reduced->size();
    for (Index i = made_.starts[to_size(d)]; i < made_.starts[to_size(d) + 1]; ++i) {
      std::vector<Carrier> own = carriers(made_.origin[to_size(i)]);
      if (across_[to_size(made_.origin[to_size(i)])] != 0) {
        std::erase_if(own, [&](const Carrier& carrier) { return domain_of(carrier.vertex) != d; });
        double sum = 0.0;
        for (const Carrier& carrier : own) sum += carrier.weight;
        for (Carrier& carrier : own) carrier.weight /= sum;
      }
      append(domain, own, table.rest, table.shapes);
    }
    if (!made_.across) table.triangles = made_.surface.triangles;
    made_.tables_of.push_back(d);
    made_.scales.push_back(1.0);
    made_.tables.push_back(std::move(table));
  }

  /// Every vertex that carries a point across domains, in the part of its domain.
  void add_samples(Index d) {
    if (sample_lists_.empty()) {
      sample_lists_.resize(body_.domains.size());
      for (Index i = 0; i < std::ssize(across_); ++i)
        if (across_[to_size(i)] != 0)
          for (const Carrier& carrier : carriers(i))
            sample_lists_[to_size(domain_of(carrier.vertex))].push_back(carrier.vertex);
    }
    BlendSamples& samples = made_.samples;
    if (samples.starts.empty()) samples.starts = samples.shape_starts = {0};
    std::vector<VertexId>& list = sample_lists_[to_size(d)];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const VertexId vertex : list) {
      sample_of_.emplace(vertex, static_cast<std::int32_t>(samples.rest.size() / 3));
      const Carrier own{vertex, 1.0};
      append(body_.domains[to_size(d)], {&own, 1}, samples.rest, samples.shapes);
    }
    samples.starts.push_back(std::ssize(samples.rest) / 3);
    samples.shape_starts.push_back(std::ssize(samples.shapes));
  }

  void add_rows() {
    BlendRows& rows = made_.rows;
    rows.part_starts = {0};
    for (std::size_t d = 0; d < body_.domains.size(); ++d) {
      for (Index i = made_.starts[d]; i < made_.starts[d + 1]; ++i) {
        const Index point = made_.origin[to_size(i)];
        if (across_[to_size(point)] == 0) continue;
        rows.points.push_back(static_cast<std::int32_t>(i - made_.starts[d]));
        rows.keep.push_back(0.0F);
        for (const Carrier& carrier : carriers(point)) {
          rows.samples.push_back(sample_of_.at(carrier.vertex));
          rows.weights.push_back(static_cast<float>(carrier.weight));
        }
        rows.starts.push_back(std::ssize(rows.samples));
      }
      rows.part_starts.push_back(std::ssize(rows.points));
    }
  }

  const CoupledBody& body_;
  const CarriedSurface& surface_;
  PartTables made_;
  std::vector<char> across_;  // of each point: its carriers belong to several domains
  std::vector<std::vector<VertexId>> sample_lists_;
  std::map<VertexId, std::int32_t> sample_of_;
};

}  // namespace

PartTables make_coupled_surface(const CoupledBody& body, const CarriedSurface& surface) {
  return SurfaceMaker(body, surface).make();
}

}  // namespace pliant
