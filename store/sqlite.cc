#include "store/sqlite.h"

#include <utility>

namespace gluecat::store {
namespace {

// What helps, where it is the machine that fails. Nothing of a transaction that failed is kept.
std::string_view WhatToDo(int code) {
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return "; nothing was changed: make room in the store's directory and try again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "; nothing was changed: the store's directory and its files must be writable";
    case SQLITE_IOERR:
      return "; nothing was changed: check the disk of the store's directory, its room and its "
             "limits";
    default:
      return "";
  }
}

Error DatabaseError(sqlite3* database, int code, std::string_view doing) {
  ErrorKind kind = ErrorKind::kInternal;
  bool retryable = false;
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      kind = ErrorKind::kUnavailable;
      retryable = true;
      break;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_NOMEM:
      kind = ErrorKind::kUnavailable;
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      kind = ErrorKind::kInvalidData;
      break;
    default:
      break;
  }
  const char* const detail = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  Error error = MakeError(kind, "the store failed to " + std::string(doing) + ": " + detail +
                                    std::string(WhatToDo(code)));
  error.retryable = retryable;
  return error;
}

}  // namespace

Statement::~Statement() { Reset(); }

void Statement::Reset() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);  // reports again what Step reported
  sqlite3_clear_bindings(statement_);
}

// A failed bind is a wrong index: Step then works on a null, and tests see it.
Statement& Statement::Bind(int index, std::string_view text) {
  sqlite3_bind_text64(statement_, index, text.data() == nullptr ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindBlob(int index, std::string_view bytes) {
  sqlite3_bind_blob64(statement_, index, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  return *this;
}

Statement& Statement::Bind(int index, std::int64_t number) {
  sqlite3_bind_int64(statement_, index, number);
  return *this;
}

Statement& Statement::Bind(int index, double number) {
  sqlite3_bind_double(statement_, index, number);
  return *this;
}

Statement& Statement::BindNull(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Fail(DatabaseError(sqlite3_db_handle(statement_), code, "run a statement"));
}

Status Statement::Run() {
  const auto row = Step();
  Reset();
  if (!row) return Fail(row.error());
  return {};
}

std::string_view Statement::Text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return {text == nullptr ? "" : text,
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::Blob(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return {bytes == nullptr ? "" : bytes,
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, int busy_timeout_ms) {
  sqlite3* database = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Connection> connection(new Connection(database));
  if (code != SQLITE_OK) return Fail(DatabaseError(database, code, "open " + path));
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, busy_timeout_ms);
  // Plans do not depend on bound values: otherwise SQLite parses some statements anew each time.
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);
  // FULL: a commit that was acknowledged is on the disk.
  GLUECAT_RETURN_IF_ERROR(connection->Execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
      "PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;"));
  return connection;
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(database_);
}

Result<Statement> Connection::Prepare(std::string_view sql) {
  const auto cached = statements_.find(sql);
  if (cached != statements_.end()) return Statement(cached->second);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return Fail(DatabaseError(database_, code, "prepare a statement"));
  statements_.emplace(sql, statement);
  return Statement(statement);
}

Status Connection::Execute(const char* sql) {
  const int code = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Fail(DatabaseError(database_, code, "run a statement"));
  return {};
}

Result<Transaction> Transaction::Begin(Connection& connection, Mode mode) {
  // A writer takes its lock at once: upgrading later could fail for good.
  GLUECAT_ASSIGN_OR_RETURN(auto begin,
                           connection.Prepare(mode == Mode::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  GLUECAT_RETURN_IF_ERROR(begin.Run());
  return Transaction(connection);
}

Transaction::~Transaction() {
  // An automatic rollback may have happened before; then there is nothing left to undo.
  if (connection_ == nullptr) return;
  if (const Status undone = connection_->Execute("ROLLBACK"); !undone) return;
}

Status Transaction::Commit() {
  GLUECAT_ASSIGN_OR_RETURN(auto commit, connection_->Prepare("COMMIT"));
  GLUECAT_RETURN_IF_ERROR(commit.Run());
  connection_ = nullptr;
  return {};
}

}  // namespace gluecat::store
