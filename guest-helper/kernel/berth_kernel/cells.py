"""Cells: Python source that runs in the persistent namespace, with await at its top level."""

from __future__ import annotations

import __future__
import ast
import inspect
import linecache
import traceback
import types
from typing import Any

from .frames import printable
from .limits import TEXT_CHARS, cut

_FUTURES = {name: getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}


class Cells:
    """Compiles and runs cells, one after the other, in one module's namespace."""

    def __init__(self, module: types.ModuleType) -> None:
        self.namespace = module.__dict__
        self._count = 0
        self._flags = 0

    async def run(self, source: str) -> str | None:
        """Runs a cell. The repr of its last expression, bounded; null when there is none or it is None."""
        self._count += 1
        name = f"<cell-{self._count}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        tree = ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if tree.body:
            await self._evaluate(tree, name, "exec")
        if last is None:
            return None
        value = await self._evaluate(ast.Expression(last.value), name, "eval")
        if value is None:
            return None
        self.namespace["_"] = value
        return cut(printable(repr(value)))

    async def _evaluate(self, tree: ast.AST, name: str, mode: str) -> Any:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self._flags
        code = compile(tree, name, mode, flags, dont_inherit=True)
        for flag in _FUTURES.values():
            self._flags |= code.co_flags & flag
        value = eval(code, self.namespace)
        return await value if code.co_flags & inspect.CO_COROUTINE else value


def describe(error: BaseException) -> dict[str, Any]:
    """The fields of an error event: type, text and traceback from the cell's first frame on, each bounded."""
    frames = error.__traceback__
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith("<cell-"):
        frames = frames.tb_next
    try:
        lines = traceback.format_exception(error.with_traceback(frames))
    except Exception:
        lines = []
    return {"ename": _name(error), "evalue": _text(error), "traceback": _bounded(lines)}


def reason(error: BaseException) -> str:
    """One bounded line: the error's type and text."""
    text = _text(error)
    return f"{_name(error)}: {text}" if text else _name(error)


def _name(error: BaseException) -> str:
    return printable(type(error).__name__)[:256]


def _text(error: BaseException) -> str:
    try:
        return cut(printable(str(error)))
    except Exception as broken:
        return f"<no text: {_name(broken)}>"


def _bounded(lines: list[str]) -> list[str]:
    """The last lines that fit together: they are nearest to the error."""
    kept: list[str] = []
    room = TEXT_CHARS
    for line in reversed(lines):
        line = printable(line)
        if len(line) > room:
            kept.append(f"… {len(lines) - len(kept)} lines before\n")
            break
        room -= len(line)
        kept.append(line)
    return kept[::-1]
