"""A real kernel process, as a host sees it."""

from __future__ import annotations

import collections
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Only a broken kernel lets a wait end by time.
PATIENCE_SECONDS = 60


class Kernel:
    """Starts ``python -m berth_kernel.repl`` and reads its frames."""

    def __init__(self, cwd: str | None = None, wrapper: list[str] | None = None, **entries: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **entries}
        self.process = subprocess.Popen(
            [*(wrapper or []), sys.executable, "-m", "berth_kernel.repl"],
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.frames: list[dict[str, Any]] = []
        self.lines: list[bytes] = []
        self._arrived = threading.Condition()
        self._over = False
        self._ids = iter(range(1, 1_000_000))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with self._arrived:
                self.lines.append(line)
                self.frames.append(json.loads(line))
                self._arrived.notify_all()
        with self._arrived:
            self._over = True
            self._arrived.notify_all()

    def send(self, **request: Any) -> None:
        self.send_raw(json.dumps(request).encode() + b"\n")

    def send_raw(self, line: bytes) -> None:
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def execute(self, code: str) -> str:
        id = f"cell-{next(self._ids)}"
        self.send(type="execute", id=id, code=code)
        return id

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The first frame that fits; an AssertionError when the kernel ends before."""
        with self._arrived:
            seen = 0
            while True:
                for frame in self.frames[seen:]:
                    if wanted(frame):
                        return frame
                seen = len(self.frames)
                if self._over:
                    raise AssertionError(f"the kernel ended; its frames: {self.frames[-5:]}")
                if not self._arrived.wait(PATIENCE_SECONDS):
                    raise AssertionError(f"no such frame; the last: {self.frames[-5:]}")

    def done(self, id: str) -> dict[str, Any]:
        return self.wait(lambda frame: frame["event"] == "done" and frame["id"] == id)

    def event(self, event: str, id: str | None = None) -> dict[str, Any]:
        return self.wait(lambda frame: frame["event"] == event and (id is None or frame["id"] == id))

    def run(self, code: str) -> list[dict[str, Any]]:
        """Runs a cell; its frames, without its done, which must be ok."""
        id = self.execute(code)
        done = self.done(id)
        if done["status"] != "ok":
            raise AssertionError(f"{done}: {self.of(id)}")
        return self.of(id)[:-1]

    def value(self, code: str) -> str:
        """The text of a cell's result."""
        return next(frame["text"] for frame in self.run(code) if frame["event"] == "result")

    def fails(self, code: str) -> dict[str, Any]:
        """Runs a cell that must fail; its error frame."""
        id = self.execute(code)
        if self.done(id)["status"] != "error":
            raise AssertionError(f"the cell did not fail: {self.of(id)}")
        return next(frame for frame in self.of(id) if frame["event"] == "error")

    def of(self, id: str | None) -> list[dict[str, Any]]:
        return [frame for frame in list(self.frames) if frame["id"] == id]

    def text(self, event: str, id: str | None) -> str:
        return "".join(frame["text"] for frame in self.of(id) if frame["event"] == event)

    def reply(self, id: str, **data: Any) -> None:
        self.send(type="host_reply", id=id, data=data)

    def close(self) -> int:
        """Closes the input and waits for the end; the exit code."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return code


class KernelTest(unittest.TestCase):
    """A test with one kernel, which must leave every request with exactly one done, last."""

    def setUp(self) -> None:
        self.kernel = self.start()

    def start(self, **options: Any) -> Kernel:
        kernel = Kernel(**options)
        self.addCleanup(self._end, kernel)
        kernel.event("ready")
        return kernel

    def _end(self, kernel: Kernel) -> None:
        kernel.process.kill()
        kernel.process.wait()
        kernel._reader.join(PATIENCE_SECONDS)
        kernel.process.stdout.close()
        try:
            kernel.process.stdin.close()
        except BrokenPipeError:
            pass
        ended = collections.Counter()
        for line, frame in zip(kernel.lines, kernel.frames):
            self.assertEqual(list(frame)[:2], ["event", "id"], line[:200])
            self.assertEqual(0, ended[frame["id"]] if frame["id"] is not None else 0, f"after its done: {frame}")
            if frame["event"] == "done":
                ended[frame["id"]] += 1
