// The pages of a table: itself, its versions, its partitions, and entries as JSON.
#include <vector>

#include "core/base/pretty_json.h"
#include "core/base/text.h"
#include "server/ui_pages.h"

namespace gluecat::server {
namespace {

void WriteColumns(HtmlWriter& page, std::string_view heading, JsonView columns) {
  page.Element("h2", heading);
  const auto elements = columns.Elements();
  if (elements.empty()) {
    WriteEmptyState(page, "None.");
    return;
  }
  StartTable(page, {"", "Name", "Type", "Comment"}, heading);
  std::size_t position = 0;
  for (const auto& column : elements) {
    page.Open("tr").Element("td", std::to_string(++position), {{"class", "number"}});
    for (const auto* member : {"Name", "Type", "Comment"}) {
      page.Open("td");
      WriteValue(page, column[member].StringOr(""));
      page.Close();
    }
    page.Close();
  }
  EndTable(page);
}

void WriteKind(HtmlWriter& page, JsonView entry) {
  const UiKind kind = KindOf(entry);
  page.Open("p").Element("span", kind.kind, {{"class", "kind"}});
  page.Text(" ").Element("span", kind.format).Close();
  if (kind.reason.empty()) return;
  page.Open("div", {{"class", "soft"}}).Text("Not readable through gluecat: ");
  WriteValue(page, kind.reason);
  page.Close();
}

void WriteFacts(HtmlWriter& page, JsonView entry) {
  const JsonView storage = entry["StorageDescriptor"];
  FactTable facts(page, "The table");
  facts.Add("Location", storage["Location"]);
  facts.Add("Description", entry["Description"]);
  facts.Add("Table type", entry["TableType"]);
  facts.Add("Owner", entry["Owner"]);
  facts.Add("Link to", entry["TargetTable"]);
  facts.Add("Version", entry["VersionId"]);
  facts.AddTime("Created", entry["CreateTime"]);
  facts.AddTime("Updated", entry["UpdateTime"]);
  facts.Add("Created by", entry["CreatedBy"]);
  facts.Add("Retention", entry["Retention"]);
  facts.Add("View text", entry["ViewOriginalText"]);
  facts.Add("Expanded view text", entry["ViewExpandedText"]);
  facts.Add("Input format", storage["InputFormat"]);
  facts.Add("Output format", storage["OutputFormat"]);
  facts.Add("SerDe", storage["SerdeInfo"]["SerializationLibrary"]);
}

// The table's entry, of the version that the place names.
Result<JsonDocument> AskTable(store::Store& store, const UiPlace& place, JsonView& entry) {
  if (place.version.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(
        auto answer,
        Ask(store, place, "GetTable", {{"DatabaseName", place.database}, {"Name", place.table}}));
    entry = answer.root()["Table"];
    return answer;
  }
  GLUECAT_ASSIGN_OR_RETURN(auto answer, Ask(store, place, "GetTableVersion",
                                            {{"DatabaseName", place.database},
                                             {"TableName", place.table},
                                             {"VersionId", place.version}}));
  entry = answer.root()["TableVersion"]["Table"];
  return answer;
}

std::vector<std::string> PartitionValues(const FormParameters& query) {
  std::vector<std::string> values;
  while (true) {
    const auto value = query.find("v" + std::to_string(values.size()));
    if (value == query.end()) return values;
    values.push_back(value->second);
  }
}

// What EntryPage and EntryJson show.
Result<JsonDocument> AskEntry(store::Store& store, const UiPlace& place,
                              const FormParameters& query, JsonView& entry) {
  if (place.table.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(auto answer,
                             Ask(store, place, "GetDatabase", {{"Name", place.database}}));
    entry = answer.root()["Database"];
    return answer;
  }
  const auto values = PartitionValues(query);
  if (values.empty()) return AskTable(store, place, entry);
  JsonWriter list;
  list.BeginArray();
  for (const auto& value : values) list.String(value);
  list.EndArray();
  GLUECAT_ASSIGN_OR_RETURN(auto answer,
                           Ask(store, place, "GetPartition",
                               {{"DatabaseName", place.database}, {"TableName", place.table}},
                               "\"PartitionValues\":" + list.text()));
  entry = answer.root()["Partition"];
  return answer;
}

// "&v0=…&v1=…", for a URL that has members before.
std::string ValuesQuery(const std::vector<std::string>& values) {
  std::string query;
  for (std::size_t i = 0; i < values.size(); ++i) {
    query += "&v" + std::to_string(i) + "=" + PercentEncode(values[i]);
  }
  return query;
}

}  // namespace

Result<std::string> TablePage(store::Store& store, const UiPlace& place) {
  JsonView entry;
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, AskTable(store, place, entry));
  const JsonView storage = entry["StorageDescriptor"];
  const bool old = !place.version.empty();
  HtmlWriter page = StartPage(place, old ? "Version " + place.version : "", "Table " + place.table);
  if (old) page.Element("p", "As it was in version " + place.version, {{"class", "soft"}});
  WriteKind(page, entry);
  WriteFacts(page, entry);
  UiPlace current = place;
  current.version.clear();
  page.Open("p", {{"class", "links"}});
  if (!entry["PartitionKeys"].Elements().empty()) {
    page.Element("a", "Partitions", {{"href", UiUrl("partitions", current)}});
    page.Element("a", "Partition indexes", {{"href", UiUrl("indexes", current)}});
  }
  page.Element("a", "Column statistics", {{"href", UiUrl("statistics", current)}});
  page.Element("a", "Versions", {{"href", UiUrl("versions", current)}});
  page.Element("a", "Entry as JSON", {{"href", UiUrl("entry", place)}}).Close();
  WriteColumns(page, "Columns", storage["Columns"]);
  WriteColumns(page, "Partition keys", entry["PartitionKeys"]);
  WriteParameters(page, "Parameters", entry["Parameters"]);
  WriteParameters(page, "Parameters of the SerDe", storage["SerdeInfo"]["Parameters"]);
  WriteParameters(page, "Parameters of the storage", storage["Parameters"]);
  return page.Take();
}

