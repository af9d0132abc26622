#include "pliant/mesh/assembly/assembly.hpp"

#include "pliant/base/text.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/mesh/core/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

namespace pliant {
namespace {

Diagnostic about(const AssemblyInstance& instance, ErrorCode code, std::string what, std::string remedy) {
  Location where = instance.where;
  where.key = (where.key.empty() ? "" : where.key + ", ") + ("instance " + instance.name);
  return {code, std::move(where), std::move(what), std::move(remedy)};
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known,
                       const std::string& otherwise) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? otherwise : "did you mean \"" + near + "\"?";
}

/// Resolves names to numbers, and sorts the instances such that parents come first.
class Order {
 public:
  explicit Order(const Assembly& assembly) : assembly_(assembly) {}

  Result<std::vector<AssembledDomain>> find() {
    name_all();
    for (std::size_t i = 0; i < assembly_.instances.size(); ++i) resolve(i);
    if (problems_.empty() && roots_ == 0)
      problems_.push_back({ErrorCode::kMissing, {}, "no instance is the root", "one has no parent"});
    if (problems_.empty()) sort();
    if (!problems_.empty()) return problems_;
    return std::move(domains_);
  }

 private:
  void name_all() {
    for (std::size_t c = 0; c < assembly_.classes.size(); ++c) {
      class_words_.emplace_back(assembly_.classes[c].name);
      if (!class_numbers_.emplace(assembly_.classes[c].name, static_cast<Index>(c)).second)
        problems_.push_back({ErrorCode::kInconsistent,
                             {"", 0, 0, "class " + assembly_.classes[c].name},
                             "the name is taken",
                             "give each class its own"});
    }
    for (std::size_t i = 0; i < assembly_.instances.size(); ++i) {
      const AssemblyInstance& instance = assembly_.instances[i];
      instance_words_.emplace_back(instance.name);
      if (!instance_numbers_.emplace(instance.name, static_cast<Index>(i)).second)
        problems_.push_back(
            about(instance, ErrorCode::kInconsistent, "the name is taken", "give each instance its own"));
    }
  }

  void resolve(std::size_t i) {
    const AssemblyInstance& instance = assembly_.instances[i];
    const auto known_class = class_numbers_.find(instance.class_name);
    if (known_class == class_numbers_.end())
      problems_.push_back(about(instance, ErrorCode::kNotFound,
                                "there is no class \"" + instance.class_name + "\"",
                                suggestion(instance.class_name, class_words_, "name one of the classes")));
    class_of_.push_back(known_class == class_numbers_.end() ? -1 : known_class->second);
    parent_of_.push_back(parent_number(instance));
    const Placement& p = instance.placement;
    const bool turned = (p.rotation.transpose() * p.rotation - Matrix3::Identity()).norm() < 1e-6 &&
                        p.rotation.determinant() > 0;
    if (!turned || !p.translation.allFinite() || !(p.scale > 0) || !std::isfinite(p.scale))
      problems_.push_back(about(instance, ErrorCode::kOutOfRange, "its placement is none",
                                "a proper rotation, a shift and a scale > 0 are needed"));
  }

  Index parent_number(const AssemblyInstance& instance) {
    if (instance.parent.empty()) {
      ++roots_;
      if (roots_ == 2)
        problems_.push_back(about(instance, ErrorCode::kInconsistent,
                                  "is a second root: it has no parent either", "one instance is the root"));
      return -1;
    }
    const auto known = instance_numbers_.find(instance.parent);
    if (known != instance_numbers_.end()) return known->second;
    problems_.push_back(about(instance, ErrorCode::kNotFound,
                              "there is no instance \"" + instance.parent + "\" to hang on",
                              suggestion(instance.parent, instance_words_, "name another instance")));
    return -1;
  }

  /// Breadth-first from the root, in the order of the instances. What is never reached lies on a circle of
  /// parents.
  void sort() {
    const std::size_t count = assembly_.instances.size();
    std::vector<std::vector<Index>> children(count);
    std::vector<Index> level;
    for (std::size_t i = 0; i < count; ++i)
      (parent_of_[i] < 0 ? level : children[to_size(parent_of_[i])]).push_back(static_cast<Index>(i));
    std::vector<Index> place(count, -1);
    for (std::size_t next = 0; next < level.size(); ++next) {
      const std::size_t i = to_size(level[next]);
      place[i] = static_cast<Index>(next);
      AssembledDomain domain;
      domain.instance = level[next];
      domain.class_index = class_of_[i];
      domain.parent = parent_of_[i] < 0 ? -1 : place[to_size(parent_of_[i])];
      domains_.push_back(std::move(domain));
      level.insert(level.end(), children[i].begin(), children[i].end());
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (place[i] >= 0) continue;
      problems_.push_back(about(assembly_.instances[i], ErrorCode::kInconsistent,
                                "its parents form a circle: " + circle(i),
                                "the parents of every instance must lead to the root"));
      return;
    }
  }

