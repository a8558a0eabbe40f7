#pragma once

#include <heddle/dynamics/encounters.h>
#include <heddle/dynamics/state.h>
#include <heddle/dynamics/velocity_filter.h>
#include <heddle/integrate/element_steps.h>
#include <heddle/integrate/event_queue.h>

#include <map>
#include <optional>

namespace heddle {

/// What is watched at each event of an element with rest lengths.
struct EventRules {
  bool halved = true;           // steps are the longest ones halved a number of times; else any
  double longest_step = 0;      // s, of an element; 0: the interval
  double shortest_step = 0;     // s
  double strain_change = 0;     // 1, of a side until the element's next event; 0: any
  double predicted_strain = 0;  // 1, of a side at the element's next event; 0: any
  double current_strain = 0;    // 1, of a side; 0: any
};

/// Moves particles through an interval, at whose ends they are all at the same time, element by element:
/// each has its own steps, which divide the interval. At an event its particles fly to the element's time
/// and get its force over half the step before and half the step after (the asynchronous variational
/// integrator of Lew et al. 2003; Thomaszewski 2010, (4.24) with ERR-14). So no impulse is lost at the ends,
/// the motion there is of second order, and nothing is to be remembered.
/// Keeps its vectors from call to call.
class EventLoop {
 public:
  /// An element whose step would be too short.
  struct Collapse {
    int element = 0;
    double step = 0;  // s
    bool at_start = true;
  };
  struct Interval {
    const State& state;                  // at its beginning
    double dt = 0;                       // s
    std::span<const Vec3> acceleration;  // m/s2 per particle, the same all the time
    const VelocityFilter& filter;
    Encounters* encounters = nullptr;
  };

  explicit EventLoop(const EventRules& rules) : rules_(rules) {}

  /// `steps` are the longest ones of the elements, s. A collapse ends it at once.
  std::optional<Collapse> run(const ElementList& elements, std::span<const double> steps,
                              std::span<const double> mass, const Interval& interval);

  /// After run(): at the end of the interval.
  std::span<const MovingParticle> particles() const { return particles_; }
  /// N s, with which the prescribed velocities were enforced.
  Vec3 reaction(int particle) const;
  /// Of each element in the last run.
  std::span<const int> events() const { return events_; }
  /// Steps that strain_change cut, sides that the limits of strain stopped.
  long cut_steps() const { return cut_steps_; }
  long limited_sides() const { return limited_sides_; }

 private:
  /// Elements of one term.
  struct Batch {
    const ForceTerm* force = nullptr;
    std::vector<int> elements;  // in the term
  };
  /// Elements with equal steps: they act at the same times.
  struct Group {
    double step = 0;          // s
    int next = 1, count = 1;  // which multiple of the step comes next, of how many
    std::vector<int> elements;
    std::vector<Batch> batches;  // the same elements by term
    std::vector<int> particles;  // that they act on, each once
  };
  struct Clock {
    double last = 0;  // s, the step before the next event
    int group = 0;
    int part = 1, parts = 1;  // of a step that is cut
  };
  struct Rule {
    Mat3 free;
    Vec3 velocity;  // m/s
    Vec3 reaction;  // N s
  };

  std::optional<Collapse> wind_up(std::span<const double> steps);
  void regroup();
  void place_particles(std::span<const double> mass);
  void kick_whole_terms(double time);
  void start();
  std::optional<Collapse> handle_events();
  void finish();

  /// Makes all steps the longest ones, halved a number of times.
  void halve_steps();
  /// Elements at one particle take steps that differ by a factor of two at most.
  void smooth_counts();
  void group_elements();
  void find_group_particles(Group& group);
  /// Whether something is to be done for single elements at events.
  bool watches_events() const;
  /// All elements of a group at its next time, or one element within a step that is cut.
  void act_as_group(const Group& group, double time);
  bool act_alone(int element, double time);
  /// Begins the next steps of a group whose forces were given as if none were cut.
  void begin_steps(const Group& group, double time);
  /// Begins the next step of an element, which may have to be cut; false if its parts are too short.
  bool begin_step(int element, double time);
  void respond(int element, double time, double step);
  void settle(MovingParticle& particle);
  void advance(MovingParticle& particle, double time);
  void kick(int element, double time, double weight);
  /// Into how many parts the next step of an element is to be cut.
  int parts_of(int element, double step) const;
  void limit_sides(int element, double step);
  void begin_encounters();
  void meet_others(int element, double time);

  EventRules rules_;
  const ElementList* elements_ = nullptr;
  const Interval* interval_ = nullptr;
  std::vector<MovingParticle> particles_;
  std::vector<Rule> rules_of_velocity_;
  std::vector<int> needed_;       // per element: steps in the interval, at least
  int version_ = -1;              // of the list that they belong to
  std::vector<int> counts_;       // per element: its steps in the interval
  std::vector<int> most_counts_;  // per particle
  std::map<int, int> group_of_;   // by count
  std::vector<Group> groups_;
  std::vector<Clock> clocks_;
  std::vector<int> events_;
  std::vector<int> triangle_;        // of each element for encounters, or -1
  std::vector<Triangle> triangles_;  // corners
  EventQueue queue_;
  std::vector<Vec3> x_, v_, force_;  // per particle, of those that act now
  std::vector<char> is_listed_;      // per particle
  std::optional<Collapse> collapse_;
  long cut_steps_ = 0, limited_sides_ = 0;
};

}  // namespace heddle
