"""@remote: functions of the kernel that the host offers as tools."""

from __future__ import annotations

import concurrent.futures
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

from . import runtime, schema
from .bridge import result_of

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class RemoteFunctions:
    """The functions that may be called, by module and qualified name; the latest definition counts."""

    def __init__(self) -> None:
        self._functions: dict[tuple[str, str], Callable[..., Any]] = {}

    def add(self, function: Callable[..., Any]) -> None:
        """Offers the function."""
        self._functions[(function.__module__, function.__qualname__)] = function

    def find(self, module: Any, function: Any) -> Callable[..., Any] | None:
        """The function, or null."""
        return self._functions.get((module, function))


def remote(function: Callable[..., Any] | None = None, *, name: str | None = None) -> Any:
    """Offers a function to the host as the tool ``remote/<name>``; the function itself stays as it is.

    The tool's schema comes from the type hints, its description from the docstring. A synchronous function runs on a
    thread of its own, an async one on the loop. Raises TypeError for a parameter that cannot be given by keyword,
    ValueError for a name that is no tool's. Outside a kernel nothing is announced.
    """
    if function is None:
        return lambda given: remote(given, name=name)
    tool = name or function.__name__
    if not _NAME.fullmatch(tool):
        raise ValueError(f"{tool!r} is no tool name: letters, digits, _ and -, at most 64")
    parameters = schema.of_parameters(function)
    if runtime.active():
        server = runtime.current()
        server.remotes.add(function)
        announced = server.bridge.start(
            "remote.register",
            {
                "name": tool,
                "module": function.__module__,
                "function": function.__qualname__,
                "doc": inspect.getdoc(function) or "",
                "schema": parameters,
            },
        )
        announced.add_done_callback(lambda reply: _report(tool, reply))
    return function


def _report(tool: str, reply: concurrent.futures.Future[Any]) -> None:
    """A refusal must be seen: the decorator itself cannot wait for the answer."""
    try:
        result_of(reply.result())
    except Exception as error:
        print(f"remote/{tool} is not offered: {error}", file=sys.stderr)
