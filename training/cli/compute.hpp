// What every subcommand that computes with networks looks at before it starts.
#pragma once

namespace awale::training {

// Warns on stderr, in one line, if matrix products are slow here and says what to do. Throws
// InputError(kUsage) if the BLAS gives wrong results with so many threads.
void check_compute(int threads);

}  // namespace awale::training
