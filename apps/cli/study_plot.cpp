#include "study_plot.h"

#include <heddle/core/text.h>

namespace heddle::cli {

Status check_plot(const std::string& name, bool overwrite) {
  if (name.empty()) return Done{};
  const std::filesystem::path file = name;
  Diagnostics errors;
  if (file.extension() != ".svg" && file.extension() != ".png")
    errors.error({}, "the plot " + in_quotes(name) + " is neither SVG nor PNG",
                 "give it a name that ends in .svg or .png");
  else if (std::filesystem::exists(file) && !overwrite)
    errors.error({}, in_quotes(name) + " exists", "add --overwrite, or choose another name");
  if (errors.has_errors()) return errors;
  return Done{};
}

}  // namespace heddle::cli
