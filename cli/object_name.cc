#include "cli/object_name.h"

#include "core/base/json.h"
#include "core/catalog/names.h"

namespace gluecat::cli {

std::string ObjectName::Text() const { return table ? database + "." + *table : database; }

std::string ObjectName::Label() const { return (table ? "table " : "database ") + Text(); }

Result<ObjectName> ParseObjectName(std::string_view text) {
  const auto dot = text.find('.');
  ObjectName name;
  GLUECAT_ASSIGN_OR_RETURN(name.database, catalog::FoldName(text.substr(0, dot), "database"));
  if (dot != std::string_view::npos) {
    GLUECAT_ASSIGN_OR_RETURN(name.table, catalog::FoldName(text.substr(dot + 1), "table"));
  }
  return name;
}

Result<ObjectName> ParseTableName(std::string_view text) {
  GLUECAT_ASSIGN_OR_RETURN(ObjectName name, ParseObjectName(text));
  if (!name.table) {
    return Fail(ErrorKind::kInvalidArgument,
                "'" + name.database + "' names no table; write DATABASE.TABLE");
  }
  return name;
}

Result<std::string> ParseDatabaseName(std::string_view text) {
  return catalog::FoldName(text, "database");
}

std::string EntryRequest(const ObjectName& name, const std::optional<std::string>& glue_id) {
  JsonWriter writer;
  writer.BeginObject();
  if (glue_id) writer.Member("CatalogId", *glue_id);
  if (name.table) writer.Member("DatabaseName", name.database);
  writer.Member("Name", name.table.value_or(name.database));
  return writer.EndObject().Take();
}

}  // namespace gluecat::cli
