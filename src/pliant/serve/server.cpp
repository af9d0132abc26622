#include "pliant/serve/server.hpp"

#include "pliant/serve/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <thread>

namespace pliant::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Error = beast::error_code;
using Clock = std::chrono::steady_clock;

constexpr int kStatesAhead = 2;  // states that may be sent before the page acknowledges one
constexpr std::size_t kLongLetter = 1U << 16U;

std::string_view view_of(boost::string_view text) { return {text.data(), text.size()}; }

class Page;

/// Accepts connections and knows all pages. Everything runs on one thread.
class BeastServer final : public Server {
 public:
  BeastServer(Session* session, SceneLoader* loader, std::span<const PageFile> files,
              const ServerOptions& options)
      : session_(session),
        loader_(loader),
        files_(files.begin(), files.end()),
        options_(options),
        acceptor_(io_),
        watch_(io_) {
    if (loader_ == nullptr) return;
    for (const GalleryScene& scene : loader_->gallery())
      if (!scene.picture.empty())
        files_.push_back({paths_.emplace_back("/gallery/" + percent_encoded(scene.name) + ".jpg"),
                          "image/jpeg", scene.picture});
  }
  ~BeastServer() override {
    ending_ = true;
    if (loader_ != nullptr) loader_->on_news({});
    if (session_ != nullptr) session_->on_news({});
    if (retiring_.joinable()) retiring_.join();
  }

  Status open();
  std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }
  std::string url() const override;
  bool has_shown() const override { return session_ != nullptr; }
  void run(const std::function<bool()>& ended) override;
  void stop() override {
    asio::post(io_, [this] { io_.stop(); });
  }

  /// The session that is shown; null before the first is built.
  [[nodiscard]] Session* session() { return session_; }
  [[nodiscard]] SceneLoader* loader() { return loader_; }
  [[nodiscard]] const ServerOptions& options() const { return options_; }
  [[nodiscard]] const PageFile* find(std::string_view path) const;
  [[nodiscard]] bool host_allowed(std::string_view host) const;
  [[nodiscard]] bool token_right(std::string_view target) const {
    const std::string_view sent = query_value(target, "token");
    return options_.token.empty() || same_secret(sent, options_.token) ||
           same_secret(percent_decoded(sent), options_.token);
  }

  [[nodiscard]] bool has_room() const { return pages_.size() < options_.pages; }
  void connection_opened() { ++connections_; }
  void connection_closed() { --connections_; }
  std::uint32_t join(Page& page);
  void leave(Page& page);
  void take_wheel(std::uint32_t client);
  [[nodiscard]] bool steers(std::uint32_t client) const { return client == steering_; }

 private:
  void accept();
  void deliver();
  void take_scene();
  void hear_session();
  void tell_steering();
  void watch(const std::function<bool()>& ended);

  void news() {
    if (!delivery_due_.exchange(true)) asio::post(io_, [this] { deliver(); });
  }
  void post(std::uint32_t client, PageMessage message) {
    if (session_ != nullptr) (void)session_->post(client, std::move(message));
  }

  Session* session_;
  SceneLoader* loader_;
  std::unique_ptr<Session> owned_;  // the session, when it came from the loader
  std::thread retiring_;            // ends the session before
  std::uint64_t loader_news_ = 0;   // that pages have been told
  std::list<std::string> paths_;    // of pictures
  std::vector<PageFile> files_;
  ServerOptions options_;
  bool loopback_ = true;
  bool ending_ = false;
  std::size_t connections_ = 0;
  std::list<Page*> pages_;
  std::uint32_t last_client_ = 0;
  std::uint32_t steering_ = 0;
  std::atomic<bool> delivery_due_{false};
  // Pending handlers in here own pages and visits, which end with it. All that these use must be declared
  // before it.
  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::steady_timer watch_;
};

