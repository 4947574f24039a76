// The report of runs and games: one HTML file that holds the page and its data.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace awale::training {

// The page `page` with `data` in place of kNoReportData (web_pages.hpp). What is no UTF-8 in the
// data is replaced by U+FFFD.
std::string report_html(std::string_view page, const nlohmann::ordered_json& data);

}  // namespace awale::training
