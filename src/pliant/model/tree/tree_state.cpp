#include "pliant/model/tree/tree_state.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kRootNumbers = 1 + 3 + 9 + 6 + 6 + 5 * 3;

Diagnostic problem(std::string what) {
  return {ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
}

/// The numbers of a root in a fixed order, for both directions.
template <class Root, class Visit>
void visit_root(Root& root, Visit&& visit) {
  visit(root.frame.position);
  visit(root.frame.rotation);
  visit(root.frame.twist);
  visit(root.frame.rate);
  visit(root.center);
  visit(root.linear);
  visit(root.angular);
  visit(root.force);
  visit(root.torque);
}

}  // namespace

StateArrays to_arrays(const TreeState& state) {
  StateArrays arrays;
  const auto keep = [&](const char* name, const VectorX& v) {
    arrays.emplace(name, std::vector<double>(v.data(), v.data() + v.size()));
  };
  keep("q", state.q);
  keep("qd", state.qd);
  keep("qdd", state.qdd);
  std::vector<double> roots;
  for (const RootState& root : state.roots) {
    roots.push_back(static_cast<double>(root.node));
    visit_root(root,
               [&](const auto& part) { roots.insert(roots.end(), part.data(), part.data() + part.size()); });
  }
  arrays.emplace("roots", std::move(roots));
  arrays.emplace("clock", std::vector<double>{state.time, state.gravity_scale, state.guard.budget()});
  if (state.felt) arrays.emplace("felt", std::vector<double>(state.felt->begin(), state.felt->end()));
  return arrays;
}

Result<TreeState> tree_state_from(const StateArrays& arrays, Index size, Index nodes) {
  TreeState state;
  Diagnostics problems;
  const auto find = [&](const char* name, Index count) -> const std::vector<double>* {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
      problems.push_back(problem(std::string("the saved state has no array ") + name));
      return nullptr;
    }
    const std::vector<double>& values = found->second;
    if (count >= 0 && std::ssize(values) != count) {
      problems.push_back(problem("the saved state has " + text(std::ssize(values)) + " numbers in " + name +
                                 " where " + text(count) + " are needed"));
      return nullptr;
    }
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
      problems.push_back(
          problem(std::string("the saved state has a number in ") + name + " that is not finite"));
      return nullptr;
    }
    return &values;
  };
  const auto take = [&](const char* name, VectorX& into) {
    if (const std::vector<double>* values = find(name, size))
      into = Eigen::Map<const VectorX>(values->data(), size);
  };
  take("q", state.q);
  take("qd", state.qd);
  take("qdd", state.qdd);
  if (const std::vector<double>* clock = find("clock", 3)) {
    state.time = (*clock)[0];
    state.gravity_scale = (*clock)[1];
    state.guard.begin((*clock)[2]);
  }
  if (arrays.contains("felt"))
    if (const std::vector<double>* felt = find("felt", 3)) state.felt = Vector3(felt->data());
  if (const std::vector<double>* roots = find("roots", -1)) {
    if (roots->empty() || static_cast<Index>(roots->size()) % kRootNumbers != 0)
      return problem("the saved state has a broken list of roots");
    for (auto at = roots->begin(); at != roots->end();) {
      RootState root;
      const double number = *at++;
      if (!(number >= 0.0 && number < static_cast<double>(nodes)) || number != std::floor(number))
        return problem("the saved state has a root that is no domain");
      root.node = static_cast<Index>(number);
      visit_root(root, [&](auto& part) {
        std::copy_n(at, part.size(), part.data());
        at += part.size();
      });
      state.roots.push_back(root);
    }
  }
  if (!problems.empty()) return problems;
  return state;
}

}  // namespace pliant
