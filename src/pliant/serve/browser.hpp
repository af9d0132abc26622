// serve/browser.hpp — a headless browser, for pictures of the page.
//
// Chromium is started with a temporary profile. The two processes talk through a socket pair by the DevTools
// protocol (JSON texts that end with a zero byte), so nothing listens on a port. Chromium renders in
// software, which gives the same picture on every machine.
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

/// A running Chromium with one page.
class Browser {
 public:
  /// The program to start: `named` if it is not empty, or else an installed browser. Fails with kNotFound and
  /// a remedy.
  static Result<std::filesystem::path> find(const std::string& named);
  /// Starts the program with one empty page. Fails with kNumerical when it does not answer. When `cancel` is
  /// set, every function that waits fails with kCancelled; null: never.
  static Result<std::unique_ptr<Browser>> start(const std::filesystem::path& program, PictureSize size,
                                                const std::atomic<bool>* cancel = nullptr);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Loads an address.
  Status open(const std::string& url);
  /// The value of a JavaScript expression in the page. Waits for a promise for at most `seconds`.
  Result<nlohmann::json> evaluate(const std::string& expression, double seconds = 60.0);
  /// Waits until an expression is true.
  Status await(const std::string& expression, double seconds = 60.0);
  /// A screenshot of the page. `format`: "png" or "jpeg".
  Result<std::string> picture(const std::string& format = "png");

 private:
  Browser() = default;
  Result<nlohmann::json> call(const std::string& method, nlohmann::json parameters, double seconds = 60.0);
  /// The next message, or none before the deadline.
  Result<nlohmann::json> receive(double seconds);
  Status send(const nlohmann::json& message);
  /// The last line of its standard error, for messages.
  [[nodiscard]] std::string last_words() const;
  void end();

  const std::atomic<bool>* cancel_ = nullptr;
  int socket_ = -1;
  int process_ = -1;
  int calls_ = 0;
  std::string page_;      // the page's name in the protocol
  std::string received_;  // bytes of a message that is not complete yet
  std::filesystem::path profile_;
};

/// Decodes base64 text; empty when the text is invalid.
[[nodiscard]] std::string from_base64(std::string_view text);

}  // namespace pliant::view
