// TOML 1.0 as keys with the texts of their values, which options read as they read a command line.
//
// The only place that knows toml++, whose headers take seconds to compile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace awale::training {

struct TomlItem {
  enum class Kind { kTable, kArray, kSingle };

  std::string key;  // "search.simulations", of a table "search"; parts that are no bare key quoted
  int line = 0;
  Kind kind = Kind::kSingle;
  // Numbers as digits without loss, true and false by these words, strings as they are.
  std::vector<std::string> values;
};

// All of a file in the order of its lines, a table before what it holds; tables in tables are
// followed four levels deep. Throws InputError(kFile) for a file that cannot be read and
// InputError(kUsage) with file and line for what is no TOML, dates and times, arrays of arrays or
// tables, and more than 64 KiB.
//
// More than TOML: a whole number beyond its 64 bits with sign, alone on its line, is read as if it
// were quoted. Seeds go up to 2^64 - 1, and earlier versions wrote them bare.
std::vector<TomlItem> read_toml(const std::filesystem::path& file);

// `text` as a TOML string.
std::string toml_string(const std::string& text);

// A TOML value that read_toml() reads as `text`: bare where that is possible, else a string.
std::string toml_value(const std::string& text);

}  // namespace awale::training
