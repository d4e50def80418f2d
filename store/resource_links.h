// Resource links: what they lead to, and how they are shown. What follows them is in lookup.h.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/lookup.h"
#include "store/operation.h"

namespace gluecat::store {

// What a TargetDatabase or TargetTable means: what it leaves out (CatalogId, Region) is the
// link's own. Names are folded.
LinkTarget TargetOf(const Call& call, JsonView target);
// The same from the text that is stored.
Result<LinkTarget> StoredTarget(const Call& call, std::string_view target);

// "table sales.orders of catalog 222222222222 in eu-central-1"
std::string Describe(const LinkTarget& target);

// Errors: what Principal::may_follow says.
Status CheckMayFollow(const Call& call, const LinkTarget& target);

// Whether a link to `target` may be made: as database `own`, or as table `own_table` in it. It need
// not exist yet. Errors: InvalidInputException if it names nothing, itself or another link.
Status CheckNewLink(Call& call, const LinkTarget& target, const LinkTarget& own);

// The target in an update must be the one that the link has, or left out. Errors:
// InvalidInputException.
Status CheckSameTarget(const Call& call, std::string_view link, JsonView given,
                       std::string_view stored);

// A link as it is shown: the properties of the target under the link's own name. Both are whole
// entries; `target_member` is "TargetDatabase" or "TargetTable".
Result<std::string> MergedEntry(std::string_view link, std::string_view target,
                                std::string_view target_member);

// The entry of `table`, merged with its target's if it is a link that was followed.
Result<std::string> ReadShownEntry(Call& call, const ShownTable& table);

}  // namespace gluecat::store
