# gluecat_uses_aws_vectors(<test>)
#
# For a GoogleTest executable that reads the test vectors AWS publishes. They are not in this
# repository: tests/vectors/fetch_aws_vectors.sh puts them into the cache, and ctest runs it before
# such a test. The environment variable GLUECAT_VECTORS_DIR names another folder.
include_guard()

if(DEFINED ENV{GLUECAT_CACHE})
  set(gluecat_cache "$ENV{GLUECAT_CACHE}")
else()
  set(gluecat_cache "$ENV{HOME}/.cache/gluecat")
endif()
set(GLUECAT_VECTORS_DIR "${gluecat_cache}/vectors" CACHE PATH "Where fetched test vectors are")

function(gluecat_uses_aws_vectors test)
  if(NOT TARGET ${test})
    return()
  endif()
  get_property(added GLOBAL PROPERTY GLUECAT_AWS_VECTORS_TEST)
  if(NOT added)
    add_test(NAME aws_vectors COMMAND "${PROJECT_SOURCE_DIR}/tests/vectors/fetch_aws_vectors.sh")
    set_tests_properties(aws_vectors PROPERTIES LABELS native FIXTURES_SETUP aws_vectors)
    set_property(GLOBAL PROPERTY GLUECAT_AWS_VECTORS_TEST TRUE)
  endif()
  set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED aws_vectors)
  target_compile_definitions(${test} PRIVATE GLUECAT_VECTORS_DIR="${GLUECAT_VECTORS_DIR}")
endfunction()
