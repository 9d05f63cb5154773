"""Loads damas, or runs its command line, without what Windows lacks: `as_on_windows.py import | damas ARGUMENTS | open ENGINE`.

The standard library and other packages are loaded first, as they are here: only damas is loaded without what Windows
lacks. `sys.platform` is that of Windows while it is; `os.name` cannot be, for paths depend on it.
"""

import importlib
import os
import pkgutil
import select
import signal
import sys
import types

import prometheus_client

import damas
import damas._core

NOT_LOADED = (
    "__main__",
    "keeper",  # never imported: the file of a process that is only started elsewhere
)
MODULES = ("curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
NAMES = {
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK WNOHANG fchmod fork forkpty geteuid getgid getloadavg getpgid"
    " getpriority getuid killpg memfd_create nice pidfd_open pipe2 register_at_fork sched_getaffinity"
    " sched_setaffinity setpgid setpriority setresgid setresuid setsid statvfs sysconf uname waitid",
    select: "epoll poll POLLIN POLLOUT",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 SIGWINCH SIGXCPU SIG_BLOCK"
    " SIG_SETMASK SIG_UNBLOCK alarm pthread_kill pthread_sigmask setitimer sigwait",
}


def modules() -> list[str]:
    """Every module of damas that is imported."""
    found = pkgutil.walk_packages(damas.__path__, "damas.")
    return [module.name for module in found if module.name.rpartition(".")[2] not in NOT_LOADED]


def lose_what_windows_lacks() -> None:
    """Forget damas and remove what it would not find on Windows."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "damas"]:
        if name != "damas._core":
            del sys.modules[name]
    prometheus_client.REGISTRY._collector_to_names.clear()
    prometheus_client.REGISTRY._names_to_collectors.clear()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in NAMES.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)  # type: ignore[assignment]
    sys.platform = "win32"


def main() -> int:
    ours = ["damas.cli.best", "damas.cli.match", "damas.cli.moves", "damas.client", "damas.matches.pool"]
    names = modules() if sys.argv[1] == "import" else ours
    for name in names:
        importlib.import_module(name)
    lose_what_windows_lacks()
    if sys.argv[1] == "import":
        for name in names:
            importlib.import_module(name)
        print(len(names))
        return 0
    if sys.argv[1] == "open":
        from damas.client import EngineError, open_engine

        try:
            open_engine(sys.argv[2], "brasileira").close()
        except EngineError as error:
            print(error)
        return 0
    from damas.cli import main as command

    return command(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
