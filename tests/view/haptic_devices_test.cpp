// Poses of devices from tables, pipes and datagrams.
#include "pliant/serve/haptic_devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace pliant {
namespace {

TEST(HapticDevices, AScriptIsLinearBetweenItsRows) {
  const auto device = scripted_device("t,x,y,z\n0,0,0,0\n1,2,0,-1\n# a comment\n2,2,4,-1\n", "s.csv");
  ASSERT_TRUE(device) << to_string(device.error());
  Pose pose;
  pose.rotation = Eigen::AngleAxisd(0.3, Vector3::UnitX()).toRotationMatrix();
  const Matrix3 before = pose.rotation;
  ASSERT_TRUE(device.value()->read(0.5, pose));
  EXPECT_LT((pose.position - Vector3(1.0, 0.0, -0.5)).norm(), 1e-15);
  EXPECT_EQ(pose.rotation, before);  // the script says nothing of it
  ASSERT_TRUE(device.value()->read(7.0, pose));
  EXPECT_EQ(pose.position, Vector3(2.0, 4.0, -1.0));
}

TEST(HapticDevices, BadRowsAreLocated) {
  for (const auto& [text, line] : {std::pair("0,0,0\n", 1), std::pair("t,x,y,z\n0,0,0,0\n0,1,1,1\n", 3),
                                   std::pair("0 0 0 0 1 1 0 0\n", 1), std::pair("0 0 0 nan\n", 1)}) {
    const auto device = scripted_device(text, "s.csv");
    ASSERT_FALSE(device) << text;
    EXPECT_EQ(device.error().where.line, line) << text;
  }
  EXPECT_FALSE(scripted_device("", "s.csv"));
}

TEST(HapticDevices, DatagramsAreAnswered) {
  Result<UdpDevice> udp = udp_device(0);
  ASSERT_TRUE(udp) << to_string(udp.error());
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(udp.value().port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  ASSERT_GE(socket, 0);
  const auto send = [&](const std::string& text) {
    return ::sendto(socket, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&there),
                    sizeof there);
  };
  ASSERT_GT(send("1 2 3"), 0);
  ASSERT_GT(send("4 5 6 0 1 0 0\n"), 0);
  ASSERT_GT(send("no pose"), 0);
  Pose pose;
  HapticDevice& device = *udp.value().device;
  for (int i = 0; i < 100 && pose.position.x() != 4.0; ++i) ASSERT_TRUE(device.read(0.0, pose));
  EXPECT_EQ(pose.position, Vector3(4.0, 5.0, 6.0));
  EXPECT_LT((pose.rotation - Matrix3(Vector3(1.0, -1.0, -1.0).asDiagonal())).norm(), 1e-12);
  device.write(0.5, {Vector3(0.0, 0.0, 2.5), Vector3::Zero()});
  std::array<char, 200> buffer{};
  const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
  ::close(socket);
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, got))),
            "0.500000 0 0 2.5 0 0 0\n");
}

TEST(HapticDevices, TheNewestLineOfAPipeCountsAndItsEndEnds) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto device = pipe_device(ends[0], -1);
  const std::string lines = "0 0 1\n0 0 2\n0 0";
  ASSERT_EQ(::write(ends[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  Pose pose;
  EXPECT_TRUE(device->read(0.0, pose));
  EXPECT_EQ(pose.position.z(), 2.0);
  ASSERT_EQ(::write(ends[1], " 3\n", 3), 3);
  EXPECT_TRUE(device->read(0.0, pose));
  EXPECT_EQ(pose.position.z(), 3.0);
  ::close(ends[1]);
  EXPECT_FALSE(device->read(0.0, pose));
  ::close(ends[0]);
}

}  // namespace
}  // namespace pliant
