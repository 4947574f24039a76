// Private to the OGN reader: cuts the text into what matters (tags, move numbers, moves, results)
// and steps over what does not (comments, variations, annotations).
#pragma once

#include <string>
#include <string_view>

#include "training/game_text/ogn.hpp"

namespace awale::training {

struct OgnToken {
  enum class Kind { kTag, kNumber, kMoves, kResult, kEnd };

  Kind kind = Kind::kEnd;
  std::string text;   // a tag's name, a number without dots, letters of moves, a result
  std::string value;  // of a tag, without escapes
  int captured = -1;  // the seeds that the last of the moves is said to take; -1: not said
  int line = 0;       // from 1
};

class OgnScanner {
 public:
  // `text` must stay; `name` is what errors call it.
  OgnScanner(std::string_view text, const std::string& name);

  // The next token; kEnd again and again at the end. Throws InputError(kPosition) naming the line.
  OgnToken next();

  const OgnSkipped& skipped() const { return skipped_; }

  // Throws InputError(kPosition) naming the line.
  [[noreturn]] void fail(int line, const std::string& problem) const;

 private:
  bool at_end() const { return position_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  char advance();
  template <typename Accepts>
  std::string take_while(const Accepts& accepts);
  bool skip_unimportant();
  void skip_line();
  void skip_comment();
  void skip_variation();
  void skip_space();

  OgnToken read_tag();
  std::string read_tag_value();
  OgnToken read_number_or_result();
  OgnToken read_moves();
  int read_captured();
  void expect(char expected, const std::string& where);

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  int line_ = 1;
  OgnSkipped skipped_;
};

}  // namespace awale::training
