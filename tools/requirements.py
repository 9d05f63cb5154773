"""What pip must bring, as pyproject.toml says: `requirements.py build | backend | web | dev | javascript | release | site | wasm`.

Run by `make` while it sets up .venv. (pip reads dependency groups itself since 25.1; systems come with older ones.)

    build     the build backend and the binding library
    backend   what the backend asks for on top: cmake and ninja, only where the machine has none
    web       what `damas serve` needs: the extras `web` and `fast`
    dev       the extras `club`, `cluster` and `postgres` and the group `dev`: tests, linters, type checker
    javascript  the group `javascript`: node and the linter of JavaScript
    release   the group `release`: what checks a package before it is published
    site      the group `site`: what builds the site of the docs
    wasm      the group `wasm`: the compiler for WebAssembly
"""

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def requirements(what: str) -> list[str]:
    data = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    if what == "backend":
        from scikit_build_core import build  # installed by the step before

        return list(build.get_requires_for_build_editable())
    extras = data["project"]["optional-dependencies"]
    listed: dict[str, list[str]] = {
        "build": data["build-system"]["requires"],
        "web": extras["web"] + extras["fast"],
        "dev": extras["club"] + extras["cluster"] + extras["postgres"] + data["dependency-groups"]["dev"],
        "javascript": data["dependency-groups"]["javascript"],
        "release": data["dependency-groups"]["release"],
        "site": data["dependency-groups"]["site"],
        "wasm": data["dependency-groups"]["wasm"],
    }
    return listed[what]


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1])))
