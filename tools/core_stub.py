"""Write src/damas/_core.pyi, the types of the C++ core: `core_stub.py [--check]`.

Run (`make stub`) after a change of cpp/bindings; `make lint` runs it with --check, which writes nothing and
exits 1 if the committed stub is not what the built core says.
"""

import sys
from importlib import import_module

from generated import ROOT, write_or_check
from nanobind.stubgen import StubGen


def stub() -> str:
    """Return the stub of the built core."""
    module = import_module("damas._core")
    generator = StubGen(module=module, quiet=True)
    generator.put(module)
    return "# Written by tools/core_stub.py from cpp/bindings.\n" + generator.get()


if __name__ == "__main__":
    sys.exit(write_or_check({ROOT / "src/damas/_core.pyi": stub()}, "make stub"))
