package io.github.sdaberdaku.gluecat;

/** The native library could not be loaded; the message names the platform, the file and the reason. */
public final class NativeLibraryException extends GlueCatalogException {
  private static final long serialVersionUID = 1L;

  public NativeLibraryException(String message, Throwable cause) {
    super(Failure.of("internal", message), cause);
  }
}
