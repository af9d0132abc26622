// scene/read_tree.hpp — reads the keys of a scene that concern domains.
#pragma once

#include "pliant/scene/description.hpp"

#include <string>
#include <string_view>

namespace pliant {

/// `domains = { ... }` among the settings of a model; `path` is the key of that table.
[[nodiscard]] DomainSource read_domain_source(const Value& table, const std::string& path,
                                              const std::string& file, Diagnostics& problems);

/// The settings of `model = { type = "tree", ... }`; `path` is the key of the table.
[[nodiscard]] TreeText read_tree(const Value& table, const std::string& path, const std::string& file,
                                 Diagnostics& problems);

/// One `[[body.domain]]`.
[[nodiscard]] DomainText read_domain(const Value& table, const std::string& path, const std::string& file,
                                     Diagnostics& problems);

/// `cut` of an `[[event]]`.
void read_cut_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                    Diagnostics& problems);

/// The part of an `[[event]]` that concerns a domain: new values, detachment, or replacement of its class.
void read_domain_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                       Diagnostics& problems);

/// Checks `source`, the domains of the body's model, against the listed ones. A model without any domains
/// gets kDefaultDomains. `chosen`: what a condition selects.
void check_domains(BodyText& body, DomainSource& source, std::string_view chosen, Diagnostics& problems);

}  // namespace pliant
