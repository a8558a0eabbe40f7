#pragma once

#include <heddle/reproduce/experiment.h>

namespace heddle {

/// An experiment and what came of it.
struct Reproduction {
  const Experiment* experiment = nullptr;
  bool quick = false;
  Findings findings;
};

/// One page that opens from disk: for each experiment a table of figures, published beside ours, and the
/// claims with whether they hold.
std::string html_report(std::span<const Reproduction> reproductions);

}  // namespace heddle
