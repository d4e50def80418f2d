// The pages of what belongs to a database or a table besides tables and partitions: functions,
// column statistics, partition indexes.
#include <algorithm>
#include <vector>

#include "server/ui_pages.h"

namespace gluecat::server {
namespace {

// GetColumnStatisticsForTable takes no more names.
constexpr std::size_t kColumnsOfCall = 100;

std::string Brief(JsonView value) {
  return value.IsString() ? value.StringOr("") : value.IsNull() ? "" : value.Dump();
}

void WriteCells(HtmlWriter& page, JsonView object, std::initializer_list<const char*> members) {
  for (const char* const member : members) {
    page.Open("td");
    WriteValue(page, Brief(object[member]));
    page.Close();
  }
}

// "MinimumValue = 1", one below the other.
void WriteMembers(HtmlWriter& page, JsonView object) {
  page.Open("td");
  for (const auto& [name, value] : object.Members()) {
    page.Open("div").Element("span", std::string(name) + " = ", {{"class", "soft"}});
    WriteValue(page, Brief(value));
    page.Close();
  }
  page.Close();
}

void WriteStatistics(HtmlWriter& page, JsonView column) {
  const JsonView data = column["StatisticsData"];
  page.Open("tr");
  WriteCells(page, column, {"ColumnName", "ColumnType"});
  JsonView values;
  for (const auto& [name, value] : data.Members()) {
    if (value.IsObject()) values = value;
  }
  WriteMembers(page, values);
  const auto analyzed = column["AnalyzedTime"].AsDouble();
  page.Element("td", analyzed ? TimeText(*analyzed) : "").Close();
}

std::vector<std::string> ColumnNames(JsonView entry) {
  std::vector<std::string> names;
  for (const JsonView list : {entry["StorageDescriptor"]["Columns"], entry["PartitionKeys"]}) {
    for (const auto& column : list.Elements()) names.push_back(column["Name"].StringOr(""));
  }
  return names;
}

}  // namespace

Result<std::string> FunctionsPage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(
      const auto answer,
      Ask(store, place, "GetUserDefinedFunctions",
          {{"DatabaseName", place.database}, {"NextToken", place.token}}, R"("Pattern":"*")"));
  HtmlWriter page = StartPage(place, "Functions", "Functions of " + place.database);
  const auto functions = answer.root()["UserDefinedFunctions"].Elements();
  if (functions.empty()) {
    WriteEmptyState(page, "No functions.");
  } else {
    StartTable(page, {"Function", "Class", "Type", "Owner", "Resources"}, "Functions");
    for (const auto& function : functions) {
      page.Open("tr");
      WriteCells(page, function, {"FunctionName", "ClassName", "FunctionType", "OwnerName"});
      page.Open("td");
      for (const auto& resource : function["ResourceUris"].Elements()) {
        page.Open("div").Element("span", resource["ResourceType"].StringOr("") + " ",
                                 {{"class", "soft"}});
        WriteValue(page, resource["Uri"].StringOr(""));
        page.Close();
      }
      page.Close().Close();
    }
    EndTable(page);
  }
  WritePager(page, "functions", place, answer.root()["NextToken"]);
  return page.Take();
}

Result<std::string> StatisticsPage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(
      const auto table,
      Ask(store, place, "GetTable", {{"DatabaseName", place.database}, {"Name", place.table}}));
  const auto names = ColumnNames(table.root()["Table"]);
  HtmlWriter page = StartPage(place, "Column statistics", "Column statistics of " + place.table);
  bool any = false;
  for (std::size_t from = 0; from < names.size(); from += kColumnsOfCall) {
    JsonWriter list;
    list.BeginArray();
    for (std::size_t i = from; i < std::min(names.size(), from + kColumnsOfCall); ++i) {
      list.String(names[i]);
    }
    list.EndArray();
    GLUECAT_ASSIGN_OR_RETURN(const auto answer,
                             Ask(store, place, "GetColumnStatisticsForTable",
                                 {{"DatabaseName", place.database}, {"TableName", place.table}},
                                 "\"ColumnNames\":" + list.text()));
    for (const auto& column : answer.root()["ColumnStatisticsList"].Elements()) {
      if (!any) StartTable(page, {"Column", "Type", "Statistics", "Analyzed"}, "Column statistics");
      any = true;
      WriteStatistics(page, column);
    }
  }
  if (any) {
    EndTable(page);
  } else {
    WriteEmptyState(page, "No column has statistics.");
  }
  return page.Take();
}

Result<std::string> IndexesPage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(const auto answer, Ask(store, place, "GetPartitionIndexes",
                                                  {{"DatabaseName", place.database},
                                                   {"TableName", place.table},
                                                   {"NextToken", place.token}}));
  HtmlWriter page = StartPage(place, "Partition indexes", "Partition indexes of " + place.table);
  const auto indexes = answer.root()["PartitionIndexDescriptorList"].Elements();
  if (indexes.empty()) {
    WriteEmptyState(page, "No partition indexes.");
  } else {
    StartTable(page, {"Index", "Status", "Keys"}, "Partition indexes");
    for (const auto& index : indexes) {
      page.Open("tr");
      WriteCells(page, index, {"IndexName", "IndexStatus"});
      page.Open("td");
      for (const auto& key : index["Keys"].Elements()) {
        page.Open("div").Text(key["Name"].StringOr("")).Text(" ");
        page.Element("span", key["Type"].StringOr(""), {{"class", "soft"}}).Close();
      }
      page.Close().Close();
    }
    EndTable(page);
  }
  WritePager(page, "indexes", place, answer.root()["NextToken"]);
  return page.Take();
}

}  // namespace gluecat::server
