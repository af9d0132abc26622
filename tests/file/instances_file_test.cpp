// Rows of placed parts.
#include "pliant/file/instances_file.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(InstancesFile, KeepsNamesAndPlacements) {
  Rng rng(1);
  std::vector<AssemblyInstance> instances;
  for (const char* name : {"trunk", "limb", "leaf"}) {
    AssemblyInstance instance;
    instance.name = name;
    instance.class_name = "wood";
    instance.parent = instances.empty() ? "" : instances.back().name;
    instance.placement = {test::random_rotation(rng), test::random_vector(3, rng), rng.uniform(0.1, 3)};
    instances.push_back(instance);
  }
  const auto read = read_instances(write_instances(instances), "name");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  ASSERT_EQ(read.value().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const AssemblyInstance& got = read.value()[i];
    EXPECT_EQ(got.name, instances[i].name);
    EXPECT_EQ(got.class_name, instances[i].class_name);
    EXPECT_EQ(got.parent, instances[i].parent);
    EXPECT_EQ(got.placement.translation, instances[i].placement.translation);
    EXPECT_EQ(got.placement.scale, instances[i].placement.scale);
    // a matrix by way of a quaternion: rounding
    EXPECT_LT((got.placement.rotation - instances[i].placement.rotation).norm(), 1e-14);
    EXPECT_EQ(got.where.line, static_cast<Index>(i) + 2);
  }
}

TEST(InstancesFile, QuaternionsNeedNotBeUnit) {
  const auto read = read_instances("a b - 0 0 0 1e200 0 0 1e200 1\n", "name");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  Matrix3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_LT((read.value()[0].placement.rotation - quarter).norm(), 1e-15);
}

TEST(InstancesFile, ErrorsAreLocated) {
  const auto expect = [](std::string_view bytes, ErrorCode code, Index line, Index column) {
    const auto read = read_instances(bytes, "name");
    ASSERT_FALSE(read.ok()) << bytes;
    EXPECT_EQ(read.error().code, code) << to_string(read.error());
    EXPECT_EQ(read.error().where.file, "name");
    EXPECT_EQ(read.error().where.line, line) << to_string(read.error());
    EXPECT_EQ(read.error().where.column, column) << to_string(read.error());
  };
  expect("", ErrorCode::kMissing, 0, 0);
  expect("# nothing\n", ErrorCode::kMissing, 0, 0);
  expect("a\n", ErrorCode::kSyntax, 1, 2);
  expect("a b - 0 0 0 1 0 0 0\n", ErrorCode::kSyntax, 1, 20);
  expect("a b - 0 0 0 1 0 0 0 1 1\n", ErrorCode::kSyntax, 1, 23);
  expect("a b - 0 x 0 1 0 0 0 1\n", ErrorCode::kSyntax, 1, 9);
  expect("a b - 0 nan 0 1 0 0 0 1\n", ErrorCode::kNonFinite, 1, 9);
  expect("a b - 0 0 0 0 0 0 0 1\n", ErrorCode::kOutOfRange, 1, 13);
  expect("a b - 0 0 0 1 0 0 0 1\nc b a 0 0 0 1 0 0 0 0\n", ErrorCode::kOutOfRange, 2, 21);
}

}  // namespace
}  // namespace pliant