Result<std::string> VersionsPage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, Ask(store, place, "GetTableVersions",
                                                  {{"DatabaseName", place.database},
                                                   {"TableName", place.table},
                                                   {"NextToken", place.token}}));
  HtmlWriter page = StartPage(place, "Versions", "Versions of " + place.table);
  StartTable(page, {"Version", "Updated", "Columns", "Entry"}, "Versions");
  for (const auto& version : answer.root()["TableVersions"].Elements()) {
    UiPlace one = place;
    one.version = version["VersionId"].StringOr("");
    const JsonView entry = version["Table"];
    page.Open("tr");
    WriteLinkCell(page, UiUrl("table", one), one.version);
    const auto updated = entry["UpdateTime"].AsDouble();
    page.Element("td", updated ? TimeText(*updated) : "");
    page.Element("td", std::to_string(entry["StorageDescriptor"]["Columns"].Elements().size()),
                 {{"class", "number"}});
    WriteLinkCell(page, UiUrl("entry", one), "JSON");
    page.Close();
  }
  EndTable(page);
  WritePager(page, "versions", place, answer.root()["NextToken"]);
  return page.Take();
}

Result<std::string> PartitionsPage(store::Store& store, const UiPlace& place) {
  JsonView entry;
  GLUECAT_ASSIGN_OR_RETURN(const auto table, AskTable(store, place, entry));
  GLUECAT_ASSIGN_OR_RETURN(const auto answer,
                           Ask(store, place, "GetPartitions",
                               {{"DatabaseName", place.database},
                                {"TableName", place.table},
                                {"NextToken", place.token}},
                               R"("MaxResults":100,"ExcludeColumnSchema":true)"));
  HtmlWriter page = StartPage(place, "Partitions", "Partitions of " + place.table);
  const auto partitions = answer.root()["Partitions"].Elements();
  if (partitions.empty()) {
    WriteEmptyState(page, "No partitions.");
  } else {
    StartTable(page, {"Values", "Location", "Created", "Entry"}, "Partitions");
  }
  const auto keys = entry["PartitionKeys"].Elements();
  for (const auto& partition : partitions) {
    std::vector<std::string> values;
    for (const auto& value : partition["Values"].Elements()) values.push_back(value.StringOr(""));
    page.Open("tr").Open("td");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string key = i < keys.size() ? keys[i]["Name"].StringOr("") : "";
      page.Open("div").Element("span", key + " = ", {{"class", "soft"}});
      WriteValue(page, values[i]);
      page.Close();
    }
    page.Close().Open("td");
    WriteValue(page, partition["StorageDescriptor"]["Location"].StringOr(""));
    page.Close();
    const auto created = partition["CreationTime"].AsDouble();
    page.Element("td", created ? TimeText(*created) : "");
    WriteLinkCell(page, UiUrl("entry", place) + ValuesQuery(values), "JSON");
    page.Close();
  }
  if (!partitions.empty()) EndTable(page);
  WritePager(page, "partitions", place, answer.root()["NextToken"]);
  return page.Take();
}

Result<std::string> EntryPage(store::Store& store, const UiPlace& place,
                              const FormParameters& query) {
  JsonView entry;
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, AskEntry(store, place, query, entry));
  const auto values = PartitionValues(query);
  std::string heading = "Entry of table " + place.table;
  if (place.table.empty()) {
    heading = "Entry of database " + place.database;
  } else if (!values.empty()) {
    heading = "Entry of a partition of " + place.table;
  } else if (!place.version.empty()) {
    heading = "Entry of version " + place.version + " of " + place.table;
  }
  HtmlWriter page = StartPage(place, "Entry", heading);
  page.Open("p", {{"class", "links"}});
  page.Element("a", "As plain JSON", {{"href", UiUrl("entry.json", place) + ValuesQuery(values)}});
  page.Close().Element("pre", PrettyJson(entry));
  return page.Take();
}

Result<std::string> EntryJson(store::Store& store, const UiPlace& place,
                              const FormParameters& query) {
  JsonView entry;
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, AskEntry(store, place, query, entry));
  return entry.Dump();
}

}  // namespace gluecat::server
