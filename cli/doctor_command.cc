#include "cli/doctor_command.h"

#include <string>

#include "cli/text_table.h"
#include "core/base/json.h"

namespace gluecat::cli {
namespace {

void WriteJson(const Diagnosis& diagnosis, std::ostream& out) {
  JsonWriter writer;
  writer.BeginObject().Member("ok", diagnosis.ok()).Key("steps").BeginArray();
  for (const Step& step : diagnosis.steps) {
    writer.BeginObject().Member("name", step.name);
    writer.Member("state", StepStateName(step.state)).Member("result", step.result);
    writer.Key("tried").BeginArray();
    for (const Attempt& attempt : step.tried) {
      writer.BeginObject().Member("source", attempt.source).Member("result", attempt.result);
      writer.EndObject();
    }
    writer.EndArray();
    if (!step.advice.empty()) writer.Member("advice", step.advice);
    writer.EndObject();
  }
  out << writer.EndArray().EndObject().text() << '\n';
}

}  // namespace

CLI::App* AddDoctorCommand(CLI::App& app, DoctorOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "doctor", "Show which region, endpoint and identity a configuration leads to, and try it");
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat doctor --profile etl --glue-id 111111111111\n"
      "  gluecat doctor --region eu-central-1 \\\n"
      "    --conf client.assume-role.arn=arn:aws:iam::111111111111:role/glue-access");
  return command;
}

void WriteDiagnosis(const Diagnosis& diagnosis, bool json, std::ostream& out) {
  if (json) {
    WriteJson(diagnosis, out);
    return;
  }
  for (const Step& step : diagnosis.steps) {
    out << step.name << ": " << StepStateName(step.state) << ": " << OneLine(step.result) << '\n';
    TextTable tried;
    for (const Attempt& attempt : step.tried) tried.Add({attempt.source, attempt.result});
    tried.Write(out, "    ");
    if (!step.advice.empty()) out << "    what to do: " << step.advice << '\n';
  }
}

}  // namespace gluecat::cli
