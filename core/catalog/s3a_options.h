// The S3A keys that follow from a catalog's role, so that data is read under
// the identity that reads the entries.
#pragma once

#include "core/catalog/settings.h"

namespace gluecat::catalog {

// With client.assume-role.arn, adds to the hadoop_options the fs.s3a.* keys that make S3A
// assume the same role (docs/configuration.md lists them). What the options say themselves
// is there already, and stays. Nothing is derived with
// client.credentials-provider, whose class S3A cannot be given, nor when the
// options name hadoop.fs.s3a.aws.credentials.provider themselves: that is the
// opt-out. On Hadoop before 3.4, which cannot send an external id, a role with
// one derives nothing and warns, unless hadoop.fs.s3a.assumed.role.arn names
// another role for the data.
//
// S3A calls STS under the identity that it had before, which is what
// request.hadoop says of fs.s3a.aws.credentials.provider; a session that sets
// fs.s3a.assumed.role.credentials.provider has said so itself.
void DeriveS3aOptions(const OpenRequest& request, Settings& settings);

}  // namespace gluecat::catalog
