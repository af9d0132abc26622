# find_package(pliant) gives pliant::pliant (everything) and pliant::<folder> for each layer.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY PLIANT_LIBRARIES)
add_library(pliant_all INTERFACE)
set_target_properties(pliant_all PROPERTIES EXPORT_NAME pliant)
target_link_libraries(pliant_all INTERFACE ${libraries})
if(PLIANT_NATIVE)
  # Eigen's alignment follows the instruction set, so a consumer must use the same one.
  target_compile_options(pliant_all INTERFACE $<INSTALL_INTERFACE:-march=native>)
endif()

install(TARGETS pliant_all ${libraries} EXPORT pliantTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS pliant_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
# What `pliant view` offers without a scene; the program looks for it beside its own folder.
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/examples
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.csv" PATTERN "gallery.txt" PATTERN "*.jpg")
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
configure_package_config_file(cmake/pliantConfig.cmake.in ${CMAKE_BINARY_DIR}/pliantConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pliantConfig.cmake ${CMAKE_BINARY_DIR}/pliantConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
