// Errors that a user can cause, and checks for those that only we can.
//
// Bad input (command line, config, position, file, disk) throws an InputError, which `main` catches
// once and turns into one line and the exit code of its kind. A broken invariant of our own stops
// the program through AWALE_CHECK, which prints what it found; it is never used for input.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace awale {

// The exit code a kind; documented in README.md and `awale --help`.
enum class ErrorKind {
  kUsage = 2,     // command line or config: unknown key, value out of range, contradiction
  kPosition = 3,  // malformed or illegal position, move or game text
  kFile = 4,      // missing, unreadable, truncated or damaged file or directory
  kMismatch = 5,  // a sound file that does not fit: other rules, other encoder, other version
  kWrite = 6,     // cannot write: no space, no permission
  kDiverged = 7,  // training met a loss or gradient that is not a finite number
};

class InputError : public std::runtime_error {
 public:
  // `message` is one line: what, where, what was expected, what was found.
  InputError(ErrorKind kind, const std::string& message)
      : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

// Prints the failed condition with `message` to stderr and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               const std::string& message);

}  // namespace awale

// AWALE_CHECK(a == b, "a " << a << ", b " << b << " in " << board): always on, so keep it out of
// the innermost loops. The message is only built when the condition is false.
#define AWALE_CHECK(condition, message)                                                \
  do {                                                                                 \
    if (!(condition)) [[unlikely]] {                                                   \
      std::ostringstream awale_check_stream;                                           \
      awale_check_stream << message; /* NOLINT(bugprone-macro-parentheses) */          \
      ::awale::check_failed(#condition, __FILE__, __LINE__, awale_check_stream.str()); \
    }                                                                                  \
  } while (false)
