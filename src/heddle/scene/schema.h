#pragma once

#include <heddle/core/description.h>

#include <string>

namespace heddle {

/// A JSON Schema (draft 7, which editors support best) of the whole scene language with the types of the
/// catalogue. What the schema accepts may still be refused for reasons that involve several values.
std::string json_schema(const Catalogue& catalogue);

}  // namespace heddle
