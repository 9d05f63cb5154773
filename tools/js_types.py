"""Write src/damas/server/static/lib/types.d.ts, the JavaScript types of every view: `js_types.py [--check]`.

Run (`make docs`) after a change of a view; a test runs it with --check, which writes nothing and exits 1 if the file is
stale.
"""

import pkgutil
import sys
import textwrap
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import damas.views
from damas.server import messages
from damas.server.web.schemas import REFERENCE, schemas

FILE = Path(__file__).parent.parent / "src/damas/server/static/lib/types.d.ts"
MODULES = (
    *(module.name for module in pkgutil.iter_modules(damas.views.__path__, "damas.views.")),
    "damas.server.learning.views",
)
HEAD = "// What the server sends and reads. Written by `make docs` from the Python views; a test says when it is stale.\n"
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def view_types() -> list[type]:
    """Every view of the modules, and the messages of the socket."""
    found = {
        value
        for name in MODULES
        for value in vars(import_module(name)).values()
        if is_dataclass(value)
        and isinstance(value, type)
        and value.__module__ == name
        and "View" in value.__name__
    }
    return [*sorted(found, key=lambda kind: kind.__name__), *messages.ClientMessage.__args__]


def type_of(schema: dict[str, Any]) -> str:
    """A schema as a TypeScript type."""
    match schema:
        case {"$ref": name}:
            return str(name).removeprefix(REFERENCE)
        case {"enum": values}:
            return " | ".join(f'"{value}"' for value in values)
        case {"anyOf": kinds}:
            return " | ".join(dict.fromkeys(map(type_of, kinds)))
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(type_of, items))}]"
        case {"type": "array", "items": items}:
            inner = type_of(items)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case {"type": "object", "additionalProperties": values}:
            return f"Record<string, {type_of(values)}>" if isinstance(values, dict) else "Record<string, any>"
        case {"type": kind}:
            return NAMES.get(kind, "any")
    return "any"


def interface(name: str, schema: dict[str, Any]) -> str:
    """A component as an interface, wrapped at 110 columns."""
    required = schema.get("required", ())
    fields = [
        f"{field}{'' if field in required else '?'}: {type_of(kind)};"
        for field, kind in schema["properties"].items()
    ]
    if schema.get("additionalProperties"):
        fields.append("[fact: string]: any;")
    body = textwrap.fill(
        " ".join(field.replace(" ", "\0") for field in fields),
        110,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    ).replace("\0", " ")
    about = " ".join(schema.get("description", "").split())
    return (f"/** {about} */\n" if about else "") + f"export interface {name} {{\n{body}\n}}\n"


def text() -> str:
    """The whole file."""
    _, components = schemas(view_types())
    return "\n".join([HEAD, *(interface(name, schema) for name, schema in sorted(components.items()))])


def main() -> int:
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text(), encoding="utf-8")
        return 0
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text():
        return 0
    print(f"{FILE.name} is stale: make docs")
    return 1


if __name__ == "__main__":
    sys.exit(main())
