// `gluecat doctor`: whether a configuration works, and if not, at which step.
#pragma once

#include <ostream>

#include <CLI/CLI.hpp>

#include "cli/doctor.h"

namespace gluecat::cli {

struct DoctorOptions {
  CatalogOptions catalog;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddDoctorCommand(CLI::App& app, DoctorOptions& options);

// A line a step, what was tried beneath, and what to do about a failure; or one
// JSON object with "ok" and "steps".
void WriteDiagnosis(const Diagnosis& diagnosis, bool json, std::ostream& out);

}  // namespace gluecat::cli
