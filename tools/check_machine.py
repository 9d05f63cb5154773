"""Check that the machine has everything that building damas needs.

Run by `make` with the Python it has found, before it creates .venv. Prints everything that is missing, each with the
packages that contain it, and exits 1; prints nothing and exits 0 if nothing is missing. Written for Python 3.6 and
later, so that a Python that is too old can still report it.
"""

import os
import platform
import shutil
import subprocess
import sys
import sysconfig

OLDEST_PYTHON = (3, 11)

# What the core asks of a compiler: C++20 with classes as template arguments, 128-bit integers.
PROBE = """
#include <bit>
#include <concepts>
struct Answer { int list[2]; constexpr bool operator==(const Answer&) const = default; };
template <Answer A> constexpr int first() { return A.list[0] + std::popcount(3u); }
static_assert(first<Answer{{1, 2}}>() == 3 && sizeof(unsigned __int128) == 16);
"""

# Commands that install what is missing, by family of systems.
PACKAGES = {
    "python": {
        "debian": "apt install python3 python3-venv python3-dev",
        "fedora": "dnf install python3 python3-pip python3-devel",
        "suse": "zypper install python311 python311-pip python311-devel",
        "arch": "pacman -S python",
        "alpine": "apk add python3 py3-pip python3-dev",
        "macos": "brew install python@3.13",
    },
    "compiler": {
        "debian": "apt install g++",
        "fedora": "dnf install gcc-c++",
        "suse": "zypper install gcc-c++",
        "arch": "pacman -S gcc",
        "alpine": "apk add g++",
        "macos": "xcode-select --install",
    },
}
FAMILIES = {
    "debian": "debian", "ubuntu": "debian", "fedora": "fedora", "rhel": "fedora", "centos": "fedora",
    "suse": "suse", "opensuse": "suse", "arch": "arch", "alpine": "alpine",
}  # fmt: skip


def family():
    """Return the family of this system, or an empty string."""
    if platform.system() == "Darwin":
        return "macos"
    words = []
    try:
        with open("/etc/os-release", encoding="utf-8") as lines:
            for line in lines:
                key, _, value = line.strip().partition("=")
                if key in ("ID", "ID_LIKE"):
                    words += value.strip('"').split()
    except OSError:
        pass
    return next((FAMILIES[word] for word in words if word in FAMILIES), "")


def install(what):
    """Return how to install something on this system, or on the usual ones if it is unknown."""
    packages = PACKAGES[what]
    if family() in packages:
        return "install it with: " + packages[family()]
    names = (("debian", "Debian, Ubuntu"), ("fedora", "Fedora"), ("macos", "macOS"))
    return "install it with: " + "; ".join(packages[key] + " (" + name + ")" for key, name in names)


def python_problem():
    """Return why this Python is too old, or None."""
    if sys.version_info < OLDEST_PYTHON:
        found = "{}.{} ({})".format(sys.version_info[0], sys.version_info[1], sys.executable)
        wanted = ".".join(str(number) for number in OLDEST_PYTHON)
        return "damas needs Python {} or later; the newest found is {}; {}; or name one: make PYTHON=/path/to/python3".format(
            wanted, found, install("python")
        )
    return None


def venv_problem():
    """Return why no virtual environment can be made, or None."""
    try:
        import ensurepip  # noqa: F401 (Debian leaves it out of python3)
        import venv  # noqa: F401
    except ImportError:
        problem = "this Python ({}) cannot make a virtual environment; {}"
        return problem.format(sys.executable, install("python"))
    return None


def headers_problem():
    """Return that the C headers of Python are missing, or None."""
    folder = sysconfig.get_paths()["include"]
    if not os.path.exists(os.path.join(folder, "Python.h")):
        return "the headers of Python are missing (no Python.h in {}); {}".format(folder, install("python"))
    return None


def compiler_problem():
    """Return why no compiler can build the core, or None."""
    wanted = os.environ.get("CXX", "").split()
    compiler = wanted or [name for name in ("c++", "g++", "clang++") if shutil.which(name)][:1]
    if not compiler:
        return "no C++ compiler (g++ or clang++); " + install("compiler")
    try:
        ran = subprocess.run(
            [*compiler, "-std=c++20", "-x", "c++", "-fsyntax-only", "-"],
            input=PROBE.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return "the C++ compiler {} does not run ({}); {}".format(compiler[0], error, install("compiler"))
    if ran.returncode == 0:
        return None
    output = ran.stdout.decode(errors="replace").strip().splitlines()
    first = next((line for line in output if "error" in line), "".join(output[:1]))
    problem = "the C++ compiler {} does not know C++20 well enough (g++ 11, clang++ 16 or later do): {}; {}"
    return problem.format(compiler[0], first, install("compiler"))


def main():
    # What an old Python lacks does not matter.
    problems = [python_problem() or venv_problem(), python_problem() or headers_problem(), compiler_problem()]
    problems = [problem for problem in dict.fromkeys(problems) if problem]
    for problem in problems:
        print("damas: " + problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
