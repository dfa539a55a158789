"""JSON schemas of a function's keyword arguments, from its type hints."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import types
import typing
from typing import Any

from .frames import strict_json

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_LISTS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable)
_MAPS = (dict, collections.abc.Mapping)


def of_parameters(function: Any) -> dict[str, Any]:
    """The schema of an object with one property per parameter.

    Raises TypeError for a parameter that cannot be given by keyword.
    """
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        # A hint that names what is not there says nothing about the parameter.
        hints = {}
    properties: dict[str, Any] = {}
    required: list[str] = []
    open_ended = False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise TypeError(f"parameter {name} of {function.__qualname__} cannot be given by keyword")
        if parameter.kind is parameter.VAR_KEYWORD:
            open_ended = True
            continue
        properties[name] = of_hint(hints.get(name, Any))
        if parameter.default is parameter.empty:
            required.append(name)
        else:
            _add_default(properties[name], parameter.default)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": open_ended,
    }


def _add_default(schema: dict[str, Any], value: Any) -> None:
    try:
        strict_json(value)
    except (TypeError, ValueError):
        return
    schema["default"] = value


def of_hint(hint: Any) -> dict[str, Any]:
    """The schema of one type hint; empty, which fits anything, for hints that JSON has no word for."""
    plain = _PLAIN.get(type(None) if hint is None else hint) if hint is None or isinstance(hint, type) else None
    if plain is not None:
        return {"type": plain}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        schema = of_hint(arguments[0])
        texts = [text for text in arguments[1:] if isinstance(text, str)]
        return {**schema, "description": texts[0]} if texts else schema
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [of_hint(argument) for argument in arguments]}
    kind = origin or hint
    if kind in _LISTS:
        return _of_list(kind, arguments)
    if kind in _MAPS:
        return {"type": "object", "additionalProperties": of_hint(arguments[1])} if arguments else {"type": "object"}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"enum": [member.value for member in kind]}
    return {}


def _of_list(kind: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    if kind is tuple and arguments and arguments[-1] is not Ellipsis:
        items = [of_hint(argument) for argument in arguments]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    schema: dict[str, Any] = {"type": "array"}
    if arguments and arguments[0] is not Any:
        schema["items"] = of_hint(arguments[0])
    if kind in (set, frozenset):
        schema["uniqueItems"] = True
    return schema
