"""JSON Schemas of what the server reads and sends, derived from its views and structs."""

import textwrap
from collections.abc import Iterable
from typing import Any

import msgspec

from damas.views.plain import MORE

Schema = dict[str, Any]
"""A JSON Schema."""
REFERENCE = "#/components/schemas/"
"""Beginning of a reference to a component."""


def schemas(types: Iterable[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and the components that they refer to by name.

    >>> from damas.views import MoveView
    >>> first, components = schemas([MoveView])
    >>> first, components["MoveView"]["properties"]["from"]
    ([{'$ref': '#/components/schemas/MoveView'}], {'type': 'string'})
    """
    shown, components = msgspec.json.schema_components(types, ref_template=REFERENCE + "{name}")
    return list(shown), {name: _as_sent(component) for name, component in components.items()}


def _as_sent(component: Schema) -> Schema:
    """A component as `damas.views.plain` writes it."""
    if "description" in component:
        component["description"] = textwrap.dedent("    " + component["description"]).strip()
    fields = component.get("properties", {})
    if MORE in fields:
        component["additionalProperties"] = True
    properties = {name.rstrip("_"): _without_null(field) for name, field in fields.items() if name != MORE}
    required = [name.rstrip("_") for name in component.get("required", ())]
    return {**component, **({"properties": properties, "required": required} if fields else {})}


def _without_null(field: Schema) -> Schema:
    """A field that is left out while it is None is never null."""
    if field.get("default", ...) is not None or "anyOf" not in field:
        return field
    kinds = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