/// A WebSocket. Sends states as fast as the page takes them and letters in order; passes commands to the
/// session.
class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(Tcp::socket socket, BeastServer& server) : socket_(std::move(socket)), server_(server) {
    server_.connection_opened();
  }
  ~Page() {
    server_.leave(*this);
    server_.connection_closed();
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void accept(const http::request<http::empty_body>& request) {
    socket_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_.read_message_max(server_.options().message_bytes);
    socket_.binary(true);
    socket_.async_accept(request, [self = shared_from_this()](Error error) {
      if (!error) self->start();
    });
  }

  [[nodiscard]] std::uint32_t client() const { return client_; }
  void send(std::shared_ptr<const Bytes> frame) {
    if (closing_) return;
    if (letters_.size() >= server_.options().waiting_letters || too_much(*frame))
      return close(websocket::close_code::try_again_later);
    letters_.push_back(std::move(frame));
    write();
  }
  void write();
  /// Introduces the session that is shown from now on.
  void welcome() {
    if (const Session* session = server_.session(); session != nullptr && client_ != 0) {
      scene_ = session->geometry().scene;
      revision_ = 0;
      sent_ = 0;
      letters_.push_back(std::make_shared<const Bytes>(session->hello(client_)));
      letters_.push_back(std::make_shared<const Bytes>(session->settings()));
    }
    write();
  }

 private:
  void start() {
    client_ = server_.join(*this);
    if (SceneLoader* loader = server_.loader(); loader != nullptr) {
      letters_.push_back(std::make_shared<const Bytes>(encode(loader->list())));
      letters_.push_back(std::make_shared<const Bytes>(encode(loader->progress())));
    }
    welcome();
    read();
  }
  void read();
  void handle(PageMessage message);
  [[nodiscard]] bool too_fast();
  /// Whether too many long answers wait: a page may request them again and again without reading them.
  [[nodiscard]] bool too_much(const Bytes& frame) const {
    std::size_t waiting = frame.size();
    for (const auto& letter : letters_) waiting += letter->size();
    return frame.size() > kLongLetter && waiting > server_.options().waiting_bytes;
  }
  [[nodiscard]] std::shared_ptr<const Bytes> next_frame();
  void close(websocket::close_code code) {
    if (std::exchange(closing_, true)) return;
    if (writing_) return beast::get_lowest_layer(socket_).cancel();  // a pending write might never end
    socket_.async_close(code, [self = shared_from_this()](Error) {});
  }

  websocket::stream<beast::tcp_stream> socket_;
  BeastServer& server_;
  beast::flat_buffer buffer_;
  std::uint32_t client_ = 0;
  std::deque<std::shared_ptr<const Bytes>> letters_;
  std::shared_ptr<const Bytes> sending_;
  std::uint64_t sent_ = 0;  // number of the last state
  std::uint32_t revision_ = 0;
  std::uint32_t scene_ = 0;
  int ahead_ = 0;  // states that the page has not acknowledged
  double allowance_ = 0.0;
  Clock::time_point counted_ = Clock::now();
  bool full_ = false;  // allowance_ has been set
  bool writing_ = false;
  bool closing_ = false;
};

bool Page::too_fast() {
  const auto now = Clock::now();
  const double passed = std::chrono::duration<double>(now - counted_).count();
  counted_ = now;
  const ServerOptions& options = server_.options();
  if (!std::exchange(full_, true)) allowance_ = options.burst;
  allowance_ = std::min(options.burst, allowance_ + passed * options.messages_per_second) - 1.0;
  return allowance_ < 0.0;
}

void Page::read() {
  socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
    if (error) return;  // closed, cut off, or too long: the handler's reference, perhaps the last, is dropped
    const auto data = self->buffer_.data();
    const std::span<const std::uint8_t> frame(static_cast<const std::uint8_t*>(data.data()), data.size());
    if (!self->socket_.got_binary()) return self->close(websocket::close_code::unknown_data);
    if (self->too_fast()) return self->close(websocket::close_code::policy_error);
    std::optional<PageMessage> message = decode_from_page(frame);
    if (!message) return self->close(websocket::close_code::bad_payload);
    self->buffer_.consume(self->buffer_.size());
    self->handle(std::move(*message));
    if (!self->closing_) self->read();
  });
}

