#include "interrupt.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace heddle::cli {

namespace {

volatile std::sig_atomic_t arrived = 0;

void note_interrupt(int signal) {
  arrived = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

bool is_interrupted() {
  return arrived != 0;
}

int interrupt_signal() {
  return arrived;
}

void wait_for_interrupt() {
  while (!is_interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace heddle::cli
