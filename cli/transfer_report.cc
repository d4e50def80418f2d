#include "cli/transfer_report.h"

#include <string>
#include <string_view>

#include "cli/text_table.h"
#include "core/base/text.h"

namespace gluecat::cli {
namespace {

using transfer::Counts;
using transfer::Kind;
using transfer::Resolution;

constexpr std::size_t kShownInText = 100;  // of each list

// The members of Counts, in the order in which they are shown.
constexpr struct {
  std::string_view name;
  std::string_view heading;
  std::uint64_t Counts::* count;
} kColumns[] = {
    {"created", "CREATED", &Counts::created}, {"changed", "CHANGED", &Counts::changed},
    {"same", "SAME", &Counts::same},          {"conflicting", "CONFLICTING", &Counts::conflicting},
    {"skipped", "SKIPPED", &Counts::skipped}, {"failed", "FAILED", &Counts::failed}};

std::string_view ResolutionName(Resolution resolution) {
  switch (resolution) {
    case Resolution::kConflicting:
      return "conflicting";
    case Resolution::kSkipped:
      return "skipped";
    case Resolution::kChanged:
      return "changed";
  }
  return "";
}

// "partition index", for people.
std::string Words(Kind kind) {
  std::string words(transfer::KindName(kind));
  for (char& c : words) {
    if (c == '_') c = ' ';
  }
  return words;
}

std::string SubjectText(const transfer::Subject& subject) {
  std::string text = Words(subject.kind) + " " + subject.object;
  if (!subject.values.empty()) text += " [" + Join(subject.values, ", ") + "]";
  return OneLine(text);
}

std::string Value(const std::string& json) { return json.empty() ? "(none)" : json; }

void WriteLeftOut(std::uint64_t count, std::ostream& out) {
  if (count > 0) out << "… and " << count << " more\n";
}

template <typename T, typename Write>
void WriteList(const transfer::BoundedList<T>& list, std::ostream& out, const Write& write) {
  std::size_t shown = 0;
  for (const T& element : list.elements()) {
    if (shown == kShownInText) break;
    write(element);
    ++shown;
  }
  WriteLeftOut(list.elements().size() - shown + list.left_out(), out);
}

void WriteConflict(const transfer::Conflict& conflict, std::ostream& out) {
  out << ResolutionName(conflict.resolution) << ": " << SubjectText(conflict.subject) << '\n';
  TextTable text;
  for (const auto& difference : conflict.differences) {
    text.Add({difference.member, "source", Value(difference.source), "target",
              Value(difference.target)});
  }
  text.Write(out, "    ");
}

void WritePlanned(const transfer::PlannedWork& work, std::ostream& out) {
  out << (work.create ? "create: " : "change: ");
  if (work.kind == Kind::kPartition) {
    out << work.count << (work.count == 1 ? " partition of table " : " partitions of table ")
        << OneLine(work.object) << '\n';
  } else {
    out << Words(work.kind) << ' ' << OneLine(work.object) << '\n';
  }
}

void WriteCounts(const transfer::Report& report, std::ostream& out) {
  std::vector<std::string> headings = {"DATABASE", "KIND"};
  for (const auto& column : kColumns) headings.emplace_back(column.heading);
  TextTable text(std::move(headings));
  for (const auto& database : report.databases) {
    for (std::size_t kind = 0; kind < transfer::kKinds; ++kind) {
      std::vector<std::string> cells = {database.name, Words(static_cast<Kind>(kind))};
      std::uint64_t sum = 0;
      for (const auto& column : kColumns) {
        const auto count = database.counts.at(kind).*column.count;
        cells.push_back(std::to_string(count));
        sum += count;
      }
      if (sum > 0) text.Add(std::move(cells));
    }
  }
  text.Write(out);
}

void WriteSubject(const transfer::Subject& subject, JsonWriter& writer) {
  writer.Member("kind", transfer::KindName(subject.kind)).Member("object", subject.object);
  if (subject.values.empty()) return;
  writer.Key("values").BeginArray();
  for (const auto& value : subject.values) writer.String(value);
  writer.EndArray();
}

void WriteDifference(const transfer::Difference& difference, JsonWriter& writer) {
  writer.BeginObject().Member("member", difference.member);
  if (!difference.source.empty()) writer.Member("source", difference.source);
  if (!difference.target.empty()) writer.Member("target", difference.target);
  writer.EndObject();
}

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kWritten:
      return "written";
    case Outcome::kDryRun:
      return "dry_run";
    case Outcome::kRefused:
      return "refused";
  }
  return "";
}

