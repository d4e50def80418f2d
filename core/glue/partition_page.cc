#include "core/glue/partition_page.h"

#include <cstring>

#include <simdjson.h>

#include "core/base/text.h"

namespace gluecat::glue {
namespace {

namespace od = simdjson::ondemand;
using simdjson::SUCCESS;

// Ends the walk because of the sink, whose own error is the answer.
constexpr auto kStopped = simdjson::UNEXPECTED_ERROR;

// Every function here gives simdjson's error code; the outermost one turns it
// into an Error. A null stands for an absent member throughout.

// Members are told apart by their first letter mostly, without a call of memcmp.
template <std::size_t kSize>
bool Is(od::raw_json_string key, const char (&name)[kSize]) {
  const char* text = key.raw();
  return text[0] == name[0] && std::memcmp(text, name, kSize - 1) == 0 && text[kSize - 1] == '"';
}

// Calls `visit` with each field of an object; a null has none.
template <typename Value, typename Visit>
simdjson::error_code ForEachField(Value value, const Visit& visit) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  od::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto field : object) {
    if (const auto error = visit(field)) return error;
  }
  return SUCCESS;
}

// The same with the key, as it is written, and the value of each field.
template <typename Value, typename Visit>
simdjson::error_code ForEachMember(Value value, const Visit& visit) {
  return ForEachField<Value>(value, [&visit](auto& field) {
    od::raw_json_string key;
    od::value member;
    if (const auto error = field.key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    return visit(key, member);
  });
}

simdjson::error_code ReadText(od::value value, std::optional<std::string_view>& text) {
  text.reset();
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  std::string_view found;
  if (const auto error = value.get_string().get(found)) return error;
  text = found;
  return SUCCESS;
}

using Role = PartitionShape::Role;
using Slots = std::vector<PartitionShape::Slot>;

// Notes where the string or number `value` stands, unless `slots` is null. Must be
// called before the value is read.
void Note(Slots* slots, Role role, od::value& value) {
  if (slots == nullptr) return;
  std::string_view token = Trim(value.raw_json_token());
  if (token.starts_with('"')) token = token.substr(1, token.rfind('"') - 1);
  slots->push_back({role, token});
}

simdjson::error_code ReadMap(od::value value, std::vector<NameValue>& map, Slots* slots) {
  map.clear();
  return ForEachField(value, [&](auto& field) {
    std::string_view key;
    od::value member;
    if (const auto error = field.unescaped_key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    Note(slots, Role::kParameter, member);
    std::optional<std::string_view> text;
    if (const auto error = ReadText(member, text)) return error;
    if (text) map.emplace_back(key, *text);
    return SUCCESS;
  });
}

simdjson::error_code ReadValues(od::value value, std::vector<std::string_view>& values,
                                Slots* slots) {
  values.clear();
  od::array array;
  if (const auto error = value.get_array().get(array)) return error;
  for (auto element : array) {
    od::value item;
    std::string_view text;
    if (const auto error = element.get(item)) return error;
    Note(slots, Role::kValue, item);
    if (const auto error = item.get_string().get(text)) return error;
    values.push_back(text);
  }
  return SUCCESS;
}

simdjson::error_code ReadSerDe(od::value value, PartitionView& partition) {
  partition.serialization_library.reset();
  partition.serde_parameters.clear();
  return ForEachMember(value, [&](od::raw_json_string key, od::value member) {
    if (Is(key, "SerializationLibrary")) return ReadText(member, partition.serialization_library);
    if (Is(key, "Parameters")) return ReadMap(member, partition.serde_parameters, nullptr);
    return SUCCESS;
  });
}

// A member that is read only where its text differs from that of the partition
// before, which costs a comparison of memory instead of a walk over its strings.
class RepeatedMember {
 public:
  // Calls `read` with `value` unless its text is the one read last. `end` is the
  // end of the page.
  template <typename Read>
  simdjson::error_code Take(od::value value, od::document& document, const char* end,
                            const Read& read) {
    seen_ = true;
    const char* begin = value.raw_json_token().data();
    // A JSON text is never the beginning of another value's but for numbers, and
    // these members are none.
    if (!text_.empty() && text_.size() <= static_cast<std::size_t>(end - begin) &&
        std::memcmp(begin, text_.data(), text_.size()) == 0) {
      return SUCCESS;
    }
    changed_ = true;
    text_ = {};
    if (const auto error = read(value)) return error;
    const char* next = nullptr;
    if (const auto error = document.current_location().get(next)) return error;
    text_ = std::string_view(begin, static_cast<std::size_t>(next - begin));
    return SUCCESS;
  }

  // Ends a partition. Returns whether the member differs from the one before;
  // `forget` is called if it has gone.
  template <typename Forget>
  bool Finish(const Forget& forget) {
    const bool gone = !seen_ && !text_.empty();
    if (gone) {
      text_ = {};
      forget();
    }
    const bool changed = changed_ || gone;
    seen_ = changed_ = false;
    return changed;
  }

 private:
  std::string_view text_;
  bool seen_ = false;
  bool changed_ = false;
};

// The walk over one page.
class Page {
 public:
  // The first `known` partitions are not shown to the sink. `revision` is the last
  // one given out, and goes on.
  Page(const std::string& text, od::document& document, PartitionSink& sink, std::size_t known,
       std::uint64_t& revision)
      : end_(text.data() + text.size()),
        document_(document),
        sink_(sink),
        known_(known),
        revision_(revision) {
    partition_.format_revision = ++revision_;
    partition_.parameters_revision = ++revision_;
  }

  simdjson::error_code Read() {
    od::json_type type = od::json_type::unknown;
    if (const auto error = document_.type().get(type)) return error;
    if (type != od::json_type::object) return simdjson::INCORRECT_TYPE;
    const auto error =
        ForEachMember<od::document&>(document_, [this](od::raw_json_string key, od::value member) {
          if (Is(key, "NextToken")) return ReadToken(member);
          if (Is(key, "Partitions")) return ReadPartitions(member);
          return SUCCESS;
        });
    if (error != SUCCESS) return error;
    return document_.at_end() ? SUCCESS : simdjson::TRAILING_CONTENT;
  }

  std::string& next_token() { return next_token_; }
  const Status& sink_status() const { return sink_status_; }
  // The one of the first partition that was shown.
  std::optional<PartitionShape>& shape() { return shape_; }

 private:
  simdjson::error_code ReadToken(od::value value) {
    std::optional<std::string_view> token;
    if (const auto error = ReadText(value, token)) return error;
    next_token_ = token.value_or(std::string_view());
    return SUCCESS;
  }

  simdjson::error_code ReadPartitions(od::value value) {
    od::array partitions;
    if (const auto error = value.get_array().get(partitions)) return error;
    for (auto element : partitions) {
      od::value item;
      if (const auto error = element.get(item)) return error;
      if (number_++ < known_) continue;
      const auto error = number_ == known_ + 1 ? LearnPartition(item) : ReadPartition(item);
      if (error != SUCCESS) return error;
      sink_status_ = sink_.Add(partition_);
      if (!sink_status_) return kStopped;
    }
    return SUCCESS;
  }

  simdjson::error_code LearnPartition(od::value value) {
    Slots slots;
    slots_ = &slots;
    const char* const begin = value.raw_json_token().data();
    const auto error = ReadPartition(value);
    slots_ = nullptr;
    if (error != SUCCESS) return error;
    const char* next = nullptr;
    if (const auto lost = document_.current_location().get(next)) return lost;
    const std::string_view text(begin, static_cast<std::size_t>(next - begin));
    shape_ = PartitionShape::Of(Trim(text), partition_, slots);
    return SUCCESS;
  }

  simdjson::error_code ReadPartition(od::value value) {
    partition_.values.clear();
    partition_.location.reset();
    const auto error = ForEachMember(value, [this](od::raw_json_string key, od::value member) {
      if (Is(key, "Values")) return ReadValues(member, partition_.values, slots_);
      if (Is(key, "StorageDescriptor")) return ReadStorageDescriptor(member);
      if (Is(key, "Parameters")) {
        return parameters_.Take(member, document_, end_, [this](od::value map) {
          return ReadMap(map, partition_.parameters, slots_);
        });
      }
      if (Is(key, "CreationTime") || Is(key, "LastAccessTime") || Is(key, "LastAnalyzedTime")) {
        Note(slots_, Role::kUnused, member);
      }
      return SUCCESS;
    });
    FinishPartition();
    return error;
  }

  simdjson::error_code ReadStorageDescriptor(od::value value) {
    return ForEachMember(value, [this](od::raw_json_string key, od::value member) {
      if (Is(key, "Location")) {
        Note(slots_, Role::kLocation, member);
        return ReadText(member, partition_.location);
      }
      if (Is(key, "InputFormat")) {
        return input_format_.Take(member, document_, end_, [this](od::value text) {
          return ReadText(text, partition_.input_format);
        });
      }
      if (Is(key, "OutputFormat")) {
        return output_format_.Take(member, document_, end_, [this](od::value text) {
          return ReadText(text, partition_.output_format);
        });
      }
      if (Is(key, "SerdeInfo")) {
        return serde_.Take(member, document_, end_,
                           [this](od::value serde) { return ReadSerDe(serde, partition_); });
      }
      // Where crawlers write the statistics of each partition.
      od::json_type type = od::json_type::unknown;
      if (slots_ != nullptr && Is(key, "Parameters") && member.type().get(type) == SUCCESS &&
          type == od::json_type::object) {
        return ForEachMember(member, [this](od::raw_json_string /*key*/, od::value text) {
          Note(slots_, Role::kUnused, text);
          return SUCCESS;
        });
      }
      return SUCCESS;
    });
  }

  void FinishPartition() {
    bool format = input_format_.Finish([this] { partition_.input_format.reset(); });
    format |= output_format_.Finish([this] { partition_.output_format.reset(); });
    format |= serde_.Finish([this] {
      partition_.serialization_library.reset();
      partition_.serde_parameters.clear();
    });
    if (format) partition_.format_revision = ++revision_;
    if (parameters_.Finish([this] { partition_.parameters.clear(); })) {
      partition_.parameters_revision = ++revision_;
    }
  }

  const char* end_;
  od::document& document_;
  PartitionSink& sink_;
  std::size_t known_;
  std::size_t number_ = 0;
  std::uint64_t& revision_;
  PartitionView partition_;
  Slots* slots_ = nullptr;
  std::optional<PartitionShape> shape_;
  RepeatedMember input_format_;
  RepeatedMember output_format_;
  RepeatedMember serde_;
  RepeatedMember parameters_;
  std::string next_token_;
  Status sink_status_;
};

}  // namespace

struct PartitionPageReader::Parser {
  od::parser parser;
};

PartitionPageReader::PartitionPageReader() : parser_(std::make_unique<Parser>()) {}
PartitionPageReader::~PartitionPageReader() = default;

Result<std::string> PartitionPageReader::Read(std::string& page, PartitionSink& sink) {
  std::size_t known = 0;
  if (shape_) {
    GLUECAT_ASSIGN_OR_RETURN(auto part, shape_->ReadPage(page, sink, revision_));
    if (part.next_token) return *std::move(part.next_token);
    known = part.partitions;
  }
  page.reserve(page.size() + simdjson::SIMDJSON_PADDING);
  od::document document;
  auto error = parser_->parser.iterate(page.data(), page.size(), page.capacity()).get(document);
  if (error == SUCCESS) {
    Page reading(page, document, sink, known, revision_);
    error = reading.Read();
    if (reading.shape()) shape_ = std::move(reading.shape());
    if (!reading.sink_status()) return Fail(reading.sink_status().error());
    if (error == SUCCESS) return std::move(reading.next_token());
  }
  return Fail(ErrorKind::kInvalidData,
              std::string("unreadable GetPartitions answer: ") + simdjson::error_message(error));
}

}  // namespace gluecat::glue
