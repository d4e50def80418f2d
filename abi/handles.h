// Catalogs behind handles: a slot and a generation, never a pointer, so that a
// handle used after its close is an error instead of a crash.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/cancellation.h"
#include "core/catalog/catalog.h"

namespace gluecat::abi {

// An open catalog and its running calls. Thread-safe.
class OpenCatalog {
 public:
  explicit OpenCatalog(std::unique_ptr<catalog::Catalog> catalog);

  catalog::Catalog& catalog() { return *catalog_; }

  // A running call that Cancel() can reach; ends with the object.
  class RunningCall {
   public:
    RunningCall(OpenCatalog& owner, std::uint64_t call_id);
    ~RunningCall();
    RunningCall(const RunningCall&) = delete;
    RunningCall& operator=(const RunningCall&) = delete;

    CancellationToken token() const { return source_.token(); }
    // False if `call_id` is in use by another running call.
    bool registered() const { return registered_; }

   private:
    OpenCatalog& owner_;
    std::uint64_t call_id_;
    CancellationSource source_;
    bool registered_ = true;
  };

  void Cancel(std::uint64_t call_id);

 private:
  std::unique_ptr<catalog::Catalog> catalog_;
  std::mutex mutex_;
  std::map<std::uint64_t, CancellationSource> running_;
};

// All open catalogs of the process. Thread-safe.
class Handles {
 public:
  // Lives as long as the process: nothing is torn down at exit, when other
  // threads may still be calling.
  static Handles& Process();

  // A handle that is never 0.
  std::uint64_t Add(std::shared_ptr<OpenCatalog> catalog);

  // nullptr for a handle that is not open.
  std::shared_ptr<OpenCatalog> Find(std::uint64_t handle);

  void Remove(std::uint64_t handle);

 private:
  struct Slot {
    std::uint32_t generation = 1;
    std::shared_ptr<OpenCatalog> catalog;
  };
  Slot* SlotOf(std::uint64_t handle);

  std::mutex mutex_;
  std::vector<Slot> slots_;
};

}  // namespace gluecat::abi
