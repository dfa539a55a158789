"""bash(): commands in process groups of their own, which end with the kernel."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from typing import Any

from . import runtime
from .limits import BASH_BYTES, PIPE_BYTES


@dataclasses.dataclass(frozen=True)
class BashResult:
    """What a command left: its exit code (below zero: the signal), its output, and how many bytes were too many."""

    exit_code: int
    output: str
    dropped_bytes: int


class ProcessGroups:
    """The groups of this kernel's commands.

    A leader stays unreaped while others of its group live, so that its number is not given to a stranger and a kill
    can only hit our own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leaders: dict[int, subprocess.Popen[bytes]] = {}
        self._journal = os.environ.pop("BERTH_KERNEL_PROCESS_JOURNAL", None)

    def start(self, arguments: list[str], **options: Any) -> subprocess.Popen[bytes]:
        """Starts a group's leader."""
        self.sweep()
        process = subprocess.Popen(arguments, process_group=0, **options)
        with self._lock:
            self._leaders[process.pid] = process
        self._note(process.pid, "started")
        return process

    def sweep(self) -> None:
        """Forgets the groups that are empty but for an ended leader."""
        with self._lock:
            leaders = list(self._leaders.values())
        members = _members()
        for process in leaders:
            if _ended(process.pid) and members.get(process.pid, set()) <= {process.pid}:
                with self._lock:
                    if self._leaders.pop(process.pid, None) is None:
                        continue
                process.wait()
                self._note(process.pid, "ended")

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kills one group, if it is still ours."""
        with self._lock:
            if process.pid in self._leaders:
                _kill(process.pid)

    def kill_all(self) -> None:
        """Kills every group."""
        with self._lock:
            for pid in self._leaders:
                _kill(pid)

    def forget(self) -> None:
        """In a forked child: the groups belong to the parent."""
        self._lock = threading.Lock()
        self._leaders = {}

    def _note(self, pid: int, state: str) -> None:
        """One line for the host, which reaps the groups of a kernel that was killed."""
        if self._journal is None:
            return
        line = json.dumps({"pid": pid, "ticks": _ticks(pid) if state == "started" else None, "state": state})
        descriptor = os.open(self._journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode() + b"\n")
        finally:
            os.close(descriptor)


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _stat(pid: str) -> list[str]:
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def _ticks(pid: int) -> int | None:
    """The start time of a process, which tells it from a later one of the same number. Source: proc(5), field 22."""
    try:
        return int(_stat(str(pid))[19])
    except (OSError, IndexError):
        return None


def _members() -> dict[int, set[int]]:
    groups: dict[int, set[int]] = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            groups.setdefault(int(_stat(pid)[2]), set()).add(int(pid))
        except (OSError, IndexError):
            continue
    return groups


class _Output:
    """Reads a command's pipe on the loop: keeps the first bytes, counts the rest, discards once the command is over."""

    def __init__(self, loop: asyncio.AbstractEventLoop, source: int) -> None:
        self._loop = loop
        self._source = source
        self._kept = bytearray()
        self._dropped = 0
        self._over = False
        os.set_blocking(source, False)
        loop.add_reader(source, self._read)

    def finish(self) -> tuple[str, int]:
        """What came so far. Processes that the command left behind may write on; nobody keeps it."""
        while not self._over and self._read():
            continue
        self._over = True
        return self._kept.decode("utf-8", "replace"), self._dropped

    def _read(self) -> bool:
        try:
            chunk = os.read(self._source, PIPE_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            self._loop.remove_reader(self._source)
            os.close(self._source)
            self._over = True
            return False
        if not self._over:
            room = BASH_BYTES - len(self._kept)
            self._kept += chunk[:room]
            self._dropped += len(chunk[room:])
        return True


def _watch(pid: int, tell: Callable[[int], Any]) -> None:
    """Waits for a leader's end without reaping it."""
    try:
        end = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    except ChildProcessError:
        return
    code = end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
    try:
        tell(code)
    except RuntimeError:
        # The loop is closed: the kernel is going.
        return


def _shell() -> str:
    return os.environ.get("BERTH_BASH_SHELL") or shutil.which("bash") or "/bin/sh"


async def bash(
    command: str,
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: dict[str, str] | None = None,
    timeout: float | None = None,
) -> BashResult:
    """Runs a shell command in a process group of its own; its standard input is empty.

    Both outputs come together, the first MiB of them. An interrupt and the timeout (seconds; raises TimeoutError) kill
    the group. What the command leaves in the background lives on until the kernel ends.
    """
    server = runtime.current()
    run = None
    try:
        # An interrupt between the start and the note of it would leave a group that nobody knows.
        with server.shield:
            run = _Run(server.groups, command, cwd, env)
        async with asyncio.timeout(timeout):
            code = await run.ended
    except BaseException:
        if run is not None:
            run.kill()
        raise
    text, dropped = run.output.finish()
    return BashResult(code, text, dropped)


class _Run:
    """One command from its start to its end."""

    def __init__(
        self, groups: ProcessGroups, command: str, cwd: str | os.PathLike[str] | None, env: dict[str, str] | None
    ) -> None:
        self._groups = groups
        self._loop = asyncio.get_running_loop()
        source, sink = os.pipe()
        try:
            self._process = groups.start(
                [_shell(), "-c", command],
                cwd=cwd,
                env=None if env is None else {**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )
        except BaseException:
            os.close(source)
            raise
        finally:
            os.close(sink)
        self.output = _Output(self._loop, source)
        self.ended: asyncio.Future[int] = self._loop.create_future()
        threading.Thread(target=_watch, args=(self._process.pid, self._tell), daemon=True).start()

    def kill(self) -> None:
        self._groups.kill(self._process)
        self.output.finish()

    def _tell(self, code: int) -> None:
        self._loop.call_soon_threadsafe(self._settle, code)

    def _settle(self, code: int) -> None:
        self._groups.sweep()
        if not self.ended.done():
            self.ended.set_result(code)
