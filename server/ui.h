// Pages that show the store in a browser. They only read, and need no JavaScript.
//
//   /ui/            catalogs and their databases
//   /ui/catalog     one catalog          ?catalog=111111111111&region=eu-central-1
//   /ui/database    its tables           …&database=sales
//   /ui/table       one table            …&table=orders, of an old version with …&version=3
//   /ui/versions, /ui/partitions         of the table; pages with …&token=
//   /ui/entry       the entry as JSON    of database, table, version, or partition (…&v0=2026)
//   /ui/entry.json  the same without a page around it
//   /ui/style.css
#pragma once

#include <memory>
#include <utility>

#include "server/message.h"
#include "store/store.h"

namespace gluecat::server {

struct UiOptions {
  // Reading the store needs a signature, which a browser does not give: only an explanation is
  // shown.
  bool needs_signature = false;
  // The server is reached by loopback names only, see host_check.h.
  bool loopback_hosts_only = true;
};

class Ui {
 public:
  Ui(std::shared_ptr<store::Store> store, UiOptions options)
      : store_(std::move(store)), options_(options) {}

  // Total; thread-safe. 403: not allowed to see the store; 404: no such page or object.
  Answer Get(const Request& request) const;

 private:
  std::shared_ptr<store::Store> store_;
  UiOptions options_;
};

}  // namespace gluecat::server
