// The benchmark scene "drape on a sphere", simulated by Bullet's position-based btSoftBody.
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr double kClothSize = 1.0;
constexpr double kClothMass = 0.2;
constexpr double kClothHeight = 0.22;
constexpr double kSphereRadius = 0.2;
constexpr double kFriction = 0.3;
constexpr double kGravity = 9.81;
constexpr double kFramesPerSecond = 25.0;
constexpr double kCollisionMargin = 0.005;
// Bullet samples the sphere into a distance grid; its default of 0.25 m is coarser than the sphere.
constexpr double kDistanceVoxel = 0.02;
// Share of a bending link's error that one substep removes, whatever the number of iterations.
constexpr double kBendingPerSubstep = 0.2;

struct Options {
  int grid = 51;
  int iterations = 10;
  int substeps = 4;
  int frames = 50;
  bool json = false;
};

struct Edge {
  int a;
  int b;
};

struct Measurement {
  double seconds = 0;
  double strain_all = 0;
  double strain_second_half = 0;
  double strain_last = 0;
  double lowest = 0;
  double highest = 0;
};

int parse_count(std::string_view name, std::string_view text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw std::invalid_argument(std::string(name) + " wants a whole number from " + std::to_string(least) +
                                " to " + std::to_string(most) + ", not '" + std::string(text) + "'");
  }
  return value;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  if (name == "--grid") {
    options.grid = parse_count(name, value, 3, 2001);
  } else if (name == "--iterations") {
    options.iterations = parse_count(name, value, 1, 100000);
  } else if (name == "--substeps") {
    options.substeps = parse_count(name, value, 1, 1000);
  } else if (name == "--frames") {
    options.frames = parse_count(name, value, 1, 100000);
  } else {
    throw std::invalid_argument("unknown option '" + std::string(name) + "'");
  }
}

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json") {
      options.json = true;
      continue;
    }
    const std::string_view value = i + 1 < arguments.size() ? arguments[i + 1] : std::string_view();
    set_option(options, arguments[i], value);
    ++i;
  }
  return options;
}

// Owns the Bullet objects; the members are declared in the order in which they depend on each other.
class World {
 public:
  World() : world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const btVector3 gravity(0, 0, btScalar(-kGravity));
    world_.setGravity(gravity);
    btSoftBodyWorldInfo& info = world_.getWorldInfo();
    info.m_gravity = gravity;
    info.air_density = 0;
    info.m_sparsesdf.setDefaultVoxelsz(btScalar(kDistanceVoxel));
    // The new size takes effect only at a reset.
    info.m_sparsesdf.Reset();
    add_sphere();
  }
  ~World() {
    if (cloth_) world_.removeSoftBody(cloth_.get());
    world_.removeRigidBody(&sphere_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  btSoftBodyWorldInfo& info() { return world_.getWorldInfo(); }

  void add_cloth(std::unique_ptr<btSoftBody> cloth) {
    cloth_ = std::move(cloth);
    world_.addSoftBody(cloth_.get());
  }

  // Zero as the number of substeps makes Bullet advance by exactly dt instead of its own fixed step.
  void step(double dt) { world_.stepSimulation(btScalar(dt), 0); }

  const btSoftBody& cloth() const { return *cloth_; }

 private:
  void add_sphere() {
    sphere_.setFriction(btScalar(kFriction));
    world_.addRigidBody(&sphere_);
  }

  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSoftRigidDynamicsWorld world_;
  btSphereShape sphere_shape_{btScalar(kSphereRadius)};
  btRigidBody sphere_{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &sphere_shape_)};
  std::unique_ptr<btSoftBody> cloth_;
};

std::vector<btVector3> grid_positions(int grid) {
  std::vector<btVector3> positions;
  positions.reserve(std::size_t(grid) * grid);
  const double spacing = kClothSize / (grid - 1);
  for (int j = 0; j < grid; ++j) {
    for (int i = 0; i < grid; ++i) {
      const double x = i * spacing - kClothSize / 2;
      const double y = j * spacing - kClothSize / 2;
      positions.emplace_back(btScalar(x), btScalar(y), btScalar(kClothHeight));
    }
  }
  return positions;
}

// Every pair of grid vertices that lies (di, dj) apart.
std::vector<Edge> grid_pairs(int grid, int di, int dj) {
  std::vector<Edge> pairs;
  for (int j = 0; j + dj < grid; ++j) {
    for (int i = std::max(0, -di); i + std::max(0, di) < grid; ++i) {
      pairs.push_back({j * grid + i, (j + dj) * grid + i + di});
    }
  }
  return pairs;
}

std::vector<Edge> structural_edges(int grid) {
  std::vector<Edge> edges = grid_pairs(grid, 1, 0);
  const std::vector<Edge> across = grid_pairs(grid, 0, 1);
  edges.insert(edges.end(), across.begin(), across.end());
  return edges;
}

void append_links(btSoftBody& cloth, const std::vector<Edge>& edges, btSoftBody::Material* material) {
  for (const Edge& edge : edges) cloth.appendLink(edge.a, edge.b, material);
}

void append_faces(btSoftBody& cloth, int grid) {
  for (int j = 0; j + 1 < grid; ++j) {
    for (int i = 0; i + 1 < grid; ++i) {
      const int a = j * grid + i;
      cloth.appendFace(a, a + 1, a + grid + 1);
      cloth.appendFace(a, a + grid + 1, a + grid);
    }
  }
}

