#pragma once

namespace heddle::cli {

/// From now on SIGINT and SIGTERM only set a flag; a second SIGINT ends the program at once.
void catch_interrupts();
bool is_interrupted();
/// Sleeps until a signal has arrived.
void wait_for_interrupt();

}  // namespace heddle::cli
