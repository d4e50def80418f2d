#include "store/schema.h"

#include <array>
#include <string>

namespace gluecat::store {
namespace {

// "GCAT", in the header of the file.
constexpr std::int64_t kApplicationId = 0x47434154;

// Entries are kept as the JSON text that answers are made of, so that reading is copying.
//
// scopes      one Data Catalog in one region
// tables      version, and what CreateTable fixes for good; entry is the whole Table of an answer
// partitions  key is the encoded values (partition_key.h); an entry is head + columns + tail, and
//             the column lists, which most partitions of a table share, are stored once
// column_statistics  partition_key is empty for the statistics of the table itself
//
// AUTOINCREMENT: ids are part of page tokens and must never come back.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE scopes(
  id INTEGER PRIMARY KEY,
  catalog_id TEXT NOT NULL,
  region TEXT NOT NULL,
  UNIQUE(catalog_id, region)
) STRICT;
CREATE TABLE databases(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope_id INTEGER NOT NULL REFERENCES scopes(id),
  name TEXT NOT NULL,
  create_time TEXT NOT NULL,
  target TEXT,
  entry TEXT NOT NULL,
  UNIQUE(scope_id, name)
) STRICT;
CREATE TABLE tables(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL REFERENCES databases(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  create_time TEXT NOT NULL,
  created_by TEXT NOT NULL,
  table_type TEXT,
  partition_keys TEXT NOT NULL,
  partition_indexes TEXT NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE(database_id, name)
) STRICT;
CREATE TABLE table_versions(
  id INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE(table_id, version)
) STRICT;
CREATE TABLE column_lists(
  id INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  digest INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX column_lists_digest ON column_lists(table_id, digest);
CREATE TABLE partitions(
  id INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  key BLOB NOT NULL,
  columns_id INTEGER,
  creation_time TEXT NOT NULL,
  head TEXT NOT NULL,
  tail TEXT NOT NULL,
  UNIQUE(table_id, key)
) STRICT;
CREATE TABLE functions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL REFERENCES databases(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  create_time TEXT NOT NULL,
  function_type TEXT NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE(database_id, name)
) STRICT;
CREATE TABLE column_statistics(
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  partition_key BLOB NOT NULL,
  column_name TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY(table_id, partition_key, column_name)
) STRICT, WITHOUT ROWID;
CREATE TABLE secrets(
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
)sql";

// connections  entry is the whole Connection of an answer, secrets included
// catalogs     the catalogs below an account's own, whose scope this is
// tags         owner is the row of scopes, databases, tables, connections or catalogs, as kind
//              says; they go with it
constexpr const char* kVersion2 = R"sql(
CREATE TABLE connections(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope_id INTEGER NOT NULL REFERENCES scopes(id),
  name TEXT NOT NULL,
  create_time TEXT NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE(scope_id, name)
) STRICT;
CREATE TABLE catalogs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope_id INTEGER NOT NULL REFERENCES scopes(id),
  name TEXT NOT NULL,
  create_time TEXT NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE(scope_id, name)
) STRICT;
CREATE TABLE tags(
  kind TEXT NOT NULL,
  owner INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(kind, owner, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER database_tags AFTER DELETE ON databases BEGIN
  DELETE FROM tags WHERE kind='database' AND owner=OLD.id;
END;
CREATE TRIGGER table_tags AFTER DELETE ON tables BEGIN
  DELETE FROM tags WHERE kind='table' AND owner=OLD.id;
END;
CREATE TRIGGER connection_tags AFTER DELETE ON connections BEGIN
  DELETE FROM tags WHERE kind='connection' AND owner=OLD.id;
END;
CREATE TRIGGER catalog_tags AFTER DELETE ON catalogs BEGIN
  DELETE FROM tags WHERE kind='catalog' AND owner=OLD.id;
END;
CREATE TABLE resource_policies(
  scope_id INTEGER PRIMARY KEY REFERENCES scopes(id),
  policy TEXT NOT NULL,
  hash TEXT NOT NULL,
  create_time TEXT NOT NULL,
  update_time TEXT NOT NULL
) STRICT;
CREATE TABLE encryption_settings(
  scope_id INTEGER PRIMARY KEY REFERENCES scopes(id),
  entry TEXT NOT NULL
) STRICT;
)sql";

// tables.target  the TargetTable of a resource link; null for all others
// partition_index_keys  the keys of all partitions by the values of an index (partition_finder.h).
//             Only of the indexes in filled_partition_indexes: older versions made none
constexpr const char* kVersion3 = R"sql(
CREATE TABLE filled_partition_indexes(
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY(table_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE partition_index_keys(
  table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value BLOB NOT NULL,
  key BLOB NOT NULL,
  partition_id INTEGER NOT NULL,
  PRIMARY KEY(table_id, name, value, key)
) STRICT, WITHOUT ROWID;
ALTER TABLE tables ADD COLUMN target TEXT;
UPDATE tables SET target=json_extract(entry, '$.TargetTable')
  WHERE instr(entry, '"TargetTable"')>0;
)sql";

// What leads from each version to the next; the first makes a new file.
constexpr auto kSteps = std::to_array<const char*>({kVersion1, kVersion2, kVersion3});
static_assert(kSteps.size() == kSchemaVersion);

// In the transaction of the caller: a file is of one version or the other.
Status Migrate(Connection& connection, std::size_t version) {
  for (; version < kSteps.size(); ++version) {
    GLUECAT_RETURN_IF_ERROR(connection.Execute(kSteps[version]));
  }
  const std::string marks = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                            "; PRAGMA user_version=" + std::to_string(kSchemaVersion);
  return connection.Execute(marks.c_str());
}

Result<std::int64_t> ReadPragma(Connection& connection, std::string_view sql) {
  GLUECAT_ASSIGN_OR_RETURN(auto statement, connection.Prepare(sql));
  GLUECAT_ASSIGN_OR_RETURN(const bool row, statement.Step());
  return row ? statement.Int(0) : 0;
}

}  // namespace

Status PrepareSchema(Connection& connection) {
  GLUECAT_ASSIGN_OR_RETURN(auto transaction,
                           Transaction::Begin(connection, Transaction::Mode::kWrite));
  GLUECAT_ASSIGN_OR_RETURN(const auto version, ReadPragma(connection, "PRAGMA user_version"));
  GLUECAT_ASSIGN_OR_RETURN(const auto application, ReadPragma(connection, "PRAGMA application_id"));
  GLUECAT_ASSIGN_OR_RETURN(const auto objects,
                           ReadPragma(connection, "SELECT count(*) FROM sqlite_schema"));
  if (objects == 0 && version == 0) {
    GLUECAT_RETURN_IF_ERROR(Migrate(connection, 0));
    return transaction.Commit();
  }
  if (application != kApplicationId) {
    return Fail(ErrorKind::kInvalidData, "the file is an SQLite database, but no store of gluecat");
  }
  if (version > kSchemaVersion) {
    return Fail(ErrorKind::kUnsupported,
                "the store has format " + std::to_string(version) + ", this gluecat reads up to " +
                    std::to_string(kSchemaVersion) + ": use the newer version that wrote it");
  }
  if (version == kSchemaVersion) return {};
  if (version < 1) return Fail(ErrorKind::kInvalidData, "the store has no valid format");
  GLUECAT_RETURN_IF_ERROR(Migrate(connection, static_cast<std::size_t>(version)));
  return transaction.Commit();
}

}  // namespace gluecat::store
