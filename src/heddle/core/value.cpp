#include <heddle/core/value.h>

#include <array>

namespace heddle {

const Value* Value::find(std::string_view key) const {
  for (const Member& member : object())
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string Value::kind_name() const {
  static constexpr std::array names{"null", "a boolean", "a number", "a string", "a list", "an object"};
  return names[content_.index()];
}

}  // namespace heddle
