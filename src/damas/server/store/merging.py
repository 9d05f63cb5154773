"""Progress that was made on two devices, as one: nothing that was done on either is lost.

Merging is idempotent, and pages do the same (`static/pages/learning/merging.js`; `tests/server/progress_cases.json` has cases
for both).
"""

from typing import Any, TypeGuard

import msgspec

LATEST = frozenset({"streak"})
"""Numbers that go down as well: of two values, that of the later `updated_ms` counts."""


def merged_json(old: str | None, new: str, now_ms: int) -> str:
    """The JSON of both values; the new one where nothing, or nothing that can be read, was stored.

    What a device with a fast clock says of the future is dated now: it would outlast everything done later elsewhere.
    """
    try:
        value = msgspec.json.decode(new)
        dated = _dated(value, now_ms)
        if old is None and dated is value:
            return new
        both = dated if old is None else merged(_dated(msgspec.json.decode(old), now_ms), dated)
    except (msgspec.DecodeError, RecursionError):
        return new
    return msgspec.json.encode(both).decode()


def _dated(value: Any, now_ms: int) -> Any:
    late = isinstance(value, dict) and _updated_ms(value) > now_ms
    return {**value, "updated_ms": now_ms} if late else value


def merged(old: Any, new: Any) -> Any:
    """Both lists, the greater numbers, objects field by field, and otherwise the new value.

    >>> merged({"done": [1, 2], "best": 3}, {"done": [2, 4], "best": 1})
    {'done': [1, 2, 4], 'best': 3}
    """
    if new is None:
        return old
    if isinstance(old, dict) and isinstance(new, dict):
        fields = {name: _either(name, old, new) for name in {**old, **new}}
        later = new if _updated_ms(new) >= _updated_ms(old) else old
        return fields | {name: later[name] for name in LATEST if name in later}
    if isinstance(old, list) and isinstance(new, list):
        plain = all(isinstance(each, str | int) for each in (*old, *new))
        return list(dict.fromkeys((*old, *new))) if plain else new
    if _is_number(old) and _is_number(new):
        return max(old, new)
    return new


def _either(name: str, old: dict[str, Any], new: dict[str, Any]) -> Any:
    return merged(old[name], new[name]) if name in old and name in new else {**old, **new}[name]


def _updated_ms(value: dict[str, Any]) -> float:
    updated_ms = value.get("updated_ms")
    return updated_ms if _is_number(updated_ms) else 0


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
