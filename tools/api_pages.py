"""Write docs/reference/api, every public name with its contract, from the docstrings: `api_pages.py [--check]`.

Run (`make docs`) after a change of a public name or its docstring; a test runs it with --check, which writes nothing and
exits 1 if a page is stale. Either way a public name without a docstring is an error.

Public are the names in `__all__` of `damas` and of its rooms, and the modules of `MODULES`. Sources are parsed, not
imported: a class of the core is read from `_core.pyi`, which has the docstrings of its binding.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from inspect import cleandoc
from pathlib import Path

from generated import ROOT, write_or_check

SOURCE = ROOT / "src"
FOLDER = ROOT / "docs/reference/api"
MODULES = (
    "damas.errors",
    "damas.engine.analysis",
    "damas.engine.levels",
    "damas.judging.certificate",
    "damas.judging.judge",
    "damas.judging.scoresheet",
    "damas.matches.match",
    "damas.tournaments.elo",
    "damas.tournaments.hall",
    "damas.tournaments.sprt",
    "damas.tournaments.standings",
    "damas.tournaments.tie_breaks",
)
"""Public modules that are no room, or whose room has no `__all__`."""
NOT_LIBRARY = ("damas.cli", "damas.server")
"""Rooms that are programs: their contract is the command line and HTTP."""
NOTE = "<!-- Written by `make docs` from the docstrings. -->\n"

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Name:
    """A public name: where it is defined, and how."""

    module: str
    name: str
    node: Definition | ast.Assign | ast.AnnAssign
    doc: str


@dataclass(frozen=True)
class Member:
    """A public attribute or method of a class."""

    name: str
    shown: str
    """Its line of Python, or the type of an attribute."""
    doc: str
    kind: str
    """`field`, `property` or `method`."""


@cache
def path_of(module: str) -> Path:
    """Return the source of a module; that of the core is its stub."""
    path = SOURCE / module.replace(".", "/")
    candidates = (path / "__init__.py", path.with_suffix(".py"), path.with_suffix(".pyi"))
    return next((candidate for candidate in candidates if candidate.exists()), path)


@cache
def tree_of(module: str) -> ast.Module:
    """Return the parsed source of a module."""
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module of ours."""
    return path_of(name).is_file()


@cache
def listed(module: str) -> tuple[str, ...]:
    """Return the public names of a module: its `__all__`, or what it defines without an underscore."""
    names = []
    for node, _ in statements(tree_of(module).body):
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                return tuple(sorted(ast.literal_eval(node.value), key=str.lower))
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
    return tuple(name for name in names if not name.startswith("_"))


def rooms() -> Iterator[str]:
    """Yield the rooms with an `__all__`, and the modules that it names."""
    for path in sorted((SOURCE / "damas").iterdir()):
        module = f"damas.{path.stem}"
        if path.name.startswith("_") or not is_module(module) or module in NOT_LIBRARY:
            continue
        if "__all__" in path_of(module).read_text(encoding="utf-8"):
            yield module
            yield from (
                f"{module}.{name}"
                for name in listed(module)
                if is_module(f"{module}.{name}") and not locate(module, name)
            )


def pages() -> list[str]:
    """Return every module that has a page, `damas` first."""
    return ["damas", *sorted({*rooms(), *MODULES})]


def statements(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Yield statements, also those under `if TYPE_CHECKING`, each with the string that follows it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.If):
            yield from statements(node.body)
        match after:
            case ast.Expr(value=ast.Constant(value=str(doc))):
                yield node, cleandoc(doc)
            case _:
                yield node, ""


@cache
def locate(module: str, name: str) -> Name | None:
    """Return the definition of a name, following imports; None for a name of another package."""
    for node, after in statements(tree_of(module).body):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name:
                return Name(module, name, node, ast.get_docstring(node) or "")
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)):
                if target == name:
                    return Name(module, name, node, after)
            case ast.ImportFrom(module=str(source), level=0, names=aliases) if source.startswith("damas"):
                for alias in aliases:
                    if (alias.asname or alias.name) == name:
                        # `from damas.notation import hub` in damas.notation: a module, not a name in one
                        return locate(source, alias.name) if source != module else None
    return None


