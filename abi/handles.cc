#include "abi/handles.h"

#include <algorithm>
#include <utility>

namespace gluecat::abi {
namespace {
constexpr unsigned kGenerationShift = 32;
}

OpenCatalog::OpenCatalog(std::unique_ptr<catalog::Catalog> catalog)
    : catalog_(std::move(catalog)) {}

OpenCatalog::RunningCall::RunningCall(OpenCatalog& owner, std::uint64_t call_id)
    : owner_(owner), call_id_(call_id) {
  if (call_id_ == 0) return;
  const std::lock_guard lock(owner_.mutex_);
  registered_ = owner_.running_.emplace(call_id_, source_).second;
}

OpenCatalog::RunningCall::~RunningCall() {
  if (call_id_ == 0 || !registered_) return;
  const std::lock_guard lock(owner_.mutex_);
  owner_.running_.erase(call_id_);
}

void OpenCatalog::Cancel(std::uint64_t call_id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = running_.find(call_id); found != running_.end()) found->second.Cancel();
}

Handles& Handles::Process() {
  static Handles* const handles = new Handles;
  return *handles;
}

Handles::Slot* Handles::SlotOf(std::uint64_t handle) {
  const std::uint64_t index = handle & 0xFFFFFFFFU;
  if (index == 0 || index > slots_.size()) return nullptr;
  Slot& slot = slots_[index - 1];
  return slot.catalog && slot.generation == handle >> kGenerationShift ? &slot : nullptr;
}

std::uint64_t Handles::Add(std::shared_ptr<OpenCatalog> catalog) {
  const std::lock_guard lock(mutex_);
  auto slot = std::find_if(slots_.begin(), slots_.end(),
                           [](const Slot& candidate) { return !candidate.catalog; });
  if (slot == slots_.end()) slot = slots_.emplace(slots_.end());
  slot->catalog = std::move(catalog);
  const auto index = static_cast<std::uint64_t>(slot - slots_.begin()) + 1;
  return std::uint64_t{slot->generation} << kGenerationShift | index;
}

std::shared_ptr<OpenCatalog> Handles::Find(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const Slot* slot = SlotOf(handle);
  return slot == nullptr ? nullptr : slot->catalog;
}

void Handles::Remove(std::uint64_t handle) {
  std::shared_ptr<OpenCatalog> last;  // destroyed outside the lock
  const std::lock_guard lock(mutex_);
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return;
  last = std::move(slot->catalog);
  slot->catalog.reset();
  ++slot->generation;
}

}  // namespace gluecat::abi
