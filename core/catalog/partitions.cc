#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/catalog/catalog.h"

namespace gluecat::catalog {
namespace {

// "a/b" of the first few partitions, for messages.
std::string Sample(const std::vector<glue::PartitionFailure>& failures) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < failures.size() && i < kShown; ++i) {
    if (i > 0) text += ", ";
    text += Join(failures[i].values, "/");
  }
  if (failures.size() > kShown) {
    text += " and " + std::to_string(failures.size() - kShown) + " more";
  }
  return text;
}

// The first failure of another kind than `expected`; nullptr if there is none.
const glue::PartitionFailure* FirstOther(const std::vector<glue::PartitionFailure>& failures,
                                         ErrorKind expected) {
  for (const auto& failure : failures) {
    if (failure.error.kind != expected) return &failure;
  }
  return nullptr;
}

void Relocate(glue::Partition& partition, const std::string& location) {
  if (!partition.storage_descriptor) partition.storage_descriptor.emplace();
  partition.storage_descriptor->location = location;
}

// `of_table` is there if `change` takes the table's format.
void Change(glue::Partition& partition, const PartitionChange& change,
            const std::optional<glue::StorageDescriptor>& of_table) {
  if (change.table_format) {
    glue::StorageDescriptor taken = *of_table;
    taken.location =
        partition.storage_descriptor ? partition.storage_descriptor->location : std::nullopt;
    partition.storage_descriptor = std::move(taken);
  }
  if (change.location) Relocate(partition, *change.location);
  if (change.parameters.empty()) return;
  if (!partition.parameters) partition.parameters.emplace();
  for (const auto& [key, value] : change.parameters) {
    partition.parameters->insert_or_assign(key, value);
  }
}

}  // namespace

Status Catalog::ScanPartitions(std::string_view database, std::string_view table,
                               std::string_view expression, glue::PartitionSink& sink,
                               const glue::CallContext& context) const {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  glue::PartitionQuery query;
  query.database = name.database;
  query.table = name.table;
  query.expression = expression;
  auto scanned = client_.ScanPartitions(query, sink, context);
  if (!scanned) {
    Error error = std::move(scanned).error();
    const std::string object = "table " + name.ToString();
    if (error.kind == ErrorKind::kNotFound) return Fail(Explain(std::move(error), "read", object));
    return Fail(Explain(std::move(error), "list the partitions of", object));
  }
  return {};
}

Result<glue::StorageDescriptor> Catalog::DescriptorForPartitions(const TableName& name,
                                                                 const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(glue::Table entry, RecentOrGetTable(name, context));
  // Taken, not cached: the entry goes back for the next command on this table.
  glue::StorageDescriptor descriptor = entry.storage_descriptor.value_or(glue::StorageDescriptor());
  recent_.Put(name.ToString(), std::move(entry));
  if (descriptor.serde_info) descriptor.serde_info->parameters.erase("path");
  return descriptor;
}

Result<AddedPartitions> Catalog::AddPartitions(std::string_view database, std::string_view table,
                                               const std::vector<NewPartition>& partitions,
                                               IfExists if_exists,
                                               const glue::CallContext& context) {
  AddedPartitions added;
  if (partitions.empty()) return added;
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  const std::string object = "partitions of table " + name.ToString();
  GLUECAT_ASSIGN_OR_RETURN(const glue::StorageDescriptor descriptor,
                           DescriptorForPartitions(name, context));

  std::vector<glue::Partition> inputs;
  inputs.reserve(partitions.size());
  for (const NewPartition& partition : partitions) {
    glue::Partition input;
    input.values = partition.values;
    input.storage_descriptor = descriptor;
    input.storage_descriptor->location = partition.location;
    input.parameters = partition.parameters;
    inputs.push_back(std::move(input));
  }
  auto refused = client_.CreatePartitions(name.database, name.table, inputs, context);
  if (!refused) return Fail(Explain(std::move(refused).error(), "create", object));
  added.created = inputs.size() - refused->size();
  if (const auto* other = FirstOther(*refused, ErrorKind::kAlreadyExists)) {
    return Fail(Explain(other->error, "create",
                        "partition " + Join(other->values, "/") + " of table " + name.ToString()));
  }
  if (refused->empty() || if_exists == IfExists::kIgnore) return added;
  if (if_exists == IfExists::kFail) {
    Error error = refused->front().error;
    error.message.clear();
    return Fail(Explain(std::move(error), "create",
                        "partition " + Sample(*refused) + " of table " + name.ToString()));
  }

  std::set<std::vector<std::string>> existing;
  for (auto& failure : *refused) existing.insert(std::move(failure.values));
  std::erase_if(inputs, [&](const auto& input) { return !existing.contains(input.values); });
  auto failed = client_.UpdatePartitions(name.database, name.table, inputs, context);
  if (!failed) return Fail(Explain(std::move(failed).error(), "update", object));
  if (!failed->empty()) {
    const auto& first = failed->front();
    return Fail(Explain(first.error, "update",
                        "partition " + Join(first.values, "/") + " of table " + name.ToString()));
  }
  added.updated = inputs.size();
  return added;
}

