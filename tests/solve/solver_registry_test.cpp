#include "random_system.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::test {
namespace {

struct Holder {
  int before = 1;
  SolverParameters solver{.tolerance = 0.25};

  static void describe(Describer<Holder>& d) {
    d.type("holder", "test", "Holds a solver.");
    d.parameter("before", &Holder::before, {.doc = "Something."});
    d.include(&Holder::solver);
  }
};

TEST(SolverRegistry, HasDistinctNamesAndSummaries) {
  std::set<std::string> names;
  for (const SolverEntry& entry : solver_registry()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(make_linear_solver({.solver = entry.name})->name(), entry.name);
  }
  for (const PreconditionerEntry& entry : preconditioner_registry()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_NE(entry.make(), nullptr);
  }
}

TEST(SolverParameters, BecomeKeysOfWhatHoldsThem) {
  const TypeDescription& type = description_of<Holder>();
  const Parameter* tolerance = type.find("tolerance");
  ASSERT_NE(tolerance, nullptr);
  EXPECT_EQ(tolerance->default_text, "0.25");
  EXPECT_EQ(type.find("solver")->options.choices.size(), solver_registry().size() + 1);  // and "auto"
  Holder holder;
  Diagnostics diagnostics;
  const Catalogue catalogue;
  ReadContext context{catalogue, diagnostics};
  type.find("preconditioner")->read(Value(std::string("ssor"), {}), &holder, context);
  EXPECT_EQ(holder.solver.preconditioner, "ssor");
  EXPECT_EQ(type.find("preconditioner")->write(&holder), "\"ssor\"");
}

TEST(SolverParameters, RefuseUnknownNamesWithTheNearest) {
  Holder holder;
  Diagnostics diagnostics;
  const Catalogue catalogue;
  ReadContext context{catalogue, diagnostics};
  description_of<Holder>().find("solver")->read(Value(std::string("mpgc"), {}), &holder, context);
  description_of<Holder>()
      .find("preconditioner")
      ->read(Value(std::string("multigird"), {}), &holder, context);
  EXPECT_NE(diagnostics.text().find("did you mean \"mpcg\"?"), std::string::npos) << diagnostics.text();
  EXPECT_NE(diagnostics.text().find("did you mean \"multigrid\"?"), std::string::npos) << diagnostics.text();
}

}  // namespace
}  // namespace heddle::test
