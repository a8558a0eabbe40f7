#pragma once

#include <heddle/core/result.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A number of an experiment. Times depend on the machine and are only shown.
struct Figure {
  std::string name;
  std::string published;  // empty if the source gives none
  std::string ours;
};

/// A statement of the source that can be true or false here.
struct Claim {
  std::string text;
  std::string published;
  std::string ours;
  bool holds = false;
};

struct Findings {
  std::vector<Figure> figures;
  std::vector<Claim> claims;

  bool all_hold() const;
};

/// How an experiment is run.
struct Effort {
  bool quick = false;  // smaller and shorter; not what was published
  int threads = 1;
  std::function<void(std::string_view)> progress = [](std::string_view) {};  // what is being done
};

/// A published experiment that can be run again.
struct Experiment {
  std::string_view id;  // begins with the name of the source
  std::string_view title;
  std::string_view source;  // where it stands
  std::string_view about;   // what was done there, and what is different here
  Result<Findings> (*run)(const Effort& effort) = nullptr;
};

/// All of them, by source and place in it.
std::span<const Experiment> experiments();

/// Null if there is none of this name.
const Experiment* find_experiment(std::string_view id);

}  // namespace heddle
