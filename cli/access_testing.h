// For tests: a catalog of a store in a directory of its own, every call remembered.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "cli/catalog_access.h"
#include "core/glue/recording_transport.h"
#include "store/local_transport.h"
#include "store/store_testing.h"

namespace gluecat::cli {

class AccessTest : public store::StoreTest {
 protected:
  AccessTest()
      : recording_(std::make_shared<glue::RecordingTransport>(
            std::make_shared<store::LocalTransport>(store_, Account(), clock_))),
        access_("of the test", SettingsOfTest(), recording_) {}

  static catalog::Settings SettingsOfTest() {
    catalog::Settings settings;
    settings.catalog = "test";
    return settings;
  }

  // What the command wrote so far, and no longer.
  std::string Written() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  std::shared_ptr<glue::RecordingTransport> recording_;
  CatalogAccess access_;
  std::ostringstream out_;
};

}  // namespace gluecat::cli
