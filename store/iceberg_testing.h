// A store with a warehouse, and requests for Iceberg tables in it. For tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "store/store_testing.h"

namespace gluecat::store {

class IcebergTablesTest : public StoreTest {
 protected:
  IcebergTablesTest() {
    warehouse_ = directory_ + "/warehouse";
    std::filesystem::create_directory(warehouse_);
    auto store = Store::Open(directory_, clock_, {.warehouses = {warehouse_}});
    EXPECT_TRUE(store) << store.error().message;
    store_ = *store;
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  }

  static constexpr std::string_view kSchema =
      R"json({"Type":"struct","IdentifierFieldIds":[1],"Fields":[
          {"Id":1,"Name":"id","Type":"long","Required":true,"Doc":"the key"},
          {"Id":2,"Name":"at","Type":"timestamptz","Required":false},
          {"Id":3,"Name":"tags","Required":false,"Type":
            {"type":"list","element-id":4,"element":"string","element-required":false}},
          {"Id":5,"Name":"place","Required":false,"Type":{"type":"struct","fields":[
            {"id":6,"name":"lat","required":true,"type":"double"},
            {"id":7,"name":"price","required":false,"type":"decimal(10, 2)"}]}},
          {"Id":8,"Name":"counts","Required":false,"Type":
            {"type":"map","key-id":9,"key":"string","value-id":10,"value":"int","value-required":true}}]})json";

  std::string Location(std::string_view table = "t") const {
    return "file://" + warehouse_ + "/d/" + std::string(table);
  }
  std::string Input(std::string_view location, std::string_view schema = kSchema,
                    std::string_view more = "") const {
    return R"("OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"CREATE","Version":"2","CreateIcebergTableInput":{"Location":")" +
           std::string(location) + R"(","Schema":)" + std::string(schema) + std::string(more) +
           "}}}";
  }
  std::string Create(std::string_view input, std::string_view name = "t") const {
    return R"({"DatabaseName":"d","Name":")" + std::string(name) + R"(",)" + std::string(input) +
           "}";
  }
  // An update with what the model requires, and more.
  std::string Update(std::string_view updates, std::string_view more = "") const {
    return R"({"DatabaseName":"d","Name":"t","UpdateOpenTableFormatInput":{"UpdateIcebergInput":{"UpdateIcebergTableInput":{"Updates":[)" +
           std::string(updates) + "]}}}" + std::string(more) + "}";
  }
  std::string One(std::string_view more, std::string_view schema = kSchema,
                  std::string_view location = "") const {
    return R"({"Location":")" + (location.empty() ? Location() : std::string(location)) +
           R"(","Schema":)" + std::string(schema) + std::string(more) + "}";
  }

  JsonDocument Table() {
    return *JsonDocument::Parse(Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})"));
  }
  std::string Parameter(std::string_view name) {
    return Table().root()["Table"]["Parameters"][name].StringOr("");
  }
  static std::string Path(const std::string& location) {
    return location.substr(std::string_view("file://").size());
  }
  static JsonDocument Read(const std::string& location) {
    std::stringstream text;
    text << std::ifstream(Path(location)).rdbuf();
    auto document = JsonDocument::Parse(text.str());
    EXPECT_TRUE(document) << location << ": " << text.str();
    return *std::move(document);
  }
  JsonDocument Metadata() { return Read(Parameter("metadata_location")); }

  // Everything below the warehouse that is no directory.
  std::set<std::string> Files() const {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(warehouse_)) {
      if (!entry.is_directory()) files.insert(entry.path().filename());
    }
    return files;
  }

  std::string warehouse_;
};

}  // namespace gluecat::store
