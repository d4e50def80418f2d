// The S3A keys that follow from a catalog's role, so that data is read under
// the identity that reads the entries.
#pragma once

#include "core/catalog/settings.h"

namespace gluecat::catalog {

// With client.assume-role.arn, adds the fs.s3a.* keys that make S3A assume the
// same role (docs/configuration.md lists them). A catalog whose options name
// hadoop.fs.s3a.aws.credentials.provider itself derives nothing: that is the
// opt-out. On Hadoop before 3.4, which cannot send an external id, a role with
// one derives nothing and warns.
void DeriveS3aOptions(const OpenRequest& request, Settings& settings);

}  // namespace gluecat::catalog
