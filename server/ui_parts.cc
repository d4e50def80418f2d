#include "server/ui_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "core/base/text.h"
#include "core/entry/limits.h"
#include "core/entry/recognize.h"
#include "core/glue/codec.h"

namespace gluecat::server {
namespace {

constexpr std::size_t kLongValue = 300;
constexpr std::size_t kLongInList = 120;

using Members = std::initializer_list<std::pair<std::string_view, std::string_view>>;

std::string Cut(std::string_view value, std::size_t bytes) {
  std::string cut(entry::CutToBytes(value, bytes));
  return cut.size() == value.size() ? cut : cut + "…";
}

// `here` is where the way ends; what `place` names before it are the steps.
void WriteWay(HtmlWriter& page, const UiPlace& place, std::string_view here) {
  page.Open("nav", {{"aria-label", "Where this is"}}).Open("ol");
  const auto step = [&](const std::string& url, std::string_view text) {
    page.Open("li").Element("a", Cut(text, kLongInList), {{"href", url}}).Close();
  };
  UiPlace way;
  step("./", "Catalogs");
  if (!place.catalog.empty()) {
    way.catalog = place.catalog;
    way.region = place.region;
    step(UiUrl("catalog", way), place.catalog + " · " + place.region);
  }
  if (!place.database.empty()) {
    way.database = place.database;
    step(UiUrl("database", way), place.database);
  }
  if (!place.table.empty()) {
    way.table = place.table;
    step(UiUrl("table", way), place.table);
  }
  if (!here.empty()) page.Element("li", Cut(here, kLongInList), {{"aria-current", "page"}});
  page.Close().Close();
}

}  // namespace

UiPlace UiPlace::Of(const FormParameters& query) {
  const auto value = [&](std::string_view name) {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  };
  return {.catalog = value("catalog"),
          .region = value("region"),
          .database = value("database"),
          .table = value("table"),
          .version = value("version"),
          .token = value("token")};
}

std::string UiUrl(std::string_view page, const UiPlace& place, Members more) {
  std::string url(page);
  char separator = '?';
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    url += separator;
    url.append(name).append("=").append(PercentEncode(value));
    separator = '&';
  };
  add("catalog", place.catalog);
  add("region", place.region);
  add("database", place.database);
  add("table", place.table);
  add("version", place.version);
  for (const auto& [name, value] : more) add(name, value);
  return url;
}

UiKind KindOf(JsonView entry) {
  const auto table = glue::DecodeTable(entry);
  if (!table) return {.kind = "unreadable", .format = "", .reason = table.error().message};
  auto recognized = entry::Recognize(*table);
  UiKind kind{.kind = std::string(entry::TableKindName(recognized.kind)),
              .format = std::move(recognized.provider),
              .reason = std::move(recognized.reason)};
  std::replace(kind.kind.begin(), kind.kind.end(), '_', ' ');
  if (kind.format.empty()) kind.format = entry["Parameters"]["classification"].StringOr("");
  if (kind.format.empty()) {
    // The class without its package.
    const std::string input = entry["StorageDescriptor"]["InputFormat"].StringOr("");
    kind.format = input.substr(input.rfind('.') + 1);
  }
  return kind;
}

Result<JsonDocument> Ask(store::Store& store, const UiPlace& place, std::string_view operation,
                         Members members, std::string_view more) {
  JsonWriter request;
  request.BeginObject();
  for (const auto& [name, value] : members) {
    if (!value.empty()) request.Member(name, value);
  }
  std::string text = request.EndObject().Take();
  if (!more.empty()) {
    text.pop_back();
    if (text.size() > 1) text += ',';
    text.append(more).append("}");
  }
  const store::Principal principal{.account = place.catalog, .region = place.region, .arn = {}};
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, store.Execute(principal, operation, text));
  return JsonDocument::Parse(answer);
}

