#include "training/uci/uci_engine.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <istream>
#include <ostream>

#include "env/error.hpp"
#include "training/uci/uci_options.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDefaultTime{2000};  // Aalina's
constexpr int kMostDepth = 30;
constexpr std::size_t kLongestMessage = 200;

// What was typed may hold anything; an answer is one line of text.
std::string one_line(std::string text) {
  for (char& letter : text) {
    if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = '?';
  }
  if (text.size() > kLongestMessage) text = text.substr(0, kLongestMessage) + "...";
  return text;
}

int simulations_asked(const GoCommand& go, int most) {
  if (go.depth) most = std::min(most, 1 << std::min(*go.depth, kMostDepth));
  if (go.nodes) most = std::min(most, *go.nodes);
  return most;
}

milliseconds time_asked(const GoCommand& go) {
  if (go.movetime) return *go.movetime;
  return go.depth || go.nodes ? milliseconds(0) : kDefaultTime;
}

}  // namespace

UciEngine::UciEngine(UciOptions options, MakeUciSearch make_search, std::ostream& output)
    : options_(std::move(options)),
      make_search_(std::move(make_search)),
      output_(output),
      search_(make_search_(options_, stop_signal_)),
      game_(env::Game(search_.rules)) {}

UciEngine::~UciEngine() {
  stop();
}

void UciEngine::run(std::istream& input) {
  for (std::string line; std::getline(input, line);) {
    auto words = uci_words(line);
    if (words.empty()) continue;
    if (debug_) say("info string received " + one_line(line));
    const std::string command = words.front();
    words.erase(words.begin());
    if (command == "quit") return stop();
    try {
      handle(command, words);
    } catch (const InputError& error) {
      say_error(error.what());
    }
  }
  if (may_answer_) return wait();
  stop();
}

void UciEngine::handle(const std::string& command, const std::vector<std::string>& words) {
  if (command == "uci") return identify();
  if (command == "isready") return say("readyok");
  if (command == "ucinewgame") return;  // a search knows nothing of earlier ones
  if (command == "debug") return set_debug(words);
  if (command == "setoption") return set_option(words);
  if (command == "position") return set_position(words);
  if (command == "go") return go(words);
  if (command == "ponderhit") return ponder_hit();
  if (command == "stop") return stop();
  say_error(
      "expected uci, isready, ucinewgame, debug, setoption, position, go, ponderhit, stop or quit, "
      "found '" +
      command + "'");
}

void UciEngine::identify() {
  say(std::string("id name Awale ") + kVersion);
  say("id author the authors of Awale");
  for (const auto& line : uci_option_lines(options_))
    say(line);
  say("uciok");
}

void UciEngine::set_debug(const std::vector<std::string>& words) {
  debug_ = words.empty() ? !debug_ : words.front() == "on";
}

void UciEngine::set_option(const std::vector<std::string>& words) {
  const SetOption option = parse_set_option(words);
  if (thinking()) {
    throw InputError(ErrorKind::kUsage, "setoption " + option.name + ": stop the search first");
  }
  UciOptions options = options_;
  if (!apply(option, options)) return;
  search_ = make_search_(options, stop_signal_);
  options_ = options;
  // By its old rules the position may mean something else.
  game_ = env::Game(search_.rules);
  if (debug_) say("info string evaluator " + search_.search->evaluator_name());
}

void UciEngine::set_position(const std::vector<std::string>& words) {
  game_.reset();
  game_ = parse_uci_position(words, search_.rules);
}

void UciEngine::go(const std::vector<std::string>& words) {
  const GoCommand command = parse_go(words);
  for (const auto& error : command.errors)
    say_error(error);
  if (thinking()) return say_error("go: stop the search in progress first");
  if (!game_) say_error("go: no position, because the last one could not be read");
  if (!game_ || game_->over()) return say("bestmove 0000");
  wait();
  stop_signal_.reset();
  ponders_ = command.ponder;
  time_ = time_asked(command);
  may_answer_ = !command.infinite && !command.ponder;
  if (may_answer_ && time_ > milliseconds(0))
    stop_signal_.stop_at(mcts::StopSignal::Clock::now() + time_);
  searched_ = game_;
  thinking_ = true;
  const int most = simulations_asked(command, search_.most_simulations);
  thinker_ = std::thread([this, most] { think(most); });
}

// On the search's thread.
void UciEngine::think(int most_simulations) {
  std::vector<env::Move> line;
  search_.search->run({searched_->position(), searched_->history()}, most_simulations,
                      [&](const mcts::AnytimeReport& found) {
                        line = found.line;
                        report(found);
                      });
  std::unique_lock lock(answer_mutex_);
  answer_.wait(lock, [this] { return may_answer_; });
  const std::string moves = env::line_text(*searched_, line);
  // Before the answer: whoever reads it may say "go" at once.
  thinking_ = false;
  say("bestmove " + moves.substr(0, 1) + (moves.size() > 1 ? " ponder " + moves.substr(1, 1) : ""));
}

void UciEngine::report(const mcts::AnytimeReport& report) {
  const auto cp = std::lround(100 * report.result.root_margin_seeds);
  const int depth = std::bit_width(static_cast<unsigned>(report.simulations)) - 1;
  const auto ms = std::lround(1000 * report.seconds);
  const auto per_second = std::lround(static_cast<double>(report.all) / report.seconds);
  say("info depth " + std::to_string(depth) + " nodes " + std::to_string(report.simulations) +
      " nps " + std::to_string(per_second) + " time " + std::to_string(ms) + " score cp " +
      std::to_string(cp) + " pv " + env::line_text(*searched_, report.line));
}

void UciEngine::ponder_hit() {
  if (!ponders_ || !thinking()) return say_error("ponderhit: expected after go ponder");
  ponders_ = false;
  if (time_ > milliseconds(0)) stop_signal_.stop_at(mcts::StopSignal::Clock::now() + time_);
  let_answer();
}

void UciEngine::stop() {
  stop_signal_.stop();
  let_answer();
  wait();
}

void UciEngine::wait() {
  if (thinker_.joinable()) thinker_.join();
}

void UciEngine::let_answer() {
  {
    const std::lock_guard lock(answer_mutex_);
    may_answer_ = true;
  }
  answer_.notify_all();
}

void UciEngine::say(const std::string& line) {
  const std::lock_guard lock(output_mutex_);
  output_ << line << std::endl;
}

void UciEngine::say_error(const std::string& message) {
  say("info string error: " + one_line(message));
}

}  // namespace awale::training
