package io.github.sdaberdaku.gluecat;

/** The service asked to slow down and the retries are used up; the statement can be repeated. */
public final class ThrottledException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public ThrottledException(Failure failure) {
    super(failure);
  }
}
