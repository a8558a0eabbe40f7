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

/// `edge` in the last frame, `angle` about d3 in rad.
template <class S>
SegmentNow<S> segment_now(const Triple<S>& edge, const S& angle) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  SegmentNow<S> now;
  now.inverse_length = 1.0 / sqrt(dot(edge, edge));
  now.s = scaled(now.inverse_length, edge);
  // The shortest rotation from e3 to s is (e3 x s, 1 + e3.s), normalised.
  const S n = 1.0 / sqrt(2.0 * (1.0 + now.s[2]));
  const S m0 = -now.s[1] * n, m1 = now.s[0] * n, m3 = (1.0 + now.s[2]) * n;
  const S hs = sin(0.5 * angle), hc = cos(0.5 * angle);
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

}  // namespace heddle::rod
