"""The lane of remote calls: it waits for no cell, and no cell waits for it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from typing import Any

from .capture import current_origin
from .cells import reason
from .frames import FrameWriter, Origin, printable, strict_json
from .limits import PAYLOAD_BYTES
from .remote import RemoteFunctions


class CallLane:
    """Runs remote functions: synchronous ones on a daemon thread each, async ones on the loop."""

    def __init__(self, writer: FrameWriter, remotes: RemoteFunctions, loop: asyncio.AbstractEventLoop) -> None:
        self._writer = writer
        self._remotes = remotes
        self._loop = loop
        self._open: dict[int, Origin] = {}
        self._stopped = False

    def start(self, id: str, request: dict[str, Any]) -> None:
        """Begins one call; its ``done`` comes from where it runs. Called by the reader's thread."""
        origin = Origin(id)
        module, name = request.get("module"), request.get("function")
        function = self._remotes.find(module, name) if isinstance(module, str) and isinstance(name, str) else None
        if function is None:
            self._fail(origin, "unknown", printable(f"no remote function {name} in module {module}"))
            return
        arguments = request.get("args", {})
        if not isinstance(arguments, dict):
            self._fail(origin, "failed", "TypeError: args must be an object of keyword arguments")
            return
        self._open[id_of(origin)] = origin
        if self._stopped:
            self.stop()
            return
        if inspect.iscoroutinefunction(inspect.unwrap(function)):
            self._loop.call_soon_threadsafe(self._start_task, origin, function, arguments)
        else:
            context = contextvars.Context()
            thread = threading.Thread(
                target=context.run, args=(self._run, origin, function, arguments), name="berth-call", daemon=True
            )
            thread.start()

    def stop(self) -> None:
        """Ends every call that is still open: the kernel goes."""
        self._stopped = True
        for origin in list(self._open.values()):
            self._fail(origin, "unreachable", "the kernel stopped before the call was over")

    def _start_task(self, origin: Origin, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        context = contextvars.Context()
        context.run(current_origin.set, origin)
        self._loop.create_task(self._await(origin, function, arguments), context=context)

    def _run(self, origin: Origin, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        current_origin.set(origin)
        try:
            result = function(**arguments)
        except BaseException as error:
            self._raised(origin, error)
            return
        self._returned(origin, result)

    async def _await(self, origin: Origin, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        try:
            result = await function(**arguments)
        except BaseException as error:
            self._raised(origin, error)
            return
        self._returned(origin, result)

    def _returned(self, origin: Origin, result: Any) -> None:
        try:
            encoded = strict_json(result)
        except (TypeError, ValueError, RecursionError) as error:
            self._fail(origin, "unencodable", f"the result is not strict JSON: {reason(error)}")
            return
        if len(encoded) > PAYLOAD_BYTES:
            self._fail(origin, "unencodable", f"a result of {len(encoded)} bytes is over {PAYLOAD_BYTES}")
            return
        self._open.pop(id_of(origin), None)
        self._writer.done(origin, status="ok", result=result)

    def _raised(self, origin: Origin, error: BaseException) -> None:
        self._fail(origin, "failed", reason(error))

    def _fail(self, origin: Origin, kind: str, error: str) -> None:
        self._open.pop(id_of(origin), None)
        self._writer.done(origin, status="error", reason=kind, error=error)


def id_of(origin: Origin) -> int:
    """A key for one call, also when a host uses an id twice."""
    return id(origin)
