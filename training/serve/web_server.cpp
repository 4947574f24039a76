#include "training/serve/web_server.hpp"

#include <httplib.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "env/error.hpp"
#include "training/serve/connection_threads.hpp"
#include "training/web_pages.hpp"

namespace awale::training {
namespace {

using httplib::Request;
using httplib::Response;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostConnections = 512;
constexpr std::size_t kMostBytes = 1 << 20;  // of a request
constexpr int kTimeoutSeconds = 5;           // to send or take the next piece
constexpr auto kStopInterval = std::chrono::milliseconds(100);

constexpr std::size_t kLongestProblem = 1000;  // it may repeat what was asked

constexpr const char* kJson = "application/json";
// By this name the library leaves it as it is; the other one it compresses, with Brotli at its
// slowest, where the client knows that.
constexpr const char* kPlainJson = "application/json; charset=utf-8";
constexpr const char* kJsonLines = "application/x-ndjson";

// A page from elsewhere may neither be loaded into this one nor read what it says.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// The library lets five connections wait to be accepted; who comes sixth tries again a second
// later.
class Server : public httplib::Server {
 public:
  void lengthen_backlog() { ::listen(svr_sock_, static_cast<int>(kMostConnections)); }
};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void answer_error(Response& response, int status, const std::string& problem) {
  response.status = status;
  response.set_content(text_of({{"error", problem.substr(0, kLongestProblem)}}), kPlainJson);
}

int status_of(const InputError& error) {
  return error.kind() == ErrorKind::kUsage ? 400 : 422;
}

// What went wrong, as an answer.
void answer_exception(Response& response, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    answer_error(response, status_of(error), error.what());
  } catch (const GameIsOver& error) {
    answer_error(response, 409, error.what());
  } catch (const QueueBusy& error) {
    response.set_header("Retry-After", "1");
    answer_error(response, 503, error.what());
  } catch (const std::exception& error) {
    answer_error(response, 500, std::string("internal: ") + error.what());
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A page of another site can make a browser send text, but not JSON.
bool is_json(const Request& request) {
  const std::string type = lower(request.get_header_value("Content-Type"));
  return type.substr(0, type.find(';')) == kJson;
}

// A line an analysis as it is made, until the last one or until nobody listens any more. What goes
// wrong on the way cannot become a status any more: the answer then ends without its end.
void stream(const WebApi::NextAnalysis& next, Response& response) {
  response.set_chunked_content_provider(kJsonLines, [next](std::size_t, httplib::DataSink& sink) {
    try {
      const auto analysis = sink.is_writable() ? next() : std::nullopt;
      if (!analysis) {
        sink.done();
        return true;
      }
      const std::string line = text_of(*analysis) + "\n";
      return sink.write(line.data(), line.size());
    } catch (const std::exception&) {
      return false;
    }
  });
}

void send(const Json& json, Response& response) {
  response.set_content(text_of(json), kPlainJson);
}

// By way of a provider, because the library would compress a body that is text.
void send_page(Response& response) {
  response.set_content_provider(
      play_page().size(), "text/html; charset=utf-8",
      [](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(play_page().data() + offset, length);
      });
}

struct Route {
  const char* path;
  void (*answer)(WebApi& api, const Request& request, Response& response);
};

constexpr Route kGet[] = {
    {"/", [](WebApi&, const Request&, Response& to) { send_page(to); }},
    {"/api/info", [](WebApi& api, const Request&, Response& to) { send(api.info(), to); }}};

constexpr Route kPost[] = {
    {"/api/game",
     [](WebApi& api, const Request& from, Response& to) { send(api.game(from.body), to); }},
    {"/api/move",
     [](WebApi& api, const Request& from, Response& to) { send(api.move(from.body), to); }},
    {"/api/analyze",
     [](WebApi& api, const Request& from, Response& to) { stream(api.analyze(from.body), to); }},
    {"/api/load",
     [](WebApi& api, const Request& from, Response& to) { send(api.load(from.body), to); }},
    {"/api/save",
     [](WebApi& api, const Request& from, Response& to) { send(api.save(from.body), to); }}};

void add_routes(Server& server, WebApi& api) {
  for (const Route& route : kGet) {
    server.Get(route.path, [&api, &route](const Request& request, Response& response) {
      route.answer(api, request, response);
    });
  }
  for (const Route& route : kPost) {
    server.Post(route.path, [&api, &route](const Request& request, Response& response) {
      if (is_json(request)) return route.answer(api, request, response);
      answer_error(response, 415, "expected Content-Type: application/json");
    });
  }
}

bool is_known(const std::string& path) {
  const auto is_path = [&path](const Route& route) { return route.path == path; };
  return std::any_of(std::begin(kGet), std::end(kGet), is_path) ||
         std::any_of(std::begin(kPost), std::end(kPost), is_path);
}

// What the library refuses by itself, and what is asked of the right path in the wrong way.
void explain_error(const Request& request, Response& response) {
  if (!response.body.empty()) return;
  if (response.status == 404 && is_known(request.path))
    return answer_error(response, 405, "GET for / and /api/info, POST for the others");
  if (response.status == 404) return answer_error(response, 404, "no such page");
  if (response.status == 413)
    return answer_error(response, 413, "expected at most 1 MiB in a request");
  answer_error(response, response.status, "malformed request");
}

// After a restart at once; but not while another process listens, as the library would.
void reuse_address(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

// "[::1]:8080" and "localhost:8080" without the port and the brackets.
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

bool is_one_length(const Request& request) {
  const std::string length = request.get_header_value("Content-Length");
  return request.get_header_value_count("Content-Length") <= 1 &&
         length.find_first_not_of("0123456789") == std::string::npos;
}

struct Refusal {
  int status;
  const char* problem;
};

// What the library would take: chunks, which it holds to no limit; lengths that contradict each
// other; on an address of this machine alone, names that are another's.
std::optional<Refusal> refuse(const Request& request, bool local) {
  if (request.has_header("Transfer-Encoding"))
    return Refusal{411, "expected a Content-Length, found a Transfer-Encoding"};
  if (!is_one_length(request)) return Refusal{400, "expected one Content-Length, a number"};
  if (local && request.has_header("Host") &&
      !is_loopback(host_name(lower(request.get_header_value("Host")))))
    return Refusal{403, "expected as Host this machine: localhost, 127.0.0.1 or [::1]"};
  return std::nullopt;
}

Server::HandlerResponse before_routing(bool local, const Request& request, Response& response) {
  // The library cuts parts out of any answer, errors included; a server need not know them. The
  // request is the library's own, which is not const.
  const_cast<Request&>(request).ranges.clear();
  const auto refusal = refuse(request, local);
  if (!refusal) return Server::HandlerResponse::Unhandled;
  answer_error(response, refusal->status, refusal->problem);
  return Server::HandlerResponse::Handled;
}

void set_limits(Server& server, bool local) {
  server.set_pre_routing_handler([local](const Request& request, Response& response) {
    return before_routing(local, request, response);
  });
  server.new_task_queue = [] { return new ConnectionThreads(kMostConnections); };
  server.set_payload_max_length(kMostBytes);
  server.set_read_timeout(kTimeoutSeconds);
  server.set_write_timeout(kTimeoutSeconds);
  // A connection is a request: the library looks at idle ones a hundred times a second, which costs
  // more than connecting again.
  server.set_keep_alive_max_count(1);
  server.set_tcp_nodelay(true);
  server.set_socket_options(reuse_address);
  server.set_default_headers({{"Content-Security-Policy", kContentPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Cache-Control", "no-store"}});
}

int bind(Server& server, const WebServerConfig& config) {
  const std::string& host = config.host;
  const int port = config.port == 0                         ? server.bind_to_any_port(host)
                   : server.bind_to_port(host, config.port) ? config.port
                                                            : -1;
  if (port > 0) return port;
  throw InputError(ErrorKind::kUsage,
                   "cannot listen on " + host + ":" + std::to_string(config.port) +
                       ": no such address here, or the port is taken (--port 0 takes a free one)");
}

}  // namespace

bool is_loopback(std::string_view host) {
  const bool is_v4 = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return (is_v4 && host.starts_with("127.")) || host == "localhost" || host == "::1";
}

void serve(const WebServerConfig& config, WebApi& api, const std::function<void(int)>& listening,
           const std::function<bool()>& stopped) {
  Server server;
  set_limits(server, is_loopback(config.host));
  add_routes(server, api);
  server.set_error_handler(explain_error);
  server.set_exception_handler([](const Request&, Response& response, std::exception_ptr error) {
    answer_exception(response, error);
  });
  const int port = bind(server, config);
  server.lengthen_backlog();
  std::thread loop([&server] { server.listen_after_bind(); });
  while (!server.is_running())  // before that it cannot be stopped
    std::this_thread::yield();
  listening(port);
  while (!stopped())
    std::this_thread::sleep_for(kStopInterval);
  api.close();
  server.stop();
  loop.join();
}

}  // namespace awale::training
