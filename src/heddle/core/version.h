#pragma once

namespace heddle {

/// "major.minor.patch" of this library.
const char* version();

}  // namespace heddle
