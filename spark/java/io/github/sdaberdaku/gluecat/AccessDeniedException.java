package io.github.sdaberdaku.gluecat;

/** The identity is not allowed to do this, or there are no credentials that the service accepts. */
public final class AccessDeniedException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public AccessDeniedException(Failure failure) {
    super(failure);
  }
}
