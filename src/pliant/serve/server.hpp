// serve/server.hpp — HTTP for the page's files and one WebSocket per page.
//
// Everything that a stranger could send is bounded: connections, the length of requests and messages, their
// rate, the time a request may take, what waits for a slow reader. A page gets the newest state when it has
// said that it is ready for one, so a slow page sees fewer frames and holds up nobody. Files come from a list
// in memory: no path on the disk can be named. Requests must be addressed to us (Host), WebSockets must come
// from our own page (Origin), and from other machines only with the token.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/serve/page_files.hpp"
#include "pliant/serve/session.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pliant::view {

struct ServerOptions {
  std::string host = "127.0.0.1";  // a numeric address
  std::uint16_t port = 0;          // 0: any that is free
  std::string token;               // required for addresses that are not this machine's own
  // bounds
  std::size_t connections = 64;           // of all kinds
  std::size_t pages = 32;                 // WebSockets
  std::size_t message_bytes = 4096;       // from a page
  double messages_per_second = 300.0;     // from a page, on average
  double burst = 600.0;                   // at once
  std::size_t waiting_letters = 256;      // for a page; one that fetches none is cut off
  std::size_t waiting_bytes = 1U << 28U;  // likewise, of long letters
  double request_seconds = 10.0;          // until a request is complete
};

class Server {
 public:
  /// Listens; errors: an address that is none or is taken, a missing token.
  static Result<std::unique_ptr<Server>> listen(Session& session, std::span<const PageFile> files,
                                                const ServerOptions& options);
  virtual ~Server() = default;

  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// What to type into a browser.
  [[nodiscard]] virtual std::string url() const = 0;
  /// Serves until `ended` says so (asked ten times a second) or stop() is called.
  virtual void run(const std::function<bool()>& ended) = 0;
  /// From any thread.
  virtual void stop() = 0;
};

}  // namespace pliant::view
