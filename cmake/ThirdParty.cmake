# Third parties as targets third_party::<name>. Built from source once per machine by
# third_party/build: curl, httplib, simdjson, sqlite. From Debian: OpenSSL (its static libraries are
# position independent), and the headers of fmt, spdlog and CLI11.
include_guard()

# With the compiler of this build, except that clang (fuzzing, same C++ library) shares g++'s.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(gluecat_third_party_compilers CC=gcc CXX=g++)
else()
  set(gluecat_third_party_compilers "CC=${CMAKE_C_COMPILER}" "CXX=${CMAKE_CXX_COMPILER}")
endif()

function(gluecat_third_party_from_source name)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env --unset=DESTDIR ${gluecat_third_party_compilers}
      "${PROJECT_SOURCE_DIR}/third_party/build" ${name}
    OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  add_library(third_party::${name} STATIC IMPORTED GLOBAL)
  if(name STREQUAL "sqlite")
    set(archive libsqlite3.a)
  else()
    set(archive lib${name}.a)
  endif()
  set_target_properties(third_party::${name} PROPERTIES
    IMPORTED_LOCATION "${prefix}/lib/${archive}"
    INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include")
endfunction()

# A change of a pin or a recipe configures again.
file(GLOB recipes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/third_party/recipes/*.sh")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/third_party/build" "${PROJECT_SOURCE_DIR}/third_party/pins.txt" ${recipes})

find_package(Threads REQUIRED)

set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL 3.0 REQUIRED)
add_library(third_party::openssl INTERFACE IMPORTED GLOBAL)
target_link_libraries(third_party::openssl INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads
  ${CMAKE_DL_LIBS})

gluecat_third_party_from_source(curl)
target_compile_definitions(third_party::curl INTERFACE CURL_STATICLIB)
target_link_libraries(third_party::curl INTERFACE third_party::openssl)

gluecat_third_party_from_source(httplib)
target_compile_definitions(third_party::httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT)
target_link_libraries(third_party::httplib INTERFACE third_party::openssl)

gluecat_third_party_from_source(simdjson)

gluecat_third_party_from_source(sqlite)
target_link_libraries(third_party::sqlite INTERFACE Threads::Threads)

# Header-only, so that Debian's shared libraries are not needed at run time.
find_path(GLUECAT_FMT_INCLUDE fmt/format.h REQUIRED)
add_library(third_party::fmt INTERFACE IMPORTED GLOBAL)
target_compile_definitions(third_party::fmt INTERFACE FMT_HEADER_ONLY)

find_path(GLUECAT_SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
add_library(third_party::spdlog INTERFACE IMPORTED GLOBAL)
target_compile_definitions(third_party::spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(third_party::spdlog INTERFACE third_party::fmt Threads::Threads)

find_path(GLUECAT_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
add_library(third_party::cli11 INTERFACE IMPORTED GLOBAL)

if(GLUECAT_TEST)
  find_package(GTest REQUIRED)
endif()
if(GLUECAT_BENCH)
  find_package(benchmark REQUIRED)
endif()