  /// The names from `i` towards the parents, up to the second visit of an instance.
  [[nodiscard]] std::string circle(std::size_t i) const {
    std::vector<char> seen(assembly_.instances.size(), 0);
    std::string names;
    while (seen[i] == 0) {
      seen[i] = 1;
      names += assembly_.instances[i].name + " on ";
      i = to_size(parent_of_[i]);
    }
    return names + assembly_.instances[i].name;
  }

  const Assembly& assembly_;
  std::map<std::string, Index> class_numbers_, instance_numbers_;
  std::vector<std::string_view> class_words_, instance_words_;
  std::vector<Index> class_of_, parent_of_;  // of the instances
  Index roots_ = 0;
  std::vector<AssembledDomain> domains_;
  Diagnostics problems_;
};

/// Appends a placed copy of a class to the whole mesh.
void append_domain(const AssemblyClass& part, const AssemblyInstance& instance, Label label,
                   AssembledDomain& domain, VolumeMesh& mesh) {
  const auto first = static_cast<VertexId>(mesh.vertices.size());
  domain.vertices.resize(part.mesh.vertices.size());
  std::iota(domain.vertices.begin(), domain.vertices.end(), first);
  for (const Vector3& X : part.mesh.vertices) mesh.vertices.push_back(instance.placement.place(X));
  // Numbered within their kind here; the number of elements before that kind is added when it is known.
  const auto append = [&](const auto& added, auto& all, auto& labels) {
    for (auto element : added) {
      domain.elements.push_back(std::ssize(all));
      for (VertexId& v : element) v += first;
      all.push_back(element);
      labels.push_back(label);
    }
  };
  append(part.mesh.tets, mesh.tets, mesh.tet_labels);
  append(part.mesh.hexes, mesh.hexes, mesh.hex_labels);
  append(part.mesh.tet10s, mesh.tet10s, mesh.tet10_labels);
  mesh.region_names[label] = instance.name;
}

void build_mesh(const Assembly& assembly, AssembledBody& body) {
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    AssembledDomain& domain = body.domains[d];
    append_domain(assembly.classes[to_size(domain.class_index)], assembly.instances[to_size(domain.instance)],
                  static_cast<Label>(d + 1), domain, body.mesh);
  }
  for (AssembledDomain& domain : body.domains) {
    const VolumeMesh& own = assembly.classes[to_size(domain.class_index)].mesh;
    for (Index e = own.first_hex(); e < std::ssize(domain.elements); ++e)
      domain.elements[to_size(e)] += e < own.first_tet10() ? body.mesh.first_hex() : body.mesh.first_tet10();
  }
}

/// Weights of the bases of all classes. Only classes that are attached to something need a base.
Status weigh_bases(const Assembly& assembly, AssembledBody& body) {
  std::vector<char> hangs(assembly.classes.size(), 0);
  for (const AssembledDomain& domain : body.domains)
    if (domain.parent >= 0) hangs[to_size(domain.class_index)] = 1;
  Diagnostics problems;
  body.base_weights.resize(assembly.classes.size());
  for (std::size_t c = 0; c < assembly.classes.size(); ++c) {
    const AssemblyClass& part = assembly.classes[c];
    Result<std::vector<double>> weights = base_weights(part.mesh, part.base);
    if (weights) {
      body.base_weights[c] = std::move(weights).value();
      continue;
    }
    if (hangs[c] == 0) continue;  // only the root has this class, and it needs no base
    Diagnostic problem = weights.error();
    problem.where.key = "class " + part.name;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) return problems;
  return Done{};
}

/// The base vertices of a domain in the coordinates of its parent's class.
std::vector<Vector3> base_in_parent(const Assembly& assembly, const AssembledBody& body,
                                    const AssembledDomain& domain) {
  const AssemblyClass& part = assembly.classes[to_size(domain.class_index)];
  const Placement& own = assembly.instances[to_size(domain.instance)].placement;
  const Placement& parent =
      assembly.instances[to_size(body.domains[to_size(domain.parent)].instance)].placement;
  std::vector<Vector3> points;
  points.reserve(part.base.size());
  for (const VertexId v : part.base)
    points.push_back(parent.unplace(own.place(part.mesh.vertices[to_size(v)])));
  return points;
}

/// Diameter of a ball around the mean of the points that contains them all.
double width(std::span<const Vector3> points) {
  Vector3 mean = Vector3::Zero();
  for (const Vector3& x : points) mean += x / static_cast<double>(points.size());
  double radius = 0;
  for (const Vector3& x : points) radius = std::max(radius, (x - mean).norm());
  return 2 * radius;
}

