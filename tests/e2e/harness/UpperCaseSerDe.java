import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.AbstractDeserializer;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.SerDeStats;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.io.Writable;

/**
 * A SerDe of a user's own: words in capitals, as strings, whatever types the columns have. The line "fail" makes it throw;
 * the parameter "name" says which table it is for.
 */
public final class UpperCaseSerDe extends AbstractDeserializer {
  private final List<String> columns = new ArrayList<>();
  private String table;

  @Override
  public void initialize(Configuration conf, Properties properties) {
    columns.addAll(Arrays.asList(properties.getProperty("columns").split(",")));
    table = properties.getProperty("name");
  }

  @Override
  public Object deserialize(Writable line) throws SerDeException {
    if (line.toString().equals("fail")) {
      throw new SerDeException("a line of " + table + " that says so");
    }
    return Arrays.asList(
        Arrays.copyOf(line.toString().toUpperCase().split(" "), columns.size()));
  }

  @Override
  public ObjectInspector getObjectInspector() {
    List<ObjectInspector> strings = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      strings.add(PrimitiveObjectInspectorFactory.javaStringObjectInspector);
    }
    return ObjectInspectorFactory.getStandardStructObjectInspector(columns, strings);
  }

  @Override
  public SerDeStats getSerDeStats() {
    return null;
  }
}
