#include "training/web_pages.hpp"

// C++ has no #embed yet; the assembler reads the files. AWALE_PAGES: the folder that they are in.
asm(".section .rodata\n"
    ".global awale_play_page_begin, awale_play_page_end\n"
    "awale_play_page_begin:\n"
    ".incbin \"" AWALE_PAGES
    "/play.html\"\n"
    "awale_play_page_end:\n"
    ".global awale_report_page_begin, awale_report_page_end\n"
    "awale_report_page_begin:\n"
    ".incbin \"" AWALE_PAGES
    "/report.html\"\n"
    "awale_report_page_end:\n"
    ".previous\n");

// NOLINTBEGIN(readability-identifier-naming): names of the assembler
extern "C" const char awale_play_page_begin[], awale_play_page_end[];
extern "C" const char awale_report_page_begin[], awale_report_page_end[];
// NOLINTEND(readability-identifier-naming)

namespace awale::training {

std::string_view play_page() {
  return {awale_play_page_begin, awale_play_page_end};
}

std::string_view report_page() {
  return {awale_report_page_begin, awale_report_page_end};
}

}  // namespace awale::training
