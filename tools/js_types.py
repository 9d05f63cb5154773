"""Write src/damas/server/static/lib/types.d.ts, the JavaScript types of the views that the pages name: `js_types.py [--check]`.

Run (`make docs`) after a change of a view or of a `messages.d.ts`; a test runs it with --check, which writes nothing and
exits 1 if the file is stale.
"""

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from damas.server import app as _app  # noqa: F401 (declares the calls)
from damas.server import messages
from damas.server.learning.local import LocalLearningView
from damas.server.web.endpoints import CALLS
from damas.server.web.openapi import REFERENCE, schemas
from damas.views.analysis import SearchView
from damas.views.classes import ClassReportView, ClassView, PairedView, PastedView, PupilView
from damas.views.endgames import NoProbeView
from damas.views.errors import RefusalView
from damas.views.local import LocalWordsView
from damas.views.replay import ReplayView

STATIC = Path(__file__).parent.parent / "src/damas/server/static"
FILE = STATIC / "lib/types.d.ts"
OTHERS = (
    SearchView,
    NoProbeView,
    RefusalView,
    *messages.ClientMessage.__args__,
    LocalWordsView,
    LocalLearningView,
    ReplayView,
    ClassView,
    ClassReportView,
    PairedView,
    PastedView,
    PupilView,
)
"""What goes over sockets and streams, and within pages."""
HEAD = "// What the server sends and reads. Written by `make docs` from the Python views; a test says when it is stale.\n"
WIDTH = 110
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


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
    """A component as an interface."""
    required = schema.get("required", ())
    fields = [
        f"{field}{'' if field in required else '?'}: {type_of(kind)};"
        for field, kind in schema["properties"].items()
    ]
    if schema.get("additionalProperties"):
        fields.append("[fact: string]: any;")
    about = " ".join(schema.get("description", "").split())
    comment, head = f"/** {about} */\n" if about else "", f"export interface {name} {{"
    short = f"{head} {' '.join(fields)} }}\n"
    if len(short) <= WIDTH:
        return comment + short
    unbroken = " ".join(field.replace(" ", "\0") for field in fields)
    body = textwrap.fill(
        unbroken,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return comment + head + "\n" + body.replace("\0", " ") + "\n}\n"


def named_views() -> set[str]:
    """Names of the views that the pages' `messages.d.ts` files import as `views.Name`."""
    files = STATIC.rglob("messages.d.ts")
    return {
        name for file in files for name in re.findall(r"\bviews\.(\w+)", file.read_text(encoding="utf-8"))
    }


def text() -> str:
    """The whole file: the named views and every view that these refer to."""
    replies = [call.reply for call in CALLS if call.reply is not None]
    bodies = dict.fromkeys(call.body for call in CALLS if call.body)
    _, components = schemas([*replies, *bodies, *OTHERS])
    queue, used = named_views(), set[str]()
    while queue:
        used |= queue
        queue = set(re.findall(rf"{REFERENCE}(\w+)", json.dumps([components[name] for name in queue]))) - used
    return "\n".join([HEAD, *(interface(name, components[name]) for name in sorted(used))])


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
