// base/diagnostic.hpp — what is wrong with an input, where it stands, and how to correct it.
#pragma once

#include "pliant/base/index.hpp"

#include <string>
#include <vector>

namespace pliant {

/// The kind of problem. Tests assert the code and the location, never the wording.
enum class ErrorCode {
  kUsage,         // command line
  kNotFound,      // file does not exist
  kUnreadable,    // exists, cannot be read
  kSyntax,        // not well-formed
  kTruncated,     // ends too early
  kUnsupported,   // well-formed, but nothing that Pliant handles
  kUnknownKey,    // scene key that does not exist
  kMissing,       // required thing is absent
  kWrongType,     // value of another type
  kOutOfRange,    // value outside its range (index, parameter, count)
  kNonFinite,     // NaN or infinity
  kDegenerate,    // element or face without volume or area
  kInconsistent,  // two parts of the input contradict each other
  kLimit,         // absurd size
  kUnwritable,    // output cannot be written, or the format cannot hold it
  kDisk,          // there is no room, or the device fails
  kNumerical,     // the computation failed
  kCancelled,     // the user interrupted
};

/// As much of FILE:LINE:COLUMN: KEY as is known; 0 or empty means unknown.
struct Location {
  std::string file;
  Index line = 0;
  Index column = 0;
  std::string key;  // scene key path, "element 17", "vertex 4", ...
};

struct Diagnostic {
  ErrorCode code = ErrorCode::kUsage;
  Location where;
  std::string what;    // what is wrong, with the offending value
  std::string remedy;  // how to correct it; may be empty
};

/// `FILE:LINE:COLUMN: KEY: what; remedy`, as much of it as applies.
std::string to_string(const Diagnostic& diagnostic);

using Diagnostics = std::vector<Diagnostic>;

}  // namespace pliant
