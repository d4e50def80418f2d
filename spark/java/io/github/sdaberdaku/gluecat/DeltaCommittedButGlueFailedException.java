package io.github.sdaberdaku.gluecat;

/**
 * The Delta log was written, the Glue entry was not: the data is safe at {@link #location()}, the catalog does not show
 * it yet. The cause says why Glue refused.
 */
public final class DeltaCommittedButGlueFailedException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  private final String location;

  public DeltaCommittedButGlueFailedException(Failure failure, String location, Throwable cause) {
    super(failure, cause);
    this.location = location;
  }

  /** Where the committed Delta table lies. */
  public String location() {
    return location;
  }
}
