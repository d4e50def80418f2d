import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.glue.GlueClient;
import software.amazon.awssdk.services.glue.model.GetPartitionsRequest;
import software.amazon.awssdk.services.glue.model.GetPartitionsResponse;
import software.amazon.awssdk.services.glue.model.Partition;

/** The AWS SDK for Java, used the way its documentation shows. */
public final class PeerBenchmark extends Measure {
  private GlueClient glue;

  public static void main(String[] args) throws Exception {
    new PeerBenchmark().run(args[0]);
  }

  @Override
  void firstGetTable(String endpoint) {
    glue = another(endpoint);
    getTable();
  }

  @Override
  GlueClient another(String endpoint) {
    return GlueClient.builder()
        .region(Region.EU_CENTRAL_1)
        .endpointOverride(URI.create(endpoint))
        .credentialsProvider(StaticCredentialsProvider.create(
            AwsBasicCredentials.create("111111111111", "secret")))
        .build();
  }

  @Override
  void getTable() {
    glue.getTable(request -> request.databaseName("db").name("t"));
  }

  private Iterable<GetPartitionsResponse> pages() {
    return glue.getPartitionsPaginator(GetPartitionsRequest.builder()
        .databaseName("db")
        .tableName("t")
        .maxResults(1000)
        .excludeColumnSchema(true)
        .build());
  }

  @Override
  Object holdPartitions() {
    List<Partition> partitions = new ArrayList<>();
    pages().forEach(page -> partitions.addAll(page.partitions()));
    return partitions;
  }

  @Override
  int listPartitions(Sum sum) {
    int count = 0;
    for (GetPartitionsResponse page : pages()) {
      for (Partition partition : page.partitions()) {
        partition.values().forEach(sum::add);
        sum.add(partition.storageDescriptor().location());
        for (Map.Entry<String, String> parameter : partition.parameters().entrySet()) {
          sum.add(parameter.getKey());
          sum.add(parameter.getValue());
        }
        count++;
      }
    }
    return count;
  }
}
