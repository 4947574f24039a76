#include "env/random.hpp"

#include <cmath>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::RandomPurpose;
using env::RandomStream;
using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

}  // namespace

// Lines "philox4x32 10" of kat_vectors in the Random123 distribution.
TEST_CASE("Philox4x32-10 gives the published known answers") {
  CHECK(env::philox4x32_10(Counter{}, Key{}) ==
        Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(env::philox4x32_10(Counter{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                           Key{0xffffffff, 0xffffffff}) ==
        Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(env::philox4x32_10(Counter{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                           Key{0xa4093822, 0x299f31d0}) ==
        Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the generator at its place: seed, purpose, game and ply") {
  RandomStream stream(0x0123456789abcdef, RandomPurpose::kTest, 0xfedcba9876543210, 77);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const auto words = env::philox4x32_10(Counter{(7U << 24) + block, 77, 0x76543210, 0xfedcba98},
                                          Key{0x89abcdef, 0x01234567});
    CHECK(stream() == (words[0] | std::uint64_t{words[1]} << 32));
    CHECK(stream() == (words[2] | std::uint64_t{words[3]} << 32));
  }
}

TEST_CASE("streams of different places share no numbers") {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  const auto draw = [&](RandomStream stream) {
    for (int i = 0; i < 20; ++i)
      seen.insert(stream());
    drawn += 20;
  };
  for (std::uint64_t i = 0; i < 50; ++i) {
    draw(RandomStream(1, RandomPurpose::kMove, i, 0));
    draw(RandomStream(1, RandomPurpose::kMove, 0, static_cast<std::uint32_t>(i + 1)));
    draw(RandomStream(2 + i, RandomPurpose::kMove, 0, 0));
  }
  draw(RandomStream(1, RandomPurpose::kRootNoise, 0, 0));
  CHECK(seen.size() == drawn);
}

TEST_CASE("uniform numbers fill the interval from 0 to 1 evenly") {
  RandomStream stream(1, RandomPurpose::kTest, 0, 0);
  constexpr int kDraws = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = stream.uniform();
    REQUIRE((value >= 0 && value < 1));
    sum += value;
    squares += value * value;
  }
  // Five standard errors: sqrt(1/12) and sqrt(4/45) over sqrt(kDraws).
  CHECK(std::abs(sum / kDraws - 1.0 / 2) < 5 * 0.2887 / std::sqrt(kDraws));
  CHECK(std::abs(squares / kDraws - 1.0 / 3) < 5 * 0.2981 / std::sqrt(kDraws));
}

TEST_CASE("bounded numbers are evenly spread, within one stream and over streams") {
  for (const bool one_stream : {true, false}) {
    RandomStream stream(3, RandomPurpose::kTest, 0, 0);
    std::vector<int> counts(6, 0);
    constexpr int kDraws = 60000;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      RandomStream own(3, RandomPurpose::kTest, i, 1);
      ++counts[(one_stream ? stream : own).below(6)];
    }
    double chi_squared = 0;
    for (const int count : counts)
      chi_squared += std::pow(count - kDraws / 6.0, 2) / (kDraws / 6.0);
    CHECK(chi_squared < 25.7);  // 5 degrees of freedom, one in ten thousand
  }
}

TEST_CASE("each bit is set half of the time") {
  RandomStream stream(4, RandomPurpose::kTest, 0, 0);
  std::vector<int> ones(64, 0);
  constexpr int kDraws = 10000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = stream();
    for (int bit = 0; bit < 64; ++bit)
      ones[bit] += static_cast<int>(value >> bit & 1);
  }
  for (const int count : ones)
    CHECK(std::abs(count - kDraws / 2) < 5 * std::sqrt(kDraws) / 2);
}

TEST_CASE("a bound of one gives zero") {
  RandomStream stream(5, RandomPurpose::kTest, 0, 0);
  for (int i = 0; i < 10; ++i)
    CHECK(stream.below(1) == 0);
}

}  // namespace awale::test
