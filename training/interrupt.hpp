// Ctrl-C (SIGINT) and SIGTERM as a flag that long loops ask for. The second signal ends the process
// at once, as usual; whatever that leaves behind, no file is half-written.
#pragma once

namespace awale::training {

// From now on the first signal only sets the flag.
void watch_interrupt();

bool interrupted();

}  // namespace awale::training
