#include <heddle/core/text.h>
#include <heddle/scene/cross_checks.h>
#include <heddle/scene/json_text.h>
#include <heddle/scene/load.h>

#include <algorithm>
#include <fstream>

namespace heddle {

namespace {

constexpr size_t kMaximumIncludeDepth = 16;
constexpr const char* kPlacement[] = {"translation", "rotation", "scale"};  // of a cloth

namespace fs = std::filesystem;

Result<std::string> read_text(const fs::path& file, const SourceLocation& where) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    return failure(where, "there is no file " + in_quotes(file.string()), "check the name and the folder");
  if (fs::is_directory(status))
    return failure(where, in_quotes(file.string()) + " is a folder", "name a scene file");
  // Pipes and devices may never end, and cannot be read a second time.
  if (!fs::is_regular_file(status))
    return failure(where, in_quotes(file.string()) + " is a pipe or a device, not a file",
                   "name a scene file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return failure(where, "cannot open " + in_quotes(file.string()), "check its permissions");
  std::string text(kMaximumSceneBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return failure(where, "cannot read " + in_quotes(file.string()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

Value::Member* find_member(Value& object, std::string_view key) {
  for (Value::Member& member : object.object())
    if (member.key == key) return &member;
  return nullptr;
}

/// The kept text of a file, or null.
const std::string* find_text(const SceneTexts& texts, const fs::path& scene, const fs::path& file) {
  auto found = texts.find(name_beside(scene, file));
  if (found == texts.end()) found = texts.find(file.filename().string());  // as older runs kept them
  return found == texts.end() ? nullptr : &found->second;
}

/// Reads scene files and merges what they include into one object.
class Assembler {
 public:
  Assembler(const Catalogue& catalogue, Diagnostics& diagnostics, const SceneTexts& kept)
      : context_{catalogue, diagnostics}, kept_(kept) {}

  /// The merged object, or null if nothing useful can be said about the scene.
  Value assemble(std::string_view text, const fs::path& file) {
    Result<Value> parsed = parse_json_text(text, file.string());
    if (!parsed) {
      context_.diagnostics.append(parsed.errors());
      return {};
    }
    if (!parsed->is_object()) {
      wrong_kind(*parsed, "an object in { }", context_.diagnostics);
      return {};
    }
    if (!check_version(*parsed)) return {};
    return with_includes(std::move(*parsed), file);
  }

  void enter(const fs::path& file) {
    files_.push_back(file);
    const fs::path identity = identity_of(file);
    known_.push_back(identity);
    stack_.push_back(identity);
  }
  const std::vector<fs::path>& files() const { return files_; }

 private:
  static fs::path identity_of(const fs::path& file) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    return error ? file : canonical;
  }

  bool check_version(const Value& object) {
    const Value* version = object.find("heddle");
    if (!version || !version->is_number() || version->number() <= kSceneFormatVersion) return true;
    context_.diagnostics.error(version->where,
                               "this scene is written in version " + number_text(version->number()) +
                                   " of the scene language, this program reads version " +
                                   std::to_string(kSceneFormatVersion),
                               "use a newer Heddle");
    return false;
  }

  Value with_includes(Value object, const fs::path& file) {
    const Value* include = object.find("include");
    Value merged(Value::Object{}, object.where);
    if (include && include->is_list())
      for (const Value& name : include->list())
        if (name.is_string()) merge(merged, read_included(name, file));
    merge(merged, std::move(object));
    return merged;
  }

  Value read_included(const Value& name, const fs::path& from) {
    const fs::path file = resolve_path(name.string(), name.where);
    const fs::path identity = identity_of(file);
    if (std::find(stack_.begin(), stack_.end(), identity) != stack_.end()) {
      context_.diagnostics.error(name.where,
                                 in_quotes(name.string()) + " includes itself, directly or through others",
                                 "remove this include from " + in_quotes(from.filename().string()));
      return {};
    }
    if (std::find(known_.begin(), known_.end(), identity) != known_.end()) return {};
    if (stack_.size() > kMaximumIncludeDepth) {
      context_.diagnostics.error(
          name.where, "includes are nested deeper than " + std::to_string(kMaximumIncludeDepth) + " files");
      return {};
    }
    const std::string* kept = find_text(kept_, files_.front(), file);
    const Result<std::string> text = kept ? *kept : read_text(file, name.where);
    if (!text) {
      context_.diagnostics.append(text.errors());
      return {};
    }
    enter(file);
    Value fragment = assemble(*text, file);
    stack_.pop_back();
    if (fragment.is_object()) check_fragment_keys(fragment);
    return fragment;
  }

  /// The keys about the file itself are not merged, so they are checked here.
  void check_fragment_keys(Value& fragment) {
    const TypeDescription& scene = description_of<SceneDescription>();
    SceneDescription scratch;
    for (const char* key : {"$schema", "heddle", "include"}) {
      const Value::Member* member = find_member(fragment, key);
      if (!member) continue;
      scene.find(key)->read(member->value, &scratch, context_);
      fragment.object().erase(fragment.object().begin() + (member - fragment.object().data()));
    }
  }

  void merge(Value& target, Value source) {
    if (!source.is_object()) return;
    for (Value::Member& member : source.object()) {
      Value::Member* present = find_member(target, member.key);
      if (!present)
        target.object().push_back(std::move(member));
      else if (member.key == "fabrics")
        merge_members(present->value, member.value);
      else if (member.key == "cloths" || member.key == "rods" || member.key == "obstacles" ||
               member.key == "forces")
        join_lists(present->value, member.value);
      else
        *present = std::move(member);
    }
    target.where = source.where;
  }

  void merge_members(Value& target, Value& source) {
    if (!source.is_object() || !target.is_object())
      return keep_wrong(target, source, source.is_object(), "an object of named fabric objects");
    for (Value::Member& member : source.object()) {
      if (Value::Member* present = find_member(target, member.key))
        *present = std::move(member);
      else
        target.object().push_back(std::move(member));
    }
  }

  void join_lists(Value& target, Value& source) {
    if (!source.is_list() || !target.is_list()) return keep_wrong(target, source, source.is_list(), "a list");
    std::move(source.list().begin(), source.list().end(), std::back_inserter(target.list()));
    target.where = source.where;
  }

  /// Of two values that cannot be merged, one is reported now and the other stays to be read.
  void keep_wrong(Value& target, Value& source, bool source_is_good, const std::string& expected) {
    wrong_kind(source_is_good ? target : source, expected, context_.diagnostics);
    if (source_is_good) target = std::move(source);
  }

  ReadContext context_;
  const SceneTexts& kept_;
  std::vector<fs::path> files_;
  std::vector<fs::path> known_;
  std::vector<fs::path> stack_;
};

bool is_readable(const Value& value, const Parameter& parameter, void* scratch, const Catalogue& catalogue) {
  Diagnostics found;
  ReadContext context{catalogue, found};
  parameter.read(value, scratch, context);
  return !found.has_errors();
}

/// The elements of a list that can be read each for itself; null if there are none.
Value good_elements(const Value& list, const Parameter& parameter, void* scratch,
                    const Catalogue& catalogue) {
  Value::List good;
  for (const Value& element : list.list())
    if (element.is_object() &&
        is_readable(Value(Value::List{element}, list.where), parameter, scratch, catalogue))
      good.push_back(element);
  return good.empty() ? Value() : Value(std::move(good), list.where);
}

/// All fabrics, since their names count: of those that cannot be read only the base is left.
Value known_fabrics(const Value& fabrics, const Parameter& parameter, void* scratch,
                    const Catalogue& catalogue) {
  Value::Object known;
  for (const Value::Member& fabric : fabrics.object()) {
    Value::Member& kept = known.emplace_back(fabric);
    if (is_readable(Value(Value::Object{fabric}, fabrics.where), parameter, scratch, catalogue)) continue;
    kept.value = Value(Value::Object{}, fabric.value.where);
    for (const Value::Member& member : fabric.value.is_object() ? fabric.value.object() : Value::Object{})
      if (member.key == "base" && member.value.is_string()) kept.value.object().push_back(member);
  }
  return Value(std::move(known), fabrics.where);
}

/// The members of an object that can be read, and the readable elements of its lists.
Value good_members(const Value& object, const TypeDescription& type, const Catalogue& catalogue) {
  Value good(Value::Object{}, object.where);
  const std::shared_ptr<void> scratch = type.create();
  for (const Value::Member& member : object.object()) {
    const Parameter* parameter = type.find(member.key);
    if (!parameter) continue;
    Value::Member kept = member;
    if (!is_readable(member.value, *parameter, scratch.get(), catalogue)) {
      if (member.key == "fabrics" && member.value.is_object())
        kept.value = known_fabrics(member.value, *parameter, scratch.get(), catalogue);
      else if (member.value.is_list())
        kept.value = good_elements(member.value, *parameter, scratch.get(), catalogue);
      else
        continue;
    }
    if (!kept.value.is_null()) good.object().push_back(std::move(kept));
  }
  return good;
}

/// Without its place one cannot tell what lies in a box.
void drop_boxes(Value& cloth) {
  const auto has_box = [](const Value& part) {
    for (const char* key : {"vertices", "faces"})
      if (const Value* selection = part.find(key); selection && selection->is_object())
        return selection->find("box") || selection->find("uv_box");
    return false;
  };
  for (const char* key : {"pins", "attachments", "regions"})
    if (Value::Member* parts = find_member(cloth, key)) std::erase_if(parts->value.list(), has_box);
}

bool is_placed_as_written(const Value& readable, const Value& cloth) {
  return std::all_of(std::begin(kPlacement), std::end(kPlacement), [&](const char* key) {
    return (readable.find(key) != nullptr) == (cloth.find(key) != nullptr);
  });
}

/// What could be read of a scene with errors, see SceneCheck.
SceneDescription readable_part(const Value& root, const Catalogue& catalogue) {
  Diagnostics ignored;
  Value good = good_members(root, description_of<SceneDescription>(), catalogue);
  if (Value::Member* cloths = find_member(good, "cloths"))
    good.object().erase(good.object().begin() + (cloths - good.object().data()));
  Value::List list;
  if (const Value* cloths = root.find("cloths"); cloths && cloths->is_list())
    for (const Value& cloth : cloths->list()) {
      if (!cloth.is_object()) continue;
      Value readable = good_members(cloth, description_of<ClothDescription>(), catalogue);
      if (!is_placed_as_written(readable, cloth)) drop_boxes(readable);
      if (readable.find("mesh")) list.push_back(std::move(readable));
    }
  good.object().push_back({"cloths", root.where, Value(std::move(list), root.where)});
  SceneDescription scene;
  ReadContext context{catalogue, ignored};
  read_object(good, description_of<SceneDescription>(), &scene, context);
  check_scene(scene, good, ignored);
  return scene;
}

bool is_known(const Diagnostic& item, const Diagnostics& known) {
  return std::any_of(known.items().begin(), known.items().end(), [&](const Diagnostic& other) {
    return item.message == other.message && to_string(item.where) == to_string(other.where);
  });
}

void append_new_errors(const Diagnostics& found, Diagnostics& out) {
  for (const Diagnostic& item : found.items())
    if (item.severity == Severity::error && !is_known(item, out))
      out.error(item.where, item.message, item.remedy);
}

Result<LoadedScene> load(std::string_view text, const fs::path& file, const SceneTexts& kept,
                         const Catalogue& catalogue, const SceneCheck& check = {}) {
  Diagnostics diagnostics;
  LoadedScene loaded;
  Assembler assembler(catalogue, diagnostics, kept);
  assembler.enter(file);
  const Value root = assembler.assemble(text, file);
  if (root.is_object()) {
    ReadContext context{catalogue, diagnostics};
    read_object(root, description_of<SceneDescription>(), &loaded.description, context);
    check_scene(loaded.description, root, diagnostics);
  }
  if (root.is_object() && diagnostics.has_errors() && check) {
    Diagnostics more;
    check(readable_part(root, catalogue), more);
    append_new_errors(more, diagnostics);
  }
  loaded.files = assembler.files();
  std::vector<std::string> order;
  for (const fs::path& read : loaded.files) order.push_back(read.string());
  diagnostics.sort_by_place(order);
  if (diagnostics.has_errors()) return diagnostics;
  loaded.description.file = file;
  loaded.warnings = std::move(diagnostics);
  return loaded;
}

}  // namespace

fs::path resolve_path(const std::string& name, const SourceLocation& where) {
  return (fs::path(where.file).parent_path() / fs::path(name)).lexically_normal();
}

std::string name_beside(const fs::path& scene, const fs::path& file) {
  const fs::path folder = scene.parent_path().lexically_normal();
  const fs::path name = file.lexically_normal().lexically_relative(folder);
  return (name.empty() ? file : name).generic_string();
}

Result<LoadedScene> load_scene_text(std::string_view text, const fs::path& file, const Catalogue& catalogue,
                                    const SceneCheck& check) {
  return load(text, file, {}, catalogue, check);
}

Result<LoadedScene> load_scene_texts(const SceneTexts& texts, const fs::path& file,
                                     const Catalogue& catalogue) {
  const std::string* text = find_text(texts, file, file);
  if (!text) return failure({file.string()}, "the text of the scene was not kept", "run the scene again");
  return load(*text, file, texts, catalogue);
}

Result<LoadedScene> load_scene(const fs::path& file, const Catalogue& catalogue, const SceneCheck& check) {
  const Result<std::string> text = read_text(file, {});
  if (!text) return text.errors();
  return load_scene_text(*text, file, catalogue, check);
}

}  // namespace heddle
