// The directories below which the store writes metadata files of Iceberg tables: those that the
// operator named, and nothing beside them.
//
// Locations are "file:" locations. Below a named directory no component may be "." or "..", or a
// symbolic link, whoever made it: each is opened by itself, without following links.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::store {

class IcebergWarehouses {
 public:
  IcebergWarehouses() = default;  // none: everything is refused

  // The directories must exist. Errors: kInvalidArgument (no absolute path, no directory),
  // kUnavailable.
  static Result<IcebergWarehouses> Of(const std::vector<std::string>& directories);

  // Whether a table may be at `location`. Errors: InvalidInputException, saying why not.
  Status Check(std::string_view location) const;

  // Writes `text` as <location>/metadata/<name>, whole or not at all, and on the disk when it
  // returns; makes the directories that are missing. Gives the file's location.
  // Errors: InvalidInputException (see Check; a symbolic link in the way), kUnavailable (disk
  // full, no permission).
  Result<std::string> WriteMetadata(const std::string& location, const std::string& name,
                                    std::string_view text) const;

  // The text of a metadata file. Errors: InvalidInputException (see Check; no such file, no
  // regular file, too large), kUnavailable.
  Result<std::string> ReadMetadata(const std::string& location) const;

  // Deletes a file that WriteMetadata wrote and nobody knows of; nothing happens if it cannot.
  void Discard(const std::string& location) const;

  bool empty() const { return roots_.empty(); }

 private:
  struct Root {
    std::string named;      // as the operator did
    std::string canonical;  // without symbolic links
  };
  struct Place {
    std::string root;                     // canonical
    std::vector<std::string> components;  // below it
  };
  Result<Place> PlaceOf(std::string_view location) const;

  std::vector<Root> roots_;
};

}  // namespace gluecat::store