void Page::handle(PageMessage message) {
  if (std::holds_alternative<Ready>(message)) {
    ahead_ = std::max(0, ahead_ - 1);
    return write();
  }
  if (std::holds_alternative<Steer>(message)) return server_.take_wheel(client_);
  const auto* write = std::get_if<WriteScene>(&message);
  const bool asks = std::holds_alternative<AskPositions>(message) ||
                    std::holds_alternative<AskField>(message) || std::holds_alternative<AskMode>(message) ||
                    (write != nullptr && write->download != 0);
  if (!server_.steers(client_) && !asks)
    return send(
        std::make_shared<const Bytes>(encode(Notice{1, "another page steers; press t to take over"})));
  if (SceneLoader* loader = server_.loader(); loader != nullptr) {
    if (std::holds_alternative<CancelBuild>(message)) return loader->cancel();
    if (const auto* open = std::get_if<OpenScene>(&message)) {
      if (!loader->open(*open))
        send(std::make_shared<const Bytes>(
            encode(Notice{1, "there is no scene \"" + open->name + "\" in the gallery"})));
      return;
    }
  }
  if (server_.session() != nullptr && !server_.session()->post(client_, std::move(message)))
    send(std::make_shared<const Bytes>(encode(Notice{1, "too many commands at once; one was dropped"})));
}

/// First letters, then the geometry that the newest state needs, then that state if the page is ready for it.
std::shared_ptr<const Bytes> Page::next_frame() {
  if (!letters_.empty()) {
    std::shared_ptr<const Bytes> letter = std::move(letters_.front());
    letters_.pop_front();
    return letter;
  }
  if (ahead_ >= kStatesAhead || server_.session() == nullptr) return nullptr;
  const Session& session = *server_.session();
  const Session::Newest newest = session.newest();
  if (!newest.frame || newest.number == sent_) return nullptr;
  if (newest.revision != revision_) {
    const Session::GeometryFrames geometry = session.geometry();
    revision_ = geometry.revision;
    if (std::exchange(scene_, geometry.scene) != geometry.scene) {
      letters_.push_back(std::make_shared<const Bytes>(session.hello(client_)));
      letters_.push_back(std::make_shared<const Bytes>(session.settings()));
    }
    letters_.insert(letters_.end(), geometry.frames.begin(), geometry.frames.end());
    return next_frame();
  }
  sent_ = newest.number;
  ++ahead_;
  return newest.frame;
}

void Page::write() {
  if (writing_ || closing_ || client_ == 0) return;
  sending_ = next_frame();
  if (!sending_) return;
  writing_ = true;
  socket_.async_write(asio::buffer(*sending_), [self = shared_from_this()](Error error, std::size_t) {
    self->writing_ = false;
    self->sending_.reset();
    if (error || self->closing_) return;
    self->write();
  });
}

