"""What `import damas` adds to a bare Python, with the package installed as a wheel installs it.

A clean environment without pip gets the files a wheel would bring, byte-compiled: an editable installation would add
its own import hook to the figure.
"""

import compileall
import json
import resource
import shutil
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import damas
from bench.measure import Figure, median
from bench.table import Line
from damas import _core


def lines(runs: int) -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        python = clean_install(Path(folder))
        bare, ours, command = [], [], []
        children(python, "import damas")  # the first one warms the disk
        for _ in range(runs):  # in turns, so that what slows the machine slows both
            bare.append(children(python, "pass"))
            ours.append(children(python, "import damas"))
            command.append(children(python, "from damas.cli import main; main(['moves', '--json'])"))
        base, loaded, answered = median(bare), median(ours), median(command)
        over = Figure((loaded.value - base.value) * 1e3, spread_of_difference(base, loaded))
        note = f"over a bare Python of {base.value * 1e3:.1f} ms"
        yield Line("import damas", over, "ms", 40.0, at_most=True, note=note)
        answer = Figure((answered.value - base.value) * 1e3, spread_of_difference(base, answered))
        yield Line("damas moves --json, from start to end", answer, "ms", note=note)
        yield Line("memory that import damas takes", Figure(memory_of_import(python)), "KiB")


def clean_install(folder: Path) -> Path:
    venv.create(folder, with_pip=False, symlinks=True)
    [site] = (folder / "lib").glob("python*/site-packages")
    package = Path(damas.__file__).parent
    shutil.copytree(package, site / "damas", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy2(_core.__file__, site / "damas")
    compileall.compile_dir(str(site), quiet=2)
    return folder / "bin/python"


def children(python: Path, code: str) -> float:
    """Processor seconds of a Python that runs this code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([python, "-I", "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spread_of_difference(base: Figure, other: Figure) -> float:
    """The two spreads in their own units, against the difference."""
    apart = (base.value * base.spread + other.value * other.spread) / max(other.value - base.value, 1e-9)
    return min(apart, 100.0)


def memory_of_import(python: Path) -> float:
    code = (
        "import json\n"
        "def used(): return int(open('/proc/self/statm').read().split()[1]) * 4\n"
        "before = used()\nimport damas\nprint(json.dumps(used() - before))"
    )
    ran = subprocess.run([python, "-I", "-c", code], check=True, capture_output=True, text=True)
    return float(json.loads(ran.stdout))
