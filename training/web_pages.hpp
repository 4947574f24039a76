// The pages of `awale serve` and `awale report`, part of the program: built from web/, one
// self-contained file each (web/README.md).
#pragma once

#include <string_view>

namespace awale::training {

std::string_view play_page();

// A template: the data of a report belong where it holds kNoReportData.
inline constexpr std::string_view kNoReportData =
    "<script id=\"awale-data\" type=\"application/json\">null</script>";
std::string_view report_page();

}  // namespace awale::training
