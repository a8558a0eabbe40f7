#include <heddle/core/check.h>
#include <heddle/plot/canvas.h>

#include <array>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Where each row of the pattern is drawn.
std::vector<int> places_of(const SparsityPlot& plot) {
  const int rows = plot.pattern.row_count();
  std::vector<int> place(at(rows));
  HEDDLE_CHECK(plot.order.empty() || plot.order.size() == at(rows));
  for (int k = 0; k < rows; ++k) place[at(plot.order.empty() ? k : plot.order[at(k)])] = k;
  return place;
}

std::string counts_text(const BlockPattern& pattern) {
  return std::to_string(pattern.row_count()) + " rows, " + std::to_string(pattern.block_count()) +
         " blocks of 3 × 3";
}

/// One path for all dots, so that files stay small.
void draw_dots(Canvas& canvas, const SparsityPlot& plot, const PlotBox& box) {
  const std::vector<int> place = places_of(plot);
  const double cell = box.width / std::max(1, plot.pattern.row_count());
  const double gap = cell > 4 ? 0.12 * cell : 0;
  std::vector<std::vector<Vec2>> dots;
  for (int row = 0; row < plot.pattern.row_count(); ++row)
    for (int k = plot.pattern.row_start[at(row)]; k < plot.pattern.row_start[at(row) + 1]; ++k) {
      const double left = box.left + cell * place[at(plot.pattern.columns[at(k)])] + gap;
      const double top = box.top + cell * place[at(row)] + gap;
      const double right = left + cell - 2 * gap, bottom = top + cell - 2 * gap;
      dots.push_back({{left, top}, {right, top}, {right, bottom}, {left, bottom}});
    }
  canvas.area(dots, palette(0));
}

void draw(const SparsityPlot& plot, int width, Canvas& canvas) {
  const double top = plot.title.empty() ? 20 : 44;
  const PlotBox box{20, top, static_cast<double>(width - 40), static_cast<double>(width - 40)};
  canvas.text({box.left, 27}, plot.title, {.size = 15, .is_bold = true});
  const double cell = box.width / std::max(1, plot.pattern.row_count());
  for (const int first : plot.groups) {
    if (first == 0) continue;
    const double across = box.left + cell * first, down = box.top + cell * first;
    canvas.line(std::array{Vec2(across, box.top), Vec2(across, box.bottom())}, {palette(1), 1});
    canvas.line(std::array{Vec2(box.left, down), Vec2(box.right(), down)}, {palette(1), 1});
  }
  draw_dots(canvas, plot, box);
  canvas.line(std::array{Vec2(box.left, box.top), Vec2(box.right(), box.top), Vec2(box.right(), box.bottom()),
                         Vec2(box.left, box.bottom()), Vec2(box.left, box.top)},
              {kGrey});
  canvas.text({box.left, box.bottom() + 18}, counts_text(plot.pattern), {.size = 12});
}

}  // namespace

std::string render(const SparsityPlot& plot, PlotFormat format) {
  const int height = plot.size + (plot.title.empty() ? 10 : 34);
  return drawn(plot.size, height, format, [&](Canvas& canvas) { draw(plot, plot.size, canvas); });
}

}  // namespace heddle
