package io.github.sdaberdaku.gluecat.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cancels running native calls whose thread was interrupted.
 *
 * <p>A call stays on its caller's thread, which cannot look at its own interrupt flag meanwhile; one daemon thread looks
 * at all of them every {@value #PERIOD_MS} ms. It starts with the first call and ends after some idle seconds, so that it
 * neither costs short calls anything nor pins a class loader.
 */
final class CallWatch {
  private static final long PERIOD_MS = 20;
  private static final int IDLE_ROUNDS = 500;

  private static final Set<Call> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Object LOCK = new Object();
  private static volatile boolean watching;

  private CallWatch() {}

  static final class Call {
    private final Thread thread = Thread.currentThread();
    private final long handle;
    private final long callId;
    // Keeps the client, and so its handle, until the call has ended.
    @SuppressWarnings("unused")
    private final Object owner;

    private Call(Object owner, long handle, long callId) {
      this.owner = owner;
      this.handle = handle;
      this.callId = callId;
    }
  }

  static Call begin(Object owner, long handle, long callId) {
    Call call = new Call(owner, handle, callId);
    RUNNING.add(call);
    if (!watching) {
      startWatching();
    }
    return call;
  }

  static void end(Call call) {
    RUNNING.remove(call);
  }

  private static void startWatching() {
    synchronized (LOCK) {
      if (watching) {
        return;
      }
      // A class and not a method reference: the first one of a JVM costs as much as a whole call.
      Thread thread =
          new Thread("gluecat-call-watch") {
            @Override
            public void run() {
              watch();
            }
          };
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      thread.start();
      watching = true;
    }
  }

  private static void watch() {
    int idle = 0;
    while (true) {
      try {
        Thread.sleep(PERIOD_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stopWatching();
        return;
      }
      idle = RUNNING.isEmpty() ? idle + 1 : 0;
      // Repeated every round: the first request may come before the native side knows the call.
      for (Call call : RUNNING) {
        if (call.thread.isInterrupted()) {
          NativeCatalog.cancel(call.handle, call.callId);
        }
      }
      if (idle >= IDLE_ROUNDS && stopWatching()) {
        return;
      }
    }
  }

  /** False if a call began in the meantime, relying on this watcher. */
  private static boolean stopWatching() {
    synchronized (LOCK) {
      watching = false;
      if (RUNNING.isEmpty() || Thread.currentThread().isInterrupted()) {
        return true;
      }
      watching = true;
      return false;
    }
  }
}