HtmlWriter StartPage(const UiPlace& place, std::string_view here, std::string_view heading) {
  HtmlWriter page;
  page.Void("!doctype html").Open("html", {{"lang", "en"}}).Open("head");
  page.Void("meta", {{"charset", "utf-8"}});
  page.Void("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.Element("title", Cut(heading, kLongInList) + " – gluecat");
  page.Void("link", {{"rel", "stylesheet"}, {"href", "style.css"}});
  page.Close().Open("body");
  WriteWay(page, place, here);
  page.Open("main").Element("h1", Cut(heading, kLongValue));
  return page;
}

void WriteValue(HtmlWriter& page, std::string_view value) {
  if (value.size() <= kLongValue) {
    page.Text(value);
    return;
  }
  page.Open("details").Open("summary").Text(Cut(value, kLongValue));
  page.Element("span", " (whole value, " + std::to_string(value.size()) + " bytes)",
               {{"class", "soft"}});
  page.Close().Element("pre", value).Close();
}

void WriteBrief(HtmlWriter& page, std::string_view value) { page.Text(Cut(value, kLongInList)); }

void WriteEmptyState(HtmlWriter& page, std::string_view text) {
  page.Element("p", text, {{"class", "empty"}});
}

void StartTable(HtmlWriter& page, std::initializer_list<std::string_view> columns,
                std::string_view label) {
  page.Open("div",
            {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}});
  page.Open("table");
  if (columns.size() > 0) {
    page.Open("thead").Open("tr");
    for (const auto& column : columns) page.Element("th", column, {{"scope", "col"}});
    page.Close().Close();
  }
  page.Open("tbody");
}

void EndTable(HtmlWriter& page) { page.Close().Close().Close(); }

void WriteLinkCell(HtmlWriter& page, std::string_view url, std::string_view text) {
  page.Open("td").Element("a", Cut(text, kLongInList), {{"href", url}}).Close();
}

FactTable::~FactTable() {
  if (started_) EndTable(page_);
}

void FactTable::Add(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  if (!started_) StartTable(page_, {}, label_);
  started_ = true;
  page_.Open("tr").Element("th", name, {{"scope", "row"}}).Open("td");
  WriteValue(page_, value);
  page_.Close().Close();
}

void FactTable::Add(std::string_view name, JsonView value) {
  if (value.IsNull()) return;
  const auto text = value.AsString();
  if (text) {
    Add(name, *text);
  } else {
    Add(name, std::string_view(value.Dump()));
  }
}

void FactTable::AddTime(std::string_view name, JsonView seconds) {
  if (const auto number = seconds.AsDouble()) Add(name, std::string_view(TimeText(*number)));
}

void WriteParameters(HtmlWriter& page, std::string_view heading, JsonView parameters) {
  const auto members = parameters.Members();
  if (members.empty()) return;
  page.Element("h2", heading);
  StartTable(page, {"Name", "Value"}, heading);
  for (const auto& [name, value] : members) {
    page.Open("tr").Open("td");
    WriteValue(page, name);
    page.Close().Open("td");
    WriteValue(page, value.StringOr(value.Dump()));
    page.Close().Close();
  }
  EndTable(page);
}

void WritePager(HtmlWriter& page, std::string_view name, const UiPlace& place,
                JsonView next_token) {
  const std::string next = next_token.StringOr("");
  if (next.empty() && place.token.empty()) return;
  page.Open("p", {{"class", "links"}});
  if (!place.token.empty()) page.Element("a", "First page", {{"href", UiUrl(name, place)}});
  if (!next.empty()) {
    page.Element("a", "Next page",
                 {{"rel", "next"}, {"href", UiUrl(name, place, {{"token", next}})}});
  }
  page.Close();
}

std::string TimeText(double seconds) {
  constexpr double kYear9999 = 253402300799.0;
  std::tm parts{};
  std::array<char, 40> text{};
  if (std::abs(seconds) <= kYear9999) {
    const auto time = static_cast<std::time_t>(std::floor(seconds));
    if (gmtime_r(&time, &parts) != nullptr &&
        std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts) > 0) {
      return text.data();
    }
  }
  return JsonWriter().Double(seconds).Take();
}

}  // namespace gluecat::server
