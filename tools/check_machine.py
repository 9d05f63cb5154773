"""Is everything here that building damas needs? `check_machine.py` answers before anything is installed.

Run by `make` with the Python it has found, before it creates .venv. Prints everything that is missing at
once, each with the package that brings it, and exits 1; silent and 0 if nothing is. Written for Python 3.6
and later, so that a Python that is too old can still say so.
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

# What is missing -> the package that brings it, by family of systems.
PACKAGES = {
    "python": {
        "debian": "apt install python3 python3-venv python3-dev",
        "fedora": "dnf install python3 python3-devel",
        "suse": "zypper install python311 python311-devel",
        "arch": "pacman -S python",
        "alpine": "apk add python3 python3-dev",
        "macos": "brew install python@3.13",
    },
    "venv": {
        "debian": "apt install python3-venv",
        "fedora": "dnf install python3-pip",
        "suse": "zypper install python311-pip",
        "arch": "pacman -S python",
        "alpine": "apk add py3-pip",
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
    "headers": {
        "debian": "apt install python3-dev",
        "fedora": "dnf install python3-devel",
        "suse": "zypper install python311-devel",
        "arch": "pacman -S python",
        "alpine": "apk add python3-dev",
        "macos": "brew install python@3.13",
    },
}
FAMILIES = {
    "debian": "debian", "ubuntu": "debian", "fedora": "fedora", "rhel": "fedora", "centos": "fedora",
    "suse": "suse", "opensuse": "suse", "arch": "arch", "alpine": "alpine",
}  # fmt: skip


def family():
    """The family of this system, or an empty string."""
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
    """How to get something here; everywhere, if we do not know where we are."""
    packages = PACKAGES[what]
    if family() in packages:
        return "install it with: " + packages[family()]
    names = (("debian", "Debian, Ubuntu"), ("fedora", "Fedora"), ("macos", "macOS"))
    return "install it with: " + "; ".join(packages[key] + " (" + name + ")" for key, name in names)


def python_problem():
    if sys.version_info < OLDEST_PYTHON:
        found = "{}.{} ({})".format(sys.version_info[0], sys.version_info[1], sys.executable)
        wanted = ".".join(str(number) for number in OLDEST_PYTHON)
        return "damas needs Python {} or later; the newest found is {}; {}; or name one: make PYTHON=/path/to/python3".format(
            wanted, found, install("python")
        )
    return None


def venv_problem():
    try:
        import ensurepip  # noqa: F401 (Debian leaves it out of python3)
        import venv  # noqa: F401
    except ImportError:
        return "this Python ({}) cannot make a virtual environment; {}".format(
            sys.executable, install("venv")
        )
    return None


def headers_problem():
    folder = sysconfig.get_paths()["include"]
    if not os.path.exists(os.path.join(folder, "Python.h")):
        return "the headers of Python are missing (no Python.h in {}); {}".format(folder, install("headers"))
    return None


def compiler_problem():
    wanted = os.environ.get("CXX", "").split()
    compiler = wanted or [name for name in ("c++", "g++", "clang++") if shutil.which(name)][:1]
    if not compiler or not shutil.which(compiler[0]):
        missing = (
            "CXX names {}, which is not there".format(wanted[0])
            if wanted
            else "no C++ compiler (g++ or clang++)"
        )
        return missing + "; " + install("compiler")
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
    said = ran.stdout.decode(errors="replace").strip().splitlines()
    first = next((line for line in said if "error" in line), said[0] if said else "")
    return (
        "the C++ compiler {} does not know C++20 well enough (g++ 11, clang++ 16 or later do): {}; {}".format(
            compiler[0], first, install("compiler")
        )
    )


def main():
    problems = [python_problem()]
    if problems[0] is None:  # otherwise the rest would speak of the wrong Python
        problems += [venv_problem(), headers_problem()]
    problems.append(compiler_problem())
    problems = [problem for problem in problems if problem]
    for problem in problems:
        print("damas: " + problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
