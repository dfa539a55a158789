"""The namespace on disk: what can be kept is kept, the rest is named."""

from __future__ import annotations

import importlib
import io
import os
import pickle
import platform
import tempfile
import types
from typing import Any

from .cells import reason
from .limits import SNAPSHOT_BYTES

_FORMAT = "berth-kernel-snapshot-1"

try:
    import dill
except ImportError:
    dill = None


class _Pickler(pickle.Pickler):
    """Refuses what only this process can find again: functions and classes that a cell defined."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, (type, types.FunctionType)) and value.__module__ == "__main__":
            raise pickle.PicklingError(f"{value.__qualname__} is defined in a cell; only dill can keep it")
        return NotImplemented


def _pickled(value: Any) -> bytes:
    if dill is not None:
        return dill.dumps(value, recurse=True)
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class Snapshots:
    """Saves and restores the names that cells made. Each name stands alone: shared objects become copies."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._provided = dict(namespace)

    def names(self) -> list[str]:
        """The names that cells made, sorted; private ones and unchanged helpers are not among them."""
        return sorted(
            name
            for name, value in self._namespace.items()
            if isinstance(name, str) and name.isidentifier() and not name.startswith("_") and not (name in self._provided and self._provided[name] is value)
        )

    def save(self, path: str, bytes_limit: int | None) -> dict[str, Any]:
        """Writes the file in one step, mode 0600. The answer names what is in it and, with a reason, what is not."""
        limit = SNAPSHOT_BYTES if bytes_limit is None else bytes_limit
        values: dict[str, bytes] = {}
        modules: dict[str, str] = {}
        skipped: list[dict[str, str]] = []
        total = 0
        for name in self.names():
            value = self._namespace[name]
            if isinstance(value, types.ModuleType):
                modules[name] = value.__name__
                continue
            try:
                encoded = _pickled(value)
            except Exception as error:
                skipped.append({"name": name, "reason": reason(error)})
                continue
            if total + len(encoded) > limit:
                skipped.append({"name": name, "reason": f"{len(encoded)} bytes are over what is left of {limit}"})
                continue
            total += len(encoded)
            values[name] = encoded
        content = {"format": _FORMAT, "python": platform.python_version(), "modules": modules, "values": values, "skipped": skipped}
        written = _replace(path, pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL))
        return {"saved": sorted([*values, *modules]), "skipped": skipped, "bytes": written}

    def restore(self, path: str) -> dict[str, Any]:
        """Brings the file's names back, and names those that the save skipped. A missing file brings none; raises ValueError for a file of another kind."""
        try:
            with open(path, "rb") as file:
                content = pickle.load(file)
        except FileNotFoundError:
            return {"restored": [], "failed": [], "skipped": [], "reason": "snapshot not found"}
        except OSError:
            raise
        except Exception as error:
            raise ValueError(f"{path} is no snapshot: {reason(error)}") from error
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise ValueError(f"{path} is no snapshot of this format")
        restored: list[str] = []
        failed: list[dict[str, str]] = []
        sources = [(name, importlib.import_module, module) for name, module in content["modules"].items()]
        sources += [(name, (dill or pickle).loads, value) for name, value in content["values"].items()]
        for name, revive, source in sources:
            try:
                self._namespace[name] = revive(source)
                restored.append(name)
            except Exception as error:
                failed.append({"name": name, "reason": reason(error)})
        return {"restored": sorted(restored), "failed": failed, "skipped": content.get("skipped", [])}


def _replace(path: str, content: bytes) -> int:
    descriptor, temporary = tempfile.mkstemp(prefix=".snapshot-", dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return len(content)
