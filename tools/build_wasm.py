"""Build the core as WebAssembly, without and with threads: `build_wasm.py [--check]`.

The compiler is Zig's Clang, a Python package that `make wasm` installs; nothing needs root. Beside the modules lies
the hash of everything they are made from. `--check` only compares that hash: a test does so, and needs no compiler.
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
THREADS_MODULE = CORE / "damas-core-threads.wasm"
"""The same with shared memory, for pages that may have threads."""
MODULES = (MODULE, THREADS_MODULE)
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
    "wasm/helpers",
    "wasm/no_files",
)
FLAGS = [
    "-std=gnu++20",
    "-O3",
    "-fno-exceptions",
    "-fvisibility=hidden",
    "-DNDEBUG",
]
FEATURES = "generic+simd128+bulk_memory+mutable_globals"
"""Instructions that every browser has since 2023; Zig compiles the C library with them too."""
LINK = [
    "-O3",
    "-mexec-model=reactor",
    "-Wl,--strip-all,--gc-sections",
    "-Wl,--export=__stack_pointer",
    "-Wl,-z,stack-size=1048576",
]
SHARED_MEMORY = [
    "-Wl,--import-memory,--shared-memory",
    "-Wl,--initial-memory=33554432,--max-memory=268435456",
    "-Wl,--export=__wasm_init_tls,--export=__tls_size,--export=__tls_align",
]
"""The pages are those of `SHARED_MEMORY` in static/core/instance.js."""
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


def written() -> str:
    """The text that stands beside the modules."""
    hashes = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in MODULES]
    return f"sources {sources_hash()}\n{''.join(hashes)}"


def is_current() -> bool:
    """Whether the modules that lie here were made from the sources as they are."""
    made = SOURCES_HASH.exists() and all(path.exists() for path in MODULES)
    return made and SOURCES_HASH.read_text() == written()


def compiler() -> list[str]:
    """The command of the compiler; exits where it is missing."""
    try:
        import ziglang
    except ImportError:
        sys.exit("damas: the compiler is missing; run `make wasm`, which installs it")
    return [str(Path(ziglang.__file__).parent / "zig"), "c++"]


def build(target: Path) -> None:
    """Compiles and links a module."""
    threads = target.name == THREADS_MODULE.name
    folder = BUILD / ("threads" if threads else "single")
    cxx = [*compiler(), "-target", "wasm32-wasi", f"-mcpu={FEATURES}{'+atomics' if threads else ''}"]
    folder.mkdir(parents=True, exist_ok=True)
    constants = rulesets(folder / "builtin_rulesets.hpp")

    shared = [path for path in inputs() if path.suffix in (".hpp", ".inl", ".py")]
    changed = max(path.stat().st_mtime for path in [*shared, constants])

    def compiled(name: str) -> str:
        made = folder / (name.replace("/", "-") + ".o")
        source = ROOT / f"cpp/{name}.cpp"
        if made.exists() and made.stat().st_mtime > max(changed, source.stat().st_mtime):
            return str(made)
        flags = ["-Os" if flag == "-O3" and name.startswith(SIZED) else flag for flag in FLAGS]
        paths = ["-Icpp/include", "-Icpp", f"-I{folder.relative_to(ROOT)}"]
        subprocess.run([*cxx, *flags, *paths, "-c", f"cpp/{name}.cpp", "-o", str(made)], check=True, cwd=ROOT)
        return str(made)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        objects = list(pool.map(compiled, SOURCES))
    link = [*LINK, *SHARED_MEMORY] if threads else LINK
    subprocess.run([*cxx, *link, *objects, "-o", str(target)], check=True, cwd=ROOT)
    target.chmod(0o644)  # it is loaded, never run


def main() -> None:
    """Builds, or with `--check` compares."""
    if "--check" in sys.argv[1:]:
        if not is_current():
            sys.exit("damas: the sources of the WebAssembly module have changed; run `make wasm`")
        return
    CORE.mkdir(parents=True, exist_ok=True)
    for path in MODULES:
        build(path)
    SOURCES_HASH.write_text(written())
    for path in MODULES:
        module = path.read_bytes()
        print(
            f"damas: {path.relative_to(ROOT)}: {len(module):,} bytes, {len(gzip.compress(module)):,} gzipped"
        )


if __name__ == "__main__":
    main()
