#include "store/view_definition.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

struct Representation {
  std::string_view dialect;
  JsonView value;
  bool stale = false;
};

void WriteRepresentations(const std::vector<Representation>& representations, JsonWriter& writer) {
  writer.Key("Representations").BeginArray();
  for (const auto& representation : representations) {
    writer.BeginObject();
    WriteMembers(representation.value, {"IsStale"}, writer);
    writer.Member("IsStale", representation.stale).EndObject();
  }
  writer.EndArray();
}

// Those of a request, each of a dialect of its own.
Result<std::vector<Representation>> GivenRepresentations(JsonView definition) {
  std::vector<Representation> given;
  std::set<std::string_view> dialects;
  for (const auto& value : definition["Representations"].Elements()) {
    const auto dialect = value["Dialect"].AsString();
    if (!dialect) return InvalidInput("A representation of a view must have a Dialect.");
    if (!dialects.insert(*dialect).second) {
      return InvalidInput("The dialect " + std::string(*dialect) +
                          " comes twice in the representations of the view.");
    }
    given.push_back({*dialect, value, false});
  }
  if (given.empty()) return InvalidInput("A ViewDefinition must have a representation.");
  return given;
}

std::vector<Representation> StoredRepresentations(JsonView definition) {
  std::vector<Representation> stored;
  for (const auto& value : definition["Representations"].Elements()) {
    stored.push_back(
        {value["Dialect"].AsString().value_or(""), value, value["IsStale"].BoolOr(false)});
  }
  return stored;
}

// What an engine sees of the columns: names and types, in order.
std::vector<std::pair<std::string, std::string>> ColumnsOf(JsonView table) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const auto& column : table["StorageDescriptor"]["Columns"].Elements()) {
    columns.emplace_back(ToLowerAscii(column["Name"].StringOr("")), column["Type"].StringOr(""));
  }
  return columns;
}

std::set<std::string> SubObjectsOf(JsonView definition) {
  std::set<std::string> objects;
  for (const auto& object : definition["SubObjects"].Elements())
    objects.insert(object.StringOr(""));
  return objects;
}

// The members of the stored definition, those of the input before them.
std::string Combined(JsonView input, JsonView stored,
                     const std::vector<Representation>& representations) {
  JsonWriter writer;
  writer.BeginObject();
  WriteMembers(input, {"Representations"}, writer);
  for (const auto& [name, member] : stored.Members()) {
    if (name == "Representations" || !input[name].IsNull()) continue;
    writer.Key(name);
    WriteWithoutNulls(member, writer);
  }
  WriteRepresentations(representations, writer);
  return writer.EndObject().Take();
}

}  // namespace

Result<std::string> NewViewDefinition(JsonView input) {
  GLUECAT_ASSIGN_OR_RETURN(const auto representations, GivenRepresentations(input));
  return Combined(input, {}, representations);
}

Result<std::string> ChangedViewDefinition(JsonView request, JsonView entry) {
  const std::string_view action = request["ViewUpdateAction"].AsString().value_or("");
  const JsonView input = request["TableInput"]["ViewDefinition"];
  const JsonView view = entry["ViewDefinition"];
  const std::string name = entry["Name"].StringOr("");
  if (view.IsNull()) {
    return InvalidInput("ViewUpdateAction is for views of the Data Catalog: table " + name +
                        " has no ViewDefinition.");
  }
  if (input.IsNull()) {
    return InvalidInput("ViewUpdateAction needs a ViewDefinition in the TableInput.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto given, GivenRepresentations(input));
  const bool drops = action == "DROP";
  const bool other_columns = !request["TableInput"]["StorageDescriptor"]["Columns"].IsNull() &&
                             ColumnsOf(request["TableInput"]) != ColumnsOf(entry);
  const bool other_objects =
      !input["SubObjects"].IsNull() && SubObjectsOf(input) != SubObjectsOf(view);
  if ((other_columns || other_objects) && !request["Force"].BoolOr(false)) {
    return InvalidInput(std::string("The ") + (other_columns ? "columns" : "SubObjects") +
                        " of view " + name +
                        " differ from the request's: send the same, or set Force, which makes the "
                        "other dialects stale.");
  }

  auto result = StoredRepresentations(view);
  if (other_columns || other_objects) {
    for (auto& representation : result) representation.stale = true;
  }
  for (const auto& representation : given) {
    const auto same = [&](const Representation& other) {
      return other.dialect == representation.dialect;
    };
    const auto known = std::ranges::find_if(result, same);
    const auto refusal = [&](std::string_view verb, std::string_view end) {
      std::string text = "View " + name;
      text.append(verb).append(" the dialect ").append(representation.dialect).append(end);
      return text;
    };
    if (known != result.end() && action == "ADD") {
      return AlreadyExists(refusal(" has", " already."));
    }
    if (known == result.end() && (drops || action == "REPLACE")) {
      return EntityNotFound(refusal(" does not have", "."));
    }
    if (drops) {
      result.erase(known);
    } else if (known != result.end()) {
      *known = representation;
    } else {
      result.push_back(representation);
    }
  }
  if (result.empty()) {
    return InvalidInput("View " + name +
                        " would have no dialect left: delete it with DeleteTable instead.");
  }
  return Combined(input, view, result);
}

std::string ViewStatus(const Call& call, std::string_view action) {
  JsonWriter writer;
  writer.BeginObject().Member("RequestedBy", call.principal.arn);
  writer.Member("UpdatedBy", call.principal.arn);
  writer.Key("RequestTime").Raw(call.now).Key("UpdateTime").Raw(call.now);
  writer.Member("Action", action).Member("State", "SUCCESS");
  return writer.EndObject().Take();
}

}  // namespace gluecat::store
