#include "training/cli/toml_file.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

#include "env/error.hpp"
#include "env/printable.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024;
// toml++ 3.3 recurses for every dot of a key, and so would overflow the stack.
constexpr std::ptrdiff_t kMostDots = 4096;
constexpr int kDeepest = 4;

constexpr std::string_view kBareKeyLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    throw InputError(ErrorKind::kFile, file.string() + ": cannot read the config file");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMostBytes || std::count(text.begin(), text.end(), '.') > kMostDots) {
    throw InputError(ErrorKind::kUsage, file.string() +
                                            ": expected a config file of at most 64 KiB and " +
                                            std::to_string(kMostDots) + " dots, found more");
  }
  return text;
}

// Where a number that is too large for TOML ends in `line`, 0 if there is none at `begin`.
std::size_t end_of_large_number(const std::string& line, std::size_t begin) {
  std::int64_t number = 0;
  const auto [rest, error] =
      std::from_chars(line.data() + begin, line.data() + line.size(), number);
  const auto end = static_cast<std::size_t>(rest - line.data());
  const bool alone =
      end == line.size() || std::string_view(" \t\r#").find(*rest) != std::string::npos;
  return error == std::errc::result_out_of_range && alone ? end : 0;
}

std::string quote_large_numbers(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const auto begin = std::min(line.find_first_not_of(" \t", line.find('=') + 1), line.size());
    if (const auto end = end_of_large_number(line, begin)) {
      line.insert(end, "\"").insert(begin, "\"");
    }
    result += line + "\n";
  }
  return result;
}

std::string nth_line(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i)
    std::getline(lines, line);
  return line;
}

toml::table parse(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  try {
    return toml::parse(quote_large_numbers(text));
  } catch (const toml::parse_error& error) {
    constexpr std::string_view kOpening = "Error while parsing ";
    auto what = error.description();
    if (what.starts_with(kOpening)) what.remove_prefix(kOpening.size());
    const auto line = static_cast<int>(error.source().begin.line);
    throw InputError(ErrorKind::kUsage, file.string() + ": line " + std::to_string(line) + ": " +
                                            env::printable(what) + ", in '" +
                                            env::printable(nth_line(text, line)) + "'");
  }
}

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// With a mark of being no whole number, which std::to_chars leaves out of 2.0.
std::string number_text(double value) {
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

std::string kind_of(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return node.is_time() ? "a time" : "a date";
}

// The items of one file.
class Items {
 public:
  explicit Items(const std::filesystem::path& file) : file_(file) {}

  void add_all(const toml::table& table, const std::string& prefix = "", int depth = 1) {
    for (const auto& [name, node] : table) {
      const std::string part(name.str());
      const bool bare = part.find_first_not_of(kBareKeyLetters) == std::string::npos;
      add(prefix + (bare && !part.empty() ? part : toml_string(part)), node, depth);
    }
  }

  std::vector<TomlItem> in_order() {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const auto& left, const auto& right) { return left.line < right.line; });
    return std::move(items_);
  }

 private:
  void add(const std::string& key, const toml::node& node, int depth) {
    if (const toml::table* table = node.as_table()) {
      items_.push_back({key, line_of(node), TomlItem::Kind::kTable, {}});
      // Keys as long as a file would else become as many texts of that length.
      if (depth < kDeepest) add_all(*table, key + ".", depth + 1);
    } else if (const toml::array* array = node.as_array()) {
      items_.push_back({key, line_of(node), TomlItem::Kind::kArray, {}});
      if (array->is_array_of_tables())
        refuse(key, node, "one table or value", "an array of tables");
      for (const auto& element : *array)
        items_.back().values.push_back(text_of(key, element));
    } else {
      items_.push_back({key, line_of(node), TomlItem::Kind::kSingle, {text_of(key, node)}});
    }
  }

  std::string text_of(const std::string& key, const toml::node& node) const {
    if (const auto* string = node.as_string()) return string->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return number_text(number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    refuse(key, node, "a number, a string, true or false", kind_of(node));
  }

  [[noreturn]] void refuse(const std::string& key, const toml::node& node,
                           const std::string& expected, const std::string& found) const {
    throw InputError(ErrorKind::kUsage, file_.string() + ": line " + std::to_string(line_of(node)) +
                                            ": " + env::printable(key) + ": expected " + expected +
                                            ", found " + found);
  }

  const std::filesystem::path& file_;
  std::vector<TomlItem> items_;
};

// Whether `text` is how read_toml() gives a number of this kind.
template <typename Number, typename Text>
bool is_text_of(const std::string& text, const Text& text_of) {
  Number number = {};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end && text_of(number) == text;
}

}  // namespace

std::vector<TomlItem> read_toml(const std::filesystem::path& file) {
  Items items(file);
  items.add_all(parse(file));
  return items.in_order();
}

std::string toml_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    char escaped[8] = {letter, '\0'};
    if (byte < 0x20 || byte == 0x7f) std::snprintf(escaped, sizeof(escaped), "\\u%04X", byte);
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += escaped;
  }
  return quoted + "\"";
}

std::string toml_value(const std::string& text) {
  const bool bare =
      text == "true" || text == "false" ||
      is_text_of<std::int64_t>(text, [](std::int64_t number) { return std::to_string(number); }) ||
      is_text_of<double>(text, number_text);
  return bare ? text : toml_string(text);
}

}  // namespace awale::training
