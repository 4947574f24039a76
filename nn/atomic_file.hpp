// Files that are either whole or absent: written under a temporary name in the same directory,
// synced and renamed into place, so that a reader or a resumed run never meets a half-written one.
//
// A process that is killed while it writes leaves ".<name>.tmp-<pid>-<n>" behind: never the
// target's name, so nobody reads it, and it may be deleted. Any thread may call this.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace awale::nn {

// Throws InputError(kWrite) naming the file and the system's reason (no space, no permission,
// missing directory); then neither `path` nor the temporary file has changed or remains. (Only a
// failed sync of the directory is reported after the rename.) Refuses a `path` that is no regular
// file, e.g. a device.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// Throws InputError(kWrite) if `path` exists and is no regular file (renaming onto a device would
// replace it) or if there is no directory to hold it.
void require_replaceable(const std::filesystem::path& path);

// The whole file. Throws InputError(kFile) naming the file and the system's reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace awale::nn
