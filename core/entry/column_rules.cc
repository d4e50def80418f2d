#include "core/entry/column_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/base/text.h"
#include "core/entry/layout.h"
#include "core/types/char_varchar.h"

namespace gluecat::entry {
namespace {

using types::DataType;
using types::StructField;
using types::StructType;
using Path = std::span<const std::string>;

// Metadata of a column's default (Spark's ResolveDefaultColumns): the current
// one, and the one that rows written before the column existed have.
constexpr std::string_view kCurrentDefault = "CURRENT_DEFAULT";
constexpr std::string_view kExistsDefault = "EXISTS_DEFAULT";

std::string Dotted(const ColumnPath& path) { return Join(path, "."); }

std::unexpected<Error> Refuse(const ColumnPath& path, const std::string& why) {
  return Fail(ErrorKind::kInvalidArgument, "column '" + Dotted(path) + "' " + why);
}

std::optional<std::size_t> FindName(const StructType& fields, std::string_view name) {
  if (const auto exact = fields.Find(name, true)) return exact;
  return fields.Find(name);
}

// The part of an array or a map that `step` names; nullptr if there is none.
DataType* Part(DataType& type, std::string_view step) {
  if (type.kind() == DataType::Kind::kArray && EqualsIgnoreCase(step, "element")) {
    return &type.mutable_part(0);
  }
  if (type.kind() == DataType::Kind::kMap && EqualsIgnoreCase(step, "key")) {
    return &type.mutable_part(0);
  }
  if (type.kind() == DataType::Kind::kMap && EqualsIgnoreCase(step, "value")) {
    return &type.mutable_part(1);
  }
  return nullptr;
}

// The type at `path`, of a field or a part; nullptr if there is none.
DataType* FindType(StructType& root, Path path) {
  DataType* type = nullptr;
  for (const auto& step : path) {
    if (type != nullptr && type->kind() != DataType::Kind::kStruct) {
      type = Part(*type, step);
    } else {
      StructType& fields = type == nullptr ? root : type->mutable_fields();
      const auto at = FindName(fields, step);
      type = at ? &fields.fields[*at].type : nullptr;
    }
    if (type == nullptr) return nullptr;
  }
  return type;
}

// The struct at `path`; the root for an empty path. nullptr if there is none.
StructType* FindStruct(StructType& root, Path path) {
  if (path.empty()) return &root;
  DataType* const type = FindType(root, path);
  if (type == nullptr || type->kind() != DataType::Kind::kStruct) return nullptr;
  return &type->mutable_fields();
}

struct Place {
  StructType* parent = nullptr;
  std::size_t index = 0;
  StructField& field() const { return parent->fields[index]; }
};

// The field at `path`. Errors: kInvalidArgument if it is none.
Result<Place> FindField(StructType& root, const ColumnPath& path) {
  if (path.empty()) return Fail(ErrorKind::kInvalidArgument, "a column change names no column");
  StructType* const parent = FindStruct(root, Path(path).first(path.size() - 1));
  const auto at = parent == nullptr ? std::nullopt : FindName(*parent, path.back());
  if (!at) return Refuse(path, "does not exist");
  return Place{parent, *at};
}

// Where the fixed column that `path` names says why it is fixed; nullptr if it is none.
const FixedColumn* FindFixed(const FixedColumns& fixed, const ColumnPath& path) {
  if (path.empty()) return nullptr;
  const auto found = std::ranges::find_if(fixed, [&](const FixedColumn& column) {
    return EqualsIgnoreCase(column.name, path.front());
  });
  return found == fixed.end() ? nullptr : &*found;
}

Status CheckNotFixed(const FixedColumns& fixed, const ColumnPath& path, const std::string& change) {
  const auto* column = FindFixed(fixed, path);
  if (column == nullptr) return {};
  return Refuse(path, "is " + std::string(column->why) + ": it cannot be " + change);
}

Result<std::size_t> ResolvePosition(const ColumnPosition& position, const StructType& parent,
                                    const ColumnPath& path, std::size_t data_columns) {
  if (position.first) return std::size_t{0};
  const auto after = FindName(parent, position.after);
  if (!after) return Refuse(path, "cannot go after '" + position.after + "', which does not exist");
  if (path.size() == 1 && *after >= data_columns) {
    return Refuse(path, "cannot go after '" + position.after +
                            "', which is a partition column: those are last");
  }
  return *after + 1;
}

// CHAR and VARCHAR inside a nested column are kept at the column itself, as a
// text of its whole type: `change` sees them in place.
template <typename Change>
Status WithDeclaredType(StructType& schema, const ColumnPath& path, Change change) {
  const auto at = path.empty() ? std::nullopt : FindName(schema, path.front());
  if (!at) return change();
  if (schema.fields[*at].RawMetadata(types::kCharVarcharKey) == nullptr) {
    GLUECAT_RETURN_IF_ERROR(change());
    if (at < schema.fields.size() && types::HasCharVarchar(schema.fields[*at].type)) {
      types::SetStoredType(schema.fields[*at], DataType(schema.fields[*at].type));
    }
    return {};
  }
  auto& field = schema.fields[*at];
  field.type = types::DeclaredType(field);
  GLUECAT_RETURN_IF_ERROR(change());
  types::SetStoredType(field, DataType(field.type));
  return {};
}

}  // namespace

Status CheckColumns(const StructType& schema) {
  std::map<std::string, std::string> seen;
  for (const auto& field : schema.fields) {
    if (field.name.empty()) return Fail(ErrorKind::kInvalidArgument, "a column has no name");
    const auto [at, inserted] = seen.emplace(ToLowerAscii(field.name), field.name);
    if (!inserted) {
      return Fail(ErrorKind::kInvalidArgument,
                  at->second == field.name ? "column '" + field.name + "' is there twice"
                                           : "columns '" + at->second + "' and '" + field.name +
                                                 "' differ in case only, which Glue cannot hold");
    }
  }
  return {};
}

Result<std::vector<std::string>> ResolveNames(const StructType& schema,
                                              const std::vector<std::string>& names,
                                              std::string_view what) {
  std::vector<std::string> resolved;
  std::set<std::size_t> seen;
  for (const auto& name : names) {
    const auto at = FindName(schema, name);
    const std::string named = std::string(what) + " '" + name + "'";
    if (!at) {
      return Fail(ErrorKind::kInvalidArgument, named + " is not a column of the schema");
    }
    if (!seen.insert(*at).second) {
      return Fail(ErrorKind::kInvalidArgument, named + " is there twice");
    }
    resolved.push_back(schema.fields[*at].name);
  }
  return resolved;
}

StructType StoredSchema(StructType schema, std::string_view provider) {
  schema = types::ToStoredForm(std::move(schema));
  if (!IsFileProvider(provider)) return schema;
  return AsNullable(DataType::Struct(std::move(schema))).fields();
}

Status Apply(const AddColumn& change, const FixedColumns& fixed, std::size_t data_columns,
             StructType& schema) {
  if (change.path.empty() || change.path.back().empty()) {
    return Fail(ErrorKind::kInvalidArgument, "a column to add has no name");
  }
  GLUECAT_RETURN_IF_ERROR(
      change.path.size() > 1 ? CheckNotFixed(fixed, change.path, "given a field") : Status());
  const auto add = [&]() -> Status {
    StructType* const parent = FindStruct(schema, Path(change.path).first(change.path.size() - 1));
    if (parent == nullptr) return Refuse(change.path, "cannot be added: its parent is no struct");
    if (parent->Find(change.path.back())) return Refuse(change.path, "exists already");
    StructField field{change.path.back(), change.type, change.nullable, {}};
    if (change.comment) field.SetComment(change.comment);
    if (change.default_value) {
      field.SetMetadataText(kCurrentDefault, change.default_value);
      field.SetMetadataText(kExistsDefault, change.default_value);
    }
    const bool top_level = change.path.size() == 1;
    if (top_level) types::SetStoredType(field, DataType(field.type));
    std::size_t at = top_level ? data_columns : parent->fields.size();
    if (change.position) {
      GLUECAT_ASSIGN_OR_RETURN(
          at, ResolvePosition(*change.position, *parent, change.path, data_columns));
    }
    parent->fields.insert(parent->fields.begin() + static_cast<std::ptrdiff_t>(at),
                          std::move(field));
    return {};
  };
  return change.path.size() == 1 ? add() : WithDeclaredType(schema, change.path, add);
}

Status Apply(const DeleteColumn& change, const FixedColumns& fixed, StructType& schema) {
  GLUECAT_RETURN_IF_ERROR(CheckNotFixed(fixed, change.path, "dropped"));
  const auto place = FindField(schema, change.path);
  if (!place) {
    if (change.if_exists && !change.path.empty()) return {};
    return Fail(place.error());
  }
  if (place->parent->fields.size() == 1) return Refuse(change.path, "is the only one there");
  const auto erase = [&]() -> Status {
    GLUECAT_ASSIGN_OR_RETURN(const auto found, FindField(schema, change.path));
    found.parent->fields.erase(found.parent->fields.begin() +
                               static_cast<std::ptrdiff_t>(found.index));
    return {};
  };
  return change.path.size() == 1 ? erase() : WithDeclaredType(schema, change.path, erase);
}

Status Apply(const RenameColumn& change, const FixedColumns& fixed, StructType& schema) {
  GLUECAT_RETURN_IF_ERROR(CheckNotFixed(fixed, change.path, "renamed"));
  if (change.to.empty()) return Refuse(change.path, "cannot be renamed to an empty name");
  const auto rename = [&]() -> Status {
    GLUECAT_ASSIGN_OR_RETURN(const auto place, FindField(schema, change.path));
    const auto taken = place.parent->Find(change.to);
    if (taken && *taken != place.index) {
      return Refuse(change.path,
                    "cannot be renamed to '" + change.to + "': a column of that name exists");
    }
    place.field().name = change.to;
    return {};
  };
  return change.path.size() == 1 ? rename() : WithDeclaredType(schema, change.path, rename);
}

Status Apply(const UpdateColumnType& change, const FixedColumns& fixed, StructType& schema) {
  GLUECAT_RETURN_IF_ERROR(CheckNotFixed(fixed, change.path, "given another type"));
  if (change.path.size() == 1) {
    GLUECAT_ASSIGN_OR_RETURN(const auto place, FindField(schema, change.path));
    types::SetStoredType(place.field(), DataType(change.type));
    return {};
  }
  return WithDeclaredType(schema, change.path, [&]() -> Status {
    DataType* const type = FindType(schema, change.path);
    if (type == nullptr) return Refuse(change.path, "does not exist");
    *type = change.type;
    return {};
  });
}

Status Apply(const UpdateColumnNullability& change, StructType& schema) {
  GLUECAT_ASSIGN_OR_RETURN(const auto place, FindField(schema, change.path));
  place.field().nullable = change.nullable;
  return {};
}

Status Apply(const UpdateColumnComment& change, StructType& schema) {
  GLUECAT_ASSIGN_OR_RETURN(const auto place, FindField(schema, change.path));
  place.field().SetComment(change.comment);
  return {};
}

Status Apply(const UpdateColumnPosition& change, const FixedColumns& fixed,
             std::size_t data_columns, StructType& schema) {
  if (change.path.size() == 1) {
    GLUECAT_RETURN_IF_ERROR(CheckNotFixed(fixed, change.path, "moved"));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto place, FindField(schema, change.path));
  GLUECAT_ASSIGN_OR_RETURN(
      std::size_t to, ResolvePosition(change.position, *place.parent, change.path, data_columns));
  auto& fields = place.parent->fields;
  const auto from = static_cast<std::ptrdiff_t>(place.index);
  if (to == place.index + 1 && !change.position.first) {
    // After itself, or where it is.
    return {};
  }
  StructField field = std::move(fields[place.index]);
  fields.erase(fields.begin() + from);
  if (to > place.index) --to;
  fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(to), std::move(field));
  return {};
}

}  // namespace gluecat::entry