def home(name: Name) -> str:
    """Return the page that describes a name: the first whose list it is in."""
    return next(
        module
        for module in sorted(pages(), key=lambda page: (page.count("."), page))
        if name.name in listed(module) and locate(module, name.name) == name
    )


def signature(node: Function, *, bound: bool) -> str:
    """Return arguments and result as they are written, without `self`."""
    arguments = ast.arguments(**{field: getattr(node.args, field) for field in node.args._fields})
    if bound:
        arguments.posonlyargs, arguments.args = (
            (arguments.posonlyargs[1:], arguments.args) if arguments.posonlyargs else ([], arguments.args[1:])
        )
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    shown = (spaced(argument) for argument in split_arguments(ast.unparse(arguments)))
    return f"({', '.join(shown)}){result}"


def spaced(argument: str) -> str:
    """Return an annotated argument with spaces around its default, as we write it."""
    name, colon, rest = argument.partition(": ")
    return f"{name}: {rest.replace('=', ' = ', 1)}" if colon and "=" not in name else argument


def decorators(node: Definition) -> set[str]:
    """Return the names of the decorators, without their arguments."""
    return {ast.unparse(one).partition("(")[0] for one in node.decorator_list}


def bases(name: Name) -> Iterator[Name]:
    """Yield the base classes of a class that are ours."""
    assert isinstance(name.node, ast.ClassDef)
    for base in name.node.bases:
        text = ast.unparse(base).partition("[")[0]
        module, _, last = text.rpartition(".")
        module = {"": name.module, "_core": "damas._core"}.get(module, module)
        if (found := locate(module, last) if is_module(module) else None) and isinstance(
            found.node, ast.ClassDef
        ):
            yield found


def public_bases(name: Name) -> Iterator[str]:
    """Yield the base classes as a reader knows them: instead of a private one, its own bases."""
    assert isinstance(name.node, ast.ClassDef)
    private = {base.name: base for base in bases(name) if base.name.startswith("_")}
    for base in name.node.bases:
        text = ast.unparse(base)
        if text in private:
            yield from public_bases(private[text])
        elif "_core" not in text:
            yield text