template <typename T, typename Write>
void WriteListJson(std::string_view name, const transfer::BoundedList<T>& list, JsonWriter& writer,
                   const Write& write) {
  writer.Key(name).BeginArray();
  for (const T& element : list.elements()) write(element);
  writer.EndArray();
  writer.Member(std::string(name) + "_left_out", static_cast<std::int64_t>(list.left_out()));
}

}  // namespace

void WriteFailureText(const transfer::Failure& failure, std::ostream& out) {
  out << "failed: " << SubjectText(failure.subject) << ": " << OneLine(failure.error.message);
  if (!failure.error.code.empty()) out << " (" << failure.error.code << ')';
  out << '\n';
}

void WriteFailureJson(const transfer::Failure& failure, JsonWriter& writer) {
  writer.BeginObject();
  WriteSubject(failure.subject, writer);
  writer.Key("error").BeginObject().Member("kind", ErrorKindName(failure.error.kind));
  if (!failure.error.code.empty()) writer.Member("code", failure.error.code);
  writer.Member("message", failure.error.message).EndObject().EndObject();
}

void WriteReportText(const transfer::Report& report, Outcome outcome, std::ostream& out) {
  if (outcome == Outcome::kDryRun) {
    out << "dry run: nothing was written\n";
    WriteList(report.planned, out, [&](const auto& work) { WritePlanned(work, out); });
  }
  WriteList(report.conflicts, out, [&](const auto& conflict) { WriteConflict(conflict, out); });
  WriteList(report.failures, out, [&](const auto& failure) { WriteFailureText(failure, out); });
  WriteCounts(report, out);
  if (const auto conflicts = report.Sum(&Counts::conflicting); conflicts > 0) {
    out << "conflicts: " << conflicts
        << "; nothing is written while there are any. --on-conflict skip leaves these entries as "
           "they are, --on-conflict replace updates them\n";
  }
  if (report.unfinished > 0) {
    out << "not done: " << report.unfinished << "; run the command again to finish\n";
  }
}

void WriteReportJson(const transfer::Report& report, Outcome outcome, std::ostream& out) {
  JsonWriter writer;
  writer.BeginObject().Member("outcome", OutcomeName(outcome)).Key("databases").BeginArray();
  for (const auto& database : report.databases) {
    writer.BeginObject().Member("name", database.name).Key("counts").BeginObject();
    for (std::size_t kind = 0; kind < transfer::kKinds; ++kind) {
      writer.Key(transfer::KindName(static_cast<Kind>(kind))).BeginObject();
      for (const auto& column : kColumns) {
        writer.Member(column.name,
                      static_cast<std::int64_t>(database.counts.at(kind).*column.count));
      }
      writer.EndObject();
    }
    writer.EndObject().EndObject();
  }
  writer.EndArray();
  WriteListJson("planned", report.planned, writer, [&](const transfer::PlannedWork& work) {
    writer.BeginObject().Member("action", work.create ? "create" : "change");
    writer.Member("kind", transfer::KindName(work.kind)).Member("object", work.object);
    writer.Member("count", static_cast<std::int64_t>(work.count)).EndObject();
  });
  WriteListJson("conflicts", report.conflicts, writer, [&](const transfer::Conflict& conflict) {
    writer.BeginObject();
    WriteSubject(conflict.subject, writer);
    writer.Member("resolution", ResolutionName(conflict.resolution));
    writer.Key("differences").BeginArray();
    for (const auto& difference : conflict.differences) WriteDifference(difference, writer);
    writer.EndArray().EndObject();
  });
  WriteListJson("failures", report.failures, writer,
                [&](const transfer::Failure& failure) { WriteFailureJson(failure, writer); });
  writer.Member("unfinished", static_cast<std::int64_t>(report.unfinished));
  out << writer.EndObject().text() << '\n';
}

}  // namespace gluecat::cli
