"""One script and one sheet for each page, and one script for each worker: modules and styles joined when they are first asked for, without a build step.

The source stays plain ES modules, each still served under its own address: a page opened with `?modules` loads them
one by one, and the source map of a bundle names them to the browser's developer tools.
"""

import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

STYLES = {
    "account": ("account",),
    "analysis": ("analysis", "editor"),
    "api": ("api",),
    "arbiter": ("arbiter",),
    "arena": ("arena",),
    "clock": ("clock",),
    "club": ("club",),
    "cards": ("school",),
    "class": ("school",),
    "class_enter": ("school",),
    "classes": ("school",),
    "contest": ("arena",),
    "desk": ("club",),
    "drills": ("learning", "puzzles", "drills"),
    "embed": ("embed",),
    "endings": ("learning", "puzzles"),
    "game": ("game", "editor"),
    "games": ("games",),
    "glossary": ("learn",),
    "home": ("home",),
    "learn": ("learning", "learn"),
    "lens": ("learning", "lens", "editor"),
    "lesson": ("learning", "learn"),
    "page": (),
    "paper": ("paper",),
    "pupil": ("school",),
    "openings": ("learning", "puzzles", "openings"),
    "puzzles": ("learning", "puzzles"),
    "rulebook": ("learning", "rules"),
    "rules": ("rules",),
    "studies": ("study",),
    "study": ("analysis", "editor", "study"),
    "team": ("club",),
    "tournament": ("club",),
    "tv": ("tv",),
}
"""The sheets under css/pages of each page, by the page's name. `page` is any page that has none of its own."""
ALONE = ("embed", "tv")
"""Pages without the header and what belongs to it: they run their own script only."""

ON_DEMAND = {"answers": "local/answers.js", "sync": "local/sync.js"}
"""Modules that pages import when they need them, each as a bundle that exports what its module does."""
WORKERS = {"worker": "local/worker.js", "thread": "core/thread.js"}
"""Workers in which the core runs: one that answers questions, and its further threads."""

Read = Callable[[str], str]
"""The text of a file of the folder; raises `KeyError` where there is none."""

_IMPORT = re.compile(r"""^import\s+(?:(\{[^}]*\}|\* as \w+)\s+from\s+)?['"](\.[^'"]+)['"];""", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) ([\w$]+))", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment with lines of its own."""
_WAITS = re.compile(r"^(?:(?:export )?(?:const|let) [^=\n]+= )?await\b", re.MULTILINE)
"""An `await` outside of every function."""
_CSS_IMPORT = re.compile(r'^@import url\("([^"]+)"\);\n', re.MULTILINE)
_CSS_COMMENT = re.compile(r"/\*.*?\*/\n*", re.DOTALL)
_CSS_PICTURE = re.compile(r'url\("([^"]+\.svg)"\)')


@cache
def imports(module: str, text: str) -> tuple[str, ...]:
    """The modules that a module imports, in its order.

    >>> imports("pages/home.js", "import { a } from '../lib/dom.js';")
    ('lib/dom.js',)
    """
    return tuple(_resolve(module, match[2]) for match in _IMPORT.finditer(text))


def _resolve(file: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), path))


class _Module(NamedTuple):
    """A module's text as every bundle that has it needs it."""

    text: str
    """Without comments, every line where it was."""
    exports: tuple[str, ...]
    waits: bool


@cache
def _parsed(text: str) -> _Module:
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _Module(text, tuple(match[1] for match in _EXPORT.finditer(text)), bool(_WAITS.search(text)))


def in_order(modules: Iterable[str], read: Read) -> list[str]:
    """Modules and all that they import, each after what it imports, as browsers run them."""
    ordered: dict[str, None] = {}

    def visit(module: str, importers: tuple[str, ...]) -> None:
        if module in importers:
            raise ValueError(f"modules import each other: {' '.join((*importers, module))}")
        if module in ordered:
            return
        for each in imports(module, read(module)):
            visit(each, (*importers, module))
        ordered[module] = None

    for module in modules:
        visit(module, ())
    return list(ordered)


def scripts_of(page: str, read: Read) -> list[str]:
    """The modules of a page or of a bundle on demand, in the order in which they run."""
    if alone := ON_DEMAND.get(page) or WORKERS.get(page):
        return in_order([alone], read)
    own = f"pages/{page}.js"
    if page in ALONE:
        return in_order([own], read)
    try:
        read(own)
    except KeyError:
        return in_order(["shell.js"], read)
    return in_order(["shell.js", own], read)


