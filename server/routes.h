// Which address of the server answers what, and what a request must be to get there.
#pragma once

#include "server/metrics.h"
#include "server/service.h"
#include "server/ui.h"
#include "store/store.h"

namespace httplib {
class Server;
}  // namespace httplib

namespace gluecat::server {

struct Routes {
  Service& service;
  Metrics& metrics;
  store::Store& store;
  const Ui& ui;
  bool refuse_browsers = false;  // where no signature keeps a web page from calling the services
  bool reset = false;            // POST /reset empties the store
};

// Sets up everything of `server` but its address. What `routes` refers to must outlive it.
//
//   POST /         Glue and STS; GET / is STS too
//   GET /healthz   "ok"
//   GET /metrics   see metrics.h
//   GET /ui/…      see ui.h
//   POST /reset    from this machine only
//
// Requests that are no HTTP, or too large, get an answer of the Glue API's form with a 4xx
// status, and their connection is closed.
void Configure(httplib::Server& server, const Routes& routes);

}  // namespace gluecat::server
