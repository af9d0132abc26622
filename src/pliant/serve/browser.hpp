// serve/browser.hpp — a browser without a screen, for pictures of the page.
//
// Chromium is started with a profile of its own that is removed afterwards, and is spoken to through a socket
// that only the two processes have (the DevTools protocol: JSON texts that end with a zero byte), so nothing
// listens on a port. It draws in software, which gives the same picture on every machine.
#pragma once

#include "pliant/base/result.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace pliant::view {

/// Size of a picture, in pixels.
struct PictureSize {
  int width = 960;
  int height = 540;
};

class Browser {
 public:
  /// The program to start: `named` if it is not empty, else what is installed. Errors: kNotFound, with what
  /// to do.
  static Result<std::filesystem::path> find(const std::string& named);
  /// Starts it, with one empty page. Errors: kNumerical when it does not answer. What waits for it ends with
  /// kCancelled when `cancel` is set; null: never.
  static Result<std::unique_ptr<Browser>> start(const std::filesystem::path& program, PictureSize size,
                                                const std::atomic<bool>* cancel = nullptr);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Loads an address.
  Status open(const std::string& url);
  /// The value of an expression in the page; a promise is awaited for at most `seconds`.
  Result<nlohmann::json> evaluate(const std::string& expression, double seconds = 60.0);
  /// Waits until an expression is true.
  Status await(const std::string& expression, double seconds = 60.0);
  /// What the page shows, as a PNG file.
  Result<std::string> picture();

 private:
  Browser() = default;
  Result<nlohmann::json> call(const std::string& method, nlohmann::json parameters, double seconds = 60.0);
  /// The next message, or none before the deadline.
  Result<nlohmann::json> receive(double seconds);
  Status send(const nlohmann::json& message);
  /// What it has written last on its standard error, for people to see.
  [[nodiscard]] std::string last_words() const;
  void end();

  const std::atomic<bool>* cancel_ = nullptr;
  int socket_ = -1;
  int process_ = -1;
  int calls_ = 0;
  std::string page_;      // the page's name in the protocol
  std::string received_;  // not yet a whole message
  std::filesystem::path profile_;
};

/// The bytes behind base64 text; empty when it is none.
[[nodiscard]] std::string from_base64(std::string_view text);

}  // namespace pliant::view
