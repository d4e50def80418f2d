import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * What both sides of the comparison do, in the same order and with the same clocks. One process measures its first
 * GetTable, its first listing of 100,000 partitions, the same again when warm, and what a listing holds.
 */
abstract class Measure {
  static final int PARTITIONS = 100_000;
  private static final int WARM_LISTINGS = 7;
  private static final int ROUNDS = 5;
  private static final int CALLS = 2_000;
  private static final int CLIENTS = 99;

  /** Makes the client (its cost belongs to the first GetTable) and gets the table. */
  abstract void firstGetTable(String endpoint) throws Exception;

  abstract void getTable() throws Exception;

  /** Makes another client of the same configuration, as every session of Spark does, without a request. */
  abstract Object another(String endpoint) throws Exception;

  /**
   * Lists all partitions and reads values, location and parameters of each as Java strings.
   *
   * @return how many partitions there were
   */
  abstract int listPartitions(Sum sum) throws Exception;

  /** Lists all partitions and gives what keeps them, none of them looked at. */
  abstract Object holdPartitions() throws Exception;

  /** Takes in what was read, so that no read can be optimised away. */
  static final class Sum {
    long hash;

    void add(String text) {
      hash = hash * 31 + text.hashCode();
    }
  }

  final void run(String endpoint) throws Exception {
    long start = System.nanoTime();
    firstGetTable(endpoint);
    print("first_get_table_ms", millisSince(start));

    resetPeakMemory();
    long before = statusKilobytes("VmRSS");
    double[] cold = timedListing();
    print("cold_listing_ms", cold[0]);
    print("cold_listing_cpu_ms", cold[1]);
    print("cold_listing_memory_mb", (statusKilobytes("VmHWM") - before) / 1024.0);
    double[] wall = new double[WARM_LISTINGS];
    double[] cpu = new double[WARM_LISTINGS];
    for (int i = 0; i < WARM_LISTINGS; i++) {
      double[] warm = timedListing();
      wall[i] = warm[0];
      cpu[i] = warm[1];
    }
    print("warm_listing_ms", lateMedian(wall));
    print("warm_listing_cpu_ms", lateMean(cpu));
    print("listings_memory_mb", (statusKilobytes("VmHWM") - before) / 1024.0);

    long heap = usedHeap();
    Object held = holdPartitions();
    print("held_bytes", (double) (usedHeap() - heap) / PARTITIONS);
    Reference.reachabilityFence(held);

    double[] micros = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      start = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        getTable();
      }
      micros[round] = millisSince(start) * 1000 / CALLS;
    }
    print("get_table_us", Arrays.stream(micros).min().getAsDouble());

    Object[] clients = new Object[CLIENTS];
    double[] made = new double[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      start = System.nanoTime();
      clients[i] = another(endpoint);
      made[i] = millisSince(start) * 1000;
    }
    print("another_client_us", Arrays.stream(made).average().getAsDouble());
    Reference.reachabilityFence(clients);
    System.exit(0);
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private double[] timedListing() throws Exception {
    Sum sum = new Sum();
    long cpu = cpuNanos();
    long start = System.nanoTime();
    int count = listPartitions(sum);
    double[] both = {millisSince(start), (cpuNanos() - cpu) / 1e6};
    if (count != PARTITIONS || sum.hash == 0) {
      throw new IllegalStateException(count + " partitions instead of " + PARTITIONS);
    }
    return both;
  }

  /** The second half: the first rounds are still compiling. */
  private static double[] late(double[] values) {
    return Arrays.copyOfRange(values, values.length / 2, values.length);
  }

  private static double lateMedian(double[] values) {
    double[] late = late(values);
    Arrays.sort(late);
    return late[late.length / 2];
  }

  /** For CPU time, which the JVM counts in steps of 10 ms. */
  private static double lateMean(double[] values) {
    return Arrays.stream(late(values)).average().getAsDouble();
  }

  private static void print(String name, double value) {
    System.out.printf(java.util.Locale.ROOT, "%s %.3f%n", name, value);
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Lets VmHWM start from the present VmRSS (proc(5), clear_refs). */
  private static void resetPeakMemory() throws IOException {
    Files.write(Paths.get("/proc/self/clear_refs"), "5".getBytes(), StandardOpenOption.WRITE);
  }

  private static long statusKilobytes(String field) throws IOException {
    return Files.readAllLines(Paths.get("/proc/self/status")).stream()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + field));
  }
}
