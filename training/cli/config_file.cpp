#include "training/cli/config_file.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "env/error.hpp"
#include "env/printable.hpp"
#include "training/cli/toml_file.hpp"

namespace awale::training {
namespace {

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

// "search" of search.simulations, once for each of its keys.
std::vector<std::string> sections(const CLI::App& app) {
  auto names = config_keys(app);
  for (auto& name : names)
    name.resize(name.find('.'));
  return names;
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

// "; did you mean 'search.c_puct'?" or nothing if none of the known ones is near.
std::string suggestion(const std::vector<std::string>& known, const std::string& found) {
  std::string nearest;
  std::size_t least = found.size() / 2;
  for (const auto& each : known) {
    const auto distance = edit_distance(found, each);
    if (distance >= least) continue;
    nearest = each;
    least = distance;
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

bool is_list(const CLI::Option& option) {
  return option.get_expected_max() > 1;
}

// Refuses what is wrong with one item, as one line whatever stands in the file.
[[noreturn]] void refuse(const std::filesystem::path& file, const TomlItem& item,
                         const std::string& what) {
  throw InputError(ErrorKind::kUsage, file.string() + ": line " + std::to_string(item.line) + ": " +
                                          env::printable(what));
}

// Throws for a table that is no section.
void check_section(const CLI::App& app, const std::filesystem::path& file, const TomlItem& item) {
  const auto known = sections(app);
  if (std::find(known.begin(), known.end(), item.key) != known.end()) return;
  refuse(file, item, "unknown section [" + item.key + "]" + suggestion(known, item.key));
}

// Throws for values that are too many or too few for the option.
void check_count(const CLI::Option& option, const std::filesystem::path& file,
                 const TomlItem& item) {
  if (item.kind == TomlItem::Kind::kTable) {
    refuse(file, item, item.key + ": expected a value, found a table");
  }
  if (item.kind == TomlItem::Kind::kArray && !is_list(option)) {
    refuse(file, item, item.key + ": expected a single value, found an array");
  }
  if (item.values.empty()) {
    refuse(file, item, item.key + ": expected one value or more, found an empty array");
  }
  // Nothing is a value only where it is the default.
  if (std::count(item.values.begin(), item.values.end(), "") > 0 &&
      !option.get_default_str().empty()) {
    refuse(file, item, item.key + ": expected a value, found none");
  }
}

// CLI11 begins with the option's name, ours with the key or nothing.
std::string without_name(const std::string& message, const std::string& key) {
  const std::string name = "--" + key + ": ";
  return message.rfind(name, 0) == 0 ? message.substr(name.size()) : message;
}

void apply_item(CLI::App& app, const std::filesystem::path& file, const TomlItem& item) {
  CLI::Option* option = find_option(app, item.key);
  if (option == nullptr && item.kind == TomlItem::Kind::kTable) {
    return check_section(app, file, item);
  }
  if (option == nullptr) {
    refuse(file, item, "unknown key '" + item.key + "'" + suggestion(config_keys(app), item.key));
  }
  check_count(*option, file, item);
  if (option->count() > 0) return;
  try {
    option->add_result(item.values);
    option->run_callback();
  } catch (const CLI::Error& error) {
    refuse(file, item, item.key + ": " + without_name(error.what(), item.key));
  } catch (const InputError& error) {
    refuse(file, item, error.what());
  }
}

bool is_utf8(const std::string& text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

// "simulations = 64" of --search.simulations.
std::string default_line(const CLI::Option& option) {
  const std::string key = config_key(option);
  const std::string& value = option.get_default_str();
  if (!is_utf8(value)) {
    throw InputError(ErrorKind::kUsage, key +
                                            ": expected text in UTF-8, as config files hold it, " +
                                            "found '" + env::printable(value) + "'");
  }
  return key.substr(key.find('.') + 1) + " = " +
         (is_list(option) ? "[" + value + "]" : toml_value(value)) + "\n";
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
  const auto items = read_toml(file);
  // Who names a preset means all of it, not what a file with one of its own says of single rules.
  const CLI::Option* preset = find_option(app, "rules.preset");
  const bool own_rules = preset != nullptr && preset->count() > 0 &&
                         std::any_of(items.begin(), items.end(), [](const TomlItem& item) {
                           return item.key == "rules.preset";
                         });
  for (const auto& item : items) {
    if (!own_rules || item.key.rfind("rules.", 0) != 0) apply_item(app, file, item);
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
    text += default_line(*option);
  }
  return text;
}

}  // namespace awale::training
