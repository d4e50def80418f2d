import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sdaberdaku.gluecat.internal.GlueCatalogClient;
import io.github.sdaberdaku.gluecat.internal.Json;
import io.github.sdaberdaku.gluecat.internal.NativeLibrary;
import io.github.sdaberdaku.gluecat.internal.PartitionFrame;
import java.util.Map;

/** gluecat through its jar: the library is extracted and loaded, and every answer crosses JNI. */
public final class OurBenchmark extends Measure {
  private static final String PARTITION_SCHEMA =
      "{\"type\":\"struct\",\"fields\":["
          + "{\"name\":\"dt\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},"
          + "{\"name\":\"hour\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{}},"
          + "{\"name\":\"n\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{}}]}";

  private GlueCatalogClient glue;
  private ObjectNode table;
  private ObjectNode listing;

  public static void main(String[] args) throws Exception {
    new OurBenchmark().run(args[0]);
  }

  @Override
  void firstGetTable(String endpoint) throws Exception {
    NativeLibrary.loadAhead(); // as the catalog does
    table = Json.object().put("namespace", "db").put("table", "t");
    listing = table.deepCopy();
    listing.set("partition_schema", Json.parse(PARTITION_SCHEMA));

    glue = another(endpoint);
    getTable();
  }

  @Override
  GlueCatalogClient another(String endpoint) {
    ObjectNode open = Json.object().put("catalog", "bench").put("spark_version", "4.1.1");
    open.putObject("options")
        .put("glue.id", "111111111111")
        .put("glue.endpoint", endpoint)
        .put("client.region", "eu-central-1");
    open.putObject("system_properties")
        .put("aws.accessKeyId", "111111111111")
        .put("aws.secretAccessKey", "secret");
    open.putObject("hadoop").put("version", "3.4.2");
    return GlueCatalogClient.open(open);
  }

  @Override
  void getTable() {
    glue.callJson("load_table", table);
  }

  @Override
  Object holdPartitions() {
    return glue.listPartitions(listing);
  }

  @Override
  int listPartitions(Sum sum) {
    PartitionFrame frame = glue.listPartitions(listing);
    for (int i = 0; i < frame.size(); i++) {
      for (int key = 0; key < frame.keys(); key++) {
        sum.add(frame.value(i, key));
      }
      sum.add(frame.location(i));
      for (Map.Entry<String, String> parameter : frame.parameters(i).entrySet()) {
        sum.add(parameter.getKey());
        sum.add(parameter.getValue());
      }
    }
    return frame.size();
  }
}
