#include <heddle/core/check.h>
#include <heddle/plot/canvas.h>

#include <cairo.h>

#include <array>
#include <numbers>

namespace heddle {

namespace {

constexpr double kPixels = 2;  // per unit

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(data, data + length);
  return CAIRO_STATUS_SUCCESS;
}

class PngCanvas final : public Canvas {
 public:
  PngCanvas(int width, int height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kPixels * width),
                                            static_cast<int>(kPixels * height))),
        cairo_(cairo_create(surface_)) {
    HEDDLE_CHECK_EQ(static_cast<int>(cairo_status(cairo_)), static_cast<int>(CAIRO_STATUS_SUCCESS));
    cairo_set_source_rgb(cairo_, 1, 1, 1);
    cairo_paint(cairo_);
    cairo_scale(cairo_, kPixels, kPixels);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_fill_rule(cairo_, CAIRO_FILL_RULE_EVEN_ODD);
  }
  ~PngCanvas() override {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  PngCanvas(const PngCanvas&) = delete;
  PngCanvas& operator=(const PngCanvas&) = delete;

  void line(std::span<const Vec2> points, const Stroke& stroke) override {
    if (points.size() < 2) return;
    follow(points);
    use(stroke.colour);
    cairo_set_line_width(cairo_, stroke.width);
    const std::array dashes{6.0, 4.0};
    cairo_set_dash(cairo_, dashes.data(), stroke.is_dashed ? 2 : 0, 0);
    cairo_stroke(cairo_);
  }

  void area(std::span<const std::vector<Vec2>> loops, const PlotColour& colour) override {
    for (const auto& loop : loops) {
      follow(loop);
      cairo_close_path(cairo_);
    }
    use(colour);
    cairo_fill(cairo_);
  }

  void disc(const Vec2& centre, double radius, const PlotColour& colour) override {
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, centre.x(), centre.y(), radius, 0, 2 * std::numbers::pi);
    use(colour);
    cairo_fill(cairo_);
  }

  void text(const Vec2& at, std::string_view text, const TextStyle& style) override {
    const std::string terminated(text);
    cairo_save(cairo_);
    cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           style.is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, style.size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, terminated.c_str(), &extents);
    constexpr std::array kShares{0.0, 0.5, 1.0};
    use(style.colour);
    cairo_translate(cairo_, at.x(), at.y());
    if (style.is_upright) cairo_rotate(cairo_, -0.5 * std::numbers::pi);
    cairo_move_to(cairo_, -kShares[static_cast<size_t>(style.anchor)] * extents.x_advance, 0);
    cairo_show_text(cairo_, terminated.c_str());
    cairo_new_path(cairo_);
    cairo_restore(cairo_);
  }

  void begin_clip(const PlotBox& box) override {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, box.left, box.top, box.width, box.height);
    cairo_clip(cairo_);
  }
  void end_clip() override { cairo_restore(cairo_); }

  std::string bytes() override {
    std::string result;
    const auto status = cairo_surface_write_to_png_stream(surface_, append, &result);
    HEDDLE_CHECK_EQ(static_cast<int>(status), static_cast<int>(CAIRO_STATUS_SUCCESS));
    return result;
  }

 private:
  void use(const PlotColour& colour) {
    cairo_set_source_rgba(cairo_, colour.red, colour.green, colour.blue, colour.opacity);
  }
  void follow(std::span<const Vec2> points) {
    cairo_new_sub_path(cairo_);
    for (const Vec2& p : points) cairo_line_to(cairo_, p.x(), p.y());
  }

  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(int width, int height) {
  return std::make_unique<PngCanvas>(width, height);
}

}  // namespace heddle
