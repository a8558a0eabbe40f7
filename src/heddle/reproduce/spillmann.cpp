#include <heddle/reproduce/spillmann.h>

namespace heddle {

namespace {

// What differs from the thesis stands in the last text of each.

constexpr Experiment kLooping{"spillmann-x1", "A rope whose end is turned coils",
                              "Spillmann 2008, 3.6.1, figures 3.1 and 3.11",
                              "There a rope of 10 m at steps of 0.1 ms; here one of 1 m with the physical "
                              "law of stiffness at steps of 5 ms, "
                              "whose ends come nearer by 0.3 m.",
                              spillmann_looping};
constexpr Experiment kResolution{"spillmann-x2", "Rods of 50, 100 and 1000 segments",
                                 "Spillmann 2008, 3.6.1, Table 3.1, figure 3.12",
                                 "Time of an explicit step of CoRDE on one thread, and shapes of a clamped, "
                                 "twisted and sagging rope. There three "
                                 "ropes coil with contact; here they only sag, see spillmann-x1 for coils.",
                                 spillmann_resolution};
constexpr Experiment kBuckling{
    "spillmann-x3", "A twisted rod buckles, against roll angles",
    "Spillmann 2008, 3.6.2, figures 3.13 and 3.14",
    "A rod of the material Comparison, twisted by 270 degrees. Not given there: 20 segments, gravity of 0.1 "
    "m/s2 as "
    "disturbance, both ends clamped; here drag of 4/s for both models and steps of 0.05 ms; looked at after "
    "4 s, at rest.",
    spillmann_buckling};
constexpr Experiment kPendulum{
    "spillmann-x4", "A rod swings too slowly with heavy frames", "Spillmann 2008, 3.6.2, figure 3.15",
    "There a rod of 10 m; here one of 1 m, on which frames weigh a hundred times as much. Roll angles have "
    "the inertia "
    "of the physical law, which is nearly none, and for comparison that of the printed one.",
    spillmann_pendulum};
constexpr Experiment kCost{"spillmann-x5", "What roll angles cost", "Spillmann 2008, 3.5.3",
                           "There terms from symbolic derivatives and code made of them; here derivatives by "
                           "dual numbers. One thread.",
                           spillmann_cost};
constexpr Experiment kWires{
    "spillmann-x6", "Stiff wires are piled, and a spring", "Spillmann 2008, 3.6.3, figure 3.16",
    "Six wires of 50 segments in three layers, and a spring of as many that is drawn and let go. The "
    "published step is "
    "beyond the limits that follow from its figures (errata E7b); here 0.7 of the estimated limit.",
    spillmann_wires};
constexpr Experiment kThread{"spillmann-x7", "A thread of 100 elements in real time",
                             "Spillmann 2008, 3.6.3, figure 3.17",
                             "There a person ties a knot; here the thread falls on a floor. Steps are a "
                             "quarter of the limit: at 2 ms threads "
                             "pass through each other.",
                             spillmann_thread};
constexpr Experiment kSpiral{
    "spillmann-x8", "A spiral is turned on", "Spillmann 2008, figure 3.5",
    "Sizes are not given there; here five turns of 20 mm radius, a cord of 2 mm, turned by six turns.",
    spillmann_spiral};
constexpr Experiment kSpheroid{
    "spillmann-x9", "A spheroid of four rods is turned at one pole", "Spillmann 2008, 3.6.3, figure 3.18",
    "Sizes are not given there; here a sphere of 0.1 m whose poles stay where they are.", spillmann_spheroid};
constexpr Experiment kCoarseNet{
    "spillmann-x10", "A coarse net falls", "Spillmann 2008, 3.6.3, figure 3.19",
    "There 800 points; here 848, 7 x 7 meshes. It falls upright on a floor; how it moved there is not said.",
    spillmann_coarse_net};
constexpr Experiment kDenseNet{"spillmann-x11", "A dense net falls", "Spillmann 2008, 3.6.3, figure 3.19",
                               "There 1200 points; here 1281, 20 x 20 meshes. It falls upright on a floor; "
                               "how it moved there is not said.",
                               spillmann_dense_net};
constexpr Experiment kChain{
    "spillmann-x12", "A chain of rings hangs", "Spillmann 2008, figure 3.2",
    "Only an animation there; here 50 oval rings of 20 segments that hang from the first one.",
    spillmann_chain};
constexpr Experiment kBar{"spillmann-x13", "A turning rod hits a bar, fixed and adaptive",
                          "Spillmann 2008, 4.3, figure 4.3",
                          "Two rods by themselves, each about its end, 8 rad/s, 64 segments against at least "
                          "16. Sizes are not given there.",
                          spillmann_bar};
constexpr Experiment kFisherman{
    "spillmann-x14", "A double fisherman's knot holds", "Spillmann 2008, 4.3, Table 4.1, figures 4.1 and 4.4",
    "There ropes of unequal radii with adaptive resolution; here equal ropes of fixed resolution in a scene "
    "with "
    "implicit steps, drawn tight in 2 s and held. See spillmann-x14-table for adaptive ones.",
    spillmann_fisherman};
constexpr Experiment kKnotTable{"spillmann-x14-table", "A double fisherman's knot in three resolutions",
                                "Spillmann 2008, 4.3, Table 4.1",
                                "Explicit steps of 0.1 ms, ropes drawn tight in 2 s. Nodes and contacts are "
                                "those of the last 0.2 s, times those of "
                                "all steps before. The angles 0.6 and 0.2 are taken from segment to segment; "
                                "friction is that of sums, because "
                                "with the published one the knot slips.",
                                spillmann_adaptive_knot};
constexpr Experiment kIterations{
    "spillmann-x14-iterations", "Conjugate gradients in an adaptive knot", "Spillmann 2008, 4.3",
    "The knot with 1, 3, 10 and 20 iterations of each insertion and removal.", spillmann_cg_iterations};
constexpr Experiment kCoil{"spillmann-x15", "A coil of rope falls",
                           "Spillmann 2008, 6.2, Table 4.1, figure 6.4",
                           "There with explicit steps of 0.1 ms and displacements against overlap; here with "
                           "implicit steps of 5 ms and contact "
                           "in the solve. The first 0.12 s, until some thousand contacts are there.",
                           spillmann_coil};
constexpr Experiment kCoilTable{
    "spillmann-x15-table", "A coil of rope in three resolutions", "Spillmann 2008, 6.2, Table 4.1",
    "Explicit steps of 0.1 ms and displacements, as published. A coil of four layers; means of steps from "
    "0.06 to "
    "0.12 s, when it lies on the floor. Contacts are pairs that overlap before they are corrected.",
    spillmann_coil_table};
constexpr Experiment kResponse{
    "spillmann-x16", "Response by the number of contacts", "Spillmann 2008, 6.2, figure 6.2",
    "Coils of 251 to 2001 nodes that lie on the floor, tolerance of a thousandth of the radius.",
    spillmann_response};
constexpr Experiment kPoles{"spillmann-x17", "A thread around four poles", "Spillmann 2008, 6.2, figure 6.3",
                            "There a thread is tied by hand with a shoelace knot and untied; here its ends "
                            "are held where they meet, and let go. "
                            "Adaptive, stretched by 1 %, friction 0.5.",
                            spillmann_poles};
constexpr Experiment kPrusik{"spillmann-x18", "A Prusik knot grips a rope", "Spillmann 2008, figure 6.1",
                             "There four of them carry an object; here one is drawn along its rope by 0.1 m.",
                             spillmann_prusik};

}  // namespace

std::span<const Experiment> spillmann_experiments() {
  static const std::vector<Experiment> all{
      kLooping,   kResolution, kBuckling,  kPendulum,  kCost,     kWires, kThread,
      kSpiral,    kSpheroid,   kCoarseNet, kDenseNet,  kChain,    kBar,   kFisherman,
      kKnotTable, kIterations, kCoil,      kCoilTable, kResponse, kPoles, kPrusik};
  return all;
}

}  // namespace heddle
