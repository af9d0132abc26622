# pliant_library(NAME SOURCES a.cpp ... USES base math ... LINKS fmt::fmt ... [GROUPED] [COLD])
#   one static library per folder of src/pliant; USES are the layers below it (style: docs/architecture.md).
set_property(GLOBAL PROPERTY PLIANT_LIBRARIES "")
set_property(GLOBAL PROPERTY PLIANT_LONE_SOURCES "")  # those that no group includes

# Code that is not called often is optimised less, which saves a third of its compile time. GCC takes the level from the
# precompiled header, so each level has its own.
set(PLIANT_COLD_OPTIONS "")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(PLIANT_COLD_OPTIONS -O1)
endif()

# pliant_precompile(TARGET HEADERS <a> ... OPTIONS -O1 ... LINKS gtest ...): parses headers once, for all that REUSE_FROM the target.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch.cpp CONTENT "// anchors the precompiled header\n")
function(pliant_precompile target)
  cmake_parse_arguments(arg "" "" "HEADERS;OPTIONS;LINKS" ${ARGN})
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${target} PRIVATE pliant_options Eigen3::Eigen ${arg_LINKS})
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  # What ccache takes for the content of the precompiled header (CCACHE_PCH_EXTSUM); flags are in every command anyway.
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum CONTENT
    "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@, Eigen @Eigen3_VERSION@: @arg_HEADERS@\n" @ONLY)
endfunction()
set(pliant_pch_headers <Eigen/Dense> <Eigen/SparseCore> <array> <cmath> <cstdint> <map> <memory> <optional> <string>
  <string_view> <vector>)
pliant_precompile(pliant_pch HEADERS ${pliant_pch_headers})
if(PLIANT_COLD_OPTIONS)
  pliant_precompile(pliant_pch_cold HEADERS ${pliant_pch_headers} OPTIONS ${PLIANT_COLD_OPTIONS})
else()
  add_library(pliant_pch_cold ALIAS pliant_pch)
endif()

# pliant_group_sources(TARGET): compiles its sources in groups, each as one translation unit, where most of the time goes into
# headers that are not precompiled. (It does not pay for sources full of Eigen: GCC gets slower with each new expression.)
# tools/batches.py chooses sources that can stand together; -DPLIANT_GROUP_SOURCES=0 compiles each on its own.
set(PLIANT_GROUP_SOURCES 6 CACHE STRING "How many sources may be compiled as one; 0: each on its own")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND PLIANT_GROUP_SOURCES GREATER_EQUAL 2)
  set(PLIANT_GROUPS ON)
endif()
function(pliant_group_sources target)
  if(NOT PLIANT_GROUPS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/batches.py ${PLIANT_GROUP_SOURCES} ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([0-9]+) (.*)$" parts "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # which takes a grouped source for a header
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# pliant_cold(TARGET): its code is optimised less. Inline functions that hot code has too must come from there: see
# pliant_hot_code_first.
function(pliant_cold target)
  target_compile_options(${target} PRIVATE ${PLIANT_COLD_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM pliant_pch_cold)
  set_target_properties(${target} PROPERTIES PLIANT_COLD ON)
endfunction()

# pliant_hot_code_first(PROGRAM LIBRARY...): of an inline function that several objects have, a linker keeps the first copy.
# So everything of the hot libraries among LIBRARY... and those below comes before the program's own objects.
function(pliant_hot_code_first program)
  set(todo ${ARGN})
  set(seen "")
  set(hot "")
  while(todo)
    list(POP_FRONT todo library)
    if(library MATCHES "^pliant_" AND NOT library IN_LIST seen)
      list(APPEND seen ${library})
      get_target_property(below ${library} LINK_LIBRARIES)
      list(APPEND todo ${below})
      get_target_property(type ${library} TYPE)
      get_target_property(cold ${library} PLIANT_COLD)
      if(type STREQUAL "STATIC_LIBRARY" AND NOT cold)
        list(APPEND hot $<TARGET_FILE:${library}>)
      endif()
    endif()
  endwhile()
  if(PLIANT_COLD_OPTIONS AND hot)
    list(JOIN hot "," hot)
    target_link_options(${program} PRIVATE "LINKER:--push-state,--whole-archive,${hot},--pop-state")
  endif()
endfunction()

function(pliant_library name)
  cmake_parse_arguments(arg "GROUPED;COLD" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(pliant_${name} STATIC ${arg_SOURCES})
  add_library(pliant::${name} ALIAS pliant_${name})
  list(TRANSFORM arg_USES PREPEND pliant_)
  target_link_libraries(pliant_${name} PUBLIC ${arg_USES} PRIVATE $<BUILD_INTERFACE:pliant_options> ${arg_LINKS})
  target_include_directories(pliant_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(pliant_${name} PUBLIC cxx_std_20)
  set_target_properties(pliant_${name} PROPERTIES EXPORT_NAME ${name})
  if(arg_COLD)
    pliant_cold(pliant_${name})
  else()
    target_precompile_headers(pliant_${name} REUSE_FROM pliant_pch)
  endif()
  if(arg_GROUPED AND PLIANT_GROUPS)
    pliant_group_sources(pliant_${name})
  else()
    list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE lone_sources)
    set_property(GLOBAL APPEND PROPERTY PLIANT_LONE_SOURCES ${lone_sources})
  endif()
  set_property(GLOBAL APPEND PROPERTY PLIANT_LIBRARIES pliant_${name})
endfunction()

if(PLIANT_TESTS)
  find_package(GTest REQUIRED)
  pliant_precompile(pliant_pch_test HEADERS ${pliant_pch_headers} <gtest/gtest.h> OPTIONS ${PLIANT_COLD_OPTIONS}
    LINKS GTest::gtest)
endif()
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
  target_compile_options(test_${name} PRIVATE ${PLIANT_COLD_OPTIONS})
  target_precompile_headers(test_${name} REUSE_FROM pliant_pch_test)
  pliant_hot_code_first(test_${name} ${arg_USES})
  pliant_group_sources(test_${name})
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