btSoftBody::Material* append_material(btSoftBody& cloth, double stiffness) {
  btSoftBody::Material* material = cloth.appendMaterial();
  material->m_kLST = btScalar(stiffness);
  return material;
}

void configure(btSoftBody& cloth, int iterations) {
  cloth.m_cfg.piterations = iterations;
  cloth.m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
  // Bullet multiplies the two bodies' coefficients: the sphere's friction is the pair's.
  cloth.m_cfg.kDF = 1;
  // Static bodies use the kinetic hardness; at its default of 0.1 the cloth sinks into the sphere.
  cloth.m_cfg.kKHR = 1;
  cloth.m_cfg.kCHR = 1;
  cloth.m_cfg.kDP = 0;
  cloth.m_cfg.kDG = 0;
  cloth.m_cfg.kLF = 0;
  cloth.getCollisionShape()->setMargin(btScalar(kCollisionMargin));
  cloth.setActivationState(DISABLE_DEACTIVATION);
}

// Not btSoftBodyHelpers::CreatePatch: it makes one diagonal per cell, and generateBendingConstraints
// allocates a table of vertices squared. The structural links come last: Bullet solves links in this order,
// and the measured strain is theirs (with randomizeConstraints it is more than twice as large).
std::unique_ptr<btSoftBody> make_cloth(btSoftBodyWorldInfo& info, const Options& options) {
  const std::vector<btVector3> positions = grid_positions(options.grid);
  auto cloth = std::make_unique<btSoftBody>(&info, int(positions.size()), positions.data(), nullptr);
  btSoftBody::Material* stretch = append_material(*cloth, 1.0);
  btSoftBody::Material* bend =
      append_material(*cloth, 1 - std::pow(1 - kBendingPerSubstep, 1.0 / options.iterations));
  append_links(*cloth, grid_pairs(options.grid, 2, 0), bend);
  append_links(*cloth, grid_pairs(options.grid, 0, 2), bend);
  append_links(*cloth, grid_pairs(options.grid, 1, 1), stretch);
  append_links(*cloth, grid_pairs(options.grid, -1, 1), stretch);
  append_links(*cloth, structural_edges(options.grid), stretch);
  append_faces(*cloth, options.grid);
  configure(*cloth, options.iterations);
  cloth->setTotalMass(btScalar(kClothMass), true);
  return cloth;
}

double largest_stretch(const btSoftBody& cloth, const std::vector<Edge>& edges, double rest_length) {
  double largest = 0;
  for (const Edge& edge : edges) {
    const btVector3 along = cloth.m_nodes[edge.b].m_x - cloth.m_nodes[edge.a].m_x;
    largest = std::max(largest, along.length() / rest_length - 1);
  }
  return largest;
}

void measure_height(const btSoftBody& cloth, Measurement& measured) {
  measured.lowest = measured.highest = cloth.m_nodes[0].m_x.z();
  for (int i = 0; i < cloth.m_nodes.size(); ++i) {
    const double z = cloth.m_nodes[i].m_x.z();
    // Negated so that a position that is not a number is caught as well.
    if (!(std::abs(z) < 1e6)) throw std::runtime_error("the simulation diverged");
    measured.lowest = std::min(measured.lowest, z);
    measured.highest = std::max(measured.highest, z);
  }
}

double timed_frame(World& world, int substeps) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < substeps; ++i) world.step(1 / (kFramesPerSecond * substeps));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Measurement run(const Options& options) {
  World world;
  world.add_cloth(make_cloth(world.info(), options));
  const std::vector<Edge> edges = structural_edges(options.grid);
  Measurement measured;
  for (int frame = 0; frame < options.frames; ++frame) {
    measured.seconds += timed_frame(world, options.substeps);
    measured.strain_last = largest_stretch(world.cloth(), edges, kClothSize / (options.grid - 1));
    measured.strain_all = std::max(measured.strain_all, measured.strain_last);
    if (2 * frame >= options.frames) {
      measured.strain_second_half = std::max(measured.strain_second_half, measured.strain_last);
    }
  }
  measure_height(world.cloth(), measured);
  return measured;
}

std::string bullet_version() {
  return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

void print_json(const Options& options, const Measurement& measured) {
  std::printf(
      "{\"peer\":\"bullet\",\"version\":\"%s\",\"vertices\":%d,\"iterations\":%d,\"substeps\":%d,"
      "\"frames\":%d,\"threads\":1,\"seconds_per_frame\":%.6f,\"largest_strain\":%.6f,"
      "\"largest_strain_second_half\":%.6f,\"largest_strain_last\":%.6f,\"lowest_point\":%.5f,"
      "\"highest_point\":%.5f,\"on_sphere\":%s}\n",
      bullet_version().c_str(), options.grid * options.grid, options.iterations, options.substeps,
      options.frames, measured.seconds / options.frames, measured.strain_all, measured.strain_second_half,
      measured.strain_last, measured.lowest, measured.highest, measured.highest > 0 ? "true" : "false");
}

void print_text(const Options& options, const Measurement& measured) {
  std::printf(
      "Bullet %s, %d vertices, %d iterations: %.4f s per frame, strain at most %.2f %% "
      "(last frame %.2f %%), z from %.3f to %.3f m\n",
      bullet_version().c_str(), options.grid * options.grid, options.iterations,
      measured.seconds / options.frames, 100 * measured.strain_all, 100 * measured.strain_last,
      measured.lowest, measured.highest);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    const Measurement measured = run(options);
    options.json ? print_json(options, measured) : print_text(options, measured);
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "bullet_drape: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bullet_drape: %s\n", error.what());
    return 1;
  }
}
