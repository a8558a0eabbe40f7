# heddle_web_assets: the viewer of web/ as one HTML page inside the binary.
# It is built in a copy under the build tree, anew only when a file of web/ changes; the packages are installed
# anew only when the lock file changes, so that later builds need no network.
set(web_page_source ${CMAKE_CURRENT_BINARY_DIR}/web_page.cpp)

if(HEDDLE_WEB)
  find_program(HEDDLE_NPM npm)
  find_program(HEDDLE_NODE NAMES node nodejs)
  if(NOT HEDDLE_NPM OR NOT HEDDLE_NODE)
    message(FATAL_ERROR "The browser viewer needs npm and node. Install them (apt install npm), "
                        "or build without the viewer: -DHEDDLE_WEB=OFF")
  endif()
  set(HEDDLE_WEB_DIR ${PROJECT_BINARY_DIR}/web)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/tests/*
       ${PROJECT_SOURCE_DIR}/web/tools/*)
  foreach(file index.html package.json package-lock.json .npmrc tsconfig.json vite.config.ts)
    list(APPEND web_sources ${PROJECT_SOURCE_DIR}/web/${file})
  endforeach()
  add_custom_command(
    OUTPUT ${web_page_source}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/web -DBUILD=${HEDDLE_WEB_DIR} -DNPM=${HEDDLE_NPM}
            -DNODE=${HEDDLE_NODE} -DOUTPUT=${web_page_source} -P ${CMAKE_CURRENT_LIST_DIR}/build_web.cmake
    DEPENDS ${web_sources} ${CMAKE_CURRENT_LIST_DIR}/build_web.cmake
    COMMENT "Building the browser viewer"
    VERBATIM)
else()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/no_web_page.cpp.in ${web_page_source} COPYONLY)
endif()

add_library(heddle_web_assets STATIC ${web_page_source})
target_include_directories(heddle_web_assets PUBLIC ${PROJECT_SOURCE_DIR}/apps)
