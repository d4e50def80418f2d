#include "store/iceberg_metadata.h"

#include <algorithm>
#include <array>

#include "store/iceberg_partitioning.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kLast = -1;  // "the one that was added last", as Iceberg's own updates say
constexpr std::int64_t kNoPartitionField = kFirstPartitionFieldId - 1;
constexpr std::size_t kDefaultLogLength = 100;
constexpr std::string_view kLogLengthProperty = "write.metadata.previous-versions-max";

// The members that this class writes itself; "schema" and "partition-spec" are of version 1.
constexpr auto kOwnMembers = std::to_array<std::string_view>(
    {"format-version", "location", "last-updated-ms", "last-column-id", "schemas",
     "current-schema-id", "schema", "partition-specs", "default-spec-id", "partition-spec",
     "last-partition-id", "sort-orders", "default-sort-order-id", "properties", "metadata-log"});

std::string JsonText(std::string_view text) { return JsonWriter().String(text).Take(); }

std::string SpecJson(std::int64_t id, std::string_view fields) {
  JsonWriter writer;
  writer.BeginObject().Member("spec-id", id).Key("fields").Raw(fields);
  return writer.EndObject().Take();
}

std::string OrderJson(std::int64_t id, std::string_view fields) {
  JsonWriter writer;
  writer.BeginObject().Member("order-id", id).Key("fields").Raw(fields);
  return writer.EndObject().Take();
}

template <typename List>
auto Find(List& list, std::int64_t id) {
  return std::ranges::find_if(list, [&](const auto& item) { return item.id == id; });
}

template <typename List>
std::int64_t NextId(const List& list) {
  std::int64_t next = 0;
  for (const auto& item : list) next = std::max(next, item.id + 1);
  return next;
}

template <typename List>
void WriteList(std::string_view key, const List& list, JsonWriter& writer) {
  writer.Key(key).BeginArray();
  for (const auto& item : list) writer.Raw(item.json);
  writer.EndArray();
}

std::unexpected<Error> NoSuch(std::string_view what, std::int64_t id) {
  return InvalidInput("The Iceberg table has no " + std::string(what) + " " + std::to_string(id) +
                      ".");
}

std::unexpected<Error> NotReadable(std::string_view what) {
  return InvalidInput(
      "The metadata file of the Iceberg table cannot be changed: " + std::string(what) + ".");
}

// What tells two schemas apart.
std::string Identity(const IcebergSchema& schema) {
  return schema.fields + schema.identifier_field_ids;
}

}  // namespace

Result<IcebergMetadata> IcebergMetadata::Create(const NewTable& table, std::int64_t schema_id,
                                                JsonView spec, JsonView order,
                                                JsonView properties) {
  IcebergMetadata metadata;
  metadata.format_version_ = table.format_version;
  metadata.location_ = table.location;
  metadata.last_updated_ms_ = table.now_ms;
  metadata.last_column_id_ = table.schema.LastColumnId();
  metadata.current_schema_ = table.schema;
  if (schema_id < 0) return InvalidInput("SchemaId must not be negative.");
  metadata.current_schema_id_ = metadata.added_schema_id_ = schema_id;
  metadata.schemas_.push_back({schema_id, table.schema.Json(schema_id), Identity(table.schema)});

  metadata.last_partition_id_ = kNoPartitionField;
  GLUECAT_ASSIGN_OR_RETURN(const auto spec_fields,
                           PartitionFieldsOf(spec, table.schema, {}, metadata.last_partition_id_));
  const std::int64_t spec_id = spec["SpecId"].IntOr(0);
  if (spec_id < 0) return InvalidInput("SpecId must not be negative.");
  metadata.default_spec_id_ = metadata.added_spec_id_ = spec_id;
  metadata.specs_.push_back({spec_id, SpecJson(spec_id, spec_fields), spec_fields});

  // Order 0 is no order, in every table.
  metadata.orders_.push_back({0, OrderJson(0, "[]"), "[]"});
  if (!order.IsNull()) {
    GLUECAT_RETURN_IF_ERROR(metadata.AddOrder(order));
    GLUECAT_RETURN_IF_ERROR(metadata.SetDefaultOrder(kLast));
    const std::int64_t used = metadata.default_order_id_;
    std::erase_if(metadata.orders_, [&](const Numbered& item) { return item.id != used; });
  }
  for (const auto& [name, value] : properties.Members()) {
    if (const auto text = value.AsString()) metadata.properties_.emplace_back(name, *text);
  }

  metadata.others_ = {{"table-uuid", JsonText(table.uuid)},
                      {"current-snapshot-id", "-1"},
                      {"snapshots", "[]"},
                      {"snapshot-log", "[]"}};
  if (table.format_version >= 2) {
    metadata.others_.emplace_back("last-sequence-number", "0");
    metadata.others_.emplace_back("refs", "{}");
  }
  return metadata;
}

