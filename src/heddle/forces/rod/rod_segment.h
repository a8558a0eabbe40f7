#pragma once

#include <heddle/forces/rod/turning_math.h>

namespace heddle::rod {

/// One segment whose frame follows its direction: as it is now, relative to the frame at the end of the last
/// step. In that frame the last direction is e3.
template <class S>
struct SegmentNow {
  Triple<S> s;       // direction now, in the last frame
  S inverse_length;  // 1/m
  S sine, cosine;    // of the turn about d3
  Turn<S> turn;      // from the last frame to the one now
};

/// Explicit steps ask for forces where nothing has turned yet.
inline Turn<double> turn_about_d3(double angle) {
  if (angle == 0) return {0, 0, 0, 1};
  return {0, 0, std::sin(0.5 * angle), std::cos(0.5 * angle)};
}
template <class S>
Turn<S> turn_about_d3(const S& angle) {
  return {S(0.0), S(0.0), sin(0.5 * angle), cos(0.5 * angle)};
}

/// `edge` in the last frame, `angle` about d3 in rad.
template <class S>
SegmentNow<S> segment_now(const Triple<S>& edge, const S& angle) {
  using std::sqrt;
  SegmentNow<S> now;
  now.inverse_length = 1.0 / sqrt(dot(edge, edge));
  now.s = scaled(now.inverse_length, edge);
  // The shortest rotation from e3 to s is (e3 x s, 1 + e3.s), normalised.
  const S n = 1.0 / sqrt(2.0 * (1.0 + now.s[2]));
  const S m0 = -now.s[1] * n, m1 = now.s[0] * n, m3 = (1.0 + now.s[2]) * n;
  const Turn<S> own = turn_about_d3(angle);
  const S &hs = own[2], &hc = own[3];
  now.turn = {m0 * hc + m1 * hs, m1 * hc - m0 * hs, m3 * hs, m3 * hc};
  now.sine = 2.0 * hs * hc;
  now.cosine = hc * hc - hs * hs;
  return now;
}

/// What a moment on the frame (N m, in its own axes) does to the edge: a force (N, in the last frame). With
/// dphi = s x ds + s (dangle + g . ds) and g = -(e3 x s) / (1 + e3.s), the twist of the shortest rotation,
/// it is (R moment x s + moment_3 g) / |edge|.
template <class S>
Triple<S> force_on_edge(const SegmentNow<S>& now, const Triple<S>& moment) {
  const S b1 = moment[0] * now.cosine - moment[1] * now.sine;
  const S b2 = moment[0] * now.sine + moment[1] * now.cosine;
  const S across = now.s[0] * b2 - now.s[1] * b1;
  const S k = 1.0 / (1.0 + now.s[2]);
  const S twist = moment[2] * k, bend = across * k;
  return scaled(now.inverse_length, Triple<S>{b2 - now.s[0] * bend + now.s[1] * twist,
                                              -b1 - now.s[1] * bend - now.s[0] * twist, -across});
}

/// The angular velocity of the frame in its own axes (rad/s), if the edge changes by `rate` (m/s, in the last
/// frame): what force_on_edge() is the transpose of.
template <class S>
Triple<S> angular_velocity(const SegmentNow<S>& now, const Triple<S>& rate, const S& angle_rate) {
  const S k = 1.0 / (1.0 + now.s[2]);
  const S along = k * (now.s[0] * rate[0] + now.s[1] * rate[1]) + rate[2];
  const S b1 = now.inverse_length * (now.s[1] * along - rate[1]);
  const S b2 = now.inverse_length * (rate[0] - now.s[0] * along);
  const S twist = now.inverse_length * k * (now.s[1] * rate[0] - now.s[0] * rate[1]);
  return {b1 * now.cosine + b2 * now.sine, b2 * now.cosine - b1 * now.sine, twist + angle_rate};
}

}  // namespace heddle::rod
