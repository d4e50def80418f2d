"""What can befall a conditional PUT on its way to S3 and back."""

import collections
import itertools
import socket
import threading

LOST_BEFORE = "the connection is lost before the PUT arrives"
LOST_AFTER = "the connection is lost after the PUT was carried out"
LATE = "the connection is lost, and the PUT is carried out when the next one comes"
CONFLICT = "409 ConditionalRequestConflict"
FAILED = "500 InternalError"
SLOW_DOWN = "503 SlowDown"
KINDS = (LOST_AFTER, CONFLICT, LATE, FAILED, LOST_BEFORE, SLOW_DOWN)


class NoMishaps:
    def befall(self, identity, key, environ, start_response, carry_out):
        return carry_out(environ, start_response)


class Mishaps:
    """One for every third PUT, each kind in its turn. The same writer meets one at the same object twice at most, so that it
    has an answer in the end.
    """

    EVERY = 3
    AT_MOST = 2

    def __init__(self):
        self.seen = collections.Counter()
        self._kinds = itertools.cycle(KINDS)
        self._puts = 0
        self._met = collections.Counter()
        self._late = {}
        self._lock = threading.Lock()

    def befall(self, identity, key, environ, start_response, carry_out):
        with self._lock:
            late = self._late.pop((identity, key), None)
            kind = self._next(identity, key)
            if kind == LATE:
                self._late[identity, key] = environ
        if late:
            carry_out(late, _unheard)
        if kind is None:
            return carry_out(environ, start_response)
        if kind in (CONFLICT, FAILED, SLOW_DOWN):
            return _error(kind, start_response)
        if kind == LOST_AFTER:
            carry_out(environ, _unheard)
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError(kind)

    def _next(self, identity, key):
        self._puts += 1
        if self._puts % self.EVERY or self._met[identity, key] == self.AT_MOST:
            return None
        self._met[identity, key] += 1
        kind = next(self._kinds)
        self.seen[kind] += 1
        return kind


def _unheard(*_):
    """Takes an answer that nobody gets."""


def _error(kind, start_response):
    status, code = kind.split()
    body = f"<Error><Code>{code}</Code><Message>a mishap</Message></Error>".encode()
    start_response(f"{status} {code}", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [body]
