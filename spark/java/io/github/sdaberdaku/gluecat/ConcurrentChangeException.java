package io.github.sdaberdaku.gluecat;

/** Somebody else changed the object in between; the statement can be repeated. */
public final class ConcurrentChangeException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public ConcurrentChangeException(Failure failure) {
    super(failure);
  }
}
