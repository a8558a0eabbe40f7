#include <heddle/collision/broad/test_task.h>

namespace heddle {

void TestTask::reset() {
  stack.clear();
  found.clear();
  visits = volume_tests = triangle_pairs = flat_patches = 0;
  next = nullptr;
  scratch = nullptr;
}

TestTask& TaskStore::add() {
  const std::lock_guard lock(mutex_);
  if (used_ == tasks_.size()) tasks_.emplace_back();
  TestTask& task = tasks_[used_++];
  task.reset();
  return task;
}

void concatenate(const TestTask& first, CandidatePairs& out) {
  size_t vertices = 0, edges = 0;
  for (const TestTask* task = &first; task; task = task->next) {
    vertices += task->found.vertex_triangle.size();
    edges += task->found.edge_edge.size();
  }
  out.clear();
  out.vertex_triangle.reserve(vertices);
  out.edge_edge.reserve(edges);
  for (const TestTask* task = &first; task; task = task->next) {
    const CandidatePairs& found = task->found;
    out.vertex_triangle.insert(out.vertex_triangle.end(), found.vertex_triangle.begin(),
                               found.vertex_triangle.end());
    out.edge_edge.insert(out.edge_edge.end(), found.edge_edge.begin(), found.edge_edge.end());
  }
}

}  // namespace heddle
