# Language, warnings, sanitizers and compiler cache, once for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-fPIC)  # for all alike, so that programs and libraries share one precompiled header
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers cannot be cached without this tolerance. Paths below the source folder are hashed relative to
  # the build folder, and the precompiled header by its origin (PliantTargets.cmake) since its bytes depend on the
  # folder. So another clone finds what this one has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true CCACHE_PCH_EXTSUM=true ${CCACHE_PROGRAM})
endif()

add_library(pliant_options INTERFACE)
target_compile_options(pliant_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects garbage less often if it may grow; a job was seen to take 1.8 GB
  target_compile_options(pliant_options INTERFACE --param=ggc-min-heapsize=1000000)
  # ccache needs it for precompiled headers; the others are false alarms of GCC 12 inside Eigen, std::string and its own
  # AVX-512 header (GCC bug 105593). Clang, which checks the code too, warns of variables without a value.
  target_compile_options(pliant_options INTERFACE -fpch-preprocess -Wno-maybe-uninitialized -Wno-uninitialized
    -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-free-nonheap-object)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # GCC's -Wconversion leaves signs alone; the two compilers should refuse the same code
  target_compile_options(pliant_options INTERFACE -Wno-sign-conversion)
endif()
if(PLIANT_ASSERTS)
  target_compile_definitions(pliant_options INTERFACE PLIANT_ASSERTS)
endif()

# Everything that changes code generation or layout holds for the whole build.
if(PLIANT_NATIVE)
  add_compile_options(-march=native)
endif()
if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()
if(PLIANT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
