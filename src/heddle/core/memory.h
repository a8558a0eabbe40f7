#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// Memory that these vectors hold, without what their elements hold in turn.
template <class... T>
size_t bytes_of(const std::vector<T>&... vectors) {
  return (size_t{0} + ... + (vectors.capacity() * sizeof(T)));
}

/// Gives back what vectors hold beyond their size.
template <class... T>
void shrink(std::vector<T>&... vectors) {
  (vectors.shrink_to_fit(), ...);
}

}  // namespace heddle
