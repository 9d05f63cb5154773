"""The last steps before a contained program runs: another user, limits, Landlock, seccomp. None can be undone.

Called by the keeper in the new process (tier landlock), or run as a file inside the box (tier bubblewrap):
`confine.py JSON`, with `confine`, `argv` and `env`. It imports nothing of damas.

`confine`: {"uid": n | null, "limits": {name: n}, "threads": n, "shared": bool, "landlock": {"read", "write"} | null}
"""

import importlib.util
import json
import os
import sys
from typing import Any


def confine(wanted: dict[str, Any]) -> None:
    """Confines this process; raises an error if any step fails."""
    import resource  # the module is also loaded where there is none, by those who only name the file

    seccomp = sibling("seccomp")
    landlock = sibling("landlock") if wanted["landlock"] is not None else None
    if wanted["uid"] is not None:
        os.setgroups([])
        os.setresgid(wanted["uid"], wanted["uid"], wanted["uid"])
        os.setresuid(wanted["uid"], wanted["uid"], wanted["uid"])
    if os.getuid() == 0 or os.geteuid() == 0:
        raise PermissionError("a contained program never runs as root")
    threads = wanted["threads"] + (tasks_of(os.getuid()) if wanted["shared"] else 0)
    for name, value in {**wanted["limits"], "NPROC": threads}.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))
    if landlock is not None:
        landlock.restrict(wanted["landlock"]["read"], wanted["landlock"]["write"])
    seccomp.install()


def tasks_of(uid: int) -> int:
    """The number of threads of a user: the kernel counts them all against one limit."""
    total = 0
    for name in os.listdir("/proc"):  # noqa: PTH208 (pathlib would double the start of a program)
        if not name.isdecimal():
            continue
        try:
            if os.stat(f"/proc/{name}").st_uid == uid:  # noqa: PTH116
                total += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:
            continue
    return total


def sibling(name: str) -> Any:
    """Imports a module beside this file, without its package."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")  # noqa: PTH100, PTH118, PTH120
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    order = json.loads(sys.argv[1])
    confine(order["confine"])
    os.execve(order["argv"][0], order["argv"], order["env"])
