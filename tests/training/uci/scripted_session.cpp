#include "tests/training/uci/scripted_session.hpp"

namespace awale::test {

std::vector<std::string> Transcript::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

void Transcript::wait_for(const std::string& start) {
  std::unique_lock lock(mutex_);
  while (true) {
    for (; waited_for_ < lines_.size(); ++waited_for_) {
      if (lines_[waited_for_].rfind(start, 0) != 0) continue;
      ++waited_for_;
      return;
    }
    changed_.wait(lock);
  }
}

Transcript::int_type Transcript::overflow(int_type letter) {
  const std::lock_guard lock(mutex_);
  if (letter != '\n') {
    line_ += static_cast<char>(letter);
  } else {
    lines_.push_back(line_);
    line_.clear();
    changed_.notify_all();
  }
  return letter;
}

Script::int_type Script::underflow() {
  constexpr std::string_view kWait = "< ";
  while (next_ < lines_.size() && lines_[next_].rfind(kWait, 0) == 0)
    transcript_.wait_for(lines_[next_++].substr(kWait.size()));
  if (next_ == lines_.size()) return traits_type::eof();
  typed_ = lines_[next_++] + '\n';
  setg(typed_.data(), typed_.data(), typed_.data() + typed_.size());
  return traits_type::to_int_type(typed_.front());
}

}  // namespace awale::test
