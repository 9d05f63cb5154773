"""Views as plain JSON values: dictionaries, lists, texts and numbers."""

from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, TypeVar

MORE = "more"
"""Name of a field whose entries stand in the JSON beside the other fields: facts that differ from code to code."""
View = TypeVar("View")
"""A view type."""
_SCALARS = (str, int, float, bool, type(None))


def plain(value: Any) -> Any:
    """The value with every view in it as a dictionary; an unknown kind of object is left as it is.

    >>> from damas.views import MoveView
    >>> plain([MoveView("c3-d4", "c3", "d4", ("c3", "d4"), (), False)])
    [{'text': 'c3-d4', 'from': 'c3', 'to': 'd4', 'route': ['c3', 'd4'], 'captured': [], 'promotes': False}]
    """
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if kind is dict:
        return {name: plain(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if (names := _json_names(kind)) is not None:
        return _view(value, names)
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, str) else value


def _view(value: Any, names: tuple[tuple[str, str, bool], ...]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for attribute, name, optional in names:
        item = getattr(value, attribute)
        if name == MORE:
            result |= plain(item)
        elif item is not None or not optional:
            result[name] = plain(item)
    return result


@cache
def _json_names(kind: Any) -> tuple[tuple[str, str, bool], ...] | None:
    """Attribute, JSON name and whether it may be left out, of each field; None for what is no dataclass.

    A field such as `from` is a Python keyword: its attribute has an underscore behind it.
    """
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    return tuple((field.name, field.name.rstrip("_"), field.default is None) for field in fields(kind))


def view_of(kind: Callable[..., View], /, *sources: object, **given: Any) -> View:
    """A view whose fields are `given`, or else the attributes of the same names of the first source that has them.

    >>> from damas.views import MoveView
    >>> view_of(MoveView, MoveView("c3-d4", "c3", "d4", ("c3", "d4"), (), False), promotes=True).promotes
    True
    """
    values = {
        name: getattr(source, name)
        for name, _, _ in _json_names(kind) or ()
        if name not in given
        for source in reversed(sources)  # the first one writes last
        if hasattr(source, name)
    }
    return kind(**values, **given)
