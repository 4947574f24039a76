#include "training/analysis/line_queue.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using training::LineQueue;

TEST_CASE("a line queue gives every line once and in order, then none") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += std::to_string(i) + "\n";
  std::istringstream input(text + "end without a newline");
  LineQueue queue(input, 10);
  int next = 0;
  std::string last;
  for (auto lines = queue.take(7); !lines.empty(); lines = queue.take(7)) {
    REQUIRE(lines.size() <= 7);
    for (const auto& line : lines) {
      if (next < 1000) REQUIRE(line == std::to_string(next));
      last = line;
      ++next;
    }
  }
  CHECK(next == 1001);
  CHECK(last == "end without a newline");
  CHECK(queue.take(7).empty());
}

TEST_CASE("a line queue may end before its lines have been taken") {
  std::istringstream input(std::string(10000, '\n'));
  LineQueue queue(input, 3);
  CHECK(!queue.take(1).empty());
}

}  // namespace
}  // namespace awale::test