/// One HTTP connection. Answers requests in order, until it is upgraded to a WebSocket.
class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(Tcp::socket socket, BeastServer& server) : stream_(std::move(socket)), server_(server) {
    server_.connection_opened();
  }
  ~Visit() { server_.connection_closed(); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  void read() {
    parser_ = std::make_unique<Parser>();
    parser_->header_limit(8192);
    parser_->body_limit(0);
    stream_.expires_after(std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(server_.options().request_seconds)));
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
      if (error == http::error::end_of_stream || error == beast::error::timeout) return self->shut();
      if (error) return self->answer(http::status::bad_request, "text/plain", "not a request\n", true);
      self->handle();
    });
  }
  void refuse() { answer(http::status::service_unavailable, "text/plain", "too many connections\n", true); }

 private:
  void handle() {
    const auto& request = parser_->get();
    const std::string_view host = view_of(request[http::field::host]);
    const std::string_view target = view_of(request.target());
    if (!server_.host_allowed(host))
      return answer(http::status::forbidden, "text/plain", "this is not the host that you asked for\n");
    if (websocket::is_upgrade(request)) return upgrade(host, target);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return answer(http::status::method_not_allowed, "text/plain", "only GET\n", true);
    const std::string_view path = target.substr(0, target.find('?'));
    const PageFile* file = server_.find(path);
    if (file == nullptr) return answer(http::status::not_found, "text/plain", "there is no such page\n");
    answer(http::status::ok, file->type, file->content);
  }

  void upgrade(std::string_view host, std::string_view target) {
    const auto& request = parser_->get();
    const std::string_view origin = view_of(request[http::field::origin]);
    if (target.substr(0, target.find('?')) != "/ws")
      return answer(http::status::not_found, "text/plain", "there is no such socket\n", true);
    if (origin != "http://" + std::string(host))
      return answer(http::status::forbidden, "text/plain", "only our own page may connect\n", true);
    if (!server_.token_right(target))
      return answer(http::status::unauthorized, "text/plain", "the token is wrong or missing\n", true);
    if (!server_.has_room())
      return answer(http::status::service_unavailable, "text/plain", "too many pages\n", true);
    http::request<http::empty_body> head;
    head.base() = request.base();
    stream_.expires_never();
    std::make_shared<Page>(stream_.release_socket(), server_)->accept(head);
  }

  void answer(http::status status, std::string_view type, std::string_view body, bool last = false) {
    const bool head = parser_ && parser_->is_header_done() && parser_->get().method() == http::verb::head;
    const unsigned version = parser_ && parser_->is_header_done() ? parser_->get().version() : 11U;
    const bool keep = !last && parser_ && parser_->get().keep_alive();
    auto response = std::make_shared<http::response<http::span_body<const char>>>(status, version);
    response->set(http::field::server, "pliant");
    response->set(http::field::content_type, boost::string_view(type.data(), type.size()));
    response->set(http::field::cache_control, "no-cache");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Referrer-Policy", "no-referrer");
    response->set("Cross-Origin-Resource-Policy", "same-origin");
    response->set("Content-Security-Policy",
                  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
                  "font-src 'self' data:; "
                  "connect-src 'self' ws:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    response->body() = {body.data(), head ? 0 : body.size()};
    response->content_length(body.size());
    response->keep_alive(keep);
    if (head) {
      auto only_head = std::make_shared<http::response<http::empty_body>>();
      only_head->base() = response->base();
      return write(std::move(only_head), keep);
    }
    write(std::move(response), keep);
  }

  template <class Response>
  void write(std::shared_ptr<Response> response, bool keep) {
    stream_.expires_after(std::chrono::seconds(30));
    auto& message = *response;
    http::async_write(stream_, message,
                      [self = shared_from_this(), response, keep](Error error, std::size_t) {
                        if (error) return;
                        if (!keep) return self->shut();
                        self->read();
                      });
  }

  void shut() {
    Error ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  BeastServer& server_;
  beast::flat_buffer buffer_{16384};
  using Parser = http::request_parser<http::empty_body>;
  std::unique_ptr<Parser> parser_;
};

Status BeastServer::open() {
  Error error;
  const asio::ip::address address = asio::ip::make_address(options_.host, error);
  if (error)
    return Diagnostic{ErrorCode::kUsage,
                      {{}, 0, 0, "--host"},
                      "\"" + options_.host + "\" is no numeric address",
                      "for example 127.0.0.1 or 0.0.0.0"};
  loopback_ = address.is_loopback();
  if (!loopback_ && options_.token.size() < 8)
    return Diagnostic{ErrorCode::kUsage,
                      {{}, 0, 0, "--token"},
                      "an address that others can reach needs a token of at least 8 characters",
                      "give --token, or leave out --host"};
  const Tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Diagnostic{
        ErrorCode::kUsage,
        {{}, 0, 0, "--port"},
        "cannot listen on " + options_.host + ":" + std::to_string(options_.port) + ": " + error.message(),
        "--port 0 takes a free one"};
  hear_session();
  if (loader_ != nullptr) loader_->on_news([this] { news(); });
  accept();
  return Done{};
}

std::string BeastServer::url() const {
  const std::string host =
      options_.host.find(':') == std::string::npos ? options_.host : "[" + options_.host + "]";
  return "http://" + host + ":" + std::to_string(port()) + "/" +
         (options_.token.empty() ? "" : "?token=" + percent_encoded(options_.token));
}

const PageFile* BeastServer::find(std::string_view path) const {
  const std::string_view wanted = path == "/" ? "/index.html" : path;
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const PageFile& file) { return file.path == wanted; });
  return found == files_.end() ? nullptr : &*found;
}

/// Prevents DNS rebinding: a foreign page must not reach a local server under a name of its own. A server
/// that other machines can reach may have any name; there the token keeps strangers out.
bool BeastServer::host_allowed(std::string_view host) const {
  const std::string tail = ":" + std::to_string(port());
  const bool has_port = host.ends_with(tail);
  if (!has_port && port() != 80) return false;  // browsers omit port 80 only
  if (!loopback_) return true;
  const std::string_view name = host.substr(0, host.size() - (has_port ? tail.size() : 0));
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" || name == options_.host;
}

