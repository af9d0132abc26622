#include "oracle/oracle.hpp"

#include "pliant/file/volume_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pliant::test {

VolumeMesh oracle_mesh(const std::filesystem::path& shared, const std::string& name) {
  Result<VolumeFile> file = read_volume_file(shared / "oracles" / "meshes" / (name + ".mesh"));
  if (!file.ok()) {
    ADD_FAILURE() << to_string(file.error());
    return {};
  }
  return std::move(file).value().mesh;
}

nlohmann::json oracle_json(const std::filesystem::path& shared, const std::string& name) {
  std::ifstream stream(shared / "oracles" / (name + ".json"));
  return nlohmann::json::parse(stream);
}

std::map<std::string, std::vector<double>> read_csv(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  std::vector<std::string> names;
  std::stringstream header(line);
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(stream, line)) {
    std::stringstream row(line);
    std::size_t column = 0;
    for (std::string cell; std::getline(row, cell, ',');)
      columns[names.at(column++)].push_back(std::stod(cell));
  }
  return columns;
}

MatrixX read_rows(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::vector<double> values;
  Index rows = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream row(line);
    for (double value = 0.0; row >> value;) values.push_back(value);
    ++rows;
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<RowMajor>(values.data(), rows, std::ssize(values) / rows);
}

std::vector<VertexId> vertices_at_x(const VolumeMesh& mesh, double x) {
  std::vector<VertexId> chosen;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (std::abs(mesh.vertices[v].x() - x) < 1e-9) chosen.push_back(static_cast<VertexId>(v));
  return chosen;
}

std::shared_ptr<const ElasticBody> make_body(VolumeMesh mesh, Law law, double young, double poisson,
                                             double density) {
  Material material;
  material.law = law;
  material.young = young;
  material.poisson = poisson;
  material.density = density;
  return std::make_shared<ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
}

bool long_tests() { return std::getenv("PLIANT_LONG_TESTS") != nullptr; }

}  // namespace pliant::test
