# Compiler settings shared by every target of the project.
add_library(heddle_options INTERFACE)
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wshadow -Wno-unused-parameter -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these inside Eigen and std::string at -O3; both are known false alarms.
  target_compile_options(heddle_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds
                         -Wno-stringop-overflow -Wno-restrict)
endif()
if(HEDDLE_NATIVE AND NOT HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -march=native)
endif()
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()

# Eigen aligns its types by the processor's vector width; without this, a program compiled with other flags than
# the library would disagree with it about the layout of every struct.
add_library(heddle_abi INTERFACE)
target_compile_definitions(heddle_abi INTERFACE EIGEN_MAX_STATIC_ALIGN_BYTES=0)
set_target_properties(heddle_abi PROPERTIES EXPORT_NAME abi)

# One precompiled header serves all modules: they share their compile options.
file(WRITE ${PROJECT_BINARY_DIR}/heddle_pch.cpp "")
add_library(heddle_pch OBJECT ${PROJECT_BINARY_DIR}/heddle_pch.cpp)
target_link_libraries(heddle_pch PRIVATE heddle_options heddle_abi Eigen3::Eigen)
target_precompile_headers(heddle_pch PRIVATE <algorithm> <array> <cmath> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <variant> <vector> <Eigen/Dense>)

# heddle_module(NAME SOURCES a.cpp … LINKS core math … [LIBRARIES Eigen3::Eigen …])
# One target per folder. LINKS names exactly the folder's row of the layer table in ARCHITECTURE.md.
function(heddle_module NAME)
  cmake_parse_arguments(M "" "" "SOURCES;LINKS;LIBRARIES" ${ARGN})
  if(M_SOURCES)
    add_library(heddle_${NAME} STATIC ${M_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(heddle_${NAME} PRIVATE $<BUILD_INTERFACE:heddle_options>)
    target_precompile_headers(heddle_${NAME} REUSE_FROM heddle_pch)
  else()
    add_library(heddle_${NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(heddle::${NAME} ALIAS heddle_${NAME})
  set_target_properties(heddle_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_include_directories(heddle_${NAME} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(heddle_${NAME} ${scope} cxx_std_20)
  list(TRANSFORM M_LINKS PREPEND heddle_)
  target_link_libraries(heddle_${NAME} ${scope} heddle_abi ${M_LINKS} ${M_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY HEDDLE_MODULES heddle_${NAME})
endfunction()
