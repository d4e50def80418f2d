#include <algorithm>
#include <utility>

#include "core/catalog/catalog.h"
#include "core/catalog/names.h"

namespace gluecat::catalog {
namespace {

// Spark's reserved namespace properties (SupportsNamespaces). The owner has no
// field in a Glue database and is kept as a parameter.
constexpr char kComment[] = "comment";
constexpr char kLocation[] = "location";
constexpr char kOwner[] = "owner";

NamespaceDescription FromDatabase(const glue::Database& database) {
  NamespaceDescription description;
  description.name = database.name;
  description.comment = database.description;
  description.location = database.location_uri;
  description.properties = database.parameters;
  if (const auto owner = description.properties.extract(kOwner)) {
    description.owner = owner.mapped();
  }
  return description;
}

void Set(std::optional<std::string>& field, const std::optional<std::string>& value) {
  // Glue refuses an empty location and has no difference between an empty and
  // an absent description.
  field = value && !value->empty() ? value : std::nullopt;
}

void Apply(glue::Database& database, const PropertyChange& change) {
  if (change.key == kComment) {
    Set(database.description, change.value);
  } else if (change.key == kLocation) {
    Set(database.location_uri, change.value);
  } else if (change.value) {
    database.parameters.insert_or_assign(change.key, *change.value);
  } else {
    database.parameters.erase(change.key);
  }
}

}  // namespace

Result<std::vector<std::string>> Catalog::ListNamespaces(const glue::CallContext& context) const {
  auto databases = client_.GetDatabases(context);
  if (!databases) return Fail(Explain(std::move(databases).error(), "list", "databases"));
  std::vector<std::string> names;
  names.reserve(databases->size());
  for (auto& database : *databases) names.push_back(std::move(database.name));
  return names;
}

Result<NamespaceDescription> Catalog::LoadNamespace(std::string_view name,
                                                    const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const std::string folded, FoldDatabase(name));
  recent_databases_.Forget(folded);
  GLUECAT_ASSIGN_OR_RETURN(const auto database, RecentOrGetDatabase(folded, context));
  recent_databases_.Put(database);
  return FromDatabase(database);
}

Status Catalog::CreateNamespace(const NamespaceDescription& description,
                                const glue::CallContext& context) const {
  GLUECAT_ASSIGN_OR_RETURN(const std::string folded, FoldDatabase(description.name));
  glue::Database database;
  database.name = folded;
  Set(database.description, description.comment);
  Set(database.location_uri, description.location);
  if (!database.location_uri && settings_.warehouse) {
    database.location_uri = *settings_.warehouse + "/" + folded + ".db";
  }
  database.parameters = description.properties;
  if (description.owner) database.parameters.insert_or_assign(kOwner, *description.owner);
  glue::CallInfo info;
  glue::CallContext call = context;
  call.info = &info;
  auto created = client_.CreateDatabase(database, call);
  if (created) return {};
  Error error = std::move(created).error();
  if (error.kind == ErrorKind::kAlreadyExists && info.outcome_unknown) {
    // The answer to an earlier attempt was lost: the database may be the one it made.
    const auto existing = client_.GetDatabase(folded, context);
    if (existing && FromDatabase(*existing) == FromDatabase(database)) return {};
  }
  return Fail(Explain(std::move(error), "create", "database " + folded));
}

Status Catalog::AlterNamespace(std::string_view name, const std::vector<PropertyChange>& changes,
                               const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const std::string folded, FoldDatabase(name));
  recent_databases_.Forget(folded);
  const std::string object = "database " + folded;
  auto database = client_.GetDatabase(folded, context);
  if (!database) return Fail(Explain(std::move(database).error(), "read", object));
  const glue::Database before = *database;
  for (const PropertyChange& change : changes) Apply(*database, change);
  if (*database == before) return {};
  auto updated = client_.UpdateDatabase(folded, *database, context);
  if (!updated) return Fail(Explain(std::move(updated).error(), "change", object));
  return {};
}

Status Catalog::DropNamespace(std::string_view name, bool cascade,
                              const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const std::string folded, FoldDatabase(name));
  recent_databases_.Forget(folded);
  const std::string object = "database " + folded;
  if (!cascade) {
    auto has_tables = client_.HasTables(folded, context);
    if (!has_tables) return Fail(Explain(std::move(has_tables).error(), "drop", object));
    if (*has_tables) {
      return Fail(ErrorKind::kNotEmpty,
                  Label() + ": " + object + " is not empty; drop its tables, or use CASCADE");
    }
  }
  glue::CallInfo info;
  glue::CallContext call = context;
  call.info = &info;
  auto dropped = client_.DeleteDatabase(folded, call);
  if (dropped) return {};
  // After a lost answer, "not found" is what an earlier attempt did.
  if (dropped.error().kind == ErrorKind::kNotFound && info.outcome_unknown) return {};
  return Fail(Explain(std::move(dropped).error(), "drop", object));
}

}  // namespace gluecat::catalog
