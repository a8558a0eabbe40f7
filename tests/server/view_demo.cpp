// Test program of the viewer:
//   view_demo make DIR CELLS FRAMES   writes a made-up run
//   view_demo serve DIR               serves a run until its standard input ends; prints "port N"
//   view_demo export DIR PAGE         writes a run as one page
#include "synthetic_run.h"

#include "server/html_export.h"
#include "server/server.h"

#include <iostream>
#include <string>

namespace {

int report(const heddle::Diagnostics& errors) {
  std::cerr << errors.text();
  return 1;
}

int serve(heddle::RunReader reader) {
  const heddle::RunFolderSource source(std::move(reader));
  auto server = heddle::Server::start({.port = 0}, source);
  if (!server) return report(server.errors());
  std::cout << "port " << (*server)->port() << std::endl;
  for (std::string line; std::getline(std::cin, line);) continue;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 2 ? argv[1] : "";
  if (command == "make" && argc == 5) {
    heddle::test::SyntheticRun(std::stoi(argv[3])).write(argv[2], std::stoi(argv[4]));
    return 0;
  }
  if (command != "serve" && command != "export") return 2;
  heddle::Result<heddle::RunReader> reader = heddle::RunReader::open(argv[2]);
  if (!reader) return report(reader.errors());
  if (command == "serve") return serve(std::move(*reader));
  const heddle::Status written = heddle::export_html(*reader, argv[3]);
  return written ? 0 : report(written.errors());
}
