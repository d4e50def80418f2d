#include "store/resource_arn.h"

#include "core/base/text.h"

namespace gluecat::store {
namespace {

// Partitions of AWS: aws, aws-cn, aws-us-gov, aws-iso, aws-iso-b, …
bool IsPartition(std::string_view text) {
  return text == "aws" || text == "aws-cn" || text == "aws-us-gov" || text.starts_with("aws-iso");
}

}  // namespace

std::optional<ResourceArn> ResourceArn::Parse(std::string_view text) {
  constexpr std::size_t kPieces = 6;
  const auto pieces = Split(text, ':');
  if (pieces.size() != kPieces || pieces[0] != "arn" || !IsPartition(pieces[1]) ||
      pieces[2] != "glue" || pieces[4].empty()) {
    return std::nullopt;
  }
  ResourceArn arn;
  arn.region = pieces[3];
  arn.account = pieces[4];
  std::string_view path = pieces[5];
  const auto take = [&path] {
    const std::size_t end = path.find('/');
    const std::string_view head = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
    return head;
  };
  arn.type = take();
  if (arn.type == "table") arn.database = take();
  arn.name = path;
  return arn;
}

}  // namespace gluecat::store
