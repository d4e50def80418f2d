package io.github.sdaberdaku.gluecat.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.sdaberdaku.gluecat.GlueCatalogException;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One open catalog of the core. Operations, requests and answers are those of docs/waist.md.
 *
 * <p>Safe for any number of threads. A call blocks its caller; interrupting the caller's thread cancels the call, which
 * then fails with kind {@code cancelled} and leaves the thread's interrupt flag set. Spark never closes its catalogs, so
 * the native handle is closed when the client becomes unreachable.
 */
public final class GlueCatalogClient {
  private final String catalog;
  private final long handle;
  private final AtomicLong nextCallId = new AtomicLong(1);
  /** Null unless the catalog's credentials come from a Java class. */
  private volatile CredentialsPush credentials;

  private GlueCatalogClient(String catalog, long handle) {
    this.catalog = catalog;
    this.handle = handle;
  }

  /**
   * Opens a catalog without any network call.
   *
   * @param request the object that docs/waist.md describes under "Opening a catalog"
   * @throws io.github.sdaberdaku.gluecat.NativeLibraryException if the native library cannot be loaded
   * @throws GlueCatalogException if an option is not acceptable
   */
  public static GlueCatalogClient open(JsonNode request) {
    NativeLibrary.require();
    Handles.closeAbandoned();
    long handle;
    try {
      handle = NativeCatalog.open(Json.bytes(request));
    } catch (NativeCallException e) {
      throw GlueCatalogException.of(e.failure());
    }
    GlueCatalogClient client = new GlueCatalogClient(request.path("catalog").asText(), handle);
    Handles.track(client, handle);
    return client;
  }

  /**
   * Has the calls that follow signed with what a Java class gives, which is made here and asked when it is needed.
   *
   * @param title the catalog, for messages
   * @param provider the member {@code credentials_provider} of {@code describe_catalog}
   * @throws GlueCatalogException if there is no such class, or it is no credentials provider
   */
  public void useCredentialsProvider(String title, JsonNode provider) {
    Map<String, String> options = new LinkedHashMap<>();
    provider
        .path("options")
        .properties()
        .forEach(option -> options.put(option.getKey(), option.getValue().asText()));
    credentials =
        CredentialsPush.create(
            title,
            provider.path("class").asText(),
            options,
            request -> run("set_credentials", Json.bytes(request)),
            Clock.systemUTC());
  }

  /** The Spark name of the catalog. */
  public String catalog() {
    return catalog;
  }

  /** Runs an operation whose answer is a JSON object. */
  public JsonNode callJson(String operation, JsonNode request) {
    return Json.parse(call(operation, Json.bytes(request)));
  }

  /** Runs {@code list_partitions}. */
  public PartitionFrame listPartitions(JsonNode request) {
    return PartitionFrame.decode(call("list_partitions", Json.bytes(request)));
  }

  /**
   * Runs an operation.
   *
   * @throws GlueCatalogException if it fails
   */
  public byte[] call(String operation, byte[] request) {
    CredentialsPush source = credentials;
    if (source == null) {
      return run(operation, request);
    }
    source.refresh();
    try {
      return run(operation, request);
    } catch (GlueCatalogException e) {
      // Refused credentials have changed nothing, so that the call can be made again with better ones.
      if (!e.kind().equals("unauthenticated") || !source.replaceRefused()) {
        throw e;
      }
      return run(operation, request);
    }
  }

  private byte[] run(String operation, byte[] request) {
    long callId = nextCallId.getAndIncrement();
    CallWatch.Call call = CallWatch.begin(this, handle, callId);
    try {
      return NativeCatalog.call(handle, callId, operation, request);
    } catch (NativeCallException e) {
      throw GlueCatalogException.of(e.failure());
    } finally {
      CallWatch.end(call);
    }
  }

  /** Closes the handles of clients that nobody refers to any more. */
  private static final class Handles {
    private static final ReferenceQueue<GlueCatalogClient> QUEUE = new ReferenceQueue<>();
    private static final Set<Tracked> TRACKED = ConcurrentHashMap.newKeySet();

    private static final class Tracked extends PhantomReference<GlueCatalogClient> {
      final long handle;

      Tracked(GlueCatalogClient client, long handle) {
        super(client, QUEUE);
        this.handle = handle;
      }
    }

    static void track(GlueCatalogClient client, long handle) {
      TRACKED.add(new Tracked(client, handle));
    }

    static void closeAbandoned() {
      for (Reference<?> r = QUEUE.poll(); r != null; r = QUEUE.poll()) {
        Tracked tracked = (Tracked) r;
        TRACKED.remove(tracked);
        NativeCatalog.close(tracked.handle);
      }
    }
  }
}
