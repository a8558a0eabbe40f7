#pragma once

#include <heddle/core/check.h>
#include <heddle/parallel/scheduler.h>

#include <cstdint>
#include <vector>

namespace heddle {

/// Work is cut into chunks of this many items whatever the number of threads, so that sums taken chunk by
/// chunk, in order, do not depend on it.
inline constexpr int kChunkSize = 1024;

inline int chunk_count(int items, int chunk_size = kChunkSize) {
  return (items + chunk_size - 1) / chunk_size;
}

/// Calls body(begin, end, chunk) for every chunk of [0, items), in parallel.
template <class Body>
void for_chunks(int items, const Body& body, int chunk_size = kChunkSize) {
  const int chunks = chunk_count(items, chunk_size);
  if (chunks <= 0) return;
  const auto run = [&](int chunk) {
    const int begin = chunk * chunk_size;
    const int end = begin + chunk_size < items ? begin + chunk_size : items;
    body(begin, end, chunk);
  };
  if (chunks == 1) return run(0);
  for_ranges(chunks, [&](int first, int last) {
    for (int chunk = first; chunk != last; ++chunk) run(chunk);
  });
}

/// Calls body(i) for every i in [0, items), in parallel.
template <class Body>
void parallel_for(int items, const Body& body, int chunk_size = kChunkSize) {
  for_chunks(
      items,
      [&](int begin, int end, int) {
        for (int i = begin; i < end; ++i) body(i);
      },
      chunk_size);
}

/// Sum of body(begin, end) over fixed chunks, added in order: the same bits for any number of threads.
/// `partial` is scratch that the caller keeps, so that no memory is taken per call.
template <class T, class Body>
T ordered_sum(int items, T zero, std::vector<T>& partial, const Body& body, int chunk_size = kChunkSize) {
  partial.assign(static_cast<size_t>(chunk_count(items, chunk_size)), zero);
  for_chunks(
      items, [&](int begin, int end, int chunk) { partial[static_cast<size_t>(chunk)] = body(begin, end); },
      chunk_size);
  T sum = zero;
  for (const T& part : partial) sum += part;
  return sum;
}

}  // namespace heddle
