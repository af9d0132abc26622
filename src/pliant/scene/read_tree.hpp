// scene/read_tree.hpp — what a scene says about domains.
#pragma once

#include "pliant/scene/description.hpp"

#include <string>

namespace pliant {

/// The settings of `model = { type = "tree", ... }`; `path` is that of the table.
[[nodiscard]] TreeText read_tree(const Value& table, const std::string& path, const std::string& file,
                                 Diagnostics& problems);

/// One `[[body.domain]]`.
[[nodiscard]] DomainText read_domain(const Value& table, const std::string& path, const std::string& file,
                                     Diagnostics& problems);

/// What an `[[event]]` says of a domain: new values, that it comes off, or that it becomes another.
void read_domain_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                       Diagnostics& problems);

/// What concerns the model and its list of domains together. A tree without any has kDefaultDomains.
void check_domains(BodyText& body, Diagnostics& problems);

}  // namespace pliant
