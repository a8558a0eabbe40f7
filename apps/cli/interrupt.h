#pragma once

namespace heddle::cli {

/// From now on SIGINT and SIGTERM are only noted; a second one ends the program at once.
void catch_interrupts();
bool is_interrupted();
/// The signal that arrived; 0 if none did.
int interrupt_signal();
/// Sleeps until a signal has arrived.
void wait_for_interrupt();

}  // namespace heddle::cli
