import io.delta.storage.LogStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A writer of one Delta log out of several: LogWriter class log name commits [key=value ...]
 *
 * <p>It says "ready", waits for a line, and then commits to the first version that it finds free, again and again, saying
 * "won version commit" or "lost version". The content of every other version is the same for all writers.
 */
public final class LogWriter {

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    for (int i = 4; i < args.length; i++) {
      String[] pair = args[i].split("=", 2);
      conf.set(pair[0], pair[1]);
    }
    LogStore store =
        (LogStore) Class.forName(args[0]).getConstructor(Configuration.class).newInstance(conf);
    Path log = new Path(args[1]);
    log.getFileSystem(conf);
    System.out.println("ready");
    System.in.read();
    commit(store, log, args[2], Integer.parseInt(args[3]), conf);
  }

  private static void commit(LogStore store, Path log, String name, int commits, Configuration conf)
      throws IOException {
    int done = 0;
    for (long version = 0; done < commits; version++) {
      String content =
          version % 2 == 0 ? "{\"writer\":\"" + name + "\",\"commit\":" + done + "}" : "{}";
      Path path = new Path(log, String.format("%020d.json", version));
      try {
        store.write(path, Collections.singletonList(content).iterator(), false, conf);
        System.out.println("won " + version + " " + done);
        done++;
      } catch (FileAlreadyExistsException e) {
        System.out.println("lost " + version);
      }
    }
  }
}
