#include "training/cli/manual_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace awale::training {
namespace {

// So that nothing is taken for a request or an escape, and a hyphen stays what is typed.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

void write_option(const CommandOption& option, std::ostream& out) {
  out << ".TP\n";
  std::string names;
  for (const auto& name : option.names)
    names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  if (!option.value.empty()) names += " \\fI" + escaped(option.value) + "\\fR";
  if (option.required) names += " (required)";
  out << names << '\n' << escaped(option.help) << '\n';
}

// Lines as they stand.
void write_footer(const std::string& footer, std::ostream& out) {
  if (footer.empty()) return;
  out << ".PP\n.nf\n" << escaped(footer) << "\n.fi\n";
}

// "awale analyze [OPTIONS] [POSITION]".
std::string usage(const Command& command) {
  std::string text = "\\fB" + escaped(command.path) + "\\fR [\\fIOPTIONS\\fR]";
  for (const auto& option : command.options) {
    if (!option.positional) continue;
    const std::string name = "\\fI" + escaped(option.names.front()) + "\\fR";
    text += option.required ? " " + name : " [" + name + "]";
  }
  if (!command.subcommands.empty()) text += " \\fISUBCOMMAND\\fR";
  return text;
}

void write_command(const Command& command, std::ostream& out) {
  out << ".SS " << escaped(command.path) << '\n'
      << usage(command) << "\n.PP\n"
      << escaped(command.help) << '\n';
  for (const auto& option : command.options)
    write_option(option, out);
  write_footer(command.footer, out);
  for (const auto& subcommand : command.subcommands)
    write_command(subcommand, out);
}

}  // namespace

std::string manual_page(const Command& command, const std::string& version) {
  std::ostringstream out;
  const std::string& name = command.path;
  out << ".TH " << upper(name) << " 1 \"\" \"" << name << ' ' << escaped(version)
      << "\" \"User Commands\"\n"
      << ".SH NAME\n"
      << name << " \\- " << escaped(command.help) << '\n'
      << ".SH SYNOPSIS\n"
      << usage(command) << "\n.SH OPTIONS\n";
  for (const auto& option : command.options)
    write_option(option, out);
  out << ".SH SUBCOMMANDS\n";
  for (const auto& subcommand : command.subcommands)
    write_command(subcommand, out);
  // What the command itself says at its end.
  out << ".SH EXIT STATUS\n";
  write_footer(command.footer, out);
  return out.str();
}

}  // namespace awale::training
