#include <heddle/reproduce/experiment.h>

#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/eurographics.h>
#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/thomaszewski.h>

#include <algorithm>
#include <array>

namespace heddle {

bool Findings::all_hold() const {
  return std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.holds; });
}

namespace {

std::span<const Experiment> thomaszewski_experiments() {
  static constexpr std::array kAll{
      Experiment{"thomaszewski-2.4-impulses", "Impulses stop what approaches", "Thomaszewski 2010, 2.4.2",
                 "Random pairs of vertex and triangle and of two edges get one impulse with friction.",
                 thomaszewski_impulses},
      Experiment{"thomaszewski-2.4-volumes", "Bounding volumes and normal cones", "Thomaszewski 2010, 2.4.1",
                 "Trees of k-DOPs search a square that drapes over a ball for self-contact, and a flat one.",
                 thomaszewski_volumes},
      Experiment{
          "thomaszewski-2.4-funnel", "A ball drags a cloth through a funnel",
          "Thomaszewski 2010, 2.4.3, figure 2.5",
          "A square is dragged through a funnel onto the floor in 4 s. There 14 476 faces and steps of "
          "0.001 s; here a grid of as many faces, steps of 0.01 s, and room for 30 iterations where 6 are "
          "the default. The sizes of funnel and ball and the fabric are not given there.",
          thomaszewski_funnel},
      Experiment{"thomaszewski-2.4-drapes", "Drapes with bending doubled", "Thomaszewski 2010, figure 2.4",
                 "The same square drapes over a ball with one, two, four and eight times the bending "
                 "stiffness. "
                 "The source shows pictures and no numbers; here 0.0004 N m and up.",
                 thomaszewski_drapes},
      Experiment{
          "thomaszewski-3.3-kernel", "One face is brought back to its limits", "Thomaszewski 2010, 3.3.1",
          "Random faces are corrected by the published 6x6 system, its Schur form and closed forms. Two "
          "operation counts are compared: the published one and the usual one of a dense inverse.",
          thomaszewski_limit_kernel},
      Experiment{
          "thomaszewski-3.1", "A square swings within strain limits",
          "Thomaszewski 2010, example 3.1, figure 3.6",
          "A square of 3616 faces at two corners, 100, 100 and 30 N/m, with limits of weft, warp and "
          "shear strain, with limits of edges, and without. Its mass is not given; here 0.5 kg/m2. Nor is "
          "the step: here 0.002 s.",
          thomaszewski_swing_limits},
      Experiment{"thomaszewski-3.2", "A disc drapes over a ball within strain limits",
                 "Thomaszewski 2010, example 3.2, figure 3.7",
                 "A disc of about 4424 faces and 1 m over a small ball, 1000, 200 and 100 N/m, limits of "
                 "0.04, 0.2 and "
                 "0.4, also with weft and warp swapped. The size of the ball is not given; here 0.1 m.",
                 thomaszewski_disc_limits},
      Experiment{"thomaszewski-3.3", "A square slides from a ball within strain limits",
                 "Thomaszewski 2010, example 3.3, figure 3.8",
                 "A square of 0.5 m and about 14 476 faces slides from a ball of 0.15 m to the floor in 3 s, "
                 "300, 300 "
                 "and 150 N/m, limits of 0.1, 0.1 and 0.4. Here with the steps of the usual integrator.",
                 thomaszewski_slide_limits},
      Experiment{"thomaszewski-3.3-directions", "Limits and the directions of the mesh",
                 "Thomaszewski 2010, 3.2, 3.4",
                 "A square held by two opposite corners whose triangles all lean one way or the other, with "
                 "limits of "
                 "faces and of edges. The source tells of it without a figure.",
                 thomaszewski_directions},
      Experiment{
          "thomaszewski-3.3-kes", "Limits for measured fabrics", "Thomaszewski 2010, 3.3.3, figure 3.5",
          "Three fabrics of Kawabata's tensile test up to 500 gf/cm. Their curves are only drawn there; here "
          "they are exponentials through the origin, the end of the curve and the recommended limit, taken "
          "at 150 gf/cm. Ends of 15 to 40 % are named there; the one between is taken as 20 %.",
          thomaszewski_measured_fabrics},
      Experiment{
          "thomaszewski-3.4", "A dress on a bar that shakes and spins",
          "Thomaszewski 2010, example 3.4, figures 3.9 and 3.10",
          "A dress of 13 flat panels and 8891 triangles hangs by its straps on a bar that shakes and then "
          "spins faster and faster for 5 s, 300, 300 and 75 N/m, limits of 0.1, 0.1 and 0.4. Its pattern, "
          "mass "
          "and step are not given; here scenes/dress_bar.json with the usual integrator, 0.2 kg/m2.",
          thomaszewski_dress},
      Experiment{
          "thomaszewski-3.5", "Iterations of strain limits", "Thomaszewski 2010, example 3.5, table 3.1",
          "The square of 3.1 with 500, 500 and 250 N/m and limits of 0.1, 0.1 and 0.2, on three meshes, 1 s "
          "in steps of 0.001 s. Limits are kept to 0.001; the source names no tolerance. Jacobi iterations "
          "share masses, because plain sums diverge.",
          thomaszewski_table_limits},
      Experiment{"thomaszewski-4.1", "A square swings with seven integrators",
                 "Thomaszewski 2010, example 4.1, figures 4.1 and 4.6",
                 "A square of 5016 faces at two corners, 300 and 150 N/m, 0.5 kg/m2, for 4 s. Its "
                 "length is not given; here 1.5 m, which the steps fit. There strain is limited to 10 "
                 "%, here not, and the midpoint rule is damped; here it is linearised, "
                 "and damped where energy grows. Bending is that of cotton; folds are measured by their "
                 "mean absolute curvature. Forward Euler grows at any step without damping. The steps of the "
                 "asynchronous method are those of membrane and bending.",
                 thomaszewski_integrators},
      Experiment{
          "thomaszewski-4.2", "A tent of large and small triangles falls on the floor",
          "Thomaszewski 2010, example 4.2, figure 4.7",
          "A curved shape of 2304 faces, the largest 160 times as large as the smallest, falls on a "
          "floor and recovers in 4 s; 300 and 150 N/m, 0.5 kg/m2. Its shape and bending are not given: "
          "here a tent of rings, 0.7 m and 0.3 m high, 0.001 N m. Steps of symplectic Euler are the "
          "longest stable ones. Where most faces are large depends on the shape: also a cushion that is fine "
          "at "
          "one place only, and rings whose sides differ 160-fold, flat and without contact.",
          thomaszewski_tent},
      Experiment{"thomaszewski-4.3", "A dress on a figure that climbs and steps over hurdles",
                 "Thomaszewski 2010, example 4.3, figures 4.8 and 4.9",
                 "The dress of 3.4 on a walking figure with stairs and hurdles, scenes/course.json; the "
                 "first 3 s, asynchronously "
                 "in intervals of 0.005 s and with semi-implicit Euler in steps of 0.001 s. There another "
                 "figure and "
                 "dress of as many faces.",
                 thomaszewski_course},
      Experiment{"thomaszewski-4.4", "A ribbon falls over two inclined planes, asynchronously",
                 "Thomaszewski 2010, example 4.4, figures 4.4 and 4.5",
                 "A ribbon of 8000 faces falls on two inclined planes and the floor in 5 s, intervals of "
                 "0.01 s. Sizes and material are not given; here 2 m by 0.04 m, 300 and 150 N/m. Pairs are "
                 "of vertex and triangle and of edges, there of triangles.",
                 thomaszewski_ribbon},
      Experiment{"thomaszewski-5.1-tablecloth", "A tablecloth over a ball, by several threads",
                 "Thomaszewski 2010, example 5.1",
                 "A disc of about 27 532 faces over a ball of a third of its diameter: self-contact in few "
                 "places. There 1 to 12 processors of a cluster; here the threads of this machine.",
                 thomaszewski_tablecloth},
      Experiment{"thomaszewski-5.2-bar", "A square over a wavy bar, by several threads",
                 "Thomaszewski 2010, example 5.2",
                 "A square of 28 800 faces over a thin wavy bar above a floor. There 1 to 12 processors of a "
                 "cluster; here the threads of this machine. The waves are not given there: here three, of "
                 "5 cm, up and down.",
                 thomaszewski_bar},
      Experiment{"thomaszewski-5.2-stack", "Traversal by a stack and by tasks", "Thomaszewski 2010, 5.2, 5.3",
                 "The search for pairs with an explicit stack, in one piece and cut into tasks in different "
                 "ways, against trying all pairs.",
                 thomaszewski_stack},
      Experiment{
          "thomaszewski-6.0", "The field of a box of dipoles", "Thomaszewski 2010, 6.2.1, figure 6.4",
          "A box of 20 x 10 x 10 mm with more and more cells, seen on a plane through it. The source shows "
          "arrows and no numbers.",
          thomaszewski_field},
      Experiment{
          "thomaszewski-6.A", "Two cubes attract each other", "Thomaszewski 2010, 6.3.3, figure 6.7",
          "Cubes of 1 cm3 and 1 T with N x N x N cells, coaxial, against the exact force. The source draws "
          "curves without numbers; distances are taken to be gaps.",
          thomaszewski_cubes},
      Experiment{"thomaszewski-6.B", "Magnets keep momentum", "Thomaszewski 2010, 6.2.3, 6.3.3",
                 "Sums of forces and torques over bodies of different cells, and a free flight of three "
                 "cubes in steps "
                 "of 0.001 s. Contact of rigid bodies is not in heddle.",
                 thomaszewski_momentum},
      Experiment{"thomaszewski-6.4-materials", "Materials, a barrier and a levitating cube",
                 "Thomaszewski 2010, 6.2.4, examples 6.1 and 6.5",
                 "Forces only: there bodies move. Sizes are not given there; cells are balls as they are, "
                 "not as printed "
                 "in (6.17).",
                 thomaszewski_materials},
      Experiment{"thomaszewski-6.4-times", "Times of magnetic forces", "Thomaszewski 2010, table 6.1",
                 "One moment of each example, magnets as published, on one thread; there means over a run on "
                 "one core of "
                 "2.4 GHz of 2008. A ring stands for the dragon, and is what is cut finer in 6.3 (2); "
                 "capsules stand for "
                 "the characters. At least as many cells as there.",
                 thomaszewski_magnet_times},
  };
  return kAll;
}

}  // namespace

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> joined;
    for (const auto& source : {boxerman_experiments(), eurographics_experiments(), spillmann_experiments(),
                               thomaszewski_experiments()})
      joined.insert(joined.end(), source.begin(), source.end());
    return joined;
  }();
  return all;
}

const Experiment* find_experiment(std::string_view id) {
  const auto all = experiments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.id == id; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace heddle
