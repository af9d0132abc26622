// scene/read_tree.hpp — reads the keys of a scene that concern domains.
#pragma once

#include "pliant/scene/description.hpp"

#include <string>

namespace pliant {

/// The settings of `model = { type = "tree", ... }`; `path` is the key of the table.
[[nodiscard]] TreeText read_tree(const Value& table, const std::string& path, const std::string& file,
                                 Diagnostics& problems);

/// One `[[body.domain]]`.
[[nodiscard]] DomainText read_domain(const Value& table, const std::string& path, const std::string& file,
                                     Diagnostics& problems);

/// The part of an `[[event]]` that concerns a domain: new values, detachment, or replacement of its class.
void read_domain_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                       Diagnostics& problems);

/// Checks the model against its list of domains. A tree without any domains gets kDefaultDomains.
void check_domains(BodyText& body, Diagnostics& problems);

}  // namespace pliant
