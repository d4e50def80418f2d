// What the pages of the store have in common: where they are, how they look, how they ask.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/base/result.h"
#include "server/html.h"
#include "server/sts_protocol.h"
#include "store/store.h"

namespace gluecat::server {

// What a page is about, as its address says it; empty members are not said.
struct UiPlace {
  std::string catalog;
  std::string region;
  std::string database;
  std::string table;
  std::string version;  // of the table; empty: the current one
  std::string token;    // of the page of a listing

  static UiPlace Of(const FormParameters& query);
};

// "table?catalog=…&region=…", relative to /ui/. The page of a listing is not part of it.
std::string UiUrl(std::string_view page, const UiPlace& place,
                  std::initializer_list<std::pair<std::string_view, std::string_view>> more = {});

// What kind of table an entry of Glue is.
struct UiKind {
  std::string kind;    // "data source"
  std::string format;  // "parquet"; a class name where there is none; may be empty
  std::string reason;  // why Spark catalogs of ours cannot read it; empty if they can
};
UiKind KindOf(JsonView entry);

// Calls a reading operation of the store for the place's catalog and region. The request is
// {"DatabaseName", "TableName" or "Name", …}: `members` of it, empty ones left out; `more` is the
// inside of a JSON object. Errors: the store's.
Result<JsonDocument> Ask(
    store::Store& store, const UiPlace& place, std::string_view operation,
    std::initializer_list<std::pair<std::string_view, std::string_view>> members,
    std::string_view more = {});

// Everything up to and including the heading; Take of the result ends the page. Above the
// heading is the way: catalogs, what `place` names, and `here`, if that is something else.
HtmlWriter StartPage(const UiPlace& place, std::string_view here, std::string_view heading);

// A long value is cut, and opens to the whole on a click.
void WriteValue(HtmlWriter& page, std::string_view value);
// A long value is cut: for lists of things that have pages of their own.
void WriteBrief(HtmlWriter& page, std::string_view value);

void WriteEmptyState(HtmlWriter& page, std::string_view text);

void StartTable(HtmlWriter& page, std::initializer_list<std::string_view> columns,
                std::string_view label);
void EndTable(HtmlWriter& page);
void WriteLinkCell(HtmlWriter& page, std::string_view url, std::string_view text);

// Names and values in two columns; what has no value is left out.
class FactTable {
 public:
  FactTable(HtmlWriter& page, std::string_view label) : page_(page), label_(label) {}
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;
  ~FactTable();

  void Add(std::string_view name, std::string_view value);
  // Strings as they are, other values as JSON.
  void Add(std::string_view name, JsonView value);
  void AddTime(std::string_view name, JsonView seconds);

 private:
  HtmlWriter& page_;
  std::string_view label_;
  bool started_ = false;
};

// A heading and the members of an object of strings.
void WriteParameters(HtmlWriter& page, std::string_view heading, JsonView parameters);

// "Next page" and "First page", where there are such.
void WritePager(HtmlWriter& page, std::string_view name, const UiPlace& place, JsonView next_token);

// "2026-11-30 10:00:00 UTC", or the number itself if that is no time.
std::string TimeText(double seconds);

}  // namespace gluecat::server
