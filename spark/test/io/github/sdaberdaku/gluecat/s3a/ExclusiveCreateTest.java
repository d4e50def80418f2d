package io.github.sdaberdaku.gluecat.s3a;

import static io.github.sdaberdaku.gluecat.s3a.ExclusiveCreate.Outcome.CREATED;
import static io.github.sdaberdaku.gluecat.s3a.ExclusiveCreate.Outcome.EXISTS;
import static io.github.sdaberdaku.gluecat.s3a.ExclusiveCreate.Outcome.UNSUPPORTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ExclusiveCreateTest {

  /** What the store does with a PUT. */
  private enum Event {
    ANSWERED,
    /** Carried out, and the answer lost; what S3A repeats is then refused with 412. */
    CARRIED_OUT_AND_REPEATED,
    CARRIED_OUT_AND_LOST,
    NOT_CARRIED_OUT_AND_LOST,
    CONFLICT,
    DENIED,
    NOT_IMPLEMENTED,
    /** Refused because of an object that is gone when one looks. */
    REFUSED_FOR_NOTHING,
    CONDITION_IGNORED
  }

  private static final class Answer extends IOException {
    final int status;

    Answer(int status) {
      super("answer " + status);
      this.status = status;
    }
  }

  private static final class Fake implements ExclusiveCreate.Store {
    final Queue<Event> events;
    String object;
    IOException readFailure;
    int puts;
    int reads;
    int pauses;

    Fake(Event... events) {
      this.events = new ArrayDeque<>(Arrays.asList(events));
    }

    @Override
    public void put(String id) throws IOException {
      puts++;
      Event event = events.isEmpty() ? Event.ANSWERED : events.remove();
      switch (event) {
        case CONFLICT:
          throw new Answer(409);
        case DENIED:
          throw new Answer(403);
        case NOT_IMPLEMENTED:
          throw new Answer(501);
        case REFUSED_FOR_NOTHING:
          throw new Answer(412);
        case NOT_CARRIED_OUT_AND_LOST:
          throw new IOException("connection reset");
        case CONDITION_IGNORED:
          object = id;
          return;
        default:
          if (object != null) {
            throw new Answer(412);
          }
          object = id;
      }
      if (event == Event.CARRIED_OUT_AND_REPEATED) {
        throw new Answer(412);
      }
      if (event == Event.CARRIED_OUT_AND_LOST) {
        throw new IOException("connection reset");
      }
    }

    @Override
    public String idOfObject() throws IOException {
      reads++;
      if (readFailure != null) {
        throw readFailure;
      }
      return object;
    }

    @Override
    public int status(IOException failure) {
      return failure instanceof Answer ? ((Answer) failure).status : 0;
    }

    @Override
    public void pause(int number) {
      pauses++;
      assertEquals(pauses, number);
    }
  }

  private static ExclusiveCreate creation(Fake store) {
    return new ExclusiveCreate(store, "s3a://bucket/version");
  }

  private static Fake after(Event... events) {
    return new Fake(events);
  }

  @Test
  void oneRequestIsEnough() throws IOException {
    Fake store = after();
    assertEquals(CREATED, creation(store).create());
    assertEquals(1, store.puts);
    assertEquals(0, store.reads);
  }

  @Test
  void theSecondOneIsTold() throws IOException {
    Fake store = after();
    creation(store).create();
    String first = store.object;
    assertEquals(EXISTS, creation(store).create());
    assertEquals(first, store.object);
  }

  @Test
  void anObjectWithoutAnIdIsSomebodyElses() throws IOException {
    Fake store = after();
    store.object = "";
    assertEquals(EXISTS, creation(store).create());
  }

  @Test
  void whoIsRefusedBecauseOfItselfHasCreatedIt() throws IOException {
    assertEquals(CREATED, creation(after(Event.CARRIED_OUT_AND_REPEATED)).create());
    assertEquals(CREATED, creation(after(Event.CARRIED_OUT_AND_LOST)).create());
  }

  @Test
  void aConflictIsTriedAgain() throws IOException {
    Fake store = after(Event.CONFLICT, Event.REFUSED_FOR_NOTHING);
    assertEquals(CREATED, creation(store).create());
    assertEquals(3, store.puts);
    assertEquals(2, store.pauses);
  }

  @Test
  void aConflictThatSomebodyElseWonIsNot() throws IOException {
    Fake store = after(Event.CONFLICT);
    store.object = "somebody else";
    assertEquals(EXISTS, creation(store).create());
    assertEquals(1, store.puts);
  }

  @Test
  void conflictsEndAtLast() {
    Event[] conflicts = new Event[ExclusiveCreate.ATTEMPTS];
    Arrays.fill(conflicts, Event.CONFLICT);
    Fake store = after(conflicts);
    IOException failure = assertThrows(IOException.class, () -> creation(store).create());
    assertEquals("answer 409", failure.getMessage());
    assertEquals(ExclusiveCreate.ATTEMPTS, store.puts);
  }

  @Test
  void aRefusalIsPassedOn() {
    IOException failure =
        assertThrows(IOException.class, () -> creation(after(Event.DENIED)).create());
    assertEquals("answer 403", failure.getMessage());
  }

  @Test
  void withoutAnAnswerNobodyKnows() {
    Fake store = after(Event.NOT_CARRIED_OUT_AND_LOST);
    IOException failure = assertThrows(IOException.class, () -> creation(store).create());
    assertTrue(failure.getMessage().contains("may or may not"), failure.getMessage());
    assertEquals(1, store.puts);
  }

  @Test
  void whatCannotBeReadIsNotKnownEither() {
    Fake store = after(Event.CARRIED_OUT_AND_REPEATED);
    store.readFailure = new Answer(503);
    IOException failure = assertThrows(IOException.class, () -> creation(store).create());
    assertTrue(failure.getMessage().contains("may or may not"), failure.getMessage());
    assertSame(store.readFailure, failure.getSuppressed()[0]);
  }

  @Test
  void aStoreThatDoesNotKnowTheCondition() throws IOException {
    Fake store = after(Event.NOT_IMPLEMENTED);
    assertEquals(UNSUPPORTED, creation(store).create());
    assertEquals(0, store.reads);
  }

  @Test
  void whetherTheConditionIsHeeded() throws IOException {
    Fake heeds = after();
    ExclusiveCreate creation = creation(heeds);
    creation.create();
    assertTrue(creation.isRefusedNow());

    Fake ignores = after(Event.CONDITION_IGNORED, Event.CONDITION_IGNORED);
    ExclusiveCreate other = creation(ignores);
    other.create();
    assertFalse(other.isRefusedNow());

    Fake busy = after(Event.ANSWERED, Event.CONFLICT);
    ExclusiveCreate third = creation(busy);
    third.create();
    assertThrows(IOException.class, third::isRefusedNow);
  }
}
