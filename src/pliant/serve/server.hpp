// serve/server.hpp — HTTP for the page's files and one WebSocket per page.
//
// Everything that a stranger could send is bounded: connections, length of requests and messages, their rate,
// the time of a request, the data that wait for a slow reader. A page gets the newest state when it has
// acknowledged earlier ones, so a slow page sees fewer frames and delays nobody. Files come from a list in
// memory, so no path on the disk can be requested. The Host of requests must be this server, the Origin of a
// WebSocket its own page. Other machines also need the token.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/serve/page_files.hpp"
#include "pliant/serve/scene_loader.hpp"
#include "pliant/serve/session.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pliant::view {

/// Address and limits of a server.
struct ServerOptions {
  std::string host = "127.0.0.1";  // a numeric address
  std::uint16_t port = 0;          // 0: any that is free
  std::string token;               // required for addresses that are not this machine's own
  // Limits
  std::size_t connections = 64;           // of all kinds
  std::size_t pages = 32;                 // WebSockets
  std::size_t message_bytes = 4096;       // from a page
  double messages_per_second = 300.0;     // from a page, on average
  double burst = 600.0;                   // at once
  std::size_t waiting_letters = 256;      // for a page; beyond that it is disconnected
  std::size_t waiting_bytes = 1U << 28U;  // likewise, of long letters
  double request_seconds = 10.0;          // until a request must be complete
};

/// Serves the page and connects it with a session.
class Server {
 public:
  /// Starts to listen. Fails when the address is invalid or in use, and when a token is missing.
  static Result<std::unique_ptr<Server>> listen(Session& session, std::span<const PageFile> files,
                                                const ServerOptions& options);
  /// The same for scenes that are built while the server answers, one after the other.
  static Result<std::unique_ptr<Server>> listen(SceneLoader& loader, std::span<const PageFile> files,
                                                const ServerOptions& options);
  virtual ~Server() = default;

  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// The address of the page, with the token if there is one.
  [[nodiscard]] virtual std::string url() const = 0;
  /// Whether a session is or has been shown.
  [[nodiscard]] virtual bool has_shown() const = 0;
  /// Serves until `ended` returns true (called ten times a second) or stop() is called.
  virtual void run(const std::function<bool()>& ended) = 0;
  /// Ends run(). May be called from any thread.
  virtual void stop() = 0;
};

}  // namespace pliant::view