Result<std::size_t> Catalog::AlterPartitions(std::string_view database, std::string_view table,
                                             const std::vector<PartitionChange>& changes,
                                             IfMissing if_missing,
                                             const glue::CallContext& context) {
  if (changes.empty()) return std::size_t{0};
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  std::optional<glue::StorageDescriptor> descriptor;
  if (std::ranges::any_of(changes, &PartitionChange::table_format)) {
    GLUECAT_ASSIGN_OR_RETURN(descriptor, DescriptorForPartitions(name, context));
  }
  const std::string of_table = " of table " + name.ToString();
  std::vector<std::vector<std::string>> wanted;
  wanted.reserve(changes.size());
  for (const auto& change : changes) wanted.push_back(change.values);
  auto found = client_.GetPartitions(name.database, name.table, wanted, context);
  if (!found) return Fail(Explain(std::move(found).error(), "read", "partitions" + of_table));
  std::map<std::vector<std::string>, glue::Partition> before;
  for (auto& partition : *found) before.insert_or_assign(partition.values, std::move(partition));

  std::vector<glue::PartitionFailure> missing;
  std::map<std::vector<std::string>, glue::Partition> after = before;
  for (const auto& change : changes) {
    const auto at = after.find(change.values);
    if (at == after.end()) {
      missing.push_back({change.values, MakeError(ErrorKind::kNotFound, "")});
    } else {
      Change(at->second, change, descriptor);
    }
  }
  std::vector<glue::Partition> changed;
  for (const auto& [values, partition] : after) {
    if (!(partition == before.at(values))) changed.push_back(partition);
  }
  auto failed = client_.UpdatePartitions(name.database, name.table, changed, context);
  if (!failed) return Fail(Explain(std::move(failed).error(), "update", "partitions" + of_table));
  if (const auto* other = FirstOther(*failed, ErrorKind::kNotFound)) {
    return Fail(
        Explain(other->error, "update", "partition " + Join(other->values, "/") + of_table));
  }
  // Dropped by somebody since they were read.
  const std::size_t altered = after.size() - failed->size();
  std::ranges::move(*failed, std::back_inserter(missing));
  if (!missing.empty() && if_missing == IfMissing::kFail) {
    Error error = missing.front().error;
    error.message.clear();
    return Fail(Explain(std::move(error), "change", "partition " + Sample(missing) + of_table));
  }
  return altered;
}

Status Catalog::RenamePartition(std::string_view database, std::string_view table,
                                const std::vector<std::string>& values,
                                const std::vector<std::string>& to_values,
                                const std::optional<std::string>& location,
                                const glue::CallContext& context) const {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  const std::string of_table = " of table " + name.ToString();
  const std::string from = "partition " + Join(values, "/") + of_table;
  const std::string to = "partition " + Join(to_values, "/") + of_table;
  auto partition = client_.GetPartition(name.database, name.table, values, context);
  if (!partition) return Fail(Explain(std::move(partition).error(), "read", from));
  partition->values = to_values;
  if (location) Relocate(*partition, *location);
  auto refused = client_.CreatePartitions(name.database, name.table, {*partition}, context);
  if (!refused) return Fail(Explain(std::move(refused).error(), "create", to));
  if (!refused->empty()) {
    Error error = refused->front().error;
    if (error.kind != ErrorKind::kAlreadyExists) return Fail(Explain(error, "create", to));
    // By an earlier trial of the same rename, or another partition.
    auto existing = client_.GetPartition(name.database, name.table, to_values, context);
    if (!existing) return Fail(Explain(std::move(existing).error(), "read", to));
    if (values == to_values || existing->storage_descriptor != partition->storage_descriptor) {
      error.message.clear();
      return Fail(Explain(std::move(error), "create", to));
    }
  }
  auto failed = client_.DeletePartitions(name.database, name.table, {values}, context);
  if (failed && (failed->empty() || failed->front().error.kind == ErrorKind::kNotFound)) return {};
  Error error = Explain(failed ? failed->front().error : failed.error(), "drop", from);
  error.message += "; both partitions now have the same files: repeat the rename to finish it";
  return Fail(std::move(error));
}

Result<std::size_t> Catalog::DropPartitions(std::string_view database, std::string_view table,
                                            const std::vector<std::vector<std::string>>& values,
                                            IfMissing if_missing,
                                            const glue::CallContext& context) {
  if (values.empty()) return std::size_t{0};
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  auto failed = client_.DeletePartitions(name.database, name.table, values, context);
  if (!failed) {
    return Fail(
        Explain(std::move(failed).error(), "drop", "partitions of table " + name.ToString()));
  }
  if (const auto* other = FirstOther(*failed, ErrorKind::kNotFound)) {
    return Fail(Explain(other->error, "drop",
                        "partition " + Join(other->values, "/") + " of table " + name.ToString()));
  }
  if (!failed->empty() && if_missing == IfMissing::kFail) {
    Error error = failed->front().error;
    error.message.clear();
    return Fail(Explain(std::move(error), "drop",
                        "partition " + Sample(*failed) + " of table " + name.ToString()));
  }
  return values.size() - failed->size();
}

Status Catalog::CopyPartitions(const TableName& from, const TableName& to,
                               const glue::CallContext& context) const {
  glue::PartitionQuery query;
  query.database = from.database;
  query.table = from.table;
  query.exclude_column_schema = false;
  auto partitions = client_.GetPartitions(query, context);
  if (!partitions) {
    return Fail(Explain(std::move(partitions).error(), "list the partitions of",
                        "table " + from.ToString()));
  }
  if (partitions->empty()) return {};
  const std::string of_table = " of table " + to.ToString();
  auto refused = client_.CreatePartitions(to.database, to.table, *partitions, context);
  if (!refused) return Fail(Explain(std::move(refused).error(), "create", "partitions" + of_table));
  // Those that exist were copied by an earlier trial of the same rename.
  if (const auto* other = FirstOther(*refused, ErrorKind::kAlreadyExists)) {
    return Fail(
        Explain(other->error, "create", "partition " + Join(other->values, "/") + of_table));
  }
  return {};
}

}  // namespace gluecat::catalog
