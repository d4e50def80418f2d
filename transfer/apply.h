// Writes what was found out to be missing or different.
#pragma once

#include "core/base/result.h"
#include "core/glue/client.h"
#include "transfer/progress.h"
#include "transfer/report.h"
#include "transfer/work_list.h"

namespace gluecat::transfer {

// Carries out `work` on `target`. One request for each database, function and table, and for
// each partition index of a table that was there; one for 100 partitions of a table; column
// statistics take one for 25 columns. A table is updated under the VersionId it was compared
// with. `report` then counts what was done instead of what was to be done.
//
// A refusal that is about one entry is counted and listed, and the others are written all
// the same; what stands below a table that could not be written is left. Errors, after which
// the rest is not tried and counted as unfinished: credentials that do not count, throttling
// that goes on, a service that cannot be reached; kUnavailable (temporary files). Doing the
// whole transfer again finishes it.
Status Apply(WorkList& work, const glue::Client& target, Report& report, Progress& progress);

}  // namespace gluecat::transfer
