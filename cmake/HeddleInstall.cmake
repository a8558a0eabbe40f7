# Installs the command, the library and what find_package(heddle) needs: heddle::heddle is everything, heddle::sim,
# heddle::mesh … are its parts.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY HEDDLE_MODULES)
add_library(heddle_heddle INTERFACE)
target_link_libraries(heddle_heddle INTERFACE ${modules})
set_target_properties(heddle_heddle PROPERTIES EXPORT_NAME heddle)
add_library(heddle::heddle ALIAS heddle_heddle)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
install(TARGETS heddle_heddle heddle_abi ${modules} EXPORT heddle ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT development)
install(EXPORT heddle NAMESPACE heddle:: FILE heddle-targets.cmake DESTINATION ${config_dir} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/heddle-config.cmake.in
  ${PROJECT_BINARY_DIR}/heddle-config.cmake INSTALL_DESTINATION ${config_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heddle-config.cmake ${PROJECT_BINARY_DIR}/heddle-config-version.cmake
        DESTINATION ${config_dir} COMPONENT development)

install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
