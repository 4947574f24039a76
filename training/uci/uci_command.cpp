#include "training/uci/uci_command.hpp"

#include <charconv>
#include <sstream>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::training {
namespace {

constexpr int kMostNumber = 1'000'000'000;

std::optional<int> positive_number(const std::string& text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 1 || number > kMostNumber)
    return std::nullopt;
  return number;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const auto& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

}  // namespace

std::vector<std::string> uci_words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

GoCommand parse_go(const std::vector<std::string>& words) {
  GoCommand go;
  const auto number = [&](std::size_t& index) -> std::optional<int> {
    const std::string& name = words[index];
    if (index + 1 < words.size()) {
      if (const auto found = positive_number(words[++index])) return found;
      go.errors.push_back("go " + name + ": expected a whole number from 1, found '" +
                          words[index] + "'");
    } else {
      go.errors.push_back("go " + name + ": expected a whole number from 1, found nothing");
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "depth") {
      go.depth = number(i);
    } else if (word == "movetime") {
      if (const auto ms = number(i)) go.movetime = std::chrono::milliseconds(*ms);
    } else if (word == "nodes") {
      go.nodes = number(i);
    } else if (word == "infinite") {
      go.infinite = true;
    } else if (word == "ponder") {
      go.ponder = true;
    } else {
      go.errors.push_back("go: expected depth, movetime, nodes, infinite or ponder, found '" +
                          word + "'");
    }
  }
  return go;
}

env::Game parse_uci_position(const std::vector<std::string>& words, const env::RuleSet& rules) {
  std::size_t next = 0;
  env::Board start = env::initial_board();
  if (next < words.size() && words[next] == "startpos") {
    ++next;
  } else if (next < words.size() && words[next] == "fen") {
    if (++next == words.size()) {
      throw InputError(ErrorKind::kPosition, "position fen: expected a board, found nothing");
    }
    start = env::parse_board(words[next++]);
  }
  if (next == words.size()) return env::Game(rules, start);
  if (words[next] != "moves") {
    throw InputError(ErrorKind::kPosition,
                     "position: expected startpos, fen or moves, found '" + words[next] + "'");
  }
  return env::replay(rules, start, joined({words.begin() + next + 1, words.end()}, ""));
}

SetOption parse_set_option(const std::vector<std::string>& words) {
  SetOption option;
  std::vector<std::string> name;
  std::vector<std::string> value;
  std::vector<std::string>* part = nullptr;
  for (const auto& word : words) {
    if (word == "name" && part == nullptr) {
      part = &name;
    } else if (word == "value" && part == &name) {
      part = &value;
    } else if (part != nullptr) {
      part->push_back(word);
    } else {
      throw InputError(ErrorKind::kUsage, "setoption: expected name, found '" + word + "'");
    }
  }
  if (name.empty()) {
    throw InputError(ErrorKind::kUsage, "setoption: expected name and a name, found nothing");
  }
  return {joined(name, " "), joined(value, " ")};
}

}  // namespace awale::training
