// HTTP for the page and its interface. Every answer of the interface is JSON; a request that
// cannot be answered gets a status 4xx or 503 and {"error": "one line"}.
//
// A server on a loopback address answers only to its names: a page of another site may point its
// own name at 127.0.0.1 (DNS rebinding), but the browser still says which name it asks for.
//
// A connection is one request and has a thread while it lasts: what does not come within seconds is
// not waited for, and no request is larger than a megabyte. So slow clients take threads and
// nothing else; the searches of all are made by WebApi's threads.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "training/serve/web_api.hpp"

namespace awale::training {

struct WebServerConfig {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: a free one
};

// Whether only this machine itself reaches an address of that name.
bool is_loopback(std::string_view host);

// Serves until `stopped` is true, which is looked at some times a second. `listening` is called
// with the port once connections are accepted. Throws InputError(kUsage) if host and port cannot be
// had.
void serve(const WebServerConfig& config, WebApi& api, const std::function<void(int)>& listening,
           const std::function<bool()>& stopped);

}  // namespace awale::training
