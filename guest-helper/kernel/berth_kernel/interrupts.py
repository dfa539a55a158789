"""Interrupts: from the reader's thread into the one request they mean."""

from __future__ import annotations

import asyncio
import signal
import threading
import types
from collections.abc import Coroutine, Generator
from typing import Any

from .frames import Origin
from .limits import HOG_SECONDS
from .shield import Shield


class Running:
    """One request that the loop serves. It may be interrupted while it is open."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.task: asyncio.Task[Any] | None = None
        self.open = True
        # An interrupt is on its way as a cancellation; the await that gets it turns it into KeyboardInterrupt.
        self.cancel_due = False
        # The interrupt reached the request's own code, as an exception or as a cancellation.
        self.reached = False
        self.outcome: dict[str, Any] | None = None


class InterruptibleAwait:
    """Awaits a coroutine so that an interrupt at one of its awaits is a KeyboardInterrupt there."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], running: Running) -> None:
        self._coroutine = coroutine
        self._running = running

    def __await__(self) -> Generator[Any, Any, Any]:
        error: BaseException | None = None
        while True:
            try:
                awaited = self._coroutine.send(None) if error is None else self._coroutine.throw(error)
            except StopIteration as end:
                return end.value
            error = None
            try:
                yield awaited
            except asyncio.CancelledError as cancelled:
                error = cancelled
                if self._running.cancel_due:
                    self._running.cancel_due = False
                    self._running.task.uncancel()
                    error = KeyboardInterrupt()
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as raised:
                error = raised


class Interrupts:
    """Delivers an interrupt to the running request, or keeps it for a queued one."""

    def __init__(self, loop: asyncio.AbstractEventLoop, shield: Shield) -> None:
        self._loop = loop
        self._shield = shield
        self._lock = threading.Lock()
        self._queued: list[str] = []
        self._kept: set[str] = set()
        self._current: Running | None = None
        self._target: tuple[Running, bool] | None = None
        self._main = threading.main_thread().ident
        self.serving: asyncio.Task[Any] | None = None

    def install(self) -> None:
        """Takes the process's SIGINT; called in the main thread."""
        signal.signal(signal.SIGINT, self._on_signal)

    def queued(self, id: str) -> None:
        """A request waits for its turn."""
        with self._lock:
            self._queued.append(id)

    def begin(self, running: Running) -> bool:
        """The request has its turn; false when an interrupt already waits for it."""
        with self._lock:
            if running.origin.id in self._queued:
                self._queued.remove(running.origin.id)
            if running.origin.id in self._kept:
                self._kept.remove(running.origin.id)
                return False
            self._current = running
            return True

    def end(self) -> None:
        """The request is over; an interrupt that is late is dropped."""
        with self._lock:
            self._current = None

    def ask(self, id: str | None) -> None:
        """Interrupts the request; without id the running one, else the next. Not for the main thread."""
        with self._lock:
            running = self._current
            if running is None or (id is not None and id != running.origin.id):
                if id is None and self._queued:
                    self._kept.add(self._queued[0])
                elif id in self._queued:
                    self._kept.add(id)
                return
            running.reached = False
        self._signal(running, False)
        timer = threading.Timer(HOG_SECONDS, self._free, (running,))
        timer.daemon = True
        timer.start()

    def _free(self, running: Running) -> None:
        """Something else holds the loop, so that the cancellation cannot arrive: it is interrupted too."""
        if running.open and not running.reached:
            self._signal(running, True)

    def _signal(self, running: Running, force: bool) -> None:
        self._target = (running, force)
        signal.pthread_kill(self._main, signal.SIGINT)
        # A signal that comes just before the loop goes to wait does not end that wait; this does.
        self._loop.call_soon_threadsafe(_nothing)

    def _on_signal(self, number: int, frame: types.FrameType | None) -> None:
        target, self._target = self._target, None
        if target is None or not target[0].open:
            return
        running, force = target
        stepping = asyncio.current_task(self._loop)
        if stepping is running.task and running.task is not None:
            running.reached = True
            if not self._shield.hold():
                raise KeyboardInterrupt
            return
        running.cancel_due = True
        self._loop.call_soon_threadsafe(self._cancel, running)
        if force and stepping is not None and stepping is not self.serving and not self._shield.hold():
            raise KeyboardInterrupt

    def _cancel(self, running: Running) -> None:
        if running.open and running.cancel_due and not running.reached:
            running.reached = True
            running.task.cancel()


def _nothing() -> None:
    """Wakes the loop."""
