#include "env/endgame/table_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

#include "env/error.hpp"

namespace awale::env {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "AWALEEG\n";
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kCyclesAt = 12;
constexpr std::size_t kSeedsAt = 16;
constexpr std::size_t kRulesLengthAt = 20;
constexpr std::size_t kChecksumsAt = 24;
constexpr std::size_t kRulesAt = 280;
constexpr std::size_t kHeaderChecksumAt = kEndgameHeaderBytes - sizeof(std::uint64_t);

template <typename Value>
void put(EndgameHeaderBytes& bytes, std::size_t at, const Value& value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

template <typename Value>
Value get(std::span<const std::uint8_t> bytes, std::size_t at) {
  Value value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

[[noreturn]] void reject(ErrorKind kind, const std::filesystem::path& path,
                         const std::string& problem) {
  throw InputError(kind, "endgame table '" + path.string() + "': " + problem);
}

std::string rules_text(const RuleSet& rules) {
  std::string text;
  for (const auto& [key, value] : to_key_values(rules))
    text.append(key).append("=").append(value).append("\n");
  return text;
}

RuleSet parse_rules(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find('=');
    values.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return from_key_values({}, values);
}

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

EndgameHeaderBytes to_bytes(const EndgameHeader& header) {
  const std::string rules = rules_text(header.rules);
  AWALE_CHECK(kRulesAt + rules.size() <= kHeaderChecksumAt, rules.size() << " bytes of rules");
  EndgameHeaderBytes bytes = {};
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  put(bytes, kVersionAt, kEndgameFormatVersion);
  put(bytes, kCyclesAt, static_cast<std::uint32_t>(header.cycles));
  put(bytes, kSeedsAt, static_cast<std::uint32_t>(header.seeds));
  put(bytes, kRulesLengthAt, static_cast<std::uint32_t>(rules.size()));
  put(bytes, kChecksumsAt, header.checksums);
  std::copy(rules.begin(), rules.end(), bytes.begin() + kRulesAt);
  put(bytes, kHeaderChecksumAt, checksum(std::span(bytes).first(kHeaderChecksumAt)));
  return bytes;
}

EndgameHeader parse_header(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  if (bytes.size() < kEndgameHeaderBytes ||
      !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    reject(ErrorKind::kFile, path,
           "this is no endgame table (build one with 'awale endgame build')");
  }
  const auto version = get<std::uint32_t>(bytes, kVersionAt);
  if (version != kEndgameFormatVersion) {
    reject(ErrorKind::kMismatch, path,
           "expected format version " + std::to_string(kEndgameFormatVersion) + ", found " +
               std::to_string(version));
  }
  if (get<std::uint64_t>(bytes, kHeaderChecksumAt) != checksum(bytes.first(kHeaderChecksumAt))) {
    reject(ErrorKind::kFile, path, "the header is damaged (its checksum differs)");
  }
  EndgameHeader header;
  header.cycles = static_cast<CycleScore>(get<std::uint32_t>(bytes, kCyclesAt));
  header.seeds = static_cast<int>(get<std::uint32_t>(bytes, kSeedsAt));
  header.checksums = get<decltype(header.checksums)>(bytes, kChecksumsAt);
  const auto length = get<std::uint32_t>(bytes, kRulesLengthAt);
  const bool plausible = header.seeds >= 0 && header.seeds <= kMaxEndgameSeeds &&
                         header.cycles <= CycleScore::kUnknown &&
                         length <= kHeaderChecksumAt - kRulesAt;
  if (!plausible) reject(ErrorKind::kFile, path, "the header holds impossible numbers");
  const auto* const text = reinterpret_cast<const char*>(bytes.data()) + kRulesAt;
  try {
    header.rules = parse_rules({text, length});
    header.rules.validate();
  } catch (const InputError& error) {
    reject(ErrorKind::kMismatch, path, error.what());
  }
  if (cycle_score(header.rules) != header.cycles) {
    reject(ErrorKind::kFile, path, "the header contradicts itself (rules and cycles)");
  }
  return header;
}

MappedFile map_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) reject(ErrorKind::kFile, path, std::strerror(errno));
  struct stat info = {};
  const bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const auto size = regular ? static_cast<std::size_t>(info.st_size) : 0;
  void* const memory = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : nullptr;
  const int error = errno;
  ::close(file);
  if (!regular) reject(ErrorKind::kFile, path, "this is no regular file");
  if (size == 0) reject(ErrorKind::kFile, path, "the file is empty");
  if (memory == MAP_FAILED) reject(ErrorKind::kFile, path, std::strerror(error));
  ::madvise(memory, size, MADV_HUGEPAGE);  // where the file system can; else nothing is lost
  const auto unmap = [memory, size](const std::uint8_t*) { ::munmap(memory, size); };
  return {{static_cast<const std::uint8_t*>(memory), unmap}, size};
}

std::optional<int> find_damaged_layer(const EndgameHeader& header, const MappedFile& file) {
  for (int layer = 0; layer <= header.seeds; ++layer) {
    const std::uint64_t begin = header.layer_offset(layer);
    const std::uint64_t end = header.layer_offset(layer + 1);
    if (checksum({file.bytes.get() + begin, end - begin}) !=
        header.checksums[static_cast<std::size_t>(layer)]) {
      return layer;
    }
  }
  return std::nullopt;
}

}  // namespace awale::env
