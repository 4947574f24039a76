#include "training/interrupt.hpp"

#include <csignal>

namespace awale::training {
namespace {

// The one mutable global: a signal handler can reach nothing else.
volatile std::sig_atomic_t interrupt_flag = 0;

extern "C" void note_interrupt(int) {
  interrupt_flag = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void watch_interrupt() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

bool interrupted() {
  return interrupt_flag != 0;
}

}  // namespace awale::training