void BeastServer::accept() {
  acceptor_.async_accept([this](Error error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      Error ignored;
      socket.set_option(Tcp::no_delay(true), ignored);
      const bool full = connections_ >= options_.connections;
      const auto visit = std::make_shared<Visit>(std::move(socket), *this);
      if (full)
        visit->refuse();
      else
        visit->read();
    }
    accept();
  });
}

std::uint32_t BeastServer::join(Page& page) {
  pages_.push_back(&page);
  const std::uint32_t client = ++last_client_;
  if (steering_ == 0) steering_ = client;
  if (session_ != nullptr) session_->begin();
  asio::post(io_, [this] { tell_steering(); });
  return client;
}

void BeastServer::leave(Page& page) {
  const auto found = std::find(pages_.begin(), pages_.end(), &page);
  if (found == pages_.end()) return;
  pages_.erase(found);
  if (ending_) return;
  if (page.client() == steering_) {
    steering_ = pages_.empty() ? 0 : pages_.front()->client();
    post(page.client(), Release{});
  }
  asio::post(io_, [this] { tell_steering(); });
}

void BeastServer::take_wheel(std::uint32_t client) {
  if (client == steering_) return;
  post(steering_, Release{});
  steering_ = client;
  tell_steering();
}

void BeastServer::tell_steering() {
  const std::vector<Page*> all(pages_.begin(), pages_.end());
  for (Page* page : all)
    page->send(std::make_shared<const Bytes>(encode(Steering{
        static_cast<std::uint8_t>(steers(page->client()) ? 1 : 0), static_cast<std::uint32_t>(all.size())})));
}

void BeastServer::hear_session() {
  if (session_ != nullptr) session_->on_news([this] { news(); });
}

/// Shows a session that the loader has finished, in place of the one before.
void BeastServer::take_scene() {
  std::unique_ptr<Session> fresh = loader_->take();
  if (!fresh) return;
  if (session_ != nullptr) session_->on_news({});
  if (retiring_.joinable()) retiring_.join();
  if (owned_) retiring_ = std::thread([old = std::move(owned_)]() mutable { old.reset(); });
  owned_ = std::move(fresh);
  session_ = owned_.get();
  hear_session();
  session_->run();
  if (!pages_.empty()) session_->begin();
  const std::vector<Page*> all(pages_.begin(), pages_.end());
  for (Page* page : all) page->welcome();
}

void BeastServer::deliver() {
  delivery_due_ = false;
  if (loader_ != nullptr && loader_->news() != loader_news_) {
    loader_news_ = loader_->news();
    const std::vector<Page*> all(pages_.begin(), pages_.end());
    for (Page* page : all) page->send(std::make_shared<const Bytes>(encode(loader_->progress())));
    take_scene();
  }
  if (session_ == nullptr) return;
  const std::vector<Session::Letter> letters = session_->take_letters();
  const std::vector<Page*> all(pages_.begin(), pages_.end());
  for (Page* page : all) {
    for (const Session::Letter& letter : letters)
      if (letter.client == 0 || letter.client == page->client()) page->send(letter.frame);
    page->write();
  }
}

void BeastServer::watch(const std::function<bool()>& ended) {
  watch_.expires_after(std::chrono::milliseconds(100));
  watch_.async_wait([this, &ended](Error error) {
    if (error) return;
    if (ended()) return io_.stop();
    watch(ended);
  });
}

void BeastServer::run(const std::function<bool()>& ended) {
  watch(ended);
  io_.run();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(Session& session, std::span<const PageFile> files,
                                               const ServerOptions& options) {
  auto server = std::make_unique<BeastServer>(&session, nullptr, files, options);
  if (Status opened = server->open(); !opened) return opened.errors();
  return std::unique_ptr<Server>(std::move(server));
}

Result<std::unique_ptr<Server>> Server::listen(SceneLoader& loader, std::span<const PageFile> files,
                                               const ServerOptions& options) {
  auto server = std::make_unique<BeastServer>(nullptr, &loader, files, options);
  if (Status opened = server->open(); !opened) return opened.errors();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace pliant::view
