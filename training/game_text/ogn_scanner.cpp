#include "training/game_text/ogn_scanner.hpp"

#include <charconv>

#include "env/error.hpp"
#include "env/printable.hpp"

namespace awale::training {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool is_move(char c) {
  return (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}
bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}
bool is_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
// Of "12.", "28-20", "23.5-24.5" and "1/2-1/2".
bool is_number(char c) {
  return is_digit(c) || c == '.' || c == '-' || c == '/';
}

// For messages.
std::string shown(char c) {
  if (c > ' ' && c <= '~') return {'\'', c, '\''};
  return "byte " + std::to_string(static_cast<unsigned char>(c));
}

}  // namespace

OgnScanner::OgnScanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

void OgnScanner::fail(int line, const std::string& problem) const {
  throw InputError(ErrorKind::kPosition,
                   name_ + ", line " + std::to_string(line) + ": " + env::printable(problem));
}

char OgnScanner::advance() {
  const char c = text_[position_++];
  if (c == '\n') ++line_;
  return c;
}

template <typename Accepts>
std::string OgnScanner::take_while(const Accepts& accepts) {
  std::string taken;
  while (!at_end() && accepts(peek()))
    taken += advance();
  return taken;
}

void OgnScanner::skip_space() {
  take_while(is_space);
}

void OgnScanner::skip_line() {
  take_while([](char c) { return c != '\n'; });
}

void OgnScanner::skip_comment() {
  const int begin = line_;
  take_while([](char c) { return c != '}'; });
  if (at_end()) fail(begin, "a comment begins with { and nowhere ends with }");
  advance();
}

void OgnScanner::skip_variation() {
  const int begin = line_;
  int depth = 0;
  do {
    if (at_end()) fail(begin, "a variation begins with ( and nowhere ends with )");
    if (peek() == '{') {
      skip_comment();
      continue;
    }
    const char c = advance();
    depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
  } while (depth > 0);
}

// Whether there was something to step over.
bool OgnScanner::skip_unimportant() {
  const bool line_begins = position_ == 0 || text_[position_ - 1] == '\n';
  const char c = peek();
  if (c == '{') {
    ++skipped_.comments;
    skip_comment();
  } else if (c == ';') {
    ++skipped_.comments;
    skip_line();
  } else if (c == '%' && line_begins) {  // PGN's escape: the line is another program's
    skip_line();
  } else if (c == '(') {
    ++skipped_.variations;
    skip_variation();
  } else if (c == '$') {
    ++skipped_.annotations;
    advance();
    take_while(is_digit);
  } else if (c == '!' || c == '?') {
    ++skipped_.annotations;
    take_while([](char mark) { return mark == '!' || mark == '?'; });
  } else {
    return false;
  }
  return true;
}

void OgnScanner::expect(char expected, const std::string& where) {
  if (peek() == expected) {
    advance();
    return;
  }
  fail(line_, "expected " + std::string(1, expected) + " " + where + ", found " +
                  (at_end() ? "the end" : shown(peek())));
}

std::string OgnScanner::read_tag_value() {
  std::string value;
  const auto ends = [this] { return at_end() || is_line_end(peek()); };
  while (!ends() && peek() != '"') {
    if (peek() == '\\') advance();
    if (!ends()) value += advance();
  }
  return value;
}

OgnToken OgnScanner::read_tag() {
  OgnToken tag{OgnToken::Kind::kTag, {}, {}, -1, line_};
  advance();
  skip_space();
  tag.text = take_while(is_name);
  if (tag.text.empty()) fail(tag.line, "expected the name of a tag after [");
  skip_space();
  expect('"', "before the value of tag " + tag.text);
  tag.value = read_tag_value();
  if (peek() != '"') {
    fail(tag.line, "the value of tag " + tag.text + " does not end with \" on its line");
  }
  advance();
  skip_space();
  expect(']', "after tag " + tag.text);
  return tag;
}

int OgnScanner::read_captured() {
  advance();
  const std::string digits = take_while(is_digit);
  int seeds = 0;
  const auto error = std::from_chars(digits.data(), digits.data() + digits.size(), seeds).ec;
  if (error != std::errc()) fail(line_, "expected a number of seeds after +");
  return seeds;
}

OgnToken OgnScanner::read_number_or_result() {
  OgnToken token{OgnToken::Kind::kResult, {}, {}, -1, line_};
  token.text = take_while(is_number);
  if (token.text.find('-') != std::string::npos) return token;
  token.kind = OgnToken::Kind::kNumber;
  token.text.erase(token.text.find_last_not_of('.') + 1);
  return token;
}

OgnToken OgnScanner::read_moves() {
  OgnToken moves{OgnToken::Kind::kMoves, {}, {}, -1, line_};
  moves.text = take_while(is_letter);
  for (const char letter : moves.text) {
    if (!is_move(letter)) fail(line_, "expected a move A..F or a..f, found '" + moves.text + "'");
  }
  if (peek() == '+') moves.captured = read_captured();
  return moves;
}

OgnToken OgnScanner::next() {
  while (true) {
    skip_space();
    const int line = line_;
    if (at_end()) return {OgnToken::Kind::kEnd, {}, {}, -1, line};
    if (skip_unimportant()) continue;
    const char c = peek();
    if (c == '[') return read_tag();
    if (is_letter(c)) return read_moves();
    if (c == '*') return {OgnToken::Kind::kResult, std::string(1, advance()), {}, -1, line};
    if (is_digit(c)) return read_number_or_result();
    fail(line, "expected a tag, a move or a result, found " + shown(c));
  }
}

}  // namespace awale::training
