#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/run_record.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

RunRecord sample_record() {
  RunRecord record;
  record.version = "0.1.0";
  record.title = "A drape";
  record.scene_file = "scenes/drape.json";
  record.scene_hash = "0123456789abcdef";
  record.scene_texts = {{"drape.json", "{}"}};
  record.status = "complete";
  record.frame = 7;
  record.grabbed_steps = 3;
  record.without_energy = {"wind"};
  return record;
}

/// Takes `part` out of run.json, as if an older version had written it.
void remove_from_record(const RunFolder& folder, const std::string& part) {
  std::string text = *read_file(folder.run_json());
  const size_t at = text.find(part);
  ASSERT_NE(at, std::string::npos) << text;
  text.erase(at, part.size());
  ASSERT_TRUE(write_file_atomically(folder.run_json(), text));
}

TEST(RunRecord, RoundTrip) {
  const TemporaryFolder temporary;
  const RunFolder folder(temporary.path);
  ASSERT_TRUE(write_record(folder, sample_record()));
  const Result<RunRecord> read = read_record(folder);
  ASSERT_TRUE(read) << read.errors().text();
  EXPECT_EQ(read->title, "A drape");
  EXPECT_EQ(read->scene_texts, sample_record().scene_texts);
  EXPECT_EQ(read->frame, 7);
  EXPECT_EQ(read->grabbed_steps, 3);
  EXPECT_EQ(read->without_energy, std::vector<std::string>{"wind"});
  EXPECT_FALSE(is_record_cut(folder));
}

TEST(RunRecord, WithoutATitleTheFileNamesTheScene) {
  const TemporaryFolder temporary;
  const RunFolder folder(temporary.path);
  ASSERT_TRUE(write_record(folder, sample_record()));
  remove_from_record(folder, ",\n    \"title\": \"A drape\"");
  const Result<RunRecord> read = read_record(folder);
  ASSERT_TRUE(read) << read.errors().text();
  EXPECT_EQ(read->title, "drape");
}

TEST(RunRecord, WithoutASceneItIsNoRecord) {
  const TemporaryFolder temporary;
  const RunFolder folder(temporary.path);
  ASSERT_TRUE(write_record(folder, sample_record()));
  remove_from_record(folder, "\"file\": \"scenes/drape.json\",");
  const Result<RunRecord> read = read_record(folder);
  ASSERT_FALSE(read);
  EXPECT_NE(read.errors().text().find("run.json: error: not a run of Heddle"), std::string::npos);
}

}  // namespace
}  // namespace heddle
