# gluecat_layer([THIRD_PARTY <name>...])
#
# Makes the folder it is called from a layer: a static library of its *.cc, with what it may depend
# on read from cmake/layers.txt. Its tests lie beside the sources:
#
#   *_test.cc    one GoogleTest executable <layer>_test, run by ctest (label "native")
#   *_bench.cc   one Google Benchmark executable <layer>_bench     (GLUECAT_BENCH)
#   *_fuzz.cc    one libFuzzer executable each, <layer>_<file>     (GLUECAT_FUZZ)
#   *_main.cc    left to the folder's own CMakeLists.txt
#
# A folder without sources is an empty library, so that a layer can be linked before it is written.
include_guard()

file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/layers.txt" gluecat_layers REGEX "^[a-z]")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/cmake/layers.txt")

# core/base -> gluecat_core_base
function(gluecat_targets_of folders out)
  separate_arguments(folders UNIX_COMMAND "${folders}")
  list(TRANSFORM folders REPLACE "/" "_")
  list(TRANSFORM folders PREPEND "gluecat_")
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

function(gluecat_layer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "THIRD_PARTY")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gluecat_layer: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REPLACE "/" "_" layer "${folder}")
  set(target gluecat_${layer})

  # Its line in layers.txt.
  set(line ${gluecat_layers})
  list(FILTER line INCLUDE REGEX "^${folder}:")
  if(NOT line)
    message(FATAL_ERROR "gluecat_layer: cmake/layers.txt says nothing about ${folder}")
  endif()
  string(REGEX MATCH "^[^:]*:([^|]*)(.*)$" _ "${line}")
  set(depends "${CMAKE_MATCH_1}")
  string(REPLACE "|" "" test_depends "${CMAKE_MATCH_2}")
  gluecat_targets_of("${depends}" depends)
  gluecat_targets_of("${test_depends}" test_depends)
  list(TRANSFORM arg_THIRD_PARTY PREPEND "third_party::" OUTPUT_VARIABLE third_party)

  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  foreach(kind IN ITEMS test bench fuzz main)
    set(${kind}_sources ${sources})
    list(FILTER ${kind}_sources INCLUDE REGEX "_${kind}\\.cc$")
    list(REMOVE_ITEM sources ${${kind}_sources})
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE gluecat::flags PUBLIC ${depends} ${third_party})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${depends} ${third_party})
  endif()

  if(test_sources AND GLUECAT_TEST)
    add_executable(${layer}_test ${test_sources})
    target_link_libraries(${layer}_test PRIVATE gluecat::flags ${target} ${test_depends}
      GTest::gmock_main)
    target_compile_definitions(${layer}_test PRIVATE GLUECAT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME ${layer}_test COMMAND ${layer}_test --gtest_brief=1)
    set_tests_properties(${layer}_test PROPERTIES LABELS native TIMEOUT 600)
  endif()

  if(bench_sources AND GLUECAT_BENCH)
    add_executable(${layer}_bench ${bench_sources})
    target_link_libraries(${layer}_bench PRIVATE gluecat::flags ${target} ${test_depends}
      benchmark::benchmark_main)
    target_compile_definitions(${layer}_bench PRIVATE GLUECAT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  endif()

  if(GLUECAT_FUZZ)
    foreach(source IN LISTS fuzz_sources)
      cmake_path(GET source STEM name)
      add_executable(${layer}_${name} ${source})
      target_link_libraries(${layer}_${name} PRIVATE gluecat::flags ${target} -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
