package io.github.sdaberdaku.gluecat;

/** A name, an option or a value that the catalog cannot accept. */
public final class InvalidRequestException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public InvalidRequestException(Failure failure) {
    super(failure);
  }
}