def members(name: Name) -> dict[str, Member]:
    """Return the public members of a class, those of bases that have no page among them."""
    assert isinstance(name.node, ast.ClassDef)
    found: dict[str, Member] = {}
    for base in bases(name):
        if not is_public(base):
            found |= members(base)
    for node, after in statements(name.node.body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                member = method(node)
            case ast.AnnAssign(target=ast.Name(id=field)):
                member = Member(field, plain_type(node.annotation), after, "field")
            case ast.Assign(targets=[ast.Name(id=field)]):
                member = Member(field, ast.unparse(node.value), after, "field")
            case _:
                continue
        if member.name.startswith("_") or (member.name in found and not member.doc):
            continue
        if not member.doc:
            member = replace(member, doc=inherited(name, member.name))
        found[member.name] = member
    return found


def inherited(name: Name, member: str) -> str:
    """Return the docstring that a member has in a base class with a page."""
    docs = (members(base)[member].doc for base in bases(name) if is_public(base) and member in members(base))
    return next(docs, "")


def method(node: Function) -> Member:
    """Return a method, property or class method as a member."""
    doc = ast.get_docstring(node) or ""
    kinds = decorators(node)
    if any(kind.endswith(".setter") for kind in kinds):
        return Member("_", "", doc, "method")
    if kinds & {"property", "cached_property", "functools.cached_property"}:
        return Member(node.name, ast.unparse(node.returns) if node.returns else "", doc, "property")
    first = "".join(f"@{kind}\n" for kind in ("classmethod", "staticmethod") if kind in kinds)
    return Member(node.name, first + definition(node, bound="staticmethod" not in kinds), doc, "method")


def definition(node: Function, *, bound: bool) -> str:
    """Return the line that defines a function."""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{word} {node.name}{signature(node, bound=bound)}"


@cache
def is_public(name: Name) -> bool:
    """Return whether a page describes a name."""
    return any(name.name in listed(page) and locate(page, name.name) == name for page in pages())


def declaration(name: Name) -> str:
    """Return the line of Python that introduces a name."""
    node = name.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return definition(node, bound=False)
    if not isinstance(node, ast.ClassDef):
        shown = ast.unparse(node)
        return shown if len(shown) < 400 else shown.partition(" = ")[0]
    parents = list(dict.fromkeys(public_bases(name)))
    text = f"class {name.name}({', '.join(parents)})" if parents else f"class {name.name}"
    start = next(
        (one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None
    )
    if start:
        text += f"\n\n{name.name}{signature(start, bound=True).removesuffix(' -> None')}"
    elif "dataclass" in decorators(node):
        keywords = any("kw_only" in ast.unparse(one) for one in node.decorator_list)
        text += f"\n\n{name.name}({'*, ' if keywords else ''}{', '.join(fields(node))})"
    return text


def plain_type(annotation: ast.expr) -> str:
    """Return the type that an annotation gives, without what `Annotated` adds."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[first, *_])):
            return ast.unparse(first)
    return ast.unparse(annotation)


def fields(node: ast.ClassDef) -> Iterator[str]:
    """Yield the arguments of a dataclass."""
    for one in node.body:
        match one:
            case ast.AnnAssign(target=ast.Name(id=field), annotation=annotation, value=value):
                shown, default = plain_type(annotation), ast.unparse(value) if value else ""
                if "ClassVar" in shown or "init=False" in default:
                    continue
                default = "..." if default.startswith("field(") else default
                yield f"{field}: {shown}" + (f" = {default}" if default else "")


def prose(doc: str) -> str:
    """Return a docstring as Markdown: its examples become blocks of code."""
    lines: list[str] = []
    inside = False
    for line in [*doc.splitlines(), ""]:
        if line.startswith(">>>") and not inside:
            lines += [*([""] if lines and lines[-1] else []), "```pycon"]
            inside = True
        elif inside and not line:
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1])


def code(text: str) -> str:
    """Return a block of Python, long lines of arguments broken."""
    shown = []
    for line in text.splitlines():
        if len(line) <= 100 or "(" not in line:
            shown.append(line)
            continue
        head, _, rest = line.partition("(")
        inner, _, tail = rest.rpartition(")") if ") ->" not in rest else split_result(rest)
        shown += [f"{head}(", *(f"    {one}," for one in split_arguments(inner)), f"){tail}"]
    return "```python\n" + "\n".join(shown) + "\n```"


def split_result(rest: str) -> tuple[str, str, str]:
    inner, _, result = rest.rpartition(") ->")
    return inner, ")", f" ->{result}"


def split_arguments(text: str) -> list[str]:
    """Return arguments one by one; commas within brackets and texts do not part them."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def first_sentence(doc: str) -> str:
    """Return the first paragraph on one line, for a cell of a table."""
    return " ".join(doc.partition("\n\n")[0].partition(">>>")[0].split()).replace("|", "\\|")


def typed(shown: str) -> str:
    """Return the type or the value of an attribute for a cell of a table."""
    return f"`{shown}`".replace("|", "\\|") if len(shown) < 80 else ""


def anchor(title: str) -> str:
    """Return the anchor that GitHub and the site give a heading."""
    return "".join(char for char in title.lower().replace(" ", "-") if char.isalnum() or char in "_-")


def heading(name: Name) -> str:
    """Return the heading of a name. `Refusal` and `refusal` would have one anchor, so a function says what it is."""
    twins = [
        other for other in listed(home(name)) if other != name.name and other.lower() == name.name.lower()
    ]
    if not twins or isinstance(name.node, ast.ClassDef):
        return name.name
    return f"{name.name} ({'function' if isinstance(name.node, Function) else 'value' if name.name.isupper() else 'type'})"


def page(module: str) -> str:
    """Return the page of one module."""
    doc = ast.get_docstring(tree_of(module)) or ""
    lines = [f"# {module}\n", NOTE, prose(doc), ""]
    names: list[Name] = []
    elsewhere: list[Name] = []
    for word in listed(module):
        found = locate(module, word)
        if found is None:
            continue
        (names if home(found) == module else elsewhere).append(found)
    if elsewhere:
        links = [f"[`{one.name}`]({home(one)}.md#{anchor(heading(one))})" for one in elsewhere]
        lines += [f"Also here, described on their own pages: {', '.join(links)}.", ""]
    submodules = [one for one in pages() if one.rpartition(".")[0] == module and one.count(".") > 1]
    if submodules:
        lines += ["Modules: " + ", ".join(f"[`{one}`]({one}.md)" for one in submodules) + ".", ""]
    if len(names) > 1:
        lines += ["| name | what it is |", "| --- | --- |"]
        lines += [
            f"| [`{one.name}`](#{anchor(heading(one))}) | {first_sentence(one.doc)} |" for one in names
        ] + [""]
    for name in names:
        lines += [f"## {heading(name)}\n", code(declaration(name)), "", prose(name.doc), ""]
        if isinstance(name.node, ast.ClassDef):
            found = members(name).values()
            attributes = [member for member in found if member.kind != "method"]
            if attributes:
                lines += ["| attribute | type | what it is |", "| --- | --- | --- |"]
                lines += [
                    f"| `{one.name}` | {typed(one.shown)} | {first_sentence(one.doc)} |" for one in attributes
                ]
                lines += [""]
            # An attribute whose docstring goes on, perhaps with an example, is shown whole below the table.
            for member in found:
                if member.kind == "method" or "\n\n" in member.doc or ">>>" in member.doc:
                    shown = member.shown if member.kind == "method" else f"{member.name}: {member.shown}"
                    lines += [f"### {name.name}.{member.name}\n", code(shown), "", prose(member.doc), ""]
    return "\n".join(lines).rstrip() + "\n"


def undocumented() -> Iterator[str]:
    """Yield every public name and member without a docstring."""
    for module in pages():
        for word in listed(module):
            found = locate(module, word)
            if found is None or home(found) != module:
                continue
            if not found.doc:
                yield f"{module}.{word}"
            if isinstance(found.node, ast.ClassDef):
                yield from (
                    f"{module}.{word}.{member.name}"
                    for member in members(found).values()
                    if not member.doc and member.kind != "field"
                )


def index() -> str:
    """Return the page that lists the others."""
    lines = [
        "# The library, name by name\n",
        NOTE,
        "Every public name of damas with its contract, written from the docstrings. Public are the names in `__all__` of",
        "`damas` and of its rooms, and the modules named here; everything else may change without notice. Examples are run",
        "as tests where they stand in the source.\n",
        "| module | holds |",
        "| --- | --- |",
    ]
    lines += [
        f"| [`{module}`]({module}.md) | {first_sentence(ast.get_docstring(tree_of(module)) or '')} |"
        for module in pages()
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    missing = list(undocumented())
    for name in missing:
        print(f"{name} has no docstring", file=sys.stderr)
    files = {FOLDER / "index.md": index()} | {FOLDER / f"{module}.md": page(module) for module in pages()}
    FOLDER.mkdir(parents=True, exist_ok=True)
    gone = [path for path in FOLDER.glob("*.md") if path not in files]
    for path in gone:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} describes nothing: run `make docs`", file=sys.stderr)
        else:
            path.unlink()
    return write_or_check(files) or int(bool(missing or (gone and "--check" in sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())
