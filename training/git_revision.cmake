# Run by every build (see CMakeLists.txt): writes OUTPUT from version.cpp.in, and leaves it untouched
# where nothing changed, so that only a new commit compiles anything.
set(AWALE_GIT_REVISION unknown)
# Without .git of its own, a tarball unpacked inside some other checkout would get that one's commit.
if(EXISTS ${SOURCE_DIR}/.git)
  find_program(GIT git)
  if(GIT)
    # No optional locks: a build must not disturb a git command that runs at the same time.
    execute_process(
      COMMAND ${GIT} --no-optional-locks describe --always --dirty --abbrev=40 --exclude=*
      WORKING_DIRECTORY ${SOURCE_DIR}
      RESULT_VARIABLE result OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(result EQUAL 0)
      set(AWALE_GIT_REVISION ${revision})
    endif()
  endif()
endif()
configure_file(${SOURCE_DIR}/training/version.cpp.in ${OUTPUT} @ONLY)
