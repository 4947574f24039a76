#include "training/report/report_file.hpp"

#include "env/error.hpp"
#include "training/web_pages.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

// JSON that no HTML parser takes for the end of a script: '<' occurs within texts only.
std::string script_text(const Json& data) {
  std::string text;
  for (const char letter : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (letter == '<') {
      text += "\\u003c";
    } else {
      text += letter;
    }
  }
  return text;
}

}  // namespace

std::string report_html(std::string_view page, const nlohmann::ordered_json& data) {
  const auto place = page.find(kNoReportData);
  AWALE_CHECK(place != std::string_view::npos, "the page has no place for data");
  const auto null = place + kNoReportData.find("null");
  std::string html(page.substr(0, null));
  html += script_text(data);
  html += page.substr(null + std::string_view("null").size());
  return html;
}

}  // namespace awale::training
