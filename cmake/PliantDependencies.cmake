# All from the system's packages; `./dev` installs them.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)

find_path(PLIANT_XXHASH_INCLUDE xxhash.h REQUIRED)
find_path(PLIANT_TOML_INCLUDE toml++/toml.h REQUIRED)
find_path(PLIANT_SPECTRA_INCLUDE Spectra/SymGEigsShiftSolver.h REQUIRED)

find_library(PLIANT_BLAS NAMES openblas REQUIRED)
find_path(PLIANT_BLAS_INCLUDE cblas.h PATH_SUFFIXES x86_64-linux-gnu openblas REQUIRED)
if(PLIANT_CHOLMOD)
  find_path(PLIANT_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(PLIANT_CHOLMOD_LIBRARY cholmod REQUIRED)
endif()
