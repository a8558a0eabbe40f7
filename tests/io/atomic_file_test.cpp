#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "new" / "a.bin";
  const std::string bytes("with\0zero", 9);
  ASSERT_TRUE(write_file_atomically(file, "first"));
  ASSERT_TRUE(write_file_atomically(file, bytes));
  EXPECT_EQ(*read_file(file), bytes);
  EXPECT_EQ(entry_count(file.parent_path()), 1);
}

TEST(AtomicFile, AppearsOnlyAtCommit) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "a.txt";
  ASSERT_TRUE(write_file_atomically(file, "old"));
  {
    Result<AtomicFile> first = AtomicFile::create(file);
    Result<AtomicFile> second = AtomicFile::create(file);
    ASSERT_TRUE(first.ok() && second.ok());
    ASSERT_TRUE(first->write("abandoned"));
    ASSERT_TRUE(second->write("new"));
    EXPECT_EQ(*read_file(file), "old");
    ASSERT_TRUE(second->commit());
    EXPECT_EQ(*read_file(file), "new");
    EXPECT_EQ(entry_count(folder.path), 2);
  }
  EXPECT_EQ(*read_file(file), "new");
  EXPECT_EQ(entry_count(folder.path), 1);
}

TEST(AtomicFile, LeftoversOfDeadProcessesAreRemoved) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  const fs::path dead = folder.path / (".a.txt.heddle-tmp-" + std::to_string(child) + "-0");
  const fs::path alive = folder.path / (".a.txt.heddle-tmp-" + std::to_string(getppid()) + "-0");
  for (const fs::path& file : {dead, alive}) {
    std::ofstream(file) << "part";
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_TRUE(is_temporary_name(file));
  }
  ASSERT_TRUE(write_file_atomically(folder.path / "a.txt", "x"));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
}

TEST(AtomicFile, WhoWritesAloneRemovesLeftoversAtOnce) {
  const TemporaryFolder folder;
  const std::string process = std::to_string(getppid());  // as if its number had been given anew
  const fs::path part = folder.path / (".a.txt.heddle-tmp-" + process + "-0");
  const fs::path other = folder.path / (".b.txt.heddle-tmp-" + process + "-12");
  const fs::path mine = folder.path / ("a.txt.heddle-tmp-" + process + "-0");
  const fs::path note = folder.path / (".a.txt.heddle-tmp-" + process + "-0.txt");
  for (const fs::path& file : {part, other, mine, note}) std::ofstream(file) << "part";
  EXPECT_TRUE(is_temporary_name(part) && is_temporary_name(other));
  EXPECT_FALSE(is_temporary_name(mine) || is_temporary_name(note));
  remove_temporaries_of(folder.path / "a.txt");
  EXPECT_FALSE(fs::exists(part));
  EXPECT_TRUE(fs::exists(other));
  remove_temporaries(folder.path);
  EXPECT_FALSE(fs::exists(other));
  EXPECT_TRUE(fs::exists(mine) && fs::exists(note));
}

TEST(AtomicFile, FullDisksAreTheDisksFault) {
  EXPECT_TRUE(system_failure("a", "write the file", ENOSPC).has_disk_failure());
  EXPECT_FALSE(system_failure("a", "write the file", EACCES).has_disk_failure());
}

TEST(AtomicFile, MissingFileIsNamed) {
  const Result<std::string> missing = read_file("/nowhere/at_all.txt");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.errors().text(),
            "/nowhere/at_all.txt: error: cannot open the file: No such file or directory; check the name and "
            "the folder\n");
}

TEST(AtomicFile, FolderInTheWayIsReported) {
  const TemporaryFolder folder;
  const Status onto_folder = write_file_atomically(folder.path, "x");
  ASSERT_FALSE(onto_folder);
  EXPECT_NE(onto_folder.errors().text().find("Is a directory"), std::string::npos);
  ASSERT_TRUE(write_file_atomically(folder.path / "file", "x"));
  const Status below_file = write_file_atomically(folder.path / "file" / "a", "x");
  ASSERT_FALSE(below_file);
  EXPECT_NE(below_file.errors().text().find("Not a directory"), std::string::npos);
}

TEST(AtomicFile, FailedWriteKeepsTheOldFile) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "a.bin";
  ASSERT_TRUE(write_file_atomically(file, "old"));
  // A limit on the size of files fails in write() as a full disk does.
  const auto previous_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{4096, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = write_file_atomically(file, std::string(100000, 'x'));
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, previous_handler);
  ASSERT_FALSE(status);
  EXPECT_EQ(
      status.errors().text(),
      file.string() +
          ": error: cannot write the file: File too large; make room on the disk, or choose another one\n");
  EXPECT_EQ(*read_file(file), "old");
  EXPECT_EQ(entry_count(folder.path), 1);
}

}  // namespace
}  // namespace heddle
