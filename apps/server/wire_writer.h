#pragma once

#include <bit>
#include <cstring>
#include <string>

namespace heddle {

static_assert(std::endian::native == std::endian::little, "the wire format is written as it lies in memory");

/// Appends plain values to a string of bytes.
class WireWriter {
 public:
  explicit WireWriter(size_t capacity = 0) { bytes_.reserve(capacity); }

  template <class T>
  void put(T value) {
    append(&value, sizeof value);
  }
  template <class T>
  void put_array(const T* data, size_t count) {
    append(data, count * sizeof(T));
  }
  void align(size_t unit, char fill = 0) {
    while (bytes_.size() % unit != 0) bytes_.push_back(fill);
  }
  size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  void append(const void* data, size_t count) { bytes_.append(static_cast<const char*>(data), count); }
  std::string bytes_;
};

}  // namespace heddle