def sheets_of(page: str) -> list[str]:
    """The sheets of a page, but for those that they import."""
    pages = [f"css/pages/{name}.css" for name in STYLES[page]]
    return ["css/tokens.css", "css/base.css", *pages, "css/share.css"]


def join_modules(modules: list[str], read: Read) -> str:
    """One module that does what these do. Each is a function that returns what it exports; lines stay lines."""
    names = {module: f"$module{number}" for number, module in enumerate(modules)}
    exports: dict[str, tuple[str, ...]] = {}

    def function(module: str) -> str:
        text, exports[module], waits = _parsed(read(module))

        def imported(match: re.Match[str]) -> str:
            wanted, path = match[1], _resolve(module, match[2])
            source = names[path]
            if wanted is None:
                return ""
            if wanted.startswith("*"):
                return f"const {wanted.split()[-1]} = {source};"
            if missing := set(re.findall(r"([\w$]+)(?: as [\w$]+)?\s*[,}]", wanted)) - {*exports[path]}:
                raise ValueError(f"{module}: {path} does not export {', '.join(sorted(missing))}")
            return f"const {wanted.replace(' as ', ': ')} = {source};"

        exported = ", ".join(exports[module])
        wait, kind = ("await ", "async ") if waits else ("", "")
        body = _EXPORT.sub("", _IMPORT.sub(imported, text)).removesuffix("\n")
        if other := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
            raise ValueError(f"{module}: bundles know only named imports and exports: {other[0]}")
        return f"const {names[module]} = {wait}({kind}() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"

    return "".join(function(module) for module in modules)


def source_map(modules: list[str], read: Read) -> str:
    """The source map of `join_modules`: each line of the bundle by the line of its module."""
    lines: list[str] = []
    source = line = 0
    for number, module in enumerate(modules):
        lines.append("")  # the head of its function
        for own_line in range(read(module).removesuffix("\n").count("\n") + 1):
            lines.append(f"A{_digits(number - source)}{_digits(own_line - line)}A")
            source, line = number, own_line
        lines += ["", ""]  # what it returns, and its end
    paths = [f"/static/{module}" for module in modules]
    return json.dumps({"version": 3, "sources": paths, "names": [], "mappings": ";".join(lines)})


def _digits(value: int) -> str:
    """A number as source maps write it: five bits a letter, the sign in the lowest bit.

    >>> _digits(0), _digits(1), _digits(-1), _digits(16)
    ('A', 'C', 'D', 'gB')
    """
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rest = (abs(value) << 1) | (value < 0)
    text = ""
    while True:
        rest, low = rest >> 5, rest & 31
        text += letters[low | (32 if rest else 0)]
        if not rest:
            return text


def join_sheets(sheets: list[str], read: Read) -> str:
    """One sheet instead of these and those they import; small pictures stand in it."""

    def sheet(name: str) -> str:
        def picture(match: re.Match[str]) -> str:
            data = b64encode(read(_resolve(name, match[1])).encode()).decode()
            return f'url("data:image/svg+xml;base64,{data}")'

        text = _CSS_COMMENT.sub("", read(name))
        imported = "".join(sheet(_resolve(name, path)) for path in _CSS_IMPORT.findall(text))
        return imported + _CSS_PICTURE.sub(picture, _CSS_IMPORT.sub("", text))

    return "".join(sheet(name) for name in sheets)


def bundle(name: str, read: Read) -> str:
    """A bundle by its name, such as `home.js`, `home.js.map` or `home.css`; raises `KeyError` where there is none."""
    page, _, kind = name.partition(".")
    if page not in STYLES and (page not in (*ON_DEMAND, *WORKERS) or kind == "css"):
        raise KeyError(name)
    match kind:
        case "js":
            modules = scripts_of(page, read)
            joined = join_modules(modules, read)
            if page in ON_DEMAND:
                exported = ", ".join(_EXPORT.findall(read(modules[-1])))
                joined += f"export const {{ {exported} }} = $module{len(modules) - 1};\n"
            return f"{joined}//# sourceMappingURL=/static/bundle/{page}.js.map\n"
        case "js.map":
            return source_map(scripts_of(page, read), read)
        case "css":
            return join_sheets(sheets_of(page), read)
    raise KeyError(name)
