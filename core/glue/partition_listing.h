// All pages of a GetPartitions listing, one on its way while another is read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/glue/partition_page.h"

namespace gluecat::glue {

// Asks for the page that follows `token` (empty: the first one). `spare` is
// memory for the answer, see CallContext. It is called from several threads, but
// only by one at a time.
using PageSource = std::function<Result<std::string>(const std::string& token, std::string& spare)>;

// Reads every page into `sink`. As soon as a page is there the next one is asked
// for, on a second thread, so that a fast source and the reading of large
// pages do not wait for each other. Returns after that thread has ended.
// Errors: those of `source`, PartitionPageReader and the sink; kInvalidData if an
// answer has the NextToken it was asked with.
Status ListPartitions(const PageSource& source, PartitionSink& sink);

// The NextToken of a page that has not been parsed: found where it stands as the
// first or the last member and needs no unescaping. A guess, which the parsed page
// has to confirm; none for the last page.
std::optional<std::string> GuessNextToken(std::string_view page);

}  // namespace gluecat::glue