Result<IcebergMetadata> IcebergMetadata::Parse(std::string_view text) {
  const auto document = JsonDocument::Parse(text);
  if (!document || !document->root().IsObject()) return NotReadable("it is no JSON object");
  IcebergMetadata metadata;
  GLUECAT_RETURN_IF_ERROR(metadata.ReadFrom(document->root()));
  return metadata;
}

Status IcebergMetadata::ReadFrom(JsonView root) {
  format_version_ = static_cast<int>(root["format-version"].IntOr(0));
  if (format_version_ != 1 && format_version_ != 2) {
    return NotReadable("its format version is neither 1 nor 2");
  }
  location_ = root["location"].StringOr("");
  last_updated_ms_ = root["last-updated-ms"].IntOr(0);
  last_column_id_ = root["last-column-id"].IntOr(0);
  current_schema_id_ = added_schema_id_ = root["current-schema-id"].IntOr(0);
  default_spec_id_ = added_spec_id_ = root["default-spec-id"].IntOr(0);
  default_order_id_ = added_order_id_ = root["default-sort-order-id"].IntOr(0);

  auto schemas = root["schemas"].Elements();
  if (schemas.empty() && !root["schema"].IsNull()) schemas.push_back(root["schema"]);
  for (const auto& schema : schemas) {
    const std::int64_t id = schema["schema-id"].IntOr(0);
    auto read = IcebergSchema::FromMetadata(schema);
    if (!read && id == current_schema_id_) return Fail(read.error());
    // One that is not understood is kept as it is; it equals no other.
    schemas_.push_back({id, schema.Dump(), read ? Identity(*read) : ""});
    if (read && id == current_schema_id_) current_schema_ = *std::move(read);
  }
  if (Find(schemas_, current_schema_id_) == schemas_.end()) {
    return NotReadable("it lacks its current schema");
  }

  last_partition_id_ = kNoPartitionField;
  for (const auto& spec : root["partition-specs"].Elements()) {
    specs_.push_back({spec["spec-id"].IntOr(0), spec.Dump(), spec["fields"].Dump()});
    for (const auto& field : spec["fields"].Elements()) {
      last_partition_id_ = std::max(last_partition_id_, field["field-id"].IntOr(0));
    }
  }
  if (Find(specs_, default_spec_id_) == specs_.end()) {
    return NotReadable("it lacks its default partition spec");
  }
  last_partition_id_ = std::max(last_partition_id_, root["last-partition-id"].IntOr(0));
  for (const auto& order : root["sort-orders"].Elements()) {
    orders_.push_back({order["order-id"].IntOr(0), order.Dump(), order["fields"].Dump()});
  }
  if (orders_.empty() && default_order_id_ == 0) orders_.push_back({0, OrderJson(0, "[]"), "[]"});
  if (Find(orders_, default_order_id_) == orders_.end()) {
    return NotReadable("it lacks its default sort order");
  }
  for (const auto& [name, value] : root["properties"].Members()) {
    properties_.emplace_back(name, value.StringOr(""));
  }
  for (const auto& element : root["metadata-log"].Elements()) log_.push_back(element.Dump());
  for (const auto& [name, value] : root.Members()) {
    if (std::ranges::find(kOwnMembers, name) == kOwnMembers.end()) {
      others_.emplace_back(name, value.Dump());
    }
  }
  return {};
}

Status IcebergMetadata::AddSchema(JsonView given) {
  GLUECAT_ASSIGN_OR_RETURN(const auto schema, IcebergSchema::FromRequest(given));
  const std::string identity = Identity(schema);
  for (const auto& known : schemas_) {
    if (known.fields == identity) {
      added_schema_id_ = known.id;
      return {};
    }
  }
  added_schema_id_ = NextId(schemas_);
  schemas_.push_back({added_schema_id_, schema.Json(added_schema_id_), identity});
  last_column_id_ = std::max(last_column_id_, schema.LastColumnId());
  return {};
}

