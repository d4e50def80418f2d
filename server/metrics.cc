#include "server/metrics.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <initializer_list>

#include "server/sts.h"
#include "store/store.h"

namespace gluecat::server {
namespace {

constexpr std::array kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                0.1,    0.25,  0.5,    1.0,   2.5,  10.0};

std::string_view KnownOperation(std::string_view service, std::string_view operation) {
  const bool known =
      service == "glue" ? store::IsKnownOperation(operation) : IsKnownStsOperation(operation);
  return known ? operation : "other";
}

std::string Number(double value) {
  std::array<char, 400> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return {text.data(), end};
}

using Label = std::pair<std::string_view, std::string_view>;

std::string Labels(std::initializer_list<Label> labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += text.empty() ? '{' : ',';
    text.append(name).append("=\"");
    for (const char c : value) {
      if (c == '\\' || c == '"') text += '\\';
      c == '\n' ? text.append("\\n") : text.append(1, c);
    }
    text += '"';
  }
  return text + '}';
}

void Describe(std::string& out, std::string_view name, std::string_view type,
              std::string_view help) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n");
  out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void Sample(std::string& out, std::string_view name, const std::string& labels,
            const std::string& value) {
  out.append(name).append(labels).append(" ").append(value).append("\n");
}

}  // namespace

void Metrics::Count(std::string_view service, std::string_view operation, std::string_view code,
                    Duration latency) {
  const std::string known(KnownOperation(service, operation));
  const double seconds = std::chrono::duration<double>(latency).count();
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(service), known, std::string(code)}];
  auto& measured = latencies_[{std::string(service), known}];
  static_assert(std::tuple_size_v<decltype(measured.buckets)> == kBounds.size());
  if (bound != kBounds.end()) {
    ++measured.buckets[static_cast<std::size_t>(bound - kBounds.begin())];
  }
  ++measured.count;
  measured.seconds += seconds;
}

std::string Metrics::Text() const {
  std::string out;
  Describe(out, "gluecat_build_info", "gauge", "The version that is running.");
  Sample(out, "gluecat_build_info", Labels({{"version", version_}}), "1");
  Describe(out, "process_start_time_seconds", "gauge", "When the server started, Unix time.");
  Sample(
      out, "process_start_time_seconds", "",
      std::to_string(
          std::chrono::duration_cast<std::chrono::seconds>(started_.time_since_epoch()).count()));
  Describe(out, "gluecat_open_connections", "gauge", "Connections of clients, also waiting ones.");
  Sample(out, "gluecat_open_connections", "", std::to_string(open_connections_.load()));
  Describe(out, "gluecat_requests_in_flight", "gauge", "Requests that are not answered yet.");
  Sample(out, "gluecat_requests_in_flight", "", std::to_string(requests_in_flight_.load()));

  const std::lock_guard lock(mutex_);
  Describe(out, "gluecat_requests_total", "counter",
           "Answered requests; code OK is success, operation \"other\" an unknown one.");
  for (const auto& [labels, count] : requests_) {
    const auto& [service, operation, code] = labels;
    Sample(out, "gluecat_requests_total",
           Labels({{"service", service},
                   {"operation", operation},
                   {"code", code.empty() ? "OK" : std::string_view(code)}}),
           std::to_string(count));
  }
  constexpr std::string_view kLatency = "gluecat_request_duration_seconds";
  Describe(out, kLatency, "histogram", "Time from a request's last byte to its answer.");
  for (const auto& [labels, measured] : latencies_) {
    const auto& [service, operation] = labels;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      below += measured.buckets[i];
      Sample(out, std::string(kLatency) + "_bucket",
             Labels({{"service", service}, {"operation", operation}, {"le", Number(kBounds[i])}}),
             std::to_string(below));
    }
    Sample(out, std::string(kLatency) + "_bucket",
           Labels({{"service", service}, {"operation", operation}, {"le", "+Inf"}}),
           std::to_string(measured.count));
    const std::string both = Labels({{"service", service}, {"operation", operation}});
    Sample(out, std::string(kLatency) + "_sum", both, Number(measured.seconds));
    Sample(out, std::string(kLatency) + "_count", both, std::to_string(measured.count));
  }
  return out;
}

}  // namespace gluecat::server
