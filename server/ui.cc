#include "server/ui.h"

#include <charconv>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "server/host_check.h"
#include "server/ui_pages.h"
#include "server/ui_style.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kRoot = "/ui/";
constexpr const char* kHtml = "text/html; charset=utf-8";

Answer Page(int status, std::string body) {
  return {.status = status, .content_type = kHtml, .request_id = {}, .body = std::move(body)};
}

Answer Message(int status, std::string_view heading, std::string_view text) {
  HtmlWriter page = StartPage({}, "", heading);
  page.Element("p", text);
  return Page(status, page.Take());
}

std::size_t CountOf(const FormParameters& query, std::string_view name) {
  std::size_t count = 0;
  const auto found = query.find(name);
  if (found == query.end()) return 0;
  const std::string& text = found->second;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

Result<std::string> PageOf(store::Store& store, std::string_view name,
                           const FormParameters& query) {
  const UiPlace place = UiPlace::Of(query);
  if (name.empty()) return CatalogsPage(store, CountOf(query, "from"));
  if (name == "catalog") return CatalogPage(store, place);
  if (name == "database") return DatabasePage(store, place);
  if (name == "table") return TablePage(store, place);
  if (name == "versions") return VersionsPage(store, place);
  if (name == "partitions") return PartitionsPage(store, place);
  if (name == "functions") return FunctionsPage(store, place);
  if (name == "statistics") return StatisticsPage(store, place);
  if (name == "indexes") return IndexesPage(store, place);
  if (name == "entry") return EntryPage(store, place, query);
  if (name == "entry.json") return EntryJson(store, place, query);
  return store::EntityNotFound("There is no such page.");
}

}  // namespace

Answer Ui::Get(const Request& request) const {
  const std::string_view host = request.Header("Host");
  if ((options_.loopback_hosts_only && !IsLoopbackHost(HostOfAuthority(host))) ||
      !IsSameOrigin(request.Header("Origin"), host)) {
    return Message(403, "Not from here",
                   "This server listens on this machine only, and shows its pages under the names "
                   "localhost, 127.0.0.1 and [::1].");
  }
  std::string_view name = request.path;
  name.remove_prefix(name.starts_with(kRoot) ? kRoot.size() : name.size());
  if (name == "style.css") {
    return {.status = 200,
            .content_type = "text/css; charset=utf-8",
            .request_id = {},
            .body = std::string(UiStyle())};
  }
  if (options_.needs_signature) {
    return Message(403, "Not shown",
                   "This server has an accounts file: what is in the store is for those who sign "
                   "their requests, and a browser does not. The option --ui of gluecat serve shows "
                   "these pages to anybody who reaches the address.");
  }
  auto body = PageOf(*store_, name, ParseForm(request.query));
  if (!body) {
    const Error& error = body.error();
    if (error.code == "EntityNotFoundException") return Message(404, "Not found", error.message);
    return Message(error.http_status == 0 ? 500 : error.http_status, "This cannot be shown",
                   error.message);
  }
  Answer answer = Page(200, *std::move(body));
  if (name == "entry.json") answer.content_type = "application/json; charset=utf-8";
  return answer;
}

}  // namespace gluecat::server
