"""Output: what Python writes is the cell's, what arrives at descriptors 1 and 2 is nobody's."""

from __future__ import annotations

import array
import codecs
import contextvars
import fcntl
import io
import os
import select
import termios
import threading
from typing import Any

from .frames import FrameWriter, Origin, printable
from .limits import PIPE_BYTES, STREAM_CHARS

# The request on whose behalf this context runs; tasks inherit it, new threads do not.
current_origin: contextvars.ContextVar[Origin | None] = contextvars.ContextVar("berth_origin", default=None)


class DescriptorPump:
    """Carries the raw bytes of one descriptor to stream events with id null, until the process ends."""

    def __init__(self, descriptor: int, event: str, writer: FrameWriter) -> None:
        self._event = event
        self._writer = writer
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._progress = threading.Condition()
        self._taken = 0
        self._shipped = 0
        self._source, sink = os.pipe()
        os.dup2(sink, descriptor)
        # A cell may close its descriptor; with this end kept, the pipe goes on for others.
        self._sink = sink
        self._thread = threading.Thread(target=self._run, name=f"berth-{event}", daemon=True)

    def start(self) -> None:
        """Begins to carry; called once."""
        self._thread.start()

    def fence(self) -> None:
        """Returns when every byte that was in the pipe before the call is out as an event."""
        with self._progress:
            goal = self._taken + self._waiting()
            while self._shipped < goal and self._thread.is_alive():
                self._progress.wait(1.0)

    def _waiting(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self._source, termios.FIONREAD, count)
        return count[0]

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._source, select.POLLIN)
        while True:
            poll.poll()
            # The count and the pipe change together, so that a fence sees each byte in exactly one of them.
            with self._progress:
                chunk = os.read(self._source, PIPE_BYTES)
                self._taken += len(chunk)
            text = self._decoder.decode(chunk)
            if text:
                self._writer.send(self._event, None, text=text)
            with self._progress:
                self._shipped += len(chunk)
                self._progress.notify_all()


class _Raw(io.RawIOBase):
    """The binary side of a cell's stream: straight to the captured descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: Any) -> int:
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        return size

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor


class CellStream(io.TextIOBase):
    """sys.stdout or sys.stderr: each write is a frame with the id of the request that the context runs for."""

    def __init__(self, descriptor: int, event: str, writer: FrameWriter) -> None:
        self._event = event
        self._writer = writer
        self._raw = _Raw(descriptor)
        self._forked = False

    @property
    def buffer(self) -> io.RawIOBase:
        return self._raw

    @property
    def encoding(self) -> str:
        return "utf-8"

    @property
    def errors(self) -> str:
        return "backslashreplace"

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._forked:
            self._raw.write(text.encode("utf-8", "backslashreplace"))
            return len(text)
        for start in range(0, len(text), STREAM_CHARS):
            self._writer.send(self._event, current_origin.get(), text=printable(text[start : start + STREAM_CHARS]))
        return len(text)

    def forget(self) -> None:
        """In a forked child: writes go to the captured descriptor, as those of any child process."""
        self._forked = True
