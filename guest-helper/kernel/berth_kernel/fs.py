"""Files through the host: paths are those of the kernel's own file system."""

from __future__ import annotations

import os
from typing import Any

from .bridge import HostError, host_request


# As the host names them.
_EDIT_FIELDS = {"old": "oldText", "new": "newText"}


class FsError(HostError):
    """The host refused or failed a file request."""

    def __init__(self, message: str, reason: str | None, version: str | None) -> None:
        super().__init__(message)
        # Why: "outside" when no shared directory holds the path.
        self.reason = reason
        self.version = version


async def _ask(verb: str, **fields: Any) -> Any:
    given = {name: value for name, value in fields.items() if value is not None}
    return await host_request(f"fs.{verb}", {"cwd": os.getcwd(), **given})


async def read(path: str | os.PathLike[str], offset: int | None = None, limit: int | None = None) -> Any:
    """Reads a text file; offset (first line is 1) and limit count lines."""
    return await _ask("read", path=os.fspath(path), offset=offset, limit=limit)


async def write(path: str | os.PathLike[str], content: str) -> Any:
    """Writes a text file, whole."""
    return await _ask("write", path=os.fspath(path), text=content)


async def edit(
    path: str | os.PathLike[str],
    edits: list[dict[str, Any]],
    destination: str | os.PathLike[str] | None = None,
) -> Any:
    """Replaces text: each edit has ``old``, ``new`` and maybe ``all``. With a destination the file moves there."""
    return await _ask(
        "edit",
        path=os.fspath(path),
        edits=[{_EDIT_FIELDS.get(name, name): value for name, value in each.items()} for each in edits],
        destination=None if destination is None else os.fspath(destination),
    )


async def grep(pattern: str, path: str | os.PathLike[str] = ".", **options: Any) -> Any:
    """Searches files below path for a regular expression."""
    return await _ask("grep", pattern=pattern, path=os.fspath(path), **options)


async def glob(pattern: str, path: str | os.PathLike[str] = ".", **options: Any) -> Any:
    """Lists files below path whose relative name fits the pattern."""
    return await _ask("glob", pattern=pattern, path=os.fspath(path), **options)
