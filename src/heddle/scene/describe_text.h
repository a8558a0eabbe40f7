#pragma once

#include <heddle/core/description.h>
#include <heddle/scene/scene_types.h>

#include <span>
#include <string>
#include <string_view>

namespace heddle {

enum class DescribeFormat { text, json, markdown };

/// All types by category, each with its summary.
std::string describe_catalogue(const Catalogue& catalogue);
/// A type with its parameters (unit, default, range, meaning) and an example.
std::string describe_type(const TypeDescription& type, const Catalogue& catalogue);
/// The same for machines.
std::string describe_json(const Catalogue& catalogue);
std::string describe_json(const TypeDescription& type, const Catalogue& catalogue);
/// A page about all types.
std::string reference_markdown(const Catalogue& catalogue);

/// What `name` means: "grid", "mesh.grid", a category such as "mesh", or "" for everything.
/// A type name that several categories have gives all of them; an unknown one is an error with the nearest
/// name, also out of `other_names` that the caller knows.
Result<std::string> describe(const Catalogue& catalogue, std::string_view name,
                             DescribeFormat format = DescribeFormat::text,
                             std::span<const std::string> other_names = {});

/// One object of a type with its values, such as a fabric that comes with Heddle.
struct DescribedObject {
  std::string name;
  std::string summary;
  std::string source;  // where the values come from
  const TypeDescription& type;
  const void* object;
};
std::string describe_object(const DescribedObject& described, DescribeFormat format = DescribeFormat::text);

}  // namespace heddle
