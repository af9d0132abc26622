#include "pliant/file/instances_file.hpp"

#include "pliant/file/token_scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace pliant {
namespace {

constexpr std::size_t kMostErrors = 10;
constexpr std::string_view kRow = "write 'name class parent tx ty tz qw qx qy qz scale'";

class InstancesReader {
 public:
  InstancesReader(std::string_view bytes, std::string_view file) : file_(file), scan_(bytes, file) {}

  Result<std::vector<AssemblyInstance>> read() {
    while (errors_.size() < kMostErrors && scan_.next_line()) read_row();
    if (errors_.empty() && instances_.empty())
      fail(ErrorCode::kMissing, {std::string(file_), 0, 0, {}}, "has no instances", kRow);
    if (!errors_.empty()) return errors_;
    return std::move(instances_);
  }

 private:
  void fail(ErrorCode code, Location where, std::string what, std::string_view remedy) {
    errors_.push_back({code, std::move(where), std::move(what), std::string(remedy)});
  }

  void read_row() {
    AssemblyInstance instance;
    instance.name = std::string(scan_.word());
    instance.where = scan_.where();
    for (std::string* name : {&instance.class_name, &instance.parent}) {
      const std::string_view word = scan_.word();
      if (word.empty()) return fail(ErrorCode::kSyntax, scan_.where(), "row is too short", kRow);
      *name = std::string(word);
    }
    if (instance.parent == "-") instance.parent.clear();
    std::array<double, 8> numbers{};
    Location turn;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::optional<double> number = read_number();
      if (!number) return;
      numbers[i] = *number;
      if (i == 3) turn = scan_.where();
    }
    if (!(numbers[7] > 0)) return fail(ErrorCode::kOutOfRange, scan_.where(), "a scale must be > 0", kRow);
    if (!scan_.word().empty())
      return fail(ErrorCode::kSyntax, scan_.where(), "more than eleven words in a row", kRow);
    const Eigen::Vector4d q(numbers[3], numbers[4], numbers[5], numbers[6]);
    const double largest = q.cwiseAbs().maxCoeff();
    if (!(largest > 0))
      return fail(ErrorCode::kOutOfRange, turn, "the quaternion is zero", "no turn is 1 0 0 0");
    // Scaled first, so that squares neither overflow nor underflow.
    const Eigen::Vector4d unit = (q / largest).normalized();
    instance.placement.rotation = Eigen::Quaterniond(unit[0], unit[1], unit[2], unit[3]).toRotationMatrix();
    instance.placement.translation = Vector3(numbers[0], numbers[1], numbers[2]);
    instance.placement.scale = numbers[7];
    instances_.push_back(std::move(instance));
  }

  std::optional<double> read_number() {
    const std::string_view word = scan_.word();
    const std::optional<double> found = to_number(word);
    if (!found) {
      fail(ErrorCode::kSyntax, scan_.where(),
           word.empty() ? "row is too short" : in_quotes(word) + " is not a number", kRow);
      return std::nullopt;
    }
    if (!std::isfinite(*found)) {
      fail(ErrorCode::kNonFinite, scan_.where(), in_quotes(word) + " is not finite", "");
      return std::nullopt;
    }
    return found;
  }

  std::string_view file_;
  TokenScanner scan_;
  std::vector<AssemblyInstance> instances_;
  Diagnostics errors_;
};

void append_number(std::string& out, double value) {
  std::array<char, 40> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 17).ptr;
  out += ' ';
  out.append(digits.data(), end);
}

std::string one_word(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '\t' || c == '#'; }, '_');
  return name;
}

}  // namespace

Result<std::vector<AssemblyInstance>> read_instances(std::string_view bytes, std::string_view file) {
  return InstancesReader(bytes, file).read();
}

std::string write_instances(std::span<const AssemblyInstance> instances) {
  std::string out = "# name class parent tx ty tz qw qx qy qz scale\n";
  for (const AssemblyInstance& instance : instances) {
    out += one_word(instance.name) + ' ' + one_word(instance.class_name) + ' ' +
           (instance.parent.empty() ? "-" : one_word(instance.parent));
    const Placement& p = instance.placement;
    const Eigen::Quaterniond q(p.rotation);
    for (const double number :
         {p.translation.x(), p.translation.y(), p.translation.z(), q.w(), q.x(), q.y(), q.z(), p.scale})
      append_number(out, number);
    out += '\n';
  }
  return out;
}

}  // namespace pliant
