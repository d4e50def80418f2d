// The shared configuration files of AWS: ~/.aws/config and ~/.aws/credentials
// (AWS SDKs and Tools Reference Guide, "Shared config and credentials files").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/environment.h"
#include "core/base/result.h"

namespace gluecat::aws {

// Names are lower case. A property with sub-properties holds them as lines,
// "\nname = value\nname2 = value2".
using ProfileProperties = std::map<std::string, std::string, std::less<>>;

struct ProfileSet {
  std::map<std::string, ProfileProperties, std::less<>> profiles;
  std::map<std::string, ProfileProperties, std::less<>> sso_sessions;

  // A property of a profile; nullopt if either is missing or the value is empty.
  std::optional<std::string> Find(std::string_view profile, std::string_view property) const;

  bool operator==(const ProfileSet&) const = default;
};

// Parses and merges both files; where both say something, `credentials` wins.
// Profiles and properties with names that are not allowed are left out, as
// everywhere in AWS. Messages name the file and the line, never a value.
// Errors: kInvalidData.
Result<ProfileSet> ParseProfiles(std::string_view config, std::string_view credentials);

// Where the files are: system property (aws.configFile,
// aws.sharedCredentialsFile), environment variable (AWS_CONFIG_FILE,
// AWS_SHARED_CREDENTIALS_FILE), $HOME/.aws/. A leading "~/" stands for $HOME.
// nullopt if it takes a home directory and HOME is not set.
std::optional<std::string> ConfigFilePath(const Environment& environment);
std::optional<std::string> CredentialsFilePath(const Environment& environment);

// Reads both files; one that does not exist is empty.
// Errors: kInvalidData, kInvalidArgument (too large), kUnavailable (cannot be read).
Result<ProfileSet> LoadProfiles(const Environment& environment);

// The profile to use, and whether somebody asked for it by name (system property
// aws.profile, then AWS_PROFILE) or it is "default".
struct ProfileChoice {
  std::string name;
  bool explicitly_named = false;
};
ProfileChoice ChooseProfile(const Environment& environment);

}  // namespace gluecat::aws
