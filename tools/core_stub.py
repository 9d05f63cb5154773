"""Write src/damas/_core.pyi, the types of the C++ core: `core_stub.py [--check]`.

Run (`make stub`) after a change of cpp/bindings; `make lint` runs it with --check, which writes nothing and
exits 1 if the committed stub is not what the built core says.
"""

import sys
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

from nanobind.stubgen import StubGen

STUB = Path(__file__).parent.parent / "src/damas/_core.pyi"


def stub() -> str:
    module = import_module("damas._core")
    generator = StubGen(module=module, quiet=True)
    generator.put(module)
    return "# Written by tools/core_stub.py from cpp/bindings.\n" + generator.get()


def main() -> int:
    told = stub()
    written = STUB.read_text(encoding="utf-8") if STUB.exists() else ""
    if "--check" not in sys.argv:
        STUB.write_text(told, encoding="utf-8")
        return 0
    if told != written:
        sys.stderr.writelines(
            unified_diff(
                written.splitlines(True), told.splitlines(True), "src/damas/_core.pyi", "the built core"
            )
        )
        print("src/damas/_core.pyi is stale: run `make stub`", file=sys.stderr)
    return int(told != written)


if __name__ == "__main__":
    sys.exit(main())
