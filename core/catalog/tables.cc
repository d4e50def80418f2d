#include <algorithm>
#include <utility>

#include "core/catalog/catalog.h"
#include "core/glue/codec.h"

namespace gluecat::catalog {
namespace {

// Trials of a change that loses a race against other writers. With jitter, 20
// writers on one table all get through well before the last.
constexpr int kChangeTrials = 24;

}  // namespace

Result<std::vector<TableSummary>> Catalog::ListTables(std::string_view database,
                                                      const glue::CallContext& context) const {
  GLUECAT_ASSIGN_OR_RETURN(const std::string folded, FoldDatabase(database));
  auto tables = client_.GetTables(folded, context);
  if (!tables) {
    return Fail(Explain(std::move(tables).error(), "list the tables of", "database " + folded));
  }
  std::vector<TableSummary> summaries;
  summaries.reserve(tables->size());
  for (auto& listed : *tables) {
    TableSummary summary;
    summary.name = std::move(listed.name);
    if (listed.table) {
      summary.kind = entry::KindOf(*listed.table);
      summary.table_type = listed.table->table_type.value_or("");
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

Result<entry::TableDescription> Catalog::LoadTable(std::string_view database,
                                                   std::string_view table,
                                                   const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  recent_.Forget(name.ToString());
  const std::uint64_t written = glue::Client::WritesEnded();
  std::optional<glue::Table> entry = cached_.Get(name.ToString(), written);
  if (!entry) {
    GLUECAT_ASSIGN_OR_RETURN(entry, loads_.Get(name.ToString(), written, context, *clock_,
                                               [&] { return GetTable(name, context); }));
    cached_.Put(name.ToString(), *entry, written);
  }
  entry::TableDescription description = Describe(*entry);
  recent_.Put(name.ToString(), *std::move(entry));
  return description;
}

Status Catalog::ForgetTable(std::string_view database, std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  recent_.Forget(name.ToString());
  cached_.Forget(name.ToString());
  return {};
}

Result<std::string> Catalog::ManagedLocation(const TableName& name,
                                             const glue::Database& database) const {
  if (database.location_uri && !database.location_uri->empty()) {
    std::string location = *database.location_uri;
    while (location.ends_with('/')) location.pop_back();
    return location + "/" + name.table;
  }
  if (settings_.warehouse) {
    return *settings_.warehouse + "/" + name.database + ".db/" + name.table;
  }
  return Fail(ErrorKind::kInvalidArgument, Label() + ": table " + name.ToString() +
                                               " needs a LOCATION: database " + name.database +
                                               " has none, and spark.sql.catalog." +
                                               settings_.catalog + ".warehouse is not set");
}

Result<std::string> Catalog::ResolveLocation(std::string_view database, std::string_view table,
                                             const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  GLUECAT_ASSIGN_OR_RETURN(const auto found, RecentOrGetDatabase(name.database, context));
  return ManagedLocation(name, found);
}

Result<std::string> Catalog::PrepareTable(std::string_view database, std::string_view table,
                                          entry::TableSpec spec, const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  GLUECAT_ASSIGN_OR_RETURN(const auto found, RecentOrGetDatabase(name.database, context));
  if (!spec.location) {
    GLUECAT_ASSIGN_OR_RETURN(spec.location, ManagedLocation(name, found));
    spec.managed = true;
  }
  auto built = entry::BuildTable(name.table, spec, Writer());
  if (!built) {
    return Fail(Explain(std::move(built).error(), "create", "table " + name.ToString()));
  }
  return *spec.location;
}

Result<entry::TableDescription> Catalog::CreateTable(std::string_view database,
                                                     std::string_view table, entry::TableSpec spec,
                                                     const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  const std::string object = "table " + name.ToString();
  if (!spec.location) {
    GLUECAT_ASSIGN_OR_RETURN(const auto found, RecentOrGetDatabase(name.database, context));
    GLUECAT_ASSIGN_OR_RETURN(spec.location, ManagedLocation(name, found));
    spec.managed = true;
  }
  auto built = entry::BuildTable(name.table, spec, Writer());
  if (!built) return Fail(Explain(std::move(built).error(), "create", object));
  glue::CallInfo info;
  glue::CallContext call = context;
  call.info = &info;
  if (auto created = client_.CreateTable(name.database, *built, call); !created) {
    Error error = std::move(created).error();
    bool ours = false;
    if (error.kind == ErrorKind::kAlreadyExists && info.outcome_unknown) {
      // The answer to an earlier attempt was lost: the table may be the one it made.
      GLUECAT_ASSIGN_OR_RETURN(const glue::Table existing, GetTable(name, context));
      ours = glue::EncodeTableInput(existing) == glue::EncodeTableInput(*built);
    }
    if (!ours) {
      // Glue says "not found" here only of the database.
      const bool no_database = error.kind == ErrorKind::kNotFound;
      return Fail(
          Explain(std::move(error), "create", no_database ? "database " + name.database : object));
    }
  }
  recent_.Forget(name.ToString());
  return Describe(*built);
}

Result<entry::TableDescription> Catalog::AlterTable(std::string_view database,
                                                    std::string_view table,
                                                    const std::vector<entry::TableChange>& changes,
                                                    const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  GLUECAT_ASSIGN_OR_RETURN(const glue::Table entry, ChangeTable(name, changes, context));
  return Describe(entry);
}

Result<glue::Table> Catalog::ChangeTable(const TableName& name,
                                         const std::vector<entry::TableChange>& changes,
                                         const glue::CallContext& context) {
  const std::string object = "table " + name.ToString();
  GLUECAT_ASSIGN_OR_RETURN(glue::Table entry, RecentOrGetTable(name, context));
  for (int trial = 0;; ++trial) {
    const std::string before = glue::EncodeTableInput(entry);
    auto applied = entry::ApplyChanges(entry, changes, Writer());
    if (!applied) return Fail(Explain(std::move(applied).error(), "change", object));
    if (glue::EncodeTableInput(entry) == before) return entry;
    auto updated = client_.UpdateTable(name.database, entry, entry.version_id, context);
    if (updated) return entry;
    Error error = std::move(updated).error();
    // After a lost race, or a lost answer that was in truth a success, the entry
    // is read again; if it is already as wanted, nothing more is sent.
    if (error.kind != ErrorKind::kConflict || trial + 1 == kChangeTrials) {
      return Fail(Explain(std::move(error), "change", object));
    }
    if (!BackOff(trial, context)) {
      return Fail(ErrorKind::kCancelled, Label() + ": changing " + object + " was cancelled");
    }
    GLUECAT_ASSIGN_OR_RETURN(entry, GetTable(name, context));
  }
}

Result<bool> Catalog::DropTable(std::string_view database, std::string_view table,
                                const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  recent_.Forget(name.ToString());
  glue::CallInfo info;
  glue::CallContext call = context;
  call.info = &info;
  auto deleted = client_.DeleteTable(name.database, name.table, call);
  if (deleted) return true;
  // After a lost answer, "not found" is what an earlier attempt did.
  if (deleted.error().kind == ErrorKind::kNotFound) return info.outcome_unknown;
  return Fail(Explain(std::move(deleted).error(), "drop", "table " + name.ToString()));
}

}  // namespace gluecat::catalog
