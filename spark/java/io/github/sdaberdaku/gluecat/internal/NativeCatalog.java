package io.github.sdaberdaku.gluecat.internal;

/**
 * The native methods (jni/), one for each function of abi/gluecat.h. Only {@link GlueCatalogClient} calls them, after
 * {@link NativeLibrary#require}. Failed calls throw {@link NativeCallException}.
 */
final class NativeCatalog {
  private NativeCatalog() {}

  static native int abiVersion();

  static native String version();

  /** Opens a catalog; the handle is never 0. */
  static native long open(byte[] request);

  /** Runs an operation to its end on this thread. {@code callId} 0 makes it uncancellable. */
  static native byte[] call(long handle, long callId, String operation, byte[] request);

  static native void cancel(long handle, long callId);

  static native void close(long handle);
}
