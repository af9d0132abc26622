#include "pliant/base/text.hpp"
#include "pliant/mesh/core/selection.hpp"

#include <array>
#include <charconv>
#include <numbers>
#include <optional>

namespace pliant {
namespace {

constexpr std::size_t kLongest = 10000;  // characters
// Nested parentheses, calls and signs; bounds the recursion and the stack of Selection::holds.
constexpr int kDeepest = 64;
constexpr std::array<std::string_view, 15> kNames{"x",   "y",    "z",     "label", "face_label",
                                                  "pi",  "true", "false", "abs",   "sqrt",
                                                  "sin", "cos",  "min",   "max",   "hypot"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

/// Recursive descent with one function per level of precedence. Each emits its postfix steps and returns the
/// kind of its value.
class SelectionParser {
 public:
  explicit SelectionParser(std::string_view source) : source_(source) {}

  Result<Selection> run() {
    if (source_.size() > kLongest)
      fail(ErrorCode::kLimit, kLongest, "expression is longer than " + text(Index{kLongest}) + " characters");
    next();
    if (!error_ && token_.empty())
      fail(ErrorCode::kSyntax, 0, "expression is empty", "write \"true\" to select everything");
    const Value value = disjunction();
    if (!error_ && !token_.empty()) unexpected();
    need(value, Kind::kTruth);
    if (error_) return *error_;
    selection_.source_ = source_;
    return std::move(selection_);
  }

 private:
  using Op = Selection::Op;
  enum class Kind { kNumber, kTruth };
  struct Value {
    Kind kind = Kind::kNumber;
    std::size_t at = 0;  // position of its first character
  };
  struct Function {
    std::string_view name;
    Op op;
    int fewest, most;  // arguments
  };
  static constexpr std::array<Function, 7> kFunctions{{{"abs", Op::kAbs, 1, 1},
                                                       {"sqrt", Op::kSqrt, 1, 1},
                                                       {"sin", Op::kSin, 1, 1},
                                                       {"cos", Op::kCos, 1, 1},
                                                       {"min", Op::kMin, 2, 100},
                                                       {"max", Op::kMax, 2, 100},
                                                       {"hypot", Op::kHypot, 2, 3}}};

  // --- Words

  void next() {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
    start_ = at_;
    if (error_ || at_ >= source_.size()) {
      token_ = {};
      return;
    }
    const char c = source_[at_];
    std::size_t length = 1;
    if (is_letter(c)) {
      while (start_ + length < source_.size() &&
             (is_letter(source_[start_ + length]) || is_digit(source_[start_ + length])))
        ++length;
    } else if (is_digit(c) || c == '.') {
      length = scan_number();
    } else {
      const std::string_view pair = source_.substr(at_, 2);
      if (pair == "<=" || pair == ">=" || pair == "==" || pair == "!=" || pair == "&&" || pair == "||")
        length = 2;
    }
    token_ = source_.substr(start_, length);
    at_ = start_ + length;
  }

  std::size_t scan_number() {
    const char* begin = source_.data() + start_;
    const auto [end, problem] = std::from_chars(begin, source_.data() + source_.size(), number_);
    if (problem == std::errc::invalid_argument) return 1;
    if (problem == std::errc::result_out_of_range)
      fail(ErrorCode::kOutOfRange, start_, "number is too large or too small");
    return to_size(end - begin);
  }

  bool take(std::string_view symbol) {
    if (error_ || token_ != symbol) return false;
    next();
    return true;
  }

  // --- Errors: only the first one is reported

  void fail(ErrorCode code, std::size_t at, std::string what, std::string remedy = {}) {
    if (error_) return;
    error_ = Diagnostic{code, {{}, 0, static_cast<Index>(at) + 1, {}}, std::move(what), std::move(remedy)};
  }

  void unexpected() {
    if (token_.empty()) return fail(ErrorCode::kSyntax, start_, "expression ends too early");
    std::string remedy;
    if (token_ == "=") remedy = "write '==' to compare";
    if (token_ == "&" || token_ == "and") remedy = "write '&&'";
    if (token_ == "|" || token_ == "or") remedy = "write '||'";
    if (token_ == "^") remedy = "write a product";
    const char c = token_.front();
    fail(ErrorCode::kSyntax, start_,
         "unexpected '" + (c >= ' ' && c <= '~' ? std::string(token_.substr(0, 40)) : "?") + "'",
         std::move(remedy));
  }

  void need(const Value& value, Kind kind) {
    if (value.kind == kind) return;
    if (kind == Kind::kTruth)
      fail(ErrorCode::kWrongType, value.at, "a number stands where a condition is needed",
           "compare it with something, as in 'x < 0.5'");
    else
      fail(ErrorCode::kWrongType, value.at, "a condition stands where a number is needed",
           "join conditions with && and ||");
  }

  // --- Grammar

  void emit(Op op, double number = 0.0) { selection_.steps_.push_back({op, number}); }

  Value disjunction() {
    Value left = conjunction();
    while (take("||")) left = join(left, conjunction(), Op::kOr);
    return left;
  }

  Value conjunction() {
    Value left = comparison();
    while (take("&&")) left = join(left, comparison(), Op::kAnd);
    return left;
  }

  Value join(const Value& left, const Value& right, Op op) {
    need(left, Kind::kTruth);
    need(right, Kind::kTruth);
    emit(op);
    return {Kind::kTruth, left.at};
  }

  [[nodiscard]] std::optional<Op> comparison_operator() const {
    if (token_ == "<") return Op::kLess;
    if (token_ == "<=") return Op::kLessEqual;
    if (token_ == ">") return Op::kGreater;
    if (token_ == ">=") return Op::kGreaterEqual;
    if (token_ == "==") return Op::kEqual;
    if (token_ == "!=") return Op::kNotEqual;
    return std::nullopt;
  }

  Value comparison() {
    const Value left = sum();
    const std::optional<Op> op = comparison_operator();
    if (error_ || !op) return left;
    next();
    const Value right = sum();
    need(left, Kind::kNumber);
    need(right, Kind::kNumber);
    emit(*op);
    if (comparison_operator())
      fail(ErrorCode::kSyntax, start_, "comparisons cannot be chained", "write '0 < x && x < 1'");
    return {Kind::kTruth, left.at};
  }

  Value calculate(const Value& left, const Value& right, Op op) {
    need(left, Kind::kNumber);
    need(right, Kind::kNumber);
    emit(op);
    return {Kind::kNumber, left.at};
  }

  Value sum() {
    Value left = product();
    while (!error_ && (token_ == "+" || token_ == "-")) {
      const Op op = token_ == "+" ? Op::kAdd : Op::kSubtract;
      next();
      left = calculate(left, product(), op);
    }
    return left;
  }

  Value product() {
    Value left = signed_value();
    while (!error_ && (token_ == "*" || token_ == "/")) {
      const Op op = token_ == "*" ? Op::kMultiply : Op::kDivide;
      next();
      left = calculate(left, signed_value(), op);
    }
    return left;
  }

  Value signed_value() {
    const std::size_t at = start_;
    if (++depth_ > kDeepest) fail(ErrorCode::kLimit, at, "expression is nested too deeply");
    Value value{Kind::kNumber, at};
    if (take("-") || (token_ == "+" && take("+"))) {
      const bool negative = source_[at] == '-';
      value = signed_value();
      need(value, Kind::kNumber);
      if (negative) emit(Op::kNegate);
    } else if (take("!")) {
      value = signed_value();
      need(value, Kind::kTruth);
      emit(Op::kNot);
    } else {
      value = primary();
    }
    --depth_;
    value.at = at;
    return value;
  }

  Value primary() {
    const Value number{Kind::kNumber, start_};
    if (error_) return number;
    if (take("(")) {
      const Value inner = disjunction();
      if (!take(")")) unexpected();
      return {inner.kind, number.at};
    }
    if (token_.empty()) {
      unexpected();
      return number;
    }
    if ((is_digit(token_.front()) || token_.front() == '.') && token_ != ".") {
      emit(Op::kNumber, number_);
      next();
      return number;
    }
    if (is_letter(token_.front())) return name();
    unexpected();
    return number;
  }

  Value name() {
    const std::string_view word = token_;
    const std::size_t at = start_;
    next();
    for (const Function& function : kFunctions)
      if (word == function.name) return call(function, at);
    Value value{Kind::kNumber, at};
    if (word == "x") {
      emit(Op::kX);
    } else if (word == "y") {
      emit(Op::kY);
    } else if (word == "z") {
      emit(Op::kZ);
    } else if (word == "label") {
      emit(Op::kLabel);
      selection_.uses_label_ = true;
    } else if (word == "face_label") {
      emit(Op::kFaceLabel);
      selection_.uses_face_label_ = true;
    } else if (word == "pi") {
      emit(Op::kNumber, std::numbers::pi);
    } else if (word == "true" || word == "false") {
      emit(Op::kNumber, word == "true" ? 1.0 : 0.0);
      value.kind = Kind::kTruth;
    } else {
      const std::string near = nearest_word(word, kNames);
      fail(ErrorCode::kUnknownKey, at, "unknown name '" + std::string(word.substr(0, 40)) + "'",
           near.empty() ? "known are x, y, z, label, face_label" : "did you mean '" + near + "'?");
    }
    return value;
  }

  /// min(a, b, c) becomes a b min c min.
  Value call(const Function& function, std::size_t at) {
    if (!take("(")) unexpected();
    int count = 0;
    do {
      need(disjunction(), Kind::kNumber);
      if (++count > 1) emit(function.op);
    } while (take(","));
    if (count == 1) emit(function.op);
    if (count < function.fewest || count > function.most)
      fail(ErrorCode::kSyntax, at,
           std::string(function.name) + " takes " + text(Index{function.fewest}) +
               (function.most > function.fewest ? " or more" : "") + " arguments, here are " +
               text(Index{count}));
    if (!take(")")) unexpected();
    return {Kind::kNumber, at};
  }

  std::string_view source_;
  std::string_view token_;  // the current word; empty at the end of the expression
  std::size_t start_ = 0;   // position of its first character
  std::size_t at_ = 0;      // position after it
  double number_ = 0.0;     // its value, if it is a number
  int depth_ = 0;
  Selection selection_;
  std::optional<Diagnostic> error_;
};

Result<Selection> parse_selection(std::string_view expression) { return SelectionParser(expression).run(); }

}  // namespace pliant
