# pliant_library(NAME SOURCES a.cpp ... USES base math ... LINKS fmt::fmt ...)
#   one static library per folder of src/pliant; USES are the layers below it (style: docs/architecture.md).
set_property(GLOBAL PROPERTY PLIANT_LIBRARIES "")

# Eigen and the standard containers, parsed once.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch.cpp CONTENT "// anchors the precompiled header\n")
add_library(pliant_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(pliant_pch PRIVATE pliant_options Eigen3::Eigen)
target_precompile_headers(pliant_pch PRIVATE <Eigen/Dense> <Eigen/SparseCore> <array> <cmath> <cstdint> <map>
  <memory> <optional> <string> <string_view> <vector>)

function(pliant_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(pliant_${name} STATIC ${arg_SOURCES})
  add_library(pliant::${name} ALIAS pliant_${name})
  list(TRANSFORM arg_USES PREPEND pliant_)
  target_link_libraries(pliant_${name} PUBLIC ${arg_USES} PRIVATE $<BUILD_INTERFACE:pliant_options> ${arg_LINKS})
  target_include_directories(pliant_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(pliant_${name} PUBLIC cxx_std_20)
  set_target_properties(pliant_${name} PROPERTIES EXPORT_NAME ${name})
  target_precompile_headers(pliant_${name} REUSE_FROM pliant_pch)
  set_property(GLOBAL APPEND PROPERTY PLIANT_LIBRARIES pliant_${name})
endfunction()

# pliant_test(NAME SOURCES a_test.cpp ... USES file ...): one GoogleTest program per folder.
function(pliant_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;USES;LINKS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND pliant_)
  target_link_libraries(test_${name} PRIVATE ${arg_USES} pliant_test_support pliant_options GTest::gtest GTest::gtest_main ${arg_LINKS})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_precompile_headers(test_${name} REUSE_FROM pliant_pch)
  # one thread each: ctest runs as many tests at once as there are cores. ThreadSanitizer needs several to
  # see anything, and slows programs about tenfold.
  set(threads 1)
  if(PLIANT_SANITIZE MATCHES thread)
    set(threads 4)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT PLIANT_THREADS=${threads})
endfunction()

# pliant_fuzz(NAME SOURCES x_fuzz.cpp USES file): one libFuzzer program per reader.
function(pliant_fuzz name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_executable(fuzz_${name} ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND pliant_)
  target_link_libraries(fuzz_${name} PRIVATE ${arg_USES} pliant_options ${arg_LINKS} -fsanitize=fuzzer)
  set_property(GLOBAL APPEND PROPERTY PLIANT_FUZZERS fuzz_${name})
endfunction()
