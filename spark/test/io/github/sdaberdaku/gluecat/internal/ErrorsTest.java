package io.github.sdaberdaku.gluecat.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sdaberdaku.gluecat.AccessDeniedException;
import io.github.sdaberdaku.gluecat.ConcurrentChangeException;
import io.github.sdaberdaku.gluecat.GlueCatalogException;
import io.github.sdaberdaku.gluecat.ServiceUnavailableException;
import io.github.sdaberdaku.gluecat.ThrottledException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ErrorsTest {

  private static GlueCatalogException raised(String json) {
    NativeCallException e = new NativeCallException(json.getBytes(StandardCharsets.UTF_8));
    return GlueCatalogException.of(e.failure());
  }

  @Test
  void everyFieldArrives() {
    GlueCatalogException e =
        raised(
            "{\"kind\": \"throttled\", \"message\": \"slow down\", \"code\": \"ThrottlingException\","
                + " \"http_status\": 400, \"request_id\": \"r-1\", \"retryable\": true,"
                + " \"catalog\": \"a\", \"glue_id\": \"111111111111\", \"object\": \"s.t\"}");
    assertInstanceOf(ThrottledException.class, e);
    assertEquals("slow down", e.getMessage());
    assertEquals("ThrottlingException", e.failure().code());
    assertEquals(400, e.failure().httpStatus());
    assertEquals("r-1", e.failure().requestId());
    assertEquals("111111111111", e.failure().glueId());
    assertEquals("s.t", e.failure().object());
    assertTrue(e.isRetryable());
  }

  @Test
  void absentDeniedThrottledAndUnreachableStayDistinct() {
    assertEquals(GlueCatalogException.class, raised("{\"kind\": \"not_found\"}").getClass());
    assertInstanceOf(AccessDeniedException.class, raised("{\"kind\": \"access_denied\"}"));
    assertInstanceOf(AccessDeniedException.class, raised("{\"kind\": \"unauthenticated\"}"));
    assertInstanceOf(ThrottledException.class, raised("{\"kind\": \"throttled\"}"));
    assertInstanceOf(ServiceUnavailableException.class, raised("{\"kind\": \"unavailable\"}"));
    assertInstanceOf(ServiceUnavailableException.class, raised("{\"kind\": \"timeout\"}"));
    assertInstanceOf(ConcurrentChangeException.class, raised("{\"kind\": \"conflict\"}"));
  }

  @Test
  void theLibraryOfAnotherPlatformIsNamedAfterIt() {
    assertEquals(
        "/io/github/sdaberdaku/gluecat/native/linux-x86_64/libgluecat-1.2.3.so",
        NativeLibrary.resourceName("Linux", "amd64", "1.2.3"));
    assertEquals(
        "/io/github/sdaberdaku/gluecat/native/mac-os-x-aarch64/libgluecat-1.2.3.so",
        NativeLibrary.resourceName("Mac OS X", "aarch64", "1.2.3"));
  }
}
