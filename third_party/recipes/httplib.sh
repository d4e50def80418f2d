# cpp-httplib, in its split form (declarations in the header, the rest compiled once).
# CPPHTTPLIB_OPENSSL_SUPPORT must also be defined by whoever includes the header.
cd llama.cpp/vendor/cpp-httplib
# shellcheck disable=SC2086  # CXXFLAGS is a list
$CXX $CXXFLAGS -std=c++23 -DCPPHTTPLIB_OPENSSL_SUPPORT -c httplib.cpp -I. -o httplib.o
ar rcs "$prefix/lib/libhttplib.a" httplib.o
cp httplib.h "$prefix/include/"
cp LICENSE "$prefix/LICENSE"
