// HTTP for the page and its interface. Every answer of the interface is JSON; a request that
// cannot be answered gets a status 4xx or 503 and {"error": "one line"}.
//
// A connection is one request and has a thread while it lasts: what does not come within seconds is
// not waited for, and no request is larger than a megabyte. So slow clients take threads and
// nothing else; the searches of all are made by WebApi's threads.
#pragma once

#include <functional>
#include <string>

#include "training/serve/web_api.hpp"

namespace awale::training {

struct WebServerConfig {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: a free one
};

// Serves until `stopped` is true, which is looked at some times a second. `listening` is called
// with the port once connections are accepted. Throws InputError(kUsage) if host and port cannot be
// had.
void serve(const WebServerConfig& config, WebApi& api, const std::function<void(int)>& listening,
           const std::function<bool()>& stopped);

}  // namespace awale::training
