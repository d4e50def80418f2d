#include "store/iceberg_partitioning.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "store/service_errors.h"

namespace gluecat::store {
namespace {

std::unexpected<Error> Invalid(std::string_view what, std::string message) {
  return InvalidInput("The Iceberg " + std::string(what) + " is not valid: " + std::move(message) +
                      ".");
}

bool IsOneOf(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// The N of bucket[N] and truncate[N], which must be positive.
std::optional<int> WidthOf(std::string_view transform, std::string_view name) {
  if (!transform.starts_with(name) || !transform.ends_with(']')) return std::nullopt;
  transform.remove_prefix(name.size());
  transform.remove_suffix(1);
  if (!transform.starts_with('[')) return std::nullopt;
  transform.remove_prefix(1);
  int width = 0;
  const auto [end, error] =
      std::from_chars(transform.data(), transform.data() + transform.size(), width);
  if (error != std::errc() || end != transform.data() + transform.size() || width <= 0)
    return std::nullopt;
  return width;
}

enum class Fit : std::uint8_t { kFits, kWrongType, kUnknown };

// Whether `transform` can be applied to a value of the primitive `type`.
Fit FitOf(std::string_view transform, std::string_view type) {
  const auto fits = [](bool condition) { return condition ? Fit::kFits : Fit::kWrongType; };
  const bool timestamp = IsOneOf(type, {"timestamp", "timestamptz"});
  const bool decimal = type.starts_with("decimal(");
  if (transform == "identity" || transform == "void") return Fit::kFits;
  if (IsOneOf(transform, {"year", "month", "day"})) return fits(timestamp || type == "date");
  if (transform == "hour") return fits(timestamp);
  if (WidthOf(transform, "bucket")) {
    return fits(!IsOneOf(type, {"boolean", "float", "double"}));
  }
  if (WidthOf(transform, "truncate")) {
    return fits(decimal || IsOneOf(type, {"int", "long", "string", "binary"}));
  }
  return Fit::kUnknown;
}

// The source of a field, and the transform for it.
Result<const IcebergField*> SourceOf(JsonView field, const IcebergSchema& schema,
                                     std::string_view what) {
  const std::int64_t id = field["SourceId"].IntOr(0);
  const std::string transform = field["Transform"].StringOr("");
  const auto source = schema.by_id.find(id);
  if (source == schema.by_id.end()) {
    return Invalid(what, "the schema has no field with the id " + std::to_string(id));
  }
  const IcebergField& found = source->second;
  if (IsOneOf(found.type, {"struct", "list", "map"})) {
    return Invalid(what, "field " + found.name + " is a " + found.type);
  }
  switch (FitOf(transform, found.type)) {
    case Fit::kFits:
      return &found;
    case Fit::kWrongType:
      return Invalid(what, "the transform " + transform + " does not take field " + found.name +
                               " of type " + found.type);
    case Fit::kUnknown:
      break;
  }
  return Invalid(what, "there is no transform " + transform);
}

}  // namespace

Result<std::string> PartitionFieldsOf(JsonView spec, const IcebergSchema& schema,
                                      const PartitionFieldIds& known, std::int64_t& last_id) {
  constexpr std::string_view kWhat = "partition spec";
  std::set<std::string> names;
  std::set<std::int64_t> ids;
  const auto fields = spec["Fields"].Elements();
  std::int64_t next = last_id;
  for (const auto& field : fields) next = std::max(next, field["FieldId"].IntOr(0));
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& field : fields) {
    GLUECAT_ASSIGN_OR_RETURN(const IcebergField* source, SourceOf(field, schema, kWhat));
    const std::string name = field["Name"].StringOr("");
    const std::string transform = field["Transform"].StringOr("");
    if (!names.insert(name).second) return Invalid(kWhat, "the name " + name + " comes twice");
    const bool taken = std::ranges::any_of(
        schema.columns, [&](const IcebergColumn& column) { return column.name == name; });
    if (taken && !(transform == "identity" && source->name == name)) {
      return Invalid(kWhat, "the name " + name + " is that of another column");
    }
    const auto same = known.find({field["SourceId"].IntOr(0), transform});
    std::int64_t id = field["FieldId"].IntOr(0);
    if (field["FieldId"].IsNull()) id = same != known.end() ? same->second : ++next;
    if (id < kFirstPartitionFieldId || !ids.insert(id).second) {
      return Invalid(kWhat, "the id " + std::to_string(id) + " of field " + name +
                                " comes twice or is below " +
                                std::to_string(kFirstPartitionFieldId));
    }
    writer.BeginObject().Member("name", name).Member("transform", transform);
    writer.Member("source-id", field["SourceId"].IntOr(0)).Member("field-id", id).EndObject();
  }
  last_id = next;
  return writer.EndArray().Take();
}

Status CheckFollowsInVersion1(JsonView before, JsonView after) {
  const auto old_fields = before.Elements();
  const auto new_fields = after.Elements();
  for (std::size_t i = 0; i < old_fields.size(); ++i) {
    const JsonView field = i < new_fields.size() ? new_fields[i] : JsonView();
    const std::string transform = field["transform"].StringOr("");
    if (field["source-id"].AsInt() == old_fields[i]["source-id"].AsInt() &&
        (transform == "void" || transform == old_fields[i]["transform"].AsString())) {
      continue;
    }
    return InvalidInput(
        "The partition spec of an Iceberg table of format version 1 must begin with the fields of "
        "the one before, and give a dropped field the transform void: field " +
        old_fields[i]["name"].StringOr("") + " is missing.");
  }
  return {};
}

Result<std::string> SortFieldsOf(JsonView order, const IcebergSchema& schema) {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& field : order["Fields"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(SourceOf(field, schema, "sort order"));
    writer.BeginObject().Member("transform", field["Transform"].StringOr(""));
    writer.Member("source-id", field["SourceId"].IntOr(0));
    writer.Member("direction", field["Direction"].StringOr(""));
    writer.Member("null-order", field["NullOrder"].StringOr("")).EndObject();
  }
  return writer.EndArray().Take();
}

Status CheckSources(JsonView fields, const IcebergSchema& schema, std::string_view what) {
  for (const auto& field : fields.Elements()) {
    const std::int64_t id = field["source-id"].IntOr(0);
    if (field["transform"].AsString() == "void" || schema.by_id.contains(id)) continue;
    return InvalidInput("The current Iceberg schema must keep the field with the id " +
                        std::to_string(id) + ", which the " + std::string(what) + " needs.");
  }
  return {};
}

}  // namespace gluecat::store
