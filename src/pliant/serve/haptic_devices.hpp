// serve/haptic_devices.hpp — devices of a haptic loop: a script of poses, and poses as text from a pipe or
// from UDP on 127.0.0.1.
//
// A pose is a line "x y z" in m, or "x y z qw qx qy qz" with a unit quaternion. Forces go back as
// "time fx fy fz tx ty tz", N and N m.
#pragma once

#include "pliant/sim/haptic_loop.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pliant {

/// The poses of a table with the columns t,x,y,z and perhaps qw,qx,qy,qz; linear in between, constant before
/// and after. Problems name the line.
[[nodiscard]] Result<std::unique_ptr<HapticDevice>> scripted_device(const std::filesystem::path& file);
/// The same from its text; `name`: of the file, for errors.
[[nodiscard]] Result<std::unique_ptr<HapticDevice>> scripted_device(std::string_view text,
                                                                    const std::string& name);

/// The newest line of a stream decides. It ends with the stream. `out`: where forces go; negative: nowhere.
[[nodiscard]] std::unique_ptr<HapticDevice> pipe_device(int in, int out);

/// The newest datagram decides; forces go to its sender.
struct UdpDevice {
  std::unique_ptr<HapticDevice> device;
  int port = 0;  // on which it listens
};
[[nodiscard]] Result<UdpDevice> udp_device(int port);

}  // namespace pliant
