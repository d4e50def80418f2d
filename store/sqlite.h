// SQLite as the store uses it: connections with cached statements, and
// transactions that roll back unless they are committed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <sqlite3.h>

#include "core/base/result.h"

namespace gluecat::store {

// A prepared statement, borrowed from its connection's cache: bind, step, read,
// and it is reset when it goes out of scope. Parameters and columns count from 1
// and 0, as in SQLite.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  Statement(Statement&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // The bytes must stay where they are until the statement is reset.
  Statement& Bind(int index, std::string_view text);
  Statement& BindBlob(int index, std::string_view bytes);
  Statement& Bind(int index, std::int64_t number);
  Statement& Bind(int index, double number);
  Statement& BindNull(int index);

  // True if there is a row. Errors: see Connection.
  Result<bool> Step();
  // Runs a statement that gives no rows, and resets it for the next binding.
  Status Run();
  void Reset();

  // Valid until the next step.
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;
  std::int64_t Int(int column) const { return sqlite3_column_int64(statement_, column); }
  double Real(int column) const { return sqlite3_column_double(statement_, column); }
  bool IsNull(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

 private:
  sqlite3_stmt* statement_;
};

// One connection, used by one thread at a time.
//
// Errors of every call: kUnavailable (disk full, locked for too long, cannot be
// opened), kInvalidData (the file is damaged or no database), kInternal.
class Connection {
 public:
  // Opens or creates `path`: write-ahead log, synced on every commit.
  // `busy_timeout_ms` is how long a lock of another process is waited for.
  static Result<std::unique_ptr<Connection>> Open(const std::string& path, int busy_timeout_ms);

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // `sql` must be a literal or otherwise outlive the connection: it is the key of the cache.
  Result<Statement> Prepare(std::string_view sql);

  // Runs statements without parameters and results.
  Status Execute(const char* sql);

  std::int64_t LastInsertId() const { return sqlite3_last_insert_rowid(database_); }
  // Rows changed by the last statement.
  int Changes() const { return sqlite3_changes(database_); }

 private:
  explicit Connection(sqlite3* database) : database_(database) {}

  sqlite3* database_;
  std::unordered_map<std::string_view, sqlite3_stmt*> statements_;
};

class Transaction {
 public:
  enum class Mode : std::uint8_t { kRead, kWrite };

  static Result<Transaction> Begin(Connection& connection, Mode mode);

  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  // Rolls back what was not committed.
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

}  // namespace gluecat::store
