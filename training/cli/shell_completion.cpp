#include "training/cli/shell_completion.hpp"

#include <map>

namespace awale::training {
namespace {

// What may follow each path ("awale data"), and each option ("--rules").
struct Words {
  std::map<std::string, std::string> of_commands;
  std::map<std::string, std::string> of_options;
};

std::string with_spaces(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

// Config keys ("--search.simulations") have a short name that people type.
bool typed(const std::string& name) {
  return name.find('.') == std::string::npos;
}

void collect(const Command& command, Words& words) {
  std::vector<std::string> following;
  for (const auto& subcommand : command.subcommands) {
    following.push_back(subcommand.path.substr(subcommand.path.rfind(' ') + 1));
    collect(subcommand, words);
  }
  for (const auto& option : command.options) {
    if (option.positional) {
      following.insert(following.end(), option.values.begin(), option.values.end());
      continue;
    }
    const bool has_short = typed(option.names.front());
    for (const auto& name : option.names) {
      if (typed(name) || !has_short) following.push_back(name);
      if (!option.values.empty()) words.of_options[name] = with_spaces(option.values);
    }
  }
  words.of_commands[command.path] = with_spaces(following);
}

std::string entries(const std::map<std::string, std::string>& words) {
  std::string text;
  for (const auto& [key, value] : words)
    text += "    '" + key + "' '" + value + "'\n";
  return text;
}

// What differs between the shells.
struct Shell {
  std::string head;
  std::string words;    // the words before the cursor's, as a list
  std::string current;  // the cursor's
  std::string answer;   // offers those of $choice that fit
  std::string tail;
};

std::string script(const Command& command, const Shell& shell) {
  Words words;
  collect(command, words);
  std::string text = shell.head;
  text += "_" + command.path + "() {\n";
  text += "  local -A following=(\n" + entries(words.of_commands) + "  )\n";
  text += "  local -A values=(\n" + entries(words.of_options) + "  )\n";
  text += "  local typed='" + command.path + "' last='' word current=" + shell.current + "\n";
  text += "  for word in " + shell.words + "; do\n";
  text += "    if [[ $word == '=' ]]; then continue; fi\n";
  text += "    if [[ -n ${following[$typed $word]} ]]; then typed+=\" $word\"; fi\n";
  text += "    last=$word\n";
  text += "  done\n";
  text += "  local choice=${following[$typed]}\n";
  text += "  if [[ -n $last && -n ${values[$last]} ]]; then choice=${values[$last]}; fi\n";
  text += shell.answer;
  return text + "}\n" + shell.tail;
}

}  // namespace

std::string bash_completion(const Command& command) {
  const std::string& name = command.path;
  return script(command, {"# Completion of " + name + " for bash 5.1 and later.\n",
                          "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"", "${COMP_WORDS[COMP_CWORD]}",
                          "  if [[ $current == '=' ]]; then current=''; fi\n"
                          "  local hidden='-*'\n"
                          "  if [[ $current == -* ]]; then hidden=''; fi\n"
                          "  mapfile -t COMPREPLY < "
                          "<(compgen -W \"$choice\" -X \"$hidden\" -- \"$current\")\n",
                          "complete -o default -F _" + name + " " + name + "\n"});
}

std::string zsh_completion(const Command& command) {
  const std::string& name = command.path;
  return script(command, {"#compdef " + name + "\n# Completion of " + name + " for zsh.\n",
                          "\"${(@)words[2,CURRENT-1]}\"", "\"${words[CURRENT]}\"",
                          "  local -a offered=(${=choice})\n"
                          "  if [[ $current != -* ]]; then offered=(${offered:#-*}); fi\n"
                          "  if (( $#offered )); then compadd -- $offered; else _files; fi\n",
                          // As a file in a folder of $fpath, or sourced.
                          "if [[ ${funcstack[1]} == _" + name + " ]]; then _" + name +
                              " \"$@\"; else compdef _" + name + " " + name + "; fi\n"});
}

}  // namespace awale::training
