#include "core/aws/profile.h"

#include <utility>

#include "core/base/text.h"

namespace gluecat::aws {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-/.%@_:+").find(c) != std::string_view::npos;
}

bool IsValidName(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name) {
    if (!IsNameCharacter(c)) return false;
  }
  return true;
}

// The text before the first comment sign that stands at the start or after a blank.
std::string_view WithoutSpacedComment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '#' || text[i] == ';') && (i == 0 || IsBlank(text[i - 1]))) {
      return text.substr(0, i);
    }
  }
  return text;
}

enum class FileKind { kConfig, kCredentials };

// One file's worth of state. Lines are of five kinds: blank or comment, section,
// continuation (starts with a blank), property.
class FileParser {
 public:
  explicit FileParser(FileKind kind) : kind_(kind) {}

  Result<ProfileSet> Parse(std::string_view text) {
    for (auto line : Split(text, '\n')) {
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      GLUECAT_RETURN_IF_ERROR(ParseLine(line));
    }
    // "[profile default]" makes "[default]" of a config file void.
    if (has_prefixed_default_) {
      set_.profiles["default"] = std::move(prefixed_default_);
    }
    return std::move(set_);
  }

 private:
  std::unexpected<Error> Bad(std::string_view what) const {
    return Fail(ErrorKind::kInvalidData,
                std::string(what) + " at line " + std::to_string(line_) + " of the " +
                    (kind_ == FileKind::kConfig ? "config" : "credentials") + " file");
  }

  Status ParseLine(std::string_view line) {
    const auto text = Trim(line);
    if (text.empty() || line.front() == '#' || line.front() == ';') return {};
    if (line.front() == '[') return ParseSection(text);
    if (IsBlank(line.front())) return ParseContinuation(text);
    return ParseProperty(line);
  }

  Status ParseSection(std::string_view text) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return Bad("Profile definition must end with ']'");
    const auto rest = Trim(text.substr(end + 1));
    if (!rest.empty() && rest.front() != '#' && rest.front() != ';') {
      return Bad("Profile definition must end with ']'");
    }
    in_section_ = true;
    property_ = nullptr;
    section_ = SectionOf(Trim(text.substr(1, end - 1)));
    return {};
  }

  // What follows `prefix` and at least one blank; nullopt if `header` does not begin so.
  static std::optional<std::string_view> After(std::string_view header, std::string_view prefix) {
    if (!header.starts_with(prefix)) return std::nullopt;
    header.remove_prefix(prefix.size());
    if (header.empty() || !IsBlank(header.front())) return std::nullopt;
    return Trim(header);
  }

  // Where the section's properties go; nullptr for a section that is ignored.
  ProfileProperties* SectionOf(std::string_view header) {
    if (kind_ == FileKind::kCredentials) {
      return IsValidName(header) ? &set_.profiles[std::string(header)] : nullptr;
    }
    if (const auto name = After(header, "sso-session")) {
      return IsValidName(*name) ? &set_.sso_sessions[std::string(*name)] : nullptr;
    }
    if (const auto name = After(header, "profile")) {
      if (!IsValidName(*name)) return nullptr;
      if (*name != "default") return &set_.profiles[std::string(*name)];
      has_prefixed_default_ = true;
      return &prefixed_default_;
    }
    return header == "default" ? &set_.profiles["default"] : nullptr;
  }

  Status ParseContinuation(std::string_view text) {
    if (!in_section_) return Bad("Expected a profile definition, found continuation");
    if (property_ == nullptr) return Bad("Expected a property definition, found continuation");
    if (has_sub_properties_) {
      const auto at = text.find('=');
      if (at == std::string_view::npos) {
        return Bad("Expected an '=' sign defining a sub-property");
      }
      if (Trim(text.substr(0, at)).empty()) return Bad("Sub-property did not have a name");
    }
    property_->append(1, '\n').append(text);
    return {};
  }

  Status ParseProperty(std::string_view line) {
    if (!in_section_) return Bad("Expected a profile definition");
    const auto text = WithoutSpacedComment(line);
    const auto at = text.find('=');
    if (at == std::string_view::npos) return Bad("Expected an '=' sign defining a property");
    const auto name = Trim(text.substr(0, at));
    if (name.empty()) return Bad("Property did not have a name");
    const auto value = Trim(text.substr(at + 1));
    has_sub_properties_ = value.empty();
    if (section_ == nullptr || !IsValidName(name)) {
      ignored_ = value;
      property_ = &ignored_;
      return {};
    }
    property_ = &(*section_)[ToLowerAscii(name)];
    *property_ = value;
    return {};
  }

  FileKind kind_;
  std::size_t line_ = 0;
  ProfileSet set_;
  ProfileProperties prefixed_default_;
  bool has_prefixed_default_ = false;
  bool in_section_ = false;
  bool has_sub_properties_ = false;
  ProfileProperties* section_ = nullptr;  // stable: maps do not move their values
  std::string* property_ = nullptr;
  std::string ignored_;
};

