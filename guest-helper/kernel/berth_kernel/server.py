"""The server: requests in, one ``done`` for each out."""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import platform
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from . import bash, display, fs, host_request, owner, remote, runtime
from .bridge import HostBridge
from .calls import CallLane
from .capture import CellStream, DescriptorPump, current_origin
from .cells import Cells, describe, reason
from .frames import FrameWriter, Origin, printable
from .interrupts import InterruptibleAwait, Interrupts, Running
from .limits import EXIT_GRACE_SECONDS, PIPE_BYTES, PROTOCOL
from .remote import RemoteFunctions
from .shell import ProcessGroups
from .shield import Shield
from .snapshots import Snapshots

_QUEUED = ("execute", "snapshot", "restore", "list_names")


class Server:
    """One kernel. Its loop runs in the main thread, requests are read by a thread of their own."""

    def __init__(self, protocol: int, requests: int) -> None:
        self._requests = requests
        self._process = os.getpid()
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self.shield = Shield()
        self.writer = FrameWriter(protocol, self.shield, self.stop)
        self.bridge = HostBridge(self.writer)
        self.groups = ProcessGroups()
        self.remotes = RemoteFunctions()
        self._calls = CallLane(self.writer, self.remotes, self._loop)
        self._interrupts = Interrupts(self._loop, self.shield)
        self._pumps = [DescriptorPump(1, "stdout", self.writer), DescriptorPump(2, "stderr", self.writer)]
        self._streams = [CellStream(1, "stdout", self.writer), CellStream(2, "stderr", self.writer)]
        module = types.ModuleType("__main__")
        module.__dict__.update(bash=bash, display=display, fs=fs, host_request=host_request, remote=remote)
        self._own_main = sys.modules["__main__"]
        sys.modules["__main__"] = module
        self._cells = Cells(module)
        self._snapshots = Snapshots(module.__dict__)
        # Cells share one context, so that context variables live from cell to cell.
        self._context = contextvars.copy_context()
        self._queue: asyncio.Queue[tuple[Origin, dict[str, Any]] | None] = asyncio.Queue()
        self._stop_lock = threading.Lock()
        self._stopping = False
        self._shutdown: Origin | None = None
        grace = os.environ.pop("BERTH_KERNEL_EXIT_GRACE_MILLIS", None)
        self._grace_seconds = EXIT_GRACE_SECONDS if grace is None else int(grace) / 1000

    def run(self) -> int:
        """Serves until shutdown, the end of the requests or of the owner. The process's exit code."""
        sys.stdout, sys.stderr = self._streams
        sys.stdin = open(os.devnull, encoding="utf-8")
        os.register_at_fork(after_in_child=self._forget)
        self._interrupts.install()
        for pump in self._pumps:
            pump.start()
        self.writer.send("ready", None, protocol=PROTOCOL, python=platform.python_version())
        serving = self._loop.create_task(self._serve())
        self._interrupts.serving = serving
        serving.add_done_callback(lambda _: self._loop.stop())
        owner.adopt(self.stop)
        threading.Thread(target=self._read, name="berth-requests", daemon=True).start()
        while not serving.done():
            try:
                self._loop.run_forever()
            except (KeyboardInterrupt, SystemExit):
                # A task of a cell ended so; the loop goes on where it was.
                continue
        serving.result()
        return 0

    def stop(self) -> None:
        """Begins the end, once: what runs is interrupted; what then still holds the loop is cut off after the grace."""
        with self._stop_lock:
            if self._stopping:
                return
            self._stopping = True
        threading.Thread(target=self._end, name="berth-stop", daemon=True).start()

    def _end(self) -> None:
        watchdog = threading.Timer(self._grace_seconds, self._cut_off)
        watchdog.daemon = True
        watchdog.start()
        self.bridge.close()
        self._loop.call_soon_threadsafe(self._queue.put_nowait, None)
        self._interrupts.ask(None)

    def _cut_off(self) -> None:
        self.groups.kill_all()
        os._exit(1)

    def _forget(self) -> None:
        self.writer.forget()
        self.groups.forget()
        for stream in self._streams:
            stream.forget()

    # Requests, in the reader's thread.

    def _read(self) -> None:
        rest = b""
        pieces: list[bytes] = []
        while True:
            try:
                chunk = os.read(self._requests, PIPE_BYTES)
            except OSError:
                chunk = b""
            if not chunk:
                break
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                pieces.append(line)
                self._take(b"".join(pieces))
                pieces = []
            if rest:
                pieces.append(rest)
        self.stop()

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("a request is an object")
            self._route(request)
        except Exception as error:
            self.writer.send("error", None, ename="ProtocolError", evalue=reason(error), traceback=[])

    def _route(self, request: dict[str, Any]) -> None:
        kind, id = request.get("type"), request.get("id")
        if kind == "host_reply":
            self.bridge.reply(id, request.get("data"))
        elif kind == "interrupt":
            self._interrupts.ask(id)
        elif kind == "shutdown":
            self._shutdown = Origin(id) if isinstance(id, str) else None
            self.stop()
        elif not isinstance(id, str):
            raise ValueError(f"a request of type {kind} needs an id")
        elif kind == "call":
            self._calls.start(id, request)
        elif kind in _QUEUED:
            self._interrupts.queued(id)
            self._loop.call_soon_threadsafe(self._queue.put_nowait, (Origin(id), request))
        else:
            self.writer.done(Origin(id), status="error", reason=printable(f"no request type {kind}"))

    # Requests in their order, on the loop.

    async def _serve(self) -> None:
        while not self._stopping:
            turn = await self._queue.get()
            if turn is not None and not self._stopping:
                await self._serve_one(*turn)
            elif turn is not None:
                self._refuse(turn[0])
        while not self._queue.empty():
            turn = self._queue.get_nowait()
            if turn is not None:
                self._refuse(turn[0])
        self._calls.stop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=1.0)
        self.groups.kill_all()
        self._fence()
        if self._shutdown is not None:
            self.writer.done(self._shutdown, status="ok")

    def _refuse(self, origin: Origin) -> None:
        self.writer.done(origin, status="error", reason="the kernel is shutting down")

    async def _serve_one(self, origin: Origin, request: dict[str, Any]) -> None:
        running = Running(origin)
        action = {
            "execute": self._execute,
            "snapshot": self._snapshot,
            "restore": self._restore,
            "list_names": self._list_names,
        }[request["type"]]
        self._context.run(current_origin.set, origin)
        if self._interrupts.begin(running):
            running.task = self._loop.create_task(self._guard(running, action, request), context=self._context)
            await asyncio.wait({running.task})
            self._interrupts.end()
        if running.outcome is None:
            running.outcome = self._failed(running, KeyboardInterrupt())
        self._context.run(current_origin.set, None)
        self.writer.done(origin, **running.outcome)

    async def _guard(self, running: Running, action: Callable[..., Any], request: dict[str, Any]) -> None:
        try:
            try:
                running.outcome = await InterruptibleAwait(action(running.origin, request), running)
            finally:
                running.open = False
        except BaseException as error:
            running.outcome = self._failed(running, error)
        self._fence()

    def _failed(self, running: Running, error: BaseException) -> dict[str, Any]:
        running.open = False
        if os.getpid() != self._process:
            # A cell forked, and its child came out of the cell: it is no kernel.
            os._exit(1)
        self.writer.send("error", running.origin, **describe(error))
        return {"status": "error", "reason": reason(error)}

    def _fence(self) -> None:
        for pump in self._pumps:
            pump.fence()

    async def _execute(self, origin: Origin, request: dict[str, Any]) -> dict[str, Any]:
        text = await self._cells.run(_text(request, "code"))
        if os.getpid() != self._process:
            os._exit(0)
        if text is not None:
            self.writer.send("result", origin, text=text)
        return {"status": "ok"}

    async def _snapshot(self, origin: Origin, request: dict[str, Any]) -> dict[str, Any]:
        return {"status": "ok", **self._snapshots.save(_text(request, "path"), request.get("max_bytes"))}

    async def _restore(self, origin: Origin, request: dict[str, Any]) -> dict[str, Any]:
        return {"status": "ok", **self._snapshots.restore(_text(request, "path"))}

    async def _list_names(self, origin: Origin, request: dict[str, Any]) -> dict[str, Any]:
        return {"status": "ok", "names": self._snapshots.names()}


def _text(request: dict[str, Any], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise TypeError(f"a request of type {request['type']} needs {key}, a string")
    return value


def main() -> int:
    """Takes the process's descriptors before anything can write to them, and serves."""
    if sys.version_info < (3, 11):
        print("the kernel needs Python 3.11 or newer", file=sys.stderr)
        return 2
    protocol, requests = os.dup(1), os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    server = Server(protocol, requests)
    runtime.serve(server)
    code = server.run()
    # Threads of calls and of cells may hang; what they hold ends with the process.
    _run_exit_handlers()
    os._exit(code)


def _run_exit_handlers() -> None:
    import atexit

    atexit._run_exitfuncs()
