"""Build the core as WebAssembly: `build_wasm.py [--check]`.

The compiler is Zig's Clang, a Python package that `make wasm` installs; nothing needs root. Beside the module lies the
hash of everything it is made from. `--check` only compares that hash: a test does so, and needs no compiler.
"""

import gzip
import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = ROOT / "src/damas/server/static/core"
MODULE = CORE / "damas-core.wasm"
SOURCES_HASH = CORE / "damas-core.sources"
BUILD = ROOT / "build/wasm"
SOURCES = (
    "kernels/kernel",
    "kernels/baseline",
    "kernels/parallel",
    "text/rules",
    "text/fen",
    "text/movetext",
    "text/examine",
    "laws/laws",
    "laws/game_state",
    "laws/record",
    "tablebase/baseline",
    "tablebase/tables",
    "eval/network",
    "search/endings",
    "search/engine",
    "search/selfplay",
    "search/baseline",
    "wasm/book",
    "wasm/border",
    "wasm/no_files",
)
FLAGS = [
    "-std=gnu++20",
    "-O3",
    "-fno-exceptions",
    "-msimd128",
    "-mbulk-memory",
    "-fvisibility=hidden",
    "-DNDEBUG",
]
"""Instructions that every browser has since 2023."""
SIZED = ("text/", "laws/", "wasm/", "tablebase/", "search/selfplay", "eval/")
"""Files compiled for size: nothing in them is called a million times a second."""


def inputs() -> list[Path]:
    """Every file on which the module depends."""
    cpp = [p for p in (ROOT / "cpp").rglob("*") if p.suffix in (".cpp", ".hpp", ".inl") and p.is_file()]
    left_out = ("bindings", "check")
    own = [p for p in cpp if p.relative_to(ROOT / "cpp").parts[0] not in left_out]
    return sorted([*own, ROOT / "tools/build_wasm.py"])


def rulesets(target: Path) -> Path:
    """Writes the constants of the rulebooks, which are all that the module has of them."""
    command = [sys.executable, "tools/compile_rulesets.py", "src/damas/rulebooks", str(target)]
    subprocess.run(command, check=True, cwd=ROOT)
    return target


def sources_hash() -> str:
    """One hash of all inputs, whatever the line ends of the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        total = hashlib.sha256(rulesets(Path(folder) / "rulesets.hpp").read_bytes())
    for path in inputs():
        text = path.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{path.relative_to(ROOT).as_posix()} {hashlib.sha256(text).hexdigest()}\n".encode())
    return total.hexdigest()


def written(module: bytes) -> str:
    """The text that stands beside a module."""
    return f"sources {sources_hash()}\nmodule {hashlib.sha256(module).hexdigest()}\n"


def is_current() -> bool:
    """Whether the module that lies here was made from the sources as they are."""
    return SOURCES_HASH.exists() and SOURCES_HASH.read_text() == written(MODULE.read_bytes())


def compiler() -> list[str]:
    """The command of the compiler; exits where it is missing."""
    try:
        import ziglang
    except ImportError:
        sys.exit("damas: the compiler is missing; run `make wasm`, which installs it")
    return [str(Path(ziglang.__file__).parent / "zig"), "c++"]


def build(target: Path = MODULE) -> None:
    """Compiles and links the module."""
    cxx = [*compiler(), "-target", "wasm32-wasi"]
    BUILD.mkdir(parents=True, exist_ok=True)
    constants = rulesets(BUILD / "builtin_rulesets.hpp")

    shared = [path for path in inputs() if path.suffix in (".hpp", ".inl", ".py")]
    changed = max(path.stat().st_mtime for path in [*shared, constants])

    def compiled(name: str) -> str:
        made = BUILD / (name.replace("/", "-") + ".o")
        source = ROOT / f"cpp/{name}.cpp"
        if made.exists() and made.stat().st_mtime > max(changed, source.stat().st_mtime):
            return str(made)
        flags = ["-Os" if flag == "-O3" and name.startswith(SIZED) else flag for flag in FLAGS]
        paths = ["-Icpp/include", "-Icpp", f"-I{BUILD.relative_to(ROOT)}"]
        subprocess.run([*cxx, *flags, *paths, "-c", f"cpp/{name}.cpp", "-o", str(made)], check=True, cwd=ROOT)
        return str(made)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        objects = list(pool.map(compiled, SOURCES))
    link = [
        "-O3",
        "-mexec-model=reactor",
        "-Wl,--strip-all,--gc-sections",
        "-Wl,--export=__stack_pointer",
        "-Wl,-z,stack-size=1048576",
    ]
    subprocess.run([*cxx, *link, *objects, "-o", str(target)], check=True, cwd=ROOT)
    target.chmod(0o644)  # it is loaded, never run


def main() -> None:
    """Builds, or with `--check` compares."""
    if "--check" in sys.argv[1:]:
        if not is_current():
            sys.exit("damas: the sources of the WebAssembly module have changed; run `make wasm`")
        return
    CORE.mkdir(parents=True, exist_ok=True)
    build()
    module = MODULE.read_bytes()
    SOURCES_HASH.write_text(written(module))
    print(f"damas: {MODULE.relative_to(ROOT)}: {len(module):,} bytes, {len(gzip.compress(module)):,} gzipped")


if __name__ == "__main__":
    main()
