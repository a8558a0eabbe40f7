# Copies SOURCE (web/) to BUILD, installs its packages if the lock file changed, builds the page and writes it
# to OUTPUT as C++.
file(REMOVE_RECURSE ${BUILD}/src ${BUILD}/tests)
file(COPY ${SOURCE}/ DESTINATION ${BUILD} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)

# The lock file of the packages that are installed; absent after an interrupted installation.
set(installed_lock ${BUILD}/installed-lock.json)
file(READ ${SOURCE}/package-lock.json wanted)
set(installed "")
if(EXISTS ${installed_lock} AND EXISTS ${BUILD}/node_modules)
  file(READ ${installed_lock} installed)
endif()
if(NOT "${wanted}" STREQUAL "${installed}")
  file(REMOVE ${installed_lock})
  execute_process(COMMAND ${NPM} ci --prefer-offline --loglevel=error WORKING_DIRECTORY ${BUILD}
                  OUTPUT_QUIET ERROR_VARIABLE log RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "npm could not install the viewer's packages:\n${log}"
                        "Connect to the network once, or build without the viewer: -DHEDDLE_WEB=OFF")
  endif()
  file(COPY_FILE ${SOURCE}/package-lock.json ${installed_lock})
endif()

execute_process(COMMAND ${NPM} run --silent build WORKING_DIRECTORY ${BUILD}
                OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "The viewer does not build:\n${log}")
endif()
execute_process(COMMAND ${NODE} ${BUILD}/tools/embed.mjs ${BUILD}/dist/index.html ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