/// Rows [first, first + count) of an embedding.
WeightRows some_rows(const WeightRows& all, std::size_t first, std::size_t count) {
  WeightRows rows;
  for (std::size_t i = first; i < first + count; ++i) {
    for (Index entry = all.starts[i]; entry < all.starts[i + 1]; ++entry) {
      rows.columns.push_back(all.columns[to_size(entry)]);
      rows.weights.push_back(all.weights[to_size(entry)]);
    }
    rows.starts.push_back(std::ssize(rows.columns));
  }
  return rows;
}

/// Joints of all children whose parents have one class, so that the mesh of that class is searched only once.
Status make_joints(const Assembly& assembly, Index parent_class, Progress& progress, AssembledBody& body) {
  std::vector<Vector3> points;
  std::vector<std::size_t> children;
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const AssembledDomain& domain = body.domains[d];
    if (domain.parent < 0 || body.domains[to_size(domain.parent)].class_index != parent_class) continue;
    children.push_back(d);
    const std::vector<Vector3> own = base_in_parent(assembly, body, domain);
    points.insert(points.end(), own.begin(), own.end());
  }
  if (children.empty()) return Done{};
  const Result<Embedding> found = embed(assembly.classes[to_size(parent_class)].mesh, points, progress);
  if (!found) return found.errors();
  Diagnostics problems;
  std::size_t first = 0;
  for (const std::size_t d : children) {
    AssembledDomain& domain = body.domains[d];
    const AssemblyInstance& instance = assembly.instances[to_size(domain.instance)];
    const double scale =
        assembly.instances[to_size(body.domains[to_size(domain.parent)].instance)].placement.scale;
    const std::size_t count = assembly.classes[to_size(domain.class_index)].base.size();
    domain.joint = some_rows(found.value().points, first, count);
    const auto distances = std::span(found.value().distances).subspan(first, count);
    domain.gap = scale * *std::max_element(distances.begin(), distances.end());
    const double across = scale * width(std::span(points).subspan(first, count));
    // The mean distance counts: if a thin part only touches with its end, some of its base sticks out.
    const double off =
        scale * std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(count);
    if (off > across)
      problems.push_back(about(instance, ErrorCode::kInconsistent,
                               "its base lies " + text(off) + " m off \"" + instance.parent + "\", and is " +
                                   text(across) + " m wide",
                               "move it to its parent, or hang it on another one"));
    first += count;
  }
  if (!problems.empty()) return problems;
  return Done{};
}

}  // namespace

Result<std::vector<double>> base_weights(const VolumeMesh& mesh, std::span<const VertexId> base) {
  if (base.empty())
    return Diagnostic{ErrorCode::kMissing, {}, "has no base to be held by", "select the vertices of one"};
  std::map<VertexId, std::size_t> place;
  for (std::size_t i = 0; i < base.size(); ++i) place.emplace(base[i], i);
  std::vector<double> weights(base.size(), 0.0);
  double total = 0;
  for (const Triangle& t : boundary_triangles(boundary_faces(mesh))) {
    if (!std::all_of(t.begin(), t.end(), [&](VertexId v) { return place.count(v) != 0; })) continue;
    const Vector3& a = mesh.vertices[to_size(t[0])];
    const double third =
        (mesh.vertices[to_size(t[1])] - a).cross(mesh.vertices[to_size(t[2])] - a).norm() / 6;
    for (const VertexId v : t) weights[place[v]] += third;
    total += 3 * third;
  }
  for (double& w : weights) w = total > 0 ? w / total : 1 / static_cast<double>(base.size());
  Vector3 mean = Vector3::Zero();
  for (std::size_t i = 0; i < base.size(); ++i) mean += weights[i] * mesh.vertices[to_size(base[i])];
  Matrix3 spread = Matrix3::Zero();
  for (std::size_t i = 0; i < base.size(); ++i) {
    const Vector3 arm = mesh.vertices[to_size(base[i])] - mean;
    spread += weights[i] * arm * arm.transpose();
  }
  const Vector3 squares = symmetric_eigen(spread).values;
  // A rotation about a line leaves its points in place, so the base must have a second extent as well.
  if (!(squares[1] > 1e-6 * squares[2]) || !(squares[2] > 0))
    return Diagnostic{ErrorCode::kDegenerate,
                      {},
                      "its base is a line or a point, which holds no turn",
                      "select vertices of a face"};
  return weights;
}

Result<AssembledBody> assemble(const Assembly& assembly, Progress& progress) {
  Result<std::vector<AssembledDomain>> domains = Order(assembly).find();
  if (!domains) return domains.errors();
  AssembledBody body;
  body.domains = std::move(domains).value();
  if (const Status weighed = weigh_bases(assembly, body); !weighed) return weighed.errors();
  build_mesh(assembly, body);
  Diagnostics problems;
  for (std::size_t c = 0; c < assembly.classes.size(); ++c) {
    const Status made = make_joints(assembly, static_cast<Index>(c), progress, body);
    if (!made) problems.insert(problems.end(), made.errors().begin(), made.errors().end());
  }
  if (!problems.empty()) return problems;
  return body;
}

}  // namespace pliant