Status IcebergMetadata::SetCurrentSchema(std::int64_t id) {
  if (id == kLast) id = added_schema_id_;
  const auto found = Find(schemas_, id);
  if (found == schemas_.end()) return NoSuch("schema", id);
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(found->json));
  GLUECAT_ASSIGN_OR_RETURN(auto schema, IcebergSchema::FromMetadata(document.root()));
  GLUECAT_ASSIGN_OR_RETURN(const auto spec,
                           JsonDocument::Parse(Find(specs_, default_spec_id_)->fields));
  GLUECAT_RETURN_IF_ERROR(CheckSources(spec.root(), schema, "default partition spec"));
  GLUECAT_ASSIGN_OR_RETURN(const auto order,
                           JsonDocument::Parse(Find(orders_, default_order_id_)->fields));
  GLUECAT_RETURN_IF_ERROR(CheckSources(order.root(), schema, "default sort order"));
  current_schema_id_ = id;
  current_schema_ = std::move(schema);
  return {};
}

Status IcebergMetadata::AddSpec(JsonView spec) {
  PartitionFieldIds ids;
  for (const auto& known : specs_) {
    GLUECAT_ASSIGN_OR_RETURN(const auto fields, JsonDocument::Parse(known.fields));
    for (const auto& field : fields.root().Elements()) {
      ids.emplace(std::pair(field["source-id"].IntOr(0), field["transform"].StringOr("")),
                  field["field-id"].IntOr(0));
    }
  }
  std::int64_t last_id = last_partition_id_;
  GLUECAT_ASSIGN_OR_RETURN(const auto fields,
                           PartitionFieldsOf(spec, current_schema_, ids, last_id));
  if (format_version_ == 1) {
    GLUECAT_ASSIGN_OR_RETURN(const auto before,
                             JsonDocument::Parse(Find(specs_, default_spec_id_)->fields));
    GLUECAT_ASSIGN_OR_RETURN(const auto after, JsonDocument::Parse(fields));
    GLUECAT_RETURN_IF_ERROR(CheckFollowsInVersion1(before.root(), after.root()));
  }
  for (const auto& known : specs_) {
    if (known.fields == fields) {
      added_spec_id_ = known.id;
      return {};
    }
  }
  added_spec_id_ = NextId(specs_);
  specs_.push_back({added_spec_id_, SpecJson(added_spec_id_, fields), fields});
  last_partition_id_ = last_id;
  return {};
}

Status IcebergMetadata::SetDefaultSpec(std::int64_t id) {
  if (id == kLast) id = added_spec_id_;
  const auto found = Find(specs_, id);
  if (found == specs_.end()) return NoSuch("partition spec", id);
  GLUECAT_ASSIGN_OR_RETURN(const auto fields, JsonDocument::Parse(found->fields));
  GLUECAT_RETURN_IF_ERROR(CheckSources(fields.root(), current_schema_, "partition spec"));
  default_spec_id_ = id;
  return {};
}

Status IcebergMetadata::AddOrder(JsonView order) {
  GLUECAT_ASSIGN_OR_RETURN(const auto fields, SortFieldsOf(order, current_schema_));
  for (const auto& known : orders_) {
    if (known.fields == fields) {
      added_order_id_ = known.id;
      return {};
    }
  }
  if (fields == "[]") {
    added_order_id_ = 0;
  } else {
    // 0 is no order; the number that the request gives is kept if it is free.
    const std::int64_t wanted = order["OrderId"].IntOr(0);
    const bool free = wanted > 0 && Find(orders_, wanted) == orders_.end();
    added_order_id_ = free ? wanted : std::max<std::int64_t>(NextId(orders_), 1);
  }
  orders_.push_back({added_order_id_, OrderJson(added_order_id_, fields), fields});
  return {};
}

Status IcebergMetadata::SetDefaultOrder(std::int64_t id) {
  if (id == kLast) id = added_order_id_;
  const auto found = Find(orders_, id);
  if (found == orders_.end()) return NoSuch("sort order", id);
  GLUECAT_ASSIGN_OR_RETURN(const auto fields, JsonDocument::Parse(found->fields));
  GLUECAT_RETURN_IF_ERROR(CheckSources(fields.root(), current_schema_, "sort order"));
  default_order_id_ = id;
  return {};
}

Status IcebergMetadata::ApplyAll(JsonView update) {
  GLUECAT_RETURN_IF_ERROR(AddSchema(update["Schema"]));
  GLUECAT_RETURN_IF_ERROR(SetCurrentSchema(kLast));
  if (const JsonView spec = update["PartitionSpec"]; !spec.IsNull()) {
    GLUECAT_RETURN_IF_ERROR(AddSpec(spec));
    GLUECAT_RETURN_IF_ERROR(SetDefaultSpec(kLast));
  }
  if (const JsonView order = update["SortOrder"]; !order.IsNull()) {
    GLUECAT_RETURN_IF_ERROR(AddOrder(order));
    GLUECAT_RETURN_IF_ERROR(SetDefaultOrder(kLast));
  }
  location_ = update["Location"].StringOr(location_);
  for (const auto& [name, value] : update["Properties"].Members()) {
    std::erase_if(properties_, [&](const auto& known) { return known.first == name; });
    properties_.emplace_back(name, value.StringOr(""));
  }
  return {};
}

