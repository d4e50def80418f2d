# The single-header amalgamation. Same language version as our code: its headers declare more
# under C++20, and both sides must agree.
# shellcheck disable=SC2086  # CXXFLAGS is a list
$CXX $CXXFLAGS -std=c++23 -c vendor/simdjson/simdjson.cpp -Ivendor/simdjson -o simdjson.o
ar rcs "$prefix/lib/libsimdjson.a" simdjson.o
cp vendor/simdjson/simdjson.h "$prefix/include/"
cp vendor/simdjson/LICENSE "$prefix/LICENSE"
