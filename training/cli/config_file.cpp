#include "training/cli/config_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "env/error.hpp"

namespace awale::training {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw InputError(ErrorKind::kUsage, file.string() + ": " + what);
}

// "search.simulations" of --search.simulations, "" for an option that is no config key.
std::string config_key(const CLI::Option& option) {
  const std::string name = option.get_single_name();
  return name.find('.') == std::string::npos ? "" : name;
}

std::vector<std::string> config_keys(const CLI::App& app) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : app.get_options()) {
    const auto key = config_key(*option);
    if (!key.empty()) keys.push_back(key);
  }
  return keys;
}

CLI::Option* find_option(CLI::App& app, const std::string& key) {
  for (CLI::Option* option : app.get_options()) {
    if (!key.empty() && config_key(*option) == key) return option;
  }
  return nullptr;
}

// Levenshtein's distance, one row at a time.
std::size_t edit_distance(const std::string& left, const std::string& right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

// "; did you mean 'search.c_puct'?" or nothing if no key is near.
std::string suggestion(const CLI::App& app, const std::string& key) {
  std::string nearest;
  std::size_t distance = key.size() / 2;
  for (const auto& known : config_keys(app)) {
    const auto found = edit_distance(key, known);
    if (found >= distance) continue;
    nearest = known;
    distance = found;
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

bool has_section(const CLI::App& app, const std::string& section) {
  const auto keys = config_keys(app);
  return std::any_of(keys.begin(), keys.end(),
                     [&](const auto& key) { return key.rfind(section + ".", 0) == 0; });
}

// CLI11 would take a line without '=' for a flag, and overlook lines of one or two characters.
void check_lines(const std::filesystem::path& file, std::istream& stream) {
  bool in_list = false;  // a list may have its values on lines of their own
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto begin = line.find_first_not_of(" \t\r");
    const auto equals = line.find('=');
    if (in_list) {
      in_list = line.find(']') == std::string::npos;
    } else if (begin == std::string::npos || line[begin] == '#' || line[begin] == '[') {
      continue;
    } else if (equals == std::string::npos) {
      refuse(file, "line " + std::to_string(number) +
                       ": expected [section] or key = value, found '" + line.substr(begin) + "'");
    } else {
      in_list = line.find('[', equals) != std::string::npos &&
                line.find(']', equals) == std::string::npos;
    }
  }
}

std::vector<CLI::ConfigItem> read_items(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) {
    throw InputError(ErrorKind::kFile, file.string() + ": cannot read the config file");
  }
  check_lines(file, stream);
  stream.clear();
  stream.seekg(0);
  try {
    return CLI::ConfigTOML().from_config(stream);
  } catch (const CLI::Error& error) {
    refuse(file, error.what());
  }
}

void apply_item(CLI::App& app, const std::filesystem::path& file, const CLI::ConfigItem& item) {
  const auto key = item.fullname();
  CLI::Option* option = find_option(app, key);
  if (option == nullptr) refuse(file, "unknown key '" + key + "'" + suggestion(app, key));
  // Nothing is a value only where it is the default.
  if (std::count(item.inputs.begin(), item.inputs.end(), "") > 0 &&
      !option->get_default_str().empty()) {
    refuse(file, key + ": expected a value, found none");
  }
  if (option->count() > 0) return;
  try {
    option->add_result(item.inputs);
    option->run_callback();
  } catch (const CLI::Error& error) {
    refuse(file, key + ": " + error.what());
  } catch (const InputError& error) {
    refuse(file, error.what());
  }
}

// Bare where TOML allows it. Throws InputError(kUsage) for what CLI11's parser would not read back.
std::string toml_value(const CLI::Option& option) {
  const std::string& text = option.get_default_str();
  if (text.find_first_of("#\"\n") != std::string::npos) {
    throw InputError(ErrorKind::kUsage, config_key(option) +
                                            ": a config file cannot hold '#', '\"' "
                                            "or an end of line, found in '" +
                                            text + "'");
  }
  if (option.get_expected_max() > 1) {
    constexpr std::string_view kBetween =
        ", ";  // exact_text()'s; a value may have commas of its own
    std::string list = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool between = text.compare(i, kBetween.size(), kBetween) == 0;
      list += between ? "\", \"" : std::string(1, text[i]);
      i += between ? 1 : 0;
    }
    return "[" + list + "\"]";
  }
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  const bool number = !text.empty() && *end == '\0';
  return number || text == "true" || text == "false" ? text : "\"" + text + "\"";
}

}  // namespace

void add_config_file(CLI::App& app) {
  const std::function<void(const std::vector<std::string>&)> apply =
      [&app](const std::vector<std::string>& files) {
        if (app.get_help_ptr()->count() > 0) return;
        for (auto file = files.rbegin(); file != files.rend(); ++file)
          apply_config_file(app, *file);
      };
  app.add_option_function("--config", apply,
                          "TOML file with settings; options given here win; of several files, each "
                          "by a --config of its own, the later ones")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

void apply_config_file(CLI::App& app, const std::filesystem::path& file) {
  std::set<std::string> seen;
  const auto items = read_items(file);
  // Who names a preset means all of it, not what a file with one of its own says of single rules.
  const CLI::Option* preset = find_option(app, "rules.preset");
  const bool own_rules = preset != nullptr && preset->count() > 0 &&
                         std::any_of(items.begin(), items.end(), [](const CLI::ConfigItem& item) {
                           return item.fullname() == "rules.preset";
                         });
  for (const auto& item : items) {
    if (item.name == "--") continue;  // end of a section
    if (item.name == "++") {
      const auto opened = item.fullname();  // "section.++"
      const auto section = opened.substr(0, opened.size() - 3);
      if (!has_section(app, section)) refuse(file, "unknown section [" + section + "]");
    } else if (!seen.insert(item.fullname()).second) {
      refuse(file, "key '" + item.fullname() + "' is given twice");
    } else if (!own_rules || item.fullname().rfind("rules.", 0) != 0) {
      apply_item(app, file, item);
    }
  }
}

std::string defaults_as_toml(const CLI::App& app) {
  std::string text;
  std::string section;
  for (const CLI::Option* option : app.get_options()) {
    const auto key = config_key(*option);
    if (key.empty()) continue;
    const auto dot = key.find('.');
    if (key.substr(0, dot) != section) {
      text += text.empty() ? "" : "\n";
      section = key.substr(0, dot);
      text += "[" + section + "]\n";
    }
    text += key.substr(dot + 1) + " = " + toml_value(*option) + "\n";
  }
  return text;
}

}  // namespace awale::training
