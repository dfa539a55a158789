"""Requests from cells to the host."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import uuid
from typing import Any

from . import runtime
from .frames import FrameWriter, Origin, checked_payload


class HostError(RuntimeError):
    """The host answered a request with an error."""


class HostBridge:
    """Sends host requests and settles each by the one reply that carries its id. Any thread may call."""

    def __init__(self, writer: FrameWriter) -> None:
        self._writer = writer
        self._lock = threading.Lock()
        self._waiting: dict[str, concurrent.futures.Future[Any]] = {}
        self._closed = False

    def start(self, type: str, payload: dict[str, Any] | None) -> concurrent.futures.Future[Any]:
        """Writes the request before it returns; the future gives the reply's ``data``."""
        fields = dict(payload or {})
        if "type" in fields:
            raise TypeError("a host request's payload has no key 'type': it is the first argument")
        encoded = checked_payload("host_request", {"type": type, **fields})
        id = uuid.uuid4().hex
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        with self._lock:
            if self._closed:
                raise HostError("the host is gone: no request can be answered")
            self._waiting[id] = future
        future.add_done_callback(lambda _: self._waiting.pop(id, None))
        try:
            self._writer.send_payload("host_request", Origin(id), encoded)
        except BaseException:
            future.cancel()
            raise
        return future

    def reply(self, id: Any, data: Any) -> None:
        """Settles the request; replies that are duplicates, late or of unknown requests change nothing."""
        if not isinstance(data, dict) or data.get("status") == "duplicate":
            return
        with self._lock:
            future = self._waiting.pop(id, None) if isinstance(id, str) else None
        if future is not None and future.set_running_or_notify_cancel():
            future.set_result(data)

    def close(self) -> None:
        """No reply will come any more: every waiting request fails."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(HostError("the host is gone: the request was not answered"))


def result_of(data: dict[str, Any]) -> Any:
    """The result that a reply carries. Raises HostError, or the typed error that the reply names."""
    if data.get("status") == "ok":
        return data.get("result")
    message = str(data.get("error", "the host gave no reason"))
    if data.get("kind") == "FsError":
        from .fs import FsError

        raise FsError(message, data.get("reason"), data.get("version"))
    raise HostError(message)


async def host_request(type: str, payload: dict[str, Any] | None = None) -> Any:
    """Asks the host and gives the result of its reply. Raises HostError, ValueError over 16 MiB."""
    return result_of(await asyncio.wrap_future(runtime.current().bridge.start(type, payload)))


def host_request_blocking(type: str, payload: dict[str, Any] | None = None) -> Any:
    """As host_request, for functions on a thread of their own; on the loop's thread it is refused."""
    if threading.current_thread() is threading.main_thread():
        raise RuntimeError("here the reply could never arrive: await host_request instead")
    return result_of(runtime.current().bridge.start(type, payload).result())
