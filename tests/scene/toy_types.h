#pragma once

#include <heddle/math/animated.h>
#include <heddle/scene/load.h>

#include <string>

namespace heddle::test {

struct Grid {
  std::array<double, 2> size{1, 1};
  int resolution = 10;
  static void describe(Describer<Grid>& d) {
    d.type("grid", "mesh", "A rectangle of triangles.");
    d.parameter("size", &Grid::size,
                {.unit = "m", .doc = "Width and height.", .minimum = 0, .above_minimum = true});
    d.parameter("resolution", &Grid::resolution,
                {.unit = "", .doc = "Cells along each side.", .minimum = 1, .maximum = 1000});
  }
};

struct MeshFile {
  std::string file;
  static void describe(Describer<MeshFile>& d) {
    d.type("file", "mesh", "A mesh read from a file.");
    d.parameter("file", &MeshFile::file, {.unit = "", .doc = "The file.", .required = true, .path = true});
  }
};

struct Sphere {
  double radius = 0.5;
  Vec3 centre{0, 0, 0};
  static void describe(Describer<Sphere>& d) {
    d.type("sphere", "shape", "A ball.");
    d.parameter("radius", &Sphere::radius,
                {.unit = "m", .doc = "Radius.", .minimum = 0, .above_minimum = true});
    d.parameter("centre", &Sphere::centre, {.unit = "m", .doc = "Centre."});
  }
};

struct ShapeFile {
  std::string file;
  static void describe(Describer<ShapeFile>& d) {
    d.type("file", "shape", "A closed mesh read from a file.");
    d.parameter("file", &ShapeFile::file, {.unit = "", .doc = "The file.", .required = true, .path = true});
  }
};

struct Wind {
  Animated<Vec3> velocity{Vec3::Zero()};
  Animated<double> gusts{0.0};
  static void describe(Describer<Wind>& d) {
    d.type("wind", "force", "Air that moves.");
    d.parameter("velocity", &Wind::velocity, {.unit = "m/s", .doc = "Velocity of the air."});
    d.parameter("gusts", &Wind::gusts, {.doc = "Strength of the gusts.", .minimum = 0, .maximum = 1});
  }
};

struct Hinge {
  bool curved = false;
  static void describe(Describer<Hinge>& d) {
    d.type("hinge", "bending", "Bending at the edges.");
    d.parameter("curved", &Hinge::curved, {.unit = "", .doc = "Whether the rest shape is curved."});
  }
};

struct Euler {
  double dt = 0.01;
  static void describe(Describer<Euler>& d) {
    d.type("euler", "integrator", "Fixed steps.");
    d.parameter("dt", &Euler::dt, {.unit = "s", .doc = "Time step.", .minimum = 0, .above_minimum = true});
  }
};

struct Fabric {
  double density = 0.2;
  double thickness = 0.0003;
  static void describe(Describer<Fabric>& d) {
    d.type("fabric", "material", "What cloth is made of.");
    d.parameter("density", &Fabric::density,
                {.unit = "kg/m2",
                 .doc = "Mass of a square metre.",
                 .minimum = 0,
                 .above_minimum = true,
                 .required = true});
    d.parameter("thickness", &Fabric::thickness, {.unit = "m", .doc = "Thickness.", .minimum = 0});
  }
};

struct Straight {
  double length = 1;
  static void describe(Describer<Straight>& d) {
    d.type("straight", "curve", "A straight line.");
    d.parameter("length", &Straight::length,
                {.unit = "m", .doc = "Length.", .minimum = 0, .above_minimum = true});
  }
};

struct Elastic {
  double radius = 0.01;
  static void describe(Describer<Elastic>& d) {
    d.type("elastic", "rod_material", "What rods are made of.");
    d.parameter("radius", &Elastic::radius,
                {.unit = "m", .doc = "Radius.", .minimum = 0, .above_minimum = true});
  }
};

/// A few types of each category, so that the scene language can be tested without any physics.
inline Catalogue toy_catalogue() {
  Catalogue catalogue;
  catalogue.add(description_of<Grid>());
  catalogue.add(description_of<MeshFile>());
  catalogue.add(description_of<Sphere>());
  catalogue.add(description_of<ShapeFile>());
  catalogue.add(description_of<Wind>());
  catalogue.add(description_of<Hinge>());
  catalogue.add(description_of<Euler>());
  catalogue.add(description_of<Fabric>());
  catalogue.add(description_of<Straight>());
  catalogue.add(description_of<Elastic>());
  return catalogue;
}

/// The errors of a scene text, or its warnings, or "" if there are none.
inline std::string messages_of(const std::string& text, const std::string& file = "a.json") {
  const Catalogue catalogue = toy_catalogue();
  const Result<LoadedScene> loaded = load_scene_text(text, file, catalogue);
  return loaded ? loaded->warnings.text() : loaded.errors().text();
}

}  // namespace heddle::test
