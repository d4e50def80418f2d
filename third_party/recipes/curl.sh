# HTTP and HTTPS only, OpenSSL, proxies with Basic and Digest, threaded resolver (so that a deadline
# also covers name look-ups). No decompression: AWS JSON answers are not compressed unless asked.
# No netrc, HSTS, Alt-Svc, cookies: state that a user did not give to the catalog must not change
# what it sends. No built-in CA path: a binary built on Debian would look in Debian's place on every
# system; OpenSSL's default is the fallback, and core/aws names a bundle.

# The crate leaves out folders that curl's build mentions and does not need.
mkdir -p curl/docs && : >curl/docs/CMakeLists.txt
cmake -G Ninja -S curl -B out -Wno-dev \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
  -DBUILD_CURL_EXE=OFF -DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON -DBUILD_TESTING=OFF \
  -DBUILD_LIBCURL_DOCS=OFF -DBUILD_MISC_DOCS=OFF -DENABLE_CURL_MANUAL=OFF -DBUILD_EXAMPLES=OFF \
  -DHTTP_ONLY=ON -DCURL_ENABLE_SSL=ON -DCURL_USE_OPENSSL=ON -DOPENSSL_USE_STATIC_LIBS=ON \
  -DENABLE_IPV6=ON -DENABLE_THREADED_RESOLVER=ON -DENABLE_ARES=OFF -DENABLE_UNIX_SOCKETS=OFF \
  -DCURL_ZLIB=OFF -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF -DUSE_NGHTTP2=OFF -DUSE_LIBIDN2=OFF \
  -DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBSSH=OFF -DCURL_USE_GSSAPI=OFF \
  -DCURL_USE_PKGCONFIG=OFF -DCURL_USE_CMAKECONFIG=OFF \
  -DCURL_DISABLE_ALTSVC=ON -DCURL_DISABLE_AWS=ON -DCURL_DISABLE_COOKIES=ON -DCURL_DISABLE_DOH=ON \
  -DCURL_DISABLE_FORM_API=ON -DCURL_DISABLE_HSTS=ON -DCURL_DISABLE_KERBEROS_AUTH=ON \
  -DCURL_DISABLE_LIBCURL_OPTION=ON -DCURL_DISABLE_MIME=ON -DCURL_DISABLE_NEGOTIATE_AUTH=ON \
  -DCURL_DISABLE_NETRC=ON -DCURL_DISABLE_NTLM=ON -DCURL_DISABLE_WEBSOCKETS=ON \
  -DCURL_ENABLE_NTLM=OFF -DCURL_DISABLE_OPENSSL_AUTO_LOAD_CONFIG=ON \
  -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none -DCURL_CA_FALLBACK=ON
cmake --build out
cmake --install out
rm -rf "$prefix/bin" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" "$prefix/share"
cp curl/COPYING "$prefix/LICENSE"
