package io.github.sdaberdaku.gluecat;

/**
 * A call to a Glue Data Catalog that failed.
 *
 * <p>Where Spark has an exception of its own for the case (a missing or existing table or namespace), that one is thrown
 * instead. The message is complete: it names the catalog, the {@code glue.id} and the object.
 */
public class GlueCatalogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Failure failure;

  public GlueCatalogException(Failure failure) {
    super(failure.message());
    this.failure = failure;
  }

  public GlueCatalogException(Failure failure, Throwable cause) {
    super(failure.message(), cause);
    this.failure = failure;
  }

  /** What failed, field by field. */
  public final Failure failure() {
    return failure;
  }

  /** The kind of failure, for example {@code access_denied}. */
  public final String kind() {
    return failure.kind();
  }

  /** Whether repeating the same statement unchanged may succeed. */
  public final boolean isRetryable() {
    return failure.isRetryable();
  }

  /** The exception class that fits the failure's kind. */
  public static GlueCatalogException of(Failure failure) {
    switch (failure.kind()) {
      case "access_denied":
      case "unauthenticated":
        return new AccessDeniedException(failure);
      case "throttled":
        return new ThrottledException(failure);
      case "conflict":
        return new ConcurrentChangeException(failure);
      case "unavailable":
      case "timeout":
        return new ServiceUnavailableException(failure);
      case "unsupported":
        return new UnsupportedTableException(failure);
      case "invalid_argument":
        return new InvalidRequestException(failure);
      default:
        return new GlueCatalogException(failure);
    }
  }
}