std::optional<std::string> FilePath(const Environment& environment, std::string_view property,
                                    std::string_view variable, std::string_view default_name) {
  auto path = PropertyOrVariable(environment, property, variable);
  const auto home = environment.Variable("HOME");
  if (!path) {
    if (!home) return std::nullopt;
    return *home + "/.aws/" + std::string(default_name);
  }
  if (path->starts_with("~/")) {
    if (!home) return std::nullopt;
    return *home + path->substr(1);
  }
  return path;
}

Result<std::string> ReadIfThere(const Environment& environment,
                                const std::optional<std::string>& path) {
  if (!path) return std::string();
  auto text = environment.ReadFile(*path);
  if (!text && text.error().kind == ErrorKind::kNotFound) return std::string();
  return text;
}

}  // namespace

std::optional<std::string> ProfileSet::Find(std::string_view profile,
                                            std::string_view property) const {
  const auto found = profiles.find(profile);
  if (found == profiles.end()) return std::nullopt;
  const auto value = found->second.find(property);
  if (value == found->second.end() || value->second.empty()) return std::nullopt;
  return value->second;
}

Result<ProfileSet> ParseProfiles(std::string_view config, std::string_view credentials) {
  GLUECAT_ASSIGN_OR_RETURN(ProfileSet merged, FileParser(FileKind::kConfig).Parse(config));
  GLUECAT_ASSIGN_OR_RETURN(ProfileSet secrets,
                           FileParser(FileKind::kCredentials).Parse(credentials));
  for (auto& [name, properties] : secrets.profiles) {
    auto& target = merged.profiles[name];
    for (auto& [key, value] : properties) target[key] = std::move(value);
  }
  return merged;
}

std::optional<std::string> ConfigFilePath(const Environment& environment) {
  return FilePath(environment, "aws.configFile", "AWS_CONFIG_FILE", "config");
}

std::optional<std::string> CredentialsFilePath(const Environment& environment) {
  return FilePath(environment, "aws.sharedCredentialsFile", "AWS_SHARED_CREDENTIALS_FILE",
                  "credentials");
}

Result<ProfileSet> LoadProfiles(const Environment& environment) {
  GLUECAT_ASSIGN_OR_RETURN(const std::string config,
                           ReadIfThere(environment, ConfigFilePath(environment)));
  GLUECAT_ASSIGN_OR_RETURN(const std::string credentials,
                           ReadIfThere(environment, CredentialsFilePath(environment)));
  return ParseProfiles(config, credentials);
}

ProfileChoice ChooseProfile(const Environment& environment) {
  if (auto name = environment.SystemProperty("aws.profile")) return {std::move(*name), true};
  if (auto name = environment.Variable("AWS_PROFILE")) return {std::move(*name), true};
  return {"default", false};
}

}  // namespace gluecat::aws
