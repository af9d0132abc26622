// tests/oracle/oracle.hpp — reference solutions from independent finite element packages, read from
// ../shared/oracles.
#pragma once

#include "pliant/model/full/full_model.hpp"
#include "support/support.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pliant::test {

/// One of the oracles' meshes; fails the test when it cannot be read.
VolumeMesh oracle_mesh(const std::filesystem::path& shared, const std::string& name);

nlohmann::json oracle_json(const std::filesystem::path& shared, const std::string& name);

/// Columns of a CSV file by name.
std::map<std::string, std::vector<double>> read_csv(const std::filesystem::path& path);

/// Rows of numbers (lines starting with # skipped).
MatrixX read_rows(const std::filesystem::path& path);

/// Vertices with x within 1e-9 of a value.
std::vector<VertexId> vertices_at_x(const VolumeMesh& mesh, double x);

/// Body with one material.
std::shared_ptr<const ElasticBody> make_body(VolumeMesh mesh, Law law, double young, double poisson,
                                             double density);

/// Long runs are asked for by `./dev test --long`.
bool long_tests();

}  // namespace pliant::test
