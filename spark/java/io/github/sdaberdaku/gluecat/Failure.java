package io.github.sdaberdaku.gluecat;

import java.io.Serializable;

/** A failed call, as the core reports it (docs/waist.md, "Errors"). Text fields are empty when they do not apply. */
public final class Failure implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String kind;
  private final String message;
  private final String code;
  private final int httpStatus;
  private final String requestId;
  private final boolean retryable;
  private final String catalog;
  private final String glueId;
  private final String object;

  public Failure(
      String kind,
      String message,
      String code,
      int httpStatus,
      String requestId,
      boolean retryable,
      String catalog,
      String glueId,
      String object) {
    this.kind = kind;
    this.message = message;
    this.code = code;
    this.httpStatus = httpStatus;
    this.requestId = requestId;
    this.retryable = retryable;
    this.catalog = catalog;
    this.glueId = glueId;
    this.object = object;
  }

  /** A failure that did not come from the service. */
  public static Failure of(String kind, String message) {
    return new Failure(kind, message, "", 0, "", false, "", "", "");
  }

  public String kind() {
    return kind;
  }

  public String message() {
    return message;
  }

  /** The service's own code, for example {@code EntityNotFoundException}. */
  public String code() {
    return code;
  }

  /** 0 if there was no HTTP answer. */
  public int httpStatus() {
    return httpStatus;
  }

  public String requestId() {
    return requestId;
  }

  public boolean isRetryable() {
    return retryable;
  }

  public String catalog() {
    return catalog;
  }

  public String glueId() {
    return glueId;
  }

  public String object() {
    return object;
  }

  /** The same failure with another message. */
  public Failure withMessage(String other) {
    return new Failure(
        kind, other, code, httpStatus, requestId, retryable, catalog, glueId, object);
  }
}
