#include "server/accounts_json.h"

#include <algorithm>
#include <utility>

namespace gluecat::server {

std::unexpected<Error> InvalidAccounts(const std::string& place, std::string_view what) {
  return Fail(ErrorKind::kInvalidArgument, "accounts file: " + place + " " + std::string(what));
}

Status CheckMembers(JsonView json, const std::string& place,
                    std::initializer_list<std::string_view> allowed) {
  if (!json.IsObject()) return InvalidAccounts(place, "must be an object");
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : json.Members()) {
    if (std::ranges::find(allowed, name) == allowed.end()) {
      return InvalidAccounts(place, "has the unknown member '" + std::string(name) + "'");
    }
    if (std::ranges::find(seen, name) != seen.end()) {
      return InvalidAccounts(place, "has the member '" + std::string(name) + "' twice");
    }
    seen.push_back(name);
  }
  return {};
}

Result<std::string> RequiredText(JsonView json, const std::string& place, std::string_view member) {
  const auto text = json[member].AsString();
  if (!text || text->empty()) {
    return InvalidAccounts(place, "needs the text '" + std::string(member) + "'");
  }
  return std::string(*text);
}

Result<std::vector<std::string>> TextList(JsonView json, const std::string& place,
                                          std::string_view member) {
  std::vector<std::string> list;
  const JsonView value = json[member];
  if (value.IsMissing()) return list;
  if (!value.IsArray()) {
    return InvalidAccounts(place, "'" + std::string(member) + "' must be a list");
  }
  for (const auto& element : value.Elements()) {
    const auto text = element.AsString();
    if (!text) {
      return InvalidAccounts(place, "'" + std::string(member) + "' must be a list of texts");
    }
    list.emplace_back(*text);
  }
  return list;
}

Result<std::vector<std::pair<std::string, JsonView>>> NamedMembers(JsonView json,
                                                                   const std::string& place,
                                                                   std::string_view member) {
  std::vector<std::pair<std::string, JsonView>> named;
  const JsonView value = json[member];
  if (value.IsMissing()) return named;
  const std::string quoted = "'" + std::string(member) + "'";
  if (!value.IsObject()) return InvalidAccounts(place, quoted + " must be an object");
  for (const auto& [name, element] : value.Members()) {
    const auto same = [&](const auto& each) { return each.first == name; };
    if (name.empty() || std::ranges::any_of(named, same)) {
      return InvalidAccounts(
          place, quoted + " has the name '" + std::string(name) + "' twice, or it is empty");
    }
    named.emplace_back(name, element);
  }
  return named;
}

}  // namespace gluecat::server
