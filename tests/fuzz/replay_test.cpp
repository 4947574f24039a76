// Inputs of the fuzzers under every compiler and without libFuzzer: those of the corpus, which
// between them reach all that the fuzzer has found, and random bytes.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "env/random.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace awale::test {
namespace {

constexpr int kRandomInputs = 3000;
constexpr std::uint32_t kMostRandomBytes = 600;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

TEST_CASE("the corpus of the rules fuzzer shows no difference") {
  std::vector<std::filesystem::path> files;
  for (const auto& file :
       std::filesystem::directory_iterator(AWALE_SOURCE_DIR "/tests/fuzz/corpus"))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 50);
  for (const auto& file : files) {
    INFO(file.string());
    run(tests::read_bytes(file));
  }
}

TEST_CASE("random bytes show no difference between the implementations of the rules") {
  for (int i = 0; i < kRandomInputs; ++i) {
    env::RandomStream random(11, env::RandomPurpose::kTest, i, 0);
    std::string input(random.below(kMostRandomBytes), '\0');
    for (char& byte : input)
      byte = static_cast<char>(random.below(256));
    INFO("input " << i);
    run(input);
  }
}

}  // namespace awale::test
