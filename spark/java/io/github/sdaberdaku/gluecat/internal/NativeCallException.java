package io.github.sdaberdaku.gluecat.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.sdaberdaku.gluecat.Failure;

/** What the native library throws when a call fails. {@link GlueCatalogClient} turns it into a public exception. */
final class NativeCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient byte[] error;

  /** {@code error} is the error object of docs/waist.md. */
  public NativeCallException(byte[] error) {
    super(null, null, false, false); // the stack of interest is that of the public exception
    this.error = error;
  }

  @Override
  public String getMessage() {
    return failure().message();
  }

  Failure failure() {
    JsonNode json = Json.parse(error);
    return new Failure(
        json.path("kind").asText("internal"),
        json.path("message").asText("the native library failed without a message"),
        json.path("code").asText(""),
        json.path("http_status").asInt(0),
        json.path("request_id").asText(""),
        json.path("retryable").asBoolean(false),
        json.path("catalog").asText(""),
        json.path("glue_id").asText(""),
        json.path("object").asText(""));
  }
}
