# Variables: HEDDLE_BUILD, EXAMPLES, COMPILER, LAUNCHER, GENERATOR, FLAGS.
set(work ${HEDDLE_BUILD}/install_and_use)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${HEDDLE_BUILD} --prefix ${work}/prefix)
foreach(example drape own_force)
  run(${CMAKE_COMMAND} -S ${EXAMPLES}/${example} -B ${work}/${example} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
      -DCMAKE_CXX_FLAGS=${FLAGS})
  run(${CMAKE_COMMAND} --build ${work}/${example})
  run(${work}/${example}/${example})
  set(${example}_output "${output}")
  file(STRINGS ${EXAMPLES}/${example}/main.cpp lines)
  list(LENGTH lines count)  # without empty ones
  if(count GREATER_EQUAL 40)
    message(FATAL_ERROR "examples/${example}/main.cpp has ${count} lines, too many to be read at a glance")
  endif()
  message("${example}: ${output}")
endforeach()

# Reads the number behind `label` from the output of an example.
function(number example label variable)
  if(NOT "${${example}_output}" MATCHES "${label}: (-?[0-9.]+) m")
    message(FATAL_ERROR "${example} printed no \"${label}\":\n${${example}_output}")
  endif()
  set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# A metre of cloth over a ball of 0.2 m: its corners hang below the ball and end above its whole half diagonal.
number(drape "lowest point" lowest)
if(lowest GREATER -0.2 OR lowest LESS -0.6)
  message(FATAL_ERROR "the lowest point is at ${lowest} m, expected between -0.6 and -0.2 m")
endif()

# At rest the string carries the whole cloth; 2 % allow for what still swings.
number(own_force "sag" sag)
number(own_force "weight / k" expected)
execute_process(COMMAND awk "BEGIN { d = ${sag} / ${expected} - 1; exit !(d < 0.02 && d > -0.02) }" RESULT_VARIABLE off)
if(NOT off EQUAL 0)
  message(FATAL_ERROR "the string sags by ${sag} m instead of ${expected} m")
endif()

run(${work}/prefix/bin/heddle --version)
