#include "server/metrics.h"

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

using std::chrono::milliseconds;

bool Has(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(MetricsTest, CountsByServiceOperationAndCode) {
  Metrics metrics("1.2.3", Timestamp(std::chrono::seconds(1'700'000'000)));
  metrics.Count("glue", "GetTable", "", milliseconds(3));
  metrics.Count("glue", "GetTable", "", milliseconds(20'000));
  metrics.Count("glue", "GetTable", "EntityNotFoundException", milliseconds(1));
  metrics.Count("sts", "AssumeRole", "AccessDenied", milliseconds(1));
  const auto text = metrics.Text();
  EXPECT_TRUE(Has(text, R"(gluecat_build_info{version="1.2.3"} 1)")) << text;
  EXPECT_TRUE(Has(text, "process_start_time_seconds 1700000000"));
  EXPECT_TRUE(
      Has(text, R"(gluecat_requests_total{service="glue",operation="GetTable",code="OK"} 2)"));
  EXPECT_TRUE(Has(
      text,
      R"(gluecat_requests_total{service="glue",operation="GetTable",code="EntityNotFoundException"} 1)"));
  EXPECT_TRUE(
      Has(text,
          R"(gluecat_requests_total{service="sts",operation="AssumeRole",code="AccessDenied"} 1)"));

  const std::string bucket =
      R"(gluecat_request_duration_seconds_bucket{service="glue",operation="GetTable",le=)";
  EXPECT_TRUE(Has(text, bucket + R"("0.0005"} 0)")) << text;
  EXPECT_TRUE(Has(text, bucket + R"("0.001"} 1)"));
  EXPECT_TRUE(Has(text, bucket + R"("0.005"} 2)"));
  EXPECT_TRUE(Has(text, bucket + R"("10"} 2)"));
  EXPECT_TRUE(Has(text, bucket + R"("+Inf"} 3)"));
  EXPECT_TRUE(Has(
      text, R"(gluecat_request_duration_seconds_count{service="glue",operation="GetTable"} 3)"));
  EXPECT_TRUE(Has(
      text, R"(gluecat_request_duration_seconds_sum{service="glue",operation="GetTable"} 20.004)"));
}

TEST(MetricsTest, UnknownOperationsShareASeries) {
  Metrics metrics("1", {});
  metrics.Count("glue", "A", "UnknownOperationException", milliseconds(1));
  metrics.Count("glue", "B\"}\n", "UnknownOperationException", milliseconds(1));
  metrics.Count("sts", "GetTable", "InvalidAction", milliseconds(1));
  const auto text = metrics.Text();
  EXPECT_TRUE(Has(
      text,
      R"(gluecat_requests_total{service="glue",operation="other",code="UnknownOperationException"} 2)"))
      << text;
  EXPECT_TRUE(Has(
      text, R"(gluecat_requests_total{service="sts",operation="other",code="InvalidAction"} 1)"));
}

TEST(MetricsTest, WhatIsPresent) {
  Metrics metrics("1\"\\\n", {});
  EXPECT_TRUE(Has(metrics.Text(), R"(gluecat_build_info{version="1\"\\\n"} 1)")) << metrics.Text();
  {
    const Metrics::Present request(metrics.requests_in_flight());
    EXPECT_TRUE(Has(metrics.Text(), "gluecat_requests_in_flight 1"));
    EXPECT_TRUE(Has(metrics.Text(), "gluecat_open_connections 0"));
  }
  EXPECT_TRUE(Has(metrics.Text(), "gluecat_requests_in_flight 0"));
}

}  // namespace
}  // namespace gluecat::server
