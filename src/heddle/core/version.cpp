#include <heddle/core/version.h>

namespace heddle {

const char* version() {
  return HEDDLE_VERSION;
}

}  // namespace heddle
