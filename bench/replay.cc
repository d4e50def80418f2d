// Answers GetTable and GetPartitions from memory, as fast as the loopback interface takes it, so that a benchmark
// against it measures the client.
//
// GetPartitions gives 100 pages of 1,000 partitions, with 20 columns each unless the request has
// ExcludeColumnSchema. Any other request gets the table. Nothing is checked: neither signature nor names.
//
//   replay            listens on a free port of 127.0.0.1 and prints "listening on http://127.0.0.1:PORT"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kPages = 100;
constexpr int kPartitionsPerPage = 1000;
constexpr int kColumns = 20;

std::string TwoDigits(int n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); }

std::string Response(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.1\r\nx-amzn-RequestId: "
         "00000000-0000-4000-8000-000000000000\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string Partition(int n, const std::string& columns) {
  const std::string date = "2026-" + TwoDigits(n % 12 + 1) + "-" + TwoDigits(n % 28 + 1);
  const std::string hour = std::to_string(n % 24);
  const std::string number = std::to_string(n);
  return R"({"Values":[")" + date + R"(",")" + hour + R"(",")" + number +
         R"("],"DatabaseName":"db","TableName":"t","CreationTime":1.7E9,"LastAccessTime":0.0,)"
         R"("StorageDescriptor":{)" +
         columns + R"("Location":"s3://bucket/warehouse/db/t/dt=)" + date + "/hour=" + hour +
         "/n=" + number +
         R"(","InputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",)"
         R"("OutputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",)"
         R"("Compressed":false,"NumberOfBuckets":-1,"SerdeInfo":{"SerializationLibrary":)"
         R"("org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe","Parameters":)"
         R"({"serialization.format":"1"}},"Parameters":{},"SkewedInfo":{"SkewedColumnNames":[],)"
         R"("SkewedColumnValues":[],"SkewedColumnValueLocationMaps":{}},)"
         R"("StoredAsSubDirectories":false},"Parameters":{"transient_lastDdlTime":"1700000000"},)"
         R"("CatalogId":"111111111111"})";
}

std::string Page(int page, bool with_columns) {
  std::string columns;
  if (with_columns) {
    columns = R"("Columns":[)";
    for (int i = 0; i < kColumns; ++i) {
      if (i > 0) columns += ',';
      columns += R"({"Name":"column_)" + std::to_string(i) + "\",\"Type\":\"decimal(18,2)\"}";
    }
    columns += "],";
  }
  std::string body = R"({"Partitions":[)";
  for (int i = 0; i < kPartitionsPerPage; ++i) {
    if (i > 0) body += ',';
    body += Partition(page * kPartitionsPerPage + i, columns);
  }
  body += ']';
  if (page + 1 < kPages) body += R"(,"NextToken":")" + std::to_string(page + 1) + '"';
  return Response(body + '}');
}

std::string Table() {
  return Response(
      R"({"Table":{"Name":"t","DatabaseName":"db","CatalogId":"111111111111","VersionId":"0",)"
      R"("CreateTime":1.7E9,"TableType":"EXTERNAL_TABLE","Parameters":)"
      R"({"spark.sql.sources.provider":"parquet"},"StorageDescriptor":{"Location":"s3://bucket/warehouse/db/t",)"
      R"("InputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",)"
      R"("OutputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat","SerdeInfo":)"
      R"({"SerializationLibrary":"org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"},)"
      R"("Columns":[{"Name":"a","Type":"int"}]},"PartitionKeys":[{"Name":"dt","Type":"string"},)"
      R"({"Name":"hour","Type":"int"},{"Name":"n","Type":"int"}]}})");
}

struct Answers {
  std::array<std::array<std::string, kPages>, 2> pages;  // [with columns][page]
  std::string table = Table();
};

int PageAsked(std::string_view body) {
  const auto at = body.find("\"NextToken\"");
  if (at == std::string_view::npos) return 0;
  const auto digit = body.find_first_of("0123456789", at + 11);
  int page = 0;
  if (digit != std::string_view::npos) {
    std::from_chars(body.data() + digit, body.data() + body.size(), page);
  }
  return page < 0 || page >= kPages ? 0 : page;
}

const std::string& Answer(const Answers& answers, std::string_view head, std::string_view body) {
  if (head.find("AWSGlue.GetPartitions") == std::string_view::npos) return answers.table;
  const auto flag = body.find("\"ExcludeColumnSchema\"");
  const bool exclude = flag != std::string_view::npos &&
                       body.substr(flag, 28).find("true") != std::string_view::npos;
  return answers.pages[exclude ? 0 : 1][static_cast<std::size_t>(PageAsked(body))];
}

std::size_t ContentLength(const std::string& head) {
  const char* found = strcasestr(head.c_str(), "\r\nContent-Length:");
  return found == nullptr ? 0 : std::strtoul(found + 17, nullptr, 10);
}

bool SendAll(int socket, std::string_view data) {
  while (!data.empty()) {
    const ssize_t sent = send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Serve(int socket, const Answers& answers) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  std::string pending;
  std::array<char, 64 * 1024> chunk;
  for (;;) {
    const auto end = pending.find("\r\n\r\n");
    const std::string head = end == std::string::npos ? "" : pending.substr(0, end + 4);
    const std::size_t size = head.size() + ContentLength(head);
    if (head.empty() || pending.size() < size) {
      const ssize_t got = recv(socket, chunk.data(), chunk.size(), 0);
      if (got <= 0) break;
      pending.append(chunk.data(), static_cast<std::size_t>(got));
      continue;
    }
    const std::string body = pending.substr(head.size(), size - head.size());
    pending.erase(0, size);
    if (!SendAll(socket, Answer(answers, head, body))) break;
  }
  close(socket);
}

}  // namespace

int main() {
  static Answers answers;
  for (int page = 0; page < kPages; ++page) {
    for (const bool columns : {false, true}) {
      answers.pages[columns ? 1 : 0][static_cast<std::size_t>(page)] = Page(page, columns);
    }
  }
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener, 64) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    std::perror("replay");
    return 1;
  }
  std::printf("listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  for (;;) {
    const int client = accept(listener, nullptr, nullptr);
    if (client >= 0) std::thread(Serve, client, std::cref(answers)).detach();
  }
}
