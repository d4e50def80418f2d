package io.github.sdaberdaku.gluecat;

/** The service could not be reached, failed, or did not answer in time. */
public final class ServiceUnavailableException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public ServiceUnavailableException(Failure failure) {
    super(failure);
  }
}
