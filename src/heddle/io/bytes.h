#pragma once

#include <heddle/core/check.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle {

static_assert(std::endian::native == std::endian::little, "Heddle's files are written as memory holds them");

/// Types whose bytes mean the same on every machine: numbers, and fixed arrays of them such as Vec3f.
template <class T>
concept PlainBytes = std::is_arithmetic_v<T> || requires {
  typename T::Scalar;
} || requires {
  typename T::value_type;
  std::tuple_size<T>::value;
};

/// Appends numbers to a string, little-endian.
class ByteWriter {
 public:
  template <PlainBytes T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// Without the length.
  template <PlainBytes T>
  void put_all(const std::vector<T>& values) {
    if (!values.empty())
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  /// A 64-bit length, then the elements.
  template <PlainBytes T>
  void put_array(const std::vector<T>& values) {
    put<std::uint64_t>(values.size());
    put_all(values);
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    bytes_ += text;
  }
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  /// Fills up with `filler` until the size is a multiple of `alignment`.
  void align(size_t alignment, char filler = '\0') {
    bytes_.append((alignment - bytes_.size() % alignment) % alignment, filler);
  }

  size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes little-endian numbers from untrusted bytes. Reading past the end yields zeros and clears ok();
/// lengths are compared with the bytes that are left before anything is allocated.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size(); }

  template <PlainBytes T>
  T get() {
    T value{};
    if (take(sizeof value)) std::memcpy(static_cast<void*>(&value), taken_.data(), sizeof value);
    return value;
  }
  template <PlainBytes T>
  std::vector<T> get_array() {
    std::vector<T> values;
    const auto count = get<std::uint64_t>();
    if (!fits(count, sizeof(T))) return values;
    values.resize(count);
    if (take(count * sizeof(T)) && count > 0)
      std::memcpy(static_cast<void*>(values.data()), taken_.data(), count * sizeof(T));
    return values;
  }
  std::string get_text() {
    const auto count = get<std::uint64_t>();
    return fits(count, 1) && take(count) ? std::string(taken_) : std::string();
  }
  /// A number of things that take at least `size` bytes each; 0 if that many cannot follow.
  size_t get_count(size_t size) {
    const auto count = get<std::uint64_t>();
    return fits(count, size) ? static_cast<size_t>(count) : 0;
  }

 private:
  bool fits(std::uint64_t count, size_t size) { return ok_ = ok_ && count <= bytes_.size() / size; }
  bool take(size_t size) {
    ok_ = ok_ && size <= bytes_.size();
    if (!ok_) return false;
    taken_ = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return true;
  }

  std::string_view bytes_;
  std::string_view taken_;
  bool ok_ = true;
};

}  // namespace heddle
