# How our own code is compiled: the interface library gluecat::flags, linked by every layer.
include_guard()

add_library(gluecat_flags INTERFACE)
add_library(gluecat::flags ALIAS gluecat_flags)

target_compile_features(gluecat_flags INTERFACE cxx_std_23)
target_include_directories(gluecat_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(gluecat_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror
  -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2
  -fstack-protector-strong
  # So that the linker can leave out what nobody calls (see third_party/build too).
  -ffunction-sections -fdata-sections)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping memory in std::string's operator+ where there is none.
  target_compile_options(gluecat_flags INTERFACE -Wno-restrict)
endif()

# The code runs inside a JVM beside other native libraries: nothing is visible unless it says so.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# (The presets say -O0 -g1 with these: g++ takes eight times as long for -O1 -g under UBSan.)
if(GLUECAT_SANITIZE)
  list(JOIN GLUECAT_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  if("undefined" IN_LIST GLUECAT_SANITIZE)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With instrumentation between definition and use, g++ no longer follows the flow of values.
    target_compile_options(gluecat_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow
      -Wno-array-bounds)
  endif()
else()
  target_compile_definitions(gluecat_flags INTERFACE $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
  # The folder of the build machine is not part of what is shipped.
  target_compile_options(gluecat_flags INTERFACE
    $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
  add_link_options(-Wl,--gc-sections -Wl,-z,relro,-z,now)
endif()

if(GLUECAT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GLUECAT_FUZZ needs clang (preset \"fuzz\")")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
