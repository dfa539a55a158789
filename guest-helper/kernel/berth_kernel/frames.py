"""Frames out: one JSON object per line, written whole, ``event`` and ``id`` first."""

from __future__ import annotations

import collections
import json
import os
import threading
from collections.abc import Callable
from typing import Any

from .limits import PAYLOAD_BYTES
from .shield import Shield


class PayloadTooLarge(ValueError):
    """A payload above the limit; nothing of it was written."""


def strict_json(value: Any) -> bytes:
    """The value as UTF-8 JSON text.

    Raises ValueError or TypeError for what JSON cannot carry: NaN, infinities, lone surrogates, foreign objects.
    """
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def checked_payload(event: str, data: Any) -> bytes:
    """The encoded payload of a display or host_request event. Raises PayloadTooLarge above PAYLOAD_BYTES."""
    encoded = strict_json(data)
    if len(encoded) > PAYLOAD_BYTES:
        raise PayloadTooLarge(f"a {event} payload of {len(encoded)} bytes is over the limit of {PAYLOAD_BYTES}")
    return encoded


def printable(text: str) -> str:
    """The text with lone surrogates escaped, which UTF-8 cannot carry."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Origin:
    """A request, as the source of frames. After its ``done`` what still comes from it carries id null."""

    __slots__ = ("ended", "id")

    def __init__(self, id: str) -> None:
        self.id = id
        self.ended = False


class FrameWriter:
    """Writes frames to the protocol's private descriptor. Any thread may call; frames never mix."""

    def __init__(self, descriptor: int, shield: Shield, on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._shield = shield
        self._on_broken = on_broken
        self._lock = threading.RLock()
        self._writing = False
        self._late: collections.deque[tuple[str, Origin | None, bytes, bool]] = collections.deque()
        self._closed = False

    def send(self, event: str, origin: Origin | None, **fields: Any) -> None:
        """Writes one frame; ``fields`` must be encodable."""
        self._write(event, origin, strict_json(fields)[1:-1])

    def send_payload(self, event: str, origin: Origin | None, encoded: bytes) -> None:
        """Writes one frame whose ``data`` is already encoded."""
        self._write(event, origin, b'"data":' + encoded)

    def done(self, origin: Origin, **fields: Any) -> None:
        """Ends the request. A second end of the same request is dropped."""
        self._write("done", origin, strict_json(fields)[1:-1], last=True)

    def _write(self, event: str, origin: Origin | None, tail: bytes, last: bool = False) -> None:
        with self._shield, self._lock:
            self._late.append((event, origin, tail, last))
            if self._writing:
                # A finalizer that prints, in the middle of this thread's own frame: the outer call writes it next.
                return
            self._writing = True
            try:
                while self._late:
                    self._write_line(*self._late.popleft())
            finally:
                self._writing = False
        if self._closed:
            self._on_broken()

    def _write_line(self, event: str, origin: Origin | None, tail: bytes, last: bool) -> None:
        if self._closed or (last and origin.ended):
            return
        id = None if origin is None or origin.ended else origin.id
        if last:
            origin.ended = True
        head = strict_json({"event": event, "id": id})[:-1]
        rest = memoryview(head + (b"," + tail if tail else b"") + b"}\n")
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            # Nobody reads any more, and half a frame may be out: nothing may follow it.
            self._closed = True

    def forget(self) -> None:
        """In a forked child: the descriptor belongs to the parent."""
        self._lock = threading.RLock()
        self._writing = False
        self._late.clear()
        self._closed = True
        self._on_broken = lambda: None
        os.close(self._descriptor)
