#pragma once

#include <heddle/sim/registry.h>

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace heddle::test {

/// A cloth to try force terms on.
enum class Sample { flat, curved, grid, one_triangle, one_hinge, many_chunks, many_cells };

/// Anisotropic fabric, weft turned against the mesh; `curved` keeps a dented half cylinder as its rest shape.
/// `grid` and `many_cells` are regular, with the weft along their rows.
PreparedCloth sample_cloth(Sample sample);

using Vectors = std::vector<Vec3>;

/// A term by name, or null if it refuses the cloth or is none; "gravity" and the variants are known besides
/// the registry.
std::unique_ptr<ForceTerm> make_term(const std::string& type, const PreparedCloth& cloth);
/// `part`: which of the terms of a model that has several.
std::unique_ptr<ForceTerm> make_term(const Entity& entity, const PreparedCloth& cloth, size_t part = 0);
/// "gravity", every type of the registry, and types of it with parameters that are not the default ones.
std::vector<std::string> all_term_types();
/// Derivatives of unilateral springs and dampers jump.
bool is_smooth(const std::string& type);
/// Free dampers resist rotation, too.
bool damps_rotation(const std::string& type);

/// The mesh with every vertex moved by up to `noise` times the mean edge, scaled in its plane by `stretch`,
/// bent and turned.
Vectors deformed(const PreparedCloth& cloth, double stretch, double noise, std::uint64_t seed);
Vectors random_velocities(size_t count, std::uint64_t seed);
RigidTransform random_motion(std::uint64_t seed);
double mean_edge(const PreparedCloth& cloth);

/// Everything a term says about one configuration.
struct Response {
  Vectors force, stiffness_velocity;
  Eigen::MatrixXd matrix;
};
Response linearise(ForceTerm& term, const Vectors& x, const Vectors& v, double stiffness, double damping,
                   JacobianForm form);
Vectors force_of(const ForceTerm& term, const Vectors& x, const Vectors& v);

Eigen::VectorXd flatten(const Vectors& values);
double largest(const Vectors& values);
double largest_difference(const Vectors& a, const Vectors& b);

}  // namespace heddle::test
