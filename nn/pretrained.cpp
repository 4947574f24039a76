#include "nn/pretrained.hpp"

// C++ has no #embed yet; the assembler reads the file. AWALE_PRETRAINED_FILE: its path.
asm(".section .rodata\n"
    ".global awale_pretrained_begin, awale_pretrained_end\n"
    ".balign 16\n"
    "awale_pretrained_begin:\n"
    ".incbin \"" AWALE_PRETRAINED_FILE
    "\"\n"
    "awale_pretrained_end:\n"
    ".previous\n");

// NOLINTNEXTLINE(readability-identifier-naming): names of the assembler
extern "C" const std::byte awale_pretrained_begin[], awale_pretrained_end[];

namespace awale::nn {

std::span<const std::byte> pretrained_file() {
  return {awale_pretrained_begin, awale_pretrained_end};
}

}  // namespace awale::nn
