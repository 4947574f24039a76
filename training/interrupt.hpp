// Ctrl-C (SIGINT) and SIGTERM as a flag that long loops ask for. The second signal ends the process
// at once, as usual; whatever that leaves behind, no file is half-written.
#pragma once

namespace awale::training {

// From now on the first signal only sets the flag.
void watch_interrupt();

bool interrupted();

// Thrown by a subcommand that a signal stopped before its result was whole, once it has printed
// what there is and how to go on. `main` gives the exit code that shells give for Ctrl-C.
struct Interrupted {
  static constexpr int kExitCode = 130;
};

}  // namespace awale::training
