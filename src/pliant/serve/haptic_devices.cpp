#include "pliant/serve/haptic_devices.hpp"

#include "pliant/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace pliant {
namespace {

/// The numbers of a line, separated by spaces or commas. Empty: something else is there.
std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> list;
  const char *at = line.data(), *end = at + line.size();
  const auto separates = [](char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r'; };
  for (;;) {
    while (at != end && separates(*at)) ++at;
    if (at == end) return list;
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) return {};
    list.push_back(value);
    at = next;
  }
}

/// Sets a pose from x y z and perhaps qw qx qy qz. False: that is none.
bool set_pose(const double* numbers, std::size_t count, Pose& pose) {
  if (count != 3 && count != 7) return false;
  if (count == 7) {
    const Eigen::Quaterniond turn(numbers[3], numbers[4], numbers[5], numbers[6]);
    if (!(std::abs(turn.norm() - 1.0) < 1e-3)) return false;
    pose.rotation = turn.normalized().toRotationMatrix();
  }
  pose.position = Vector3(numbers[0], numbers[1], numbers[2]);
  return true;
}

class Scripted final : public HapticDevice {
 public:
  std::vector<double> t;
  std::vector<Pose> poses;
  bool turns = false;

  bool read(double time, Pose& pose) override {
    const auto next = std::upper_bound(t.begin(), t.end(), time) - t.begin();
    const auto i = static_cast<std::size_t>(next);
    if (i == 0 || i == t.size()) {
      const Pose& last = poses[i == 0 ? 0 : i - 1];
      pose.position = last.position;
      if (turns) pose.rotation = last.rotation;
      return true;
    }
    const double share = (time - t[i - 1]) / (t[i] - t[i - 1]);
    pose.position = (1.0 - share) * poses[i - 1].position + share * poses[i].position;
    if (turns)
      pose.rotation = Eigen::Quaterniond(poses[i - 1].rotation)
                          .slerp(share, Eigen::Quaterniond(poses[i].rotation))
                          .toRotationMatrix();
    return true;
  }
  void write(double /*time*/, const ToolWrench& /*wrench*/) override {}
};

/// Text of forces, without allocation.
std::size_t print(double time, const ToolWrench& w, std::array<char, 200>& buffer) {
  const auto result =
      fmt::format_to_n(buffer.data(), buffer.size(), "{:.6f} {:.6g} {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}\n",
                       time, w.force[0], w.force[1], w.force[2], w.torque[0], w.torque[1], w.torque[2]);
  return std::min(result.size, buffer.size());
}

class Piped final : public HapticDevice {
 public:
  Piped(int in, int out) : in_(in), out_(out), flags_(::fcntl(in, F_GETFL)) {
    (void)::fcntl(in, F_SETFL, flags_ | O_NONBLOCK);
    text_.reserve(1U << 16U);
  }
  Piped(const Piped&) = delete;
  Piped& operator=(const Piped&) = delete;
  ~Piped() override { (void)::fcntl(in_, F_SETFL, flags_); }

  bool read(double /*time*/, Pose& pose) override {
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t got = ::read(in_, buffer.data(), buffer.size());
      if (got == 0) return false;
      if (got < 0) break;
      text_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    const std::size_t end = text_.rfind('\n');
    if (end == std::string::npos) return true;
    const std::size_t before = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::vector<double> list = numbers_of(std::string_view(text_).substr(begin, end - begin));
    (void)set_pose(list.data(), list.size(), pose);
    text_.erase(0, end + 1);
    return true;
  }
  void write(double time, const ToolWrench& wrench) override {
    if (out_ < 0) return;
    std::array<char, 200> buffer{};
    const std::size_t size = print(time, wrench, buffer);
    if (::write(out_, buffer.data(), size) < 0) out_ = -1;  // nobody listens any more
  }

 private:
  int in_, out_, flags_;
  std::string text_;
};

class Udp final : public HapticDevice {
 public:
  explicit Udp(int socket) : socket_(socket) {}
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;
  ~Udp() override { ::close(socket_); }

  bool read(double /*time*/, Pose& pose) override {
    std::array<char, 512> buffer{};
    for (;;) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t got =
          ::recvfrom(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from),
                     &size);  // NOLINT: the sockets' own way
      if (got < 0) return true;
      std::string_view text(buffer.data(), static_cast<std::size_t>(got));
      while (text.ends_with('\n')) text.remove_suffix(1);
      const std::vector<double> list = numbers_of(text);
      if (!set_pose(list.data(), list.size(), pose)) continue;
      sender_ = from;
      known_ = true;
    }
  }
  void write(double time, const ToolWrench& wrench) override {
    if (!known_) return;
    std::array<char, 200> buffer{};
    const std::size_t size = print(time, wrench, buffer);
    (void)::sendto(socket_, buffer.data(), size, MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&sender_),
                   sizeof sender_);  // NOLINT: likewise
  }

 private:
  int socket_;
  sockaddr_in sender_{};
  bool known_ = false;
};

Diagnostic in_line(const std::string& name, int line, std::string what, std::string remedy) {
  return {ErrorCode::kSyntax, {name, line, 0, ""}, std::move(what), std::move(remedy)};
}

}  // namespace

Result<std::unique_ptr<HapticDevice>> scripted_device(std::string_view text, const std::string& name) {
  auto device = std::make_unique<Scripted>();
  const std::string remedy = "columns are t,x,y,z or t,x,y,z,qw,qx,qy,qz";
  int line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty() || row == "\r" || row.front() == '#') continue;
    if (device->t.empty() && row.front() == 't') continue;  // the names of the columns
    const std::vector<double> list = numbers_of(row);
    Pose pose;
    if (list.size() != 4 && list.size() != 8)
      return in_line(name, line, "is no row of 4 or 8 numbers", remedy);
    if (!set_pose(list.data() + 1, list.size() - 1, pose))
      return in_line(name, line, "has a quaternion whose length is not 1", "scale it to length 1");
    if (!device->t.empty() && !(list[0] > device->t.back()))
      return in_line(name, line, "is not later than the row before", "sort the rows by time");
    device->turns = device->turns || list.size() == 8;
    device->t.push_back(list[0]);
    device->poses.push_back(pose);
  }
  if (device->t.empty()) return in_line(name, 0, "has no poses", remedy);
  return std::unique_ptr<HapticDevice>(std::move(device));
}

Result<std::unique_ptr<HapticDevice>> scripted_device(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (in) text << in.rdbuf();
  if (!in)
    return Diagnostic{ErrorCode::kUnreadable, {file, 0, 0, "--device"}, "cannot be read", "check the name"};
  return scripted_device(text.str(), file.string());
}

std::unique_ptr<HapticDevice> pipe_device(int in, int out) { return std::make_unique<Piped>(in, out); }

Result<UdpDevice> udp_device(int port) {
  const auto failed = [&](const std::string& what) {
    return Diagnostic{ErrorCode::kUnreadable,
                      {{}, 0, 0, "--udp"},
                      "port " + text(Index{port}) + " " + what + ": " + std::strerror(errno),
                      "take another port"};
  };
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (socket < 0) return failed("cannot be opened");
  auto device = std::make_unique<Udp>(socket);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(static_cast<std::uint16_t>(port));
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  auto* address = reinterpret_cast<sockaddr*>(&here);  // NOLINT: the sockets' own way
  if (::bind(socket, address, size) != 0) return failed("cannot be used");
  if (::getsockname(socket, address, &size) != 0) return failed("has no name");
  return UdpDevice{std::move(device), ntohs(here.sin_port)};
}

}  // namespace pliant
