#include "training/cli/terminal_game.hpp"

#include <cctype>
#include <istream>
#include <ostream>
#include <span>
#include <utility>

#include "env/notation.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

constexpr const char* kClearScreen = "\x1b[2J\x1b[H";

constexpr const char* kHelp =
    "Type the letter of the pit to sow: A..F are South's, a..f North's; capitals do not matter.\n"
    "Seeds are sown one by one to the next pit in the alphabet's direction, F to a and f to A.\n"
    "  hint   what the network would play\n"
    "  undo   take back your last move\n"
    "  help   this text\n"
    "  quit   leave the game\n";

std::string trimmed(const std::string& line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// The letter as the side to move writes it.
char own_letter(env::Side side, char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return static_cast<char>(side == env::Side::kSouth ? std::toupper(code) : std::tolower(code));
}

}  // namespace

TerminalGame::TerminalGame(const env::RuleSet& rules, const env::Board& start, Terminal terminal,
                           std::istream& input, std::ostream& output)
    : games_({env::Game(rules, start)}),
      terminal_(std::move(terminal)),
      input_(input),
      output_(output) {}

void TerminalGame::run() {
  bool show = true;
  while (!game().over()) {
    if (show) show_board();
    if (player_to_move(game()) != nullptr) {
      let_player_move();
      continue;
    }
    if (show) show_moves();
    const Answer answer = ask_person();
    if (answer == Answer::kLeave) break;
    show = answer == Answer::kPlayed;
  }
  show_end();
}

void TerminalGame::show_board() {
  if (terminal_.redraws) output_ << kClearScreen << last_move_;
  output_ << '\n' << draw(game().board());
}

mcts::Player* TerminalGame::player_to_move(const env::Game& game) const {
  return game.board().to_move == env::Side::kSouth ? terminal_.south : terminal_.north;
}

void TerminalGame::let_player_move() {
  const env::Game* waiting = &game();
  constexpr std::uint64_t kId = 0;
  env::Move move = 0;
  player_to_move(game())->choose_moves(std::span(&waiting, 1), std::span(&kId, 1),
                                       std::span(&move, 1));
  const env::Side side = game().board().to_move;
  last_move_ = std::string(side_name(side)) + " (" + player_to_move(game())->name() + ") plays " +
               env::move_letter(side, move) + ": " +
               describe_move(game().rules(), game().board(), move) + '\n';
  output_ << last_move_;
  play(move);
}

TerminalGame::Answer TerminalGame::ask_person() {
  output_ << side_name(game().board().to_move) << "> " << std::flush;
  std::string line;
  if (!std::getline(input_, line)) {
    output_ << "\nEnd of input.\n";
    return Answer::kLeave;
  }
  return answer(trimmed(line));
}

TerminalGame::Answer TerminalGame::answer(const std::string& word) {
  if (word == "quit" || word == "exit") return Answer::kLeave;
  if (word == "undo") {
    undo();
    return Answer::kPlayed;
  }
  if (word.size() == 1) return play_letter(word.front());
  if (word == "help") {
    output_ << kHelp;
  } else if (word == "hint") {
    show_hint();
  } else if (!word.empty()) {
    output_ << "'" << word << "' is no move; type a letter, hint, undo, help or quit.\n";
  }
  return Answer::kAgain;
}

TerminalGame::Answer TerminalGame::play_letter(char letter) {
  const env::Side side = game().board().to_move;
  const char first = env::move_letter(side, 0);
  const int pit = own_letter(side, letter) - first;
  if (pit < 0 || pit >= env::kPitsPerSide) {
    output_ << "'" << letter << "' is no pit of " << side_name(side) << "; type one of "
            << env::moves_text(side, game().legal()) << ".\n";
    return Answer::kAgain;
  }
  const auto move = static_cast<env::Move>(pit);
  if ((game().legal() >> move & 1) == 0) {
    output_ << env::move_letter(side, move) << ' '
            << describe(why_illegal(game().rules(), game().board(), move)) << "; type one of "
            << env::moves_text(side, game().legal()) << ".\n";
    return Answer::kAgain;
  }
  last_move_.clear();
  play(move);
  return Answer::kPlayed;
}

void TerminalGame::show_hint() const {
  output_ << (terminal_.hint ? terminal_.hint(game()) : "There is nobody to ask.") << '\n';
}

void TerminalGame::show_moves() const {
  const env::Board& board = game().board();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game().legal() >> move & 1) == 0) continue;
    output_ << "  " << env::move_letter(board.to_move, move) << ": "
            << describe_move(game().rules(), board, move) << '\n';
  }
}

void TerminalGame::show_end() const {
  if (game().over()) {
    output_ << '\n'
            << draw(game().board()) << "Game over: " << describe_outcome(game().outcome()) << ".\n";
  }
  output_ << "Moves: " << (moves_.empty() ? "none" : moves_) << '\n';
}

// Back to where a person was last to move.
void TerminalGame::undo() {
  std::size_t target = games_.size() - 1;
  do {
    if (target == 0) {
      output_ << "There is nothing to take back.\n";
      return;
    }
    --target;
  } while (player_to_move(games_[target]) != nullptr);
  games_.erase(games_.begin() + static_cast<std::ptrdiff_t>(target) + 1, games_.end());
  moves_.resize(target);
  last_move_.clear();
}

void TerminalGame::play(env::Move move) {
  moves_ += env::move_letter(game().board().to_move, move);
  games_.push_back(game());
  games_.back().play(move);
}

}  // namespace awale::training
