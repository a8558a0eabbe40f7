#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace heddle {

/// 64-bit hash that is fed piece by piece; not for security.
class Hash {
 public:
  void add_word(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
    state_ ^= state_ >> 29;
  }
  void add(double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    add_word(word);
  }
  void add_bytes(std::span<const std::byte> bytes) {
    size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, 8);
      add_word(word);
    }
    for (; i < bytes.size(); ++i) add_word(static_cast<std::uint64_t>(bytes[i]));
    add_word(bytes.size());
  }
  std::uint64_t value() const { return state_ ^ (state_ >> 32); }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325ull;
};

}  // namespace heddle
