#include <heddle/render/lettering.h>

#include <array>
#include <cmath>

namespace heddle {
namespace {

using Vec2f = Eigen::Vector2f;

/// Strokes on a grid 4 wide and 6 high, y down: digits in pairs (x, y), strokes separated by blanks.
struct Glyph {
  char letter;
  std::string_view strokes;
};

constexpr std::array<Glyph, 44> kGlyphs{{
    {'0', "103041453616050110"},
    {'1', "112026 1636"},
    {'2', "01103041420646"},
    {'3', "0110304142334445361605 1333"},
    {'4', "3630044446 3444"},
    {'5', "400002324345361605"},
    {'6', "301001051636454433130304"},
    {'7', "004016"},
    {'8', "10304142330201 0110 3344453616050402 3313"},
    {'9', "163645413010010213334243"},
    {'+', "2125 0343"},
    {'-', "0343"},
    {'.', "2626"},
    {'/', "0640"},
    {'%', "0640 0010110100 3545463635"},
    {'A', "062046 0444"},
    {'B', "00063645443303 0030414233"},
    {'C', "4130100105163645"},
    {'D', "00062645412000"},
    {'E', "40000646 0333"},
    {'F', "400006 0333"},
    {'G', "4130100105163645434323"},
    {'H', "0006 4046 0343"},
    {'I', "1030 2026 1636"},
    {'J', "3035261605"},
    {'K', "0006 4003 0346"},
    {'L', "000646"},
    {'M', "0600234046"},
    {'N', "06004640"},
    {'O', "1030414536160501 0110"},
    {'P', "06003041423303"},
    {'Q', "1030414536160501 0110 2446"},
    {'R', "06003041423303 2346"},
    {'S', "4130100102133344453616 1605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "002640"},
    {'W', "0016233640"},
    {'X', "0046 4006"},
    {'Y', "002340 2326"},
    {'Z', "00400646"},
    {'e', "04444332120305163645"},
    {'m', "0602 03122326 23324346"},
    {'s', "4212031434453606"},
}};

constexpr float kAdvance = 5.6f;  // grid units from letter to letter
constexpr float kStroke = 0.42f;  // half width of a stroke in grid units

std::string_view strokes_of(char letter) {
  for (const Glyph& glyph : kGlyphs)
    if (glyph.letter == letter) return glyph.strokes;
  return {};
}

float distance_to_segment(const Vec2f& point, const Vec2f& a, const Vec2f& b) {
  const Vec2f along = b - a;
  const float length = along.squaredNorm();
  const float t = length > 0 ? std::clamp((point - a).dot(along) / length, 0.0f, 1.0f) : 0.0f;
  return (point - a - t * along).norm();
}

/// Distance in grid units from the nearest stroke.
float distance_to_glyph(std::string_view strokes, const Vec2f& point) {
  float nearest = 1e9f;
  Vec2f last(0, 0);
  bool pen_down = false;
  for (size_t i = 0; i + 1 < strokes.size();) {
    if (strokes[i] == ' ') {
      pen_down = false;
      ++i;
      continue;
    }
    const Vec2f next(static_cast<float>(strokes[i] - '0'), static_cast<float>(strokes[i + 1] - '0'));
    nearest = std::min(nearest, distance_to_segment(point, pen_down ? last : next, next));
    last = next;
    pen_down = true;
    i += 2;
  }
  return nearest;
}

void blend(Image& image, int x, int y, const Vec3f& colour, float opacity) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || opacity <= 0) return;
  for (int channel = 0; channel < 3; ++channel) {
    std::uint8_t& byte =
        image.rgb[3 * (static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x)) +
                  static_cast<size_t>(channel)];
    const float mixed = (1 - opacity) * static_cast<float>(byte) + opacity * 255 * colour[channel];
    byte = static_cast<std::uint8_t>(std::clamp(mixed + 0.5f, 0.0f, 255.0f));
  }
}

void draw_glyph(Image& image, std::string_view strokes, float x, float y, float unit, const Vec3f& colour) {
  const int border = static_cast<int>(unit) + 2;
  const int left = static_cast<int>(x) - border, right = static_cast<int>(x + 4 * unit) + border;
  const int top = static_cast<int>(y) - border, bottom = static_cast<int>(y + 6 * unit) + border;
  for (int py = top; py <= bottom; ++py) {
    for (int px = left; px <= right; ++px) {
      const Vec2f point((static_cast<float>(px) + 0.5f - x) / unit,
                        (static_cast<float>(py) + 0.5f - y) / unit);
      const float outside = (distance_to_glyph(strokes, point) - kStroke) * unit;
      blend(image, px, py, colour, std::clamp(0.5f - outside, 0.0f, 1.0f));
    }
  }
}

}  // namespace

void draw_text(Image& image, std::string_view text, float x, float y, float height, const Vec3f& colour) {
  const float unit = height / 6;
  for (char letter : text) {
    const std::string_view strokes = strokes_of(letter);
    if (!strokes.empty()) draw_glyph(image, strokes, x, y, unit, colour);
    x += kAdvance * unit;
  }
}

float text_width(std::string_view text, float height) {
  if (text.empty()) return 0;
  return (kAdvance * static_cast<float>(text.size()) - (kAdvance - 4)) * height / 6;
}

void draw_box(Image& image, float x, float y, float width, float height, float radius, const Vec3f& colour,
              float opacity) {
  const Vec2f half(0.5f * width - radius, 0.5f * height - radius);
  for (int py = static_cast<int>(y) - 1; py <= static_cast<int>(y + height) + 1; ++py) {
    for (int px = static_cast<int>(x) - 1; px <= static_cast<int>(x + width) + 1; ++px) {
      const Vec2f centred(static_cast<float>(px) + 0.5f - x - 0.5f * width,
                          static_cast<float>(py) + 0.5f - y - 0.5f * height);
      const Vec2f beyond = centred.cwiseAbs() - half;
      const float distance = beyond.cwiseMax(0.0f).norm() + std::min(0.0f, beyond.maxCoeff()) - radius;
      blend(image, px, py, colour, opacity * std::clamp(0.5f - distance, 0.0f, 1.0f));
    }
  }
}

}  // namespace heddle
