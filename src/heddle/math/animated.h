#pragma once

#include <heddle/math/rigid_transform.h>
#include <heddle/math/value_traits.h>

#include <algorithm>
#include <vector>

namespace heddle {

/// A value that is constant or follows key frames. In a scene: the bare value, or
/// {"times": [0, 1], "values": [a, b], "interpolation": "linear" | "smooth"}.
/// Before the first and after the last key the value stays; "smooth" passes every key with zero velocity.
template <class T>
struct Animated {
  std::vector<double> times{0.0};  // s, ascending
  std::vector<T> values;
  std::string interpolation = "linear";

  Animated() = default;
  explicit Animated(T constant) : values{std::move(constant)} {}

  bool is_constant() const { return values.size() == 1; }

  T at(double time) const {
    if (is_constant() || time <= times.front()) return values.front();
    if (time >= times.back()) return values.back();
    const size_t next =
        static_cast<size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    double s = (time - times[next - 1]) / (times[next] - times[next - 1]);
    if (interpolation == "smooth") s = s * s * (3 - 2 * s);
    return values[next - 1] + s * (values[next] - values[next - 1]);
  }
};

/// Key frames as a scene writes them.
template <class T>
struct KeyFrames {
  std::vector<double> times;  // s
  std::vector<T> values;
  std::string interpolation = "linear";

  static void describe(Describer<KeyFrames>& d) {
    describe(d, {.unit = "", .doc = "One value for each time, of the parameter's own kind."});
  }
  /// With what is known of the parameter that the values are for.
  static void describe(Describer<KeyFrames>& d, ParameterOptions value_options) {
    d.type("key_frames", "part", "Values at given times; may stand for the value of any animated parameter.");
    d.example(
        R"({"times": [0, 0.5, 2], "values": [[0, 0, 0], [0, 0, 1], [2, 0, 1]], "interpolation": "smooth"})");
    d.parameter("times", &KeyFrames::times,
                {.unit = "s", .doc = "Ascending times of the keys.", .required = true});
    value_options.required = true;
    d.parameter("values", &KeyFrames::values, std::move(value_options));
    d.parameter("interpolation", &KeyFrames::interpolation,
                {.unit = "",
                 .doc = "\"linear\" goes straight from key to key, \"smooth\" rests at every key.",
                 .choices = {"linear", "smooth"}});
  }
};

template <class T>
struct ValueTraits<Animated<T>> {
  static Shape shape(const ParameterOptions& options) {
    return {.kind = Shape::Kind::any_of,
            .inner = {ValueTraits<T>::shape(options), {.kind = Shape::Kind::object, .type = "key_frames"}}};
  }
  static bool read(const Value& value, Animated<T>& out, const ParameterOptions& options,
                   ReadContext& context);
  static std::string write(const Animated<T>& value) {
    return value.values.empty() ? std::string() : ValueTraits<T>::write(value.values.front());
  }
};

template <class T>
bool ValueTraits<Animated<T>>::read(const Value& value, Animated<T>& out, const ParameterOptions& options,
                                    ReadContext& context) {
  if (!value.is_object()) {
    T constant{};
    if (!ValueTraits<T>::read(value, constant, options, context)) return false;
    out = Animated<T>(constant);
    return true;
  }
  KeyFrames<T> keys;
  TypeDescription type;
  Describer<KeyFrames<T>> describer(type);
  KeyFrames<T>::describe(describer, options);
  if (!read_object(value, type, &keys, context)) return false;
  const size_t before = context.diagnostics.error_count();
  if (keys.times.empty() && keys.values.empty())
    context.diagnostics.error(value.where, "key frames need at least one time and its value",
                              "both lists are empty: add a key, or write the bare value");
  else if (keys.times.size() != keys.values.size())
    context.diagnostics.error(value.where, "key frames need as many values as times",
                              "found " + std::to_string(keys.times.size()) + " times and " +
                                  std::to_string(keys.values.size()) + " values");
  if (std::adjacent_find(keys.times.begin(), keys.times.end(), std::greater_equal<>()) != keys.times.end())
    context.diagnostics.error(value.where, "the times of key frames must ascend",
                              "sort the keys by time and remove doubled ones");
  if (context.diagnostics.error_count() > before) return false;
  out.times = keys.times;
  out.values = keys.values;
  out.interpolation = keys.interpolation;
  return true;
}

/// A rigid motion over time: first the rotation about the origin of the moved thing, then the translation.
struct Motion {
  Animated<Vec3> translation{Vec3::Zero()};  // m
  Animated<Vec3> rotation{Vec3::Zero()};     // axis times angle in degrees

  static void describe(Describer<Motion>& d) {
    d.type("motion", "part", "A rigid motion, constant or key-framed.");
    d.parameter("translation", &Motion::translation, {.unit = "m", .doc = "Where the origin moves."});
    d.parameter("rotation", &Motion::rotation,
                {.unit = "deg", .doc = "Rotation about the origin: axis times angle."});
  }

  RigidTransform at(double time) const {
    return {rotation_from_degrees(rotation.at(time)), translation.at(time)};
  }
};

}  // namespace heddle
