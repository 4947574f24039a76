#include "training/replay_buffer.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/training/random_games.hpp"

using namespace awale;
using namespace awale::training;

namespace {

env::RandomStream stream(std::uint64_t step) {
  return {7, env::RandomPurpose::kReplay, step, 0};
}

std::vector<TrainingRow> rows_of(const std::vector<GameRecord>& games) {
  std::vector<TrainingRow> rows;
  for (const auto& game : games) {
    const auto more = training_rows(game, {});
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

bool same(const TrainingRow& left, const TrainingRow& right) {
  return left.position.board == right.position.board && left.position.ply == right.position.ply &&
         left.policy == right.policy && left.win_draw_loss == right.win_draw_loss &&
         left.margin_seeds == right.margin_seeds;
}

// The newest `window` rows, oldest first: a batch as large as the window holds each row once.
std::vector<TrainingRow> window_of(const ReplayBuffer& buffer, std::size_t window) {
  std::vector<const TrainingRow*> batch(window);
  auto random = stream(0);
  buffer.sample(window, random, batch);
  std::vector<TrainingRow> rows;
  for (const auto* row : batch)
    rows.push_back(*row);
  return rows;
}

// Which of `rows` each row of a batch is.
std::vector<std::size_t> places(const std::vector<TrainingRow>& rows,
                                const std::vector<const TrainingRow*>& batch) {
  std::vector<std::size_t> result;
  for (const auto* row : batch) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [row](const auto& other) { return same(*row, other); });
    REQUIRE(found != rows.end());
    result.push_back(static_cast<std::size_t>(found - rows.begin()));
  }
  return result;
}

void require_equal(const std::vector<TrainingRow>& left, const std::vector<TrainingRow>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    REQUIRE(same(left[i], right[i]));
}

}  // namespace

TEST_CASE("the buffer holds the newest rows and never more than its capacity") {
  const auto games = tests::random_games({}, 30);
  const auto rows = rows_of(games);
  for (const std::size_t capacity :
       {std::size_t{1}, std::size_t{100}, rows.size() - 1, rows.size(), rows.size() + 1}) {
    INFO("capacity " << capacity << " of " << rows.size());
    ReplayBuffer buffer(capacity);
    std::size_t added = 0;
    for (const auto& game : games) {
      const auto more = rows_of({game});
      added += more.size();
      buffer.add(more);
      REQUIRE(buffer.size() == std::min<std::size_t>(added, capacity));
    }
    CHECK(added == rows.size());
    const auto kept = static_cast<std::ptrdiff_t>(buffer.size());
    require_equal(window_of(buffer, buffer.size()), {rows.end() - kept, rows.end()});
    const auto newest = buffer.newest(40);
    REQUIRE(newest.size() == std::min<std::size_t>(capacity, 40));
    CHECK(same(*newest.back(), rows.back()));
    CHECK(same(*newest.front(), rows[rows.size() - newest.size()]));
  }
}

TEST_CASE("a window is the newest rows only") {
  const auto games = tests::random_games({}, 10);
  const auto rows = rows_of(games);
  ReplayBuffer buffer(rows.size() - 50);
  buffer.add(rows);
  require_equal(window_of(buffer, 40), {rows.end() - 40, rows.end()});
}

TEST_CASE("a buffer filled in parts equals one filled at once, whatever came before") {
  const auto games = tests::random_games({}, 30);
  ReplayBuffer whole(500);
  whole.add(rows_of(games));
  // As after a resume: only the newest games, as many as fill the window.
  ReplayBuffer resumed(500);
  resumed.add(rows_of({games.begin() + 10, games.end()}));
  REQUIRE(resumed.size() == 500);
  for (std::uint64_t step = 0; step < 20; ++step) {
    std::vector<const TrainingRow*> left(64);
    std::vector<const TrainingRow*> right(64);
    auto left_random = stream(step);
    auto right_random = stream(step);
    whole.sample(400, left_random, left);
    resumed.sample(400, right_random, right);
    for (std::size_t i = 0; i < left.size(); ++i)
      REQUIRE(same(*left[i], *right[i]));
  }
}

TEST_CASE("batches differ from step to step and repeat for the same step") {
  ReplayBuffer buffer(2000);
  buffer.add(rows_of(tests::random_games({}, 30)));
  std::set<std::vector<const TrainingRow*>> batches;
  for (const std::uint64_t step : {0, 1, 2, 0}) {
    std::vector<const TrainingRow*> batch(32);
    auto random = stream(step);
    buffer.sample(buffer.size(), random, batch);
    batches.insert(batch);
  }
  CHECK(batches.size() == 3);
}

TEST_CASE("every row is as likely as any other, also where parts cut through rows") {
  const auto games = tests::random_games({}, 1);
  const auto rows = rows_of(games);
  ReplayBuffer buffer(rows.size());
  buffer.add(rows);
  constexpr std::size_t kWindow = 25;
  constexpr std::size_t kBatch = 7;
  constexpr int kSteps = 20'000;
  std::map<const TrainingRow*, int> counts;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    std::vector<const TrainingRow*> batch(kBatch);
    auto random = stream(step);
    buffer.sample(kWindow, random, batch);
    for (const auto* row : batch)
      ++counts[row];
  }
  REQUIRE(counts.size() == kWindow);
  const double expected = static_cast<double>(kSteps) * kBatch / kWindow;  // 5600, sigma about 64
  for (const auto& [row, count] : counts)
    CHECK(std::abs(count - expected) < 5 * 75);
}

TEST_CASE("a batch is spread over the games") {
  const auto games = tests::random_games({}, 40);
  const auto rows = rows_of(games);
  ReplayBuffer buffer(rows.size());
  buffer.add(rows);
  std::vector<const TrainingRow*> batch(rows.size() / 20);
  auto random = stream(3);
  buffer.sample(rows.size(), random, batch);
  const auto drawn = places(rows, batch);
  CHECK(std::set<std::size_t>(drawn.begin(), drawn.end()).size() == drawn.size());
  std::size_t first = 0;
  for (const auto& game : games) {
    const std::size_t count = count_rows({&game, 1});
    const auto of_game = std::count_if(drawn.begin(), drawn.end(), [&](std::size_t place) {
      return place >= first && place < first + count;
    });
    CHECK(of_game <= static_cast<std::ptrdiff_t>(count / 20 + 2));
    first += count;
  }
}

TEST_CASE("a window smaller than the batch repeats its rows evenly") {
  const auto games = tests::random_games({}, 1);
  ReplayBuffer buffer(1000);
  buffer.add(rows_of(games));
  std::vector<const TrainingRow*> batch(30);
  auto random = stream(0);
  buffer.sample(10, random, batch);
  std::map<const TrainingRow*, int> counts;
  for (const auto* row : batch)
    ++counts[row];
  CHECK(counts.size() == 10);
  for (const auto& [row, count] : counts)
    CHECK(count == 3);
}
