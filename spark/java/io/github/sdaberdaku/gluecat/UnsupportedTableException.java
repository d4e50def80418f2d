package io.github.sdaberdaku.gluecat;

/** An entry that exists but cannot be used this way; the message says what it is and what to do. */
public class UnsupportedTableException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public UnsupportedTableException(Failure failure) {
    super(failure);
  }
}
