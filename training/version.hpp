// Which program wrote a file: stored in everything that is written.
#pragma once

namespace awale::training {

extern const char* const kVersion;  // "0.1.0"
// The commit built from, with "-dirty" after it if files differed from it; "unknown" outside a git
// checkout, e.g. in a source tarball. Determined anew by every build.
extern const char* const kGitRevision;

}  // namespace awale::training