Status IcebergMetadata::Apply(JsonView update) {
  const auto given = update["Action"].AsString();
  if (!given) return ApplyAll(update);
  const std::string_view action = *given;
  const auto needs = [&](std::string_view member) -> Status {
    if (!update[member].IsNull()) return {};
    return InvalidInput("The action " + std::string(action) + " needs a " + std::string(member) +
                        ".");
  };
  if (action == "add-schema") return AddSchema(update["Schema"]);
  if (action == "set-current-schema") {
    return SetCurrentSchema(update["Schema"]["SchemaId"].IntOr(kLast));
  }
  if (action == "add-spec" || action == "set-default-spec") {
    const JsonView spec = update["PartitionSpec"];
    if (action == "set-default-spec") return SetDefaultSpec(spec["SpecId"].IntOr(kLast));
    GLUECAT_RETURN_IF_ERROR(needs("PartitionSpec"));
    return AddSpec(spec);
  }
  if (action == "add-sort-order" || action == "set-default-sort-order") {
    const JsonView order = update["SortOrder"];
    if (action == "set-default-sort-order") return SetDefaultOrder(order["OrderId"].IntOr(kLast));
    GLUECAT_RETURN_IF_ERROR(needs("SortOrder"));
    return AddOrder(order);
  }
  if (action == "set-location") {
    location_ = update["Location"].StringOr("");
    return {};
  }
  if (action == "set-properties" || action == "remove-properties") {
    GLUECAT_RETURN_IF_ERROR(needs("Properties"));
    for (const auto& [name, value] : update["Properties"].Members()) {
      std::erase_if(properties_, [&](const auto& known) { return known.first == name; });
      if (action == "set-properties") properties_.emplace_back(name, value.StringOr(""));
    }
    return {};
  }
  return InvalidInput("The action " + std::string(action) +
                      " is of format version 3, which this catalog does not write.");
}

void IcebergMetadata::Continue(std::string_view previous, std::int64_t now_ms) {
  JsonWriter entry;
  entry.BeginObject().Member("timestamp-ms", last_updated_ms_).Member("metadata-file", previous);
  log_.push_back(entry.EndObject().Take());
  std::size_t length = kDefaultLogLength;
  for (const auto& [name, value] : properties_) {
    if (name == kLogLengthProperty) {
      const auto number = JsonDocument::Parse(value);
      if (number) {
        length = static_cast<std::size_t>(
            std::clamp<std::int64_t>(number->root().IntOr(kDefaultLogLength), 1, 10'000));
      }
    }
  }
  if (log_.size() > length) {
    log_.erase(log_.begin(), log_.end() - static_cast<std::ptrdiff_t>(length));
  }
  // Readers take the order of the log for the order of time.
  last_updated_ms_ = std::max(last_updated_ms_, now_ms);
}

std::string IcebergMetadata::Json() const {
  JsonWriter writer;
  writer.BeginObject().Member("format-version", format_version_).Member("location", location_);
  writer.Member("last-updated-ms", last_updated_ms_).Member("last-column-id", last_column_id_);
  if (format_version_ == 1) {
    writer.Key("schema").Raw(Find(schemas_, current_schema_id_)->json);
    writer.Key("partition-spec").Raw(Find(specs_, default_spec_id_)->fields);
  }
  writer.Member("current-schema-id", current_schema_id_);
  WriteList("schemas", schemas_, writer);
  writer.Member("default-spec-id", default_spec_id_);
  WriteList("partition-specs", specs_, writer);
  writer.Member("last-partition-id", last_partition_id_);
  writer.Member("default-sort-order-id", default_order_id_);
  WriteList("sort-orders", orders_, writer);
  writer.Key("properties").BeginObject();
  for (const auto& [name, value] : properties_) writer.Member(name, value);
  writer.EndObject().Key("metadata-log").BeginArray();
  for (const auto& entry : log_) writer.Raw(entry);
  writer.EndArray();
  for (const auto& [name, json] : others_) writer.Key(name).Raw(json);
  return writer.EndObject().Take();
}

}  // namespace gluecat::store
