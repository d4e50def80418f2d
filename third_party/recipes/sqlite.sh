# The amalgamation. Runs in the unpacked crate; installs into $prefix.
# THREADSAFE=2: connections are not shared between threads at once, so no mutex per call
#   (SQLITE_OPEN_FULLMUTEX still gives one to a connection that wants it).
# DQS=0: "x" is an identifier, never silently a string.
flags=(
  -DSQLITE_THREADSAFE=2
  -DSQLITE_DQS=0
  -DSQLITE_DEFAULT_FOREIGN_KEYS=1
  -DSQLITE_DEFAULT_MEMSTATUS=0
  -DSQLITE_DEFAULT_WAL_SYNCHRONOUS=1
  -DSQLITE_ENABLE_API_ARMOR
  -DSQLITE_LIKE_DOESNT_MATCH_BLOBS
  -DSQLITE_OMIT_DEPRECATED
  -DSQLITE_OMIT_LOAD_EXTENSION
  -DSQLITE_OMIT_SHARED_CACHE
  -DSQLITE_USE_ALLOCA
  -DHAVE_FDATASYNC=1 -DHAVE_GMTIME_R=1 -DHAVE_LOCALTIME_R=1 -DHAVE_USLEEP=1
)
# shellcheck disable=SC2086  # CFLAGS is a list
$CC $CFLAGS "${flags[@]}" -c sqlite3/sqlite3.c -o sqlite3.o
ar rcs "$prefix/lib/libsqlite3.a" sqlite3.o
cp sqlite3/sqlite3.h "$prefix/include/"
# SQLite is in the public domain; its header says so.
head -n 12 sqlite3/sqlite3.h >"$prefix/LICENSE"
