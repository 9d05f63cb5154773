"""The settings of a server in one frozen object.

>>> Settings.from_env({"port": 0}, environ={"DAMAS_HOST": "0.0.0.0"}).host
'0.0.0.0'
"""

import os
import socket
import sys
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Self, get_type_hints
from urllib.parse import urlsplit

import msgspec

from damas.language import Saying

BUS_SCHEMES = ("redis", "rediss", "valkey", "valkeys")
"""Schemes of the addresses of a bus; those that end with s are encrypted."""


class BadSetting(ValueError):
    """The value of a variable that cannot be read; `wanted` is the key of what may stand there."""

    def __init__(self, variable: str, value: str, wanted: str) -> None:
        self._saying = Saying(f"cli.serve.{wanted}", {"variable": variable, "value": value})
        super().__init__(self._saying.sentence("en"))

    def sentence(self, language: str) -> str:
        """The variable, its value and what is wanted, in a language."""
        return self._saying.sentence(language)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits per visitor, socket, address and queue. Those that clients must know are sent in `hello`."""

    # Connections
    connections: int = 0
    """In all, half of them for plain HTTP; 0: as many as the limit of open files leaves."""
    connections_per_address: int = 1_000
    """At most a quarter of all; a trusted proxy has no such limit."""
    head_s: float = 10.0
    """Longest time for the head of a request, from the connection or its first byte."""
    keep_alive_s: int = 30
    """A connection without a request for so long is closed."""
    head_bytes: int = 32_768
    headers: int = 100
    url_bytes: int = 16_384
    pipelined_requests: int = 16
    """Requests of one connection that may wait for the answer to an earlier one; then it is not read."""
    requests_per_second: int = 200
    """Of one address, twice as many for files, a quarter for sockets; further ones wait, at most `request_wait_s`."""
    request_wait_s: float = 10.0
    write_stall_s: float = 30.0
    """A connection whose client does not read for so long is cut off."""

    # Sockets
    socket_frames: int = 200
    """Frames per socket within `socket_window_s`, pings and empty ones too; more close it (1008)."""
    socket_bytes: int = 512 * 1024
    """Bytes per socket within `socket_window_s`."""
    socket_frames_of_address: int = 1_000
    """Frames per second of all sockets of an address; more close those of them that send much (1008)."""
    socket_bytes_of_address: int = 4 * 1024 * 1024
    """Bytes per second of all sockets of an address."""
    socket_messages: int = 100
    """Messages per socket within `socket_window_s`; one more closes it (1008)."""
    socket_window_s: float = 20.0
    sockets_per_game: int = 5
    """Of one visitor."""
    sockets_per_address: int = 400
    """Of visitors without a login; a whole school may share one address."""
    sockets_per_account: int = 100
    """Of one account, wherever it is logged in."""
    frame_bytes: int = 4096
    events_in_memory: int = 256
    """Events kept for reconnecting watchers; one with more unread messages is disconnected."""
    replays_per_minute: int = 120
    """Of one address: resumes that read more of a game than its last few events."""
    silent_s: float = 30.0
    """A socket without a message for so long is closed."""
    chat_characters: int = 300
    chat_lines: int = 200
    """Stored lines of one game."""

    # HTTP
    body_bytes: int = 65_536
    body_depth: int = 32
    pdn_bytes: int = 8 * 1024 * 1024
    pdn_games: int = 50_000
    pdn_plies: int = 2_000
    pdn_game_text: int = 65_536
    """Bytes of tags and comments of one game."""
    body_s: float = 20.0
    """Longest time for receiving a body."""
    bodies_bytes: int = 64 * 1024 * 1024
    """Of all bodies longer than `body_bytes` that are being received or processed."""
    bodies_bytes_of_address: int = 16 * 1024 * 1024
    streams_per_address: int = 200
    """Open streams: lobby, games of programs, analysis."""
    arbiter_streams: int = 4
    """Open pages of many boards of one arbiter."""
    arbiter_streams_per_address: int = 20
    imports_per_hour: int = 10
    """Of one visitor."""
    imports_per_hour_of_address: int = 30
    logins_per_minute: int = 10
    """Failed logins to one account from one address, or from a browser that has logged in to it before."""
    failed_logins_of_address: int = 30
    """Failed logins from one address to all accounts together, within `failed_logins_s`."""
    failed_logins_s: float = 1200.0
    failed_pins_of_place: int = 90
    """Wrong PINs in one class, or of a tournament's players or its staff, within `failed_pins_s`. A PIN that is being
    checked counts, so a whole class must be able to log in at once."""
    failed_pins_of_address: int = 180
    """Wrong PINs from one address, within the same time."""
    failed_pins_s: float = 1200.0
    classes_per_teacher: int = 40
    pupils_per_class: int = 60
    accounts_per_hour_of_address: int = 120
    """New accounts from one address: three classes of forty."""
    requests_per_minute: int = 2400
    """Of one address."""
    learning_writes_per_minute: int = 600
    """Of one address: progress stored and puzzles tried, by a class of forty at once."""
    page_size: int = 200

    # Games
    games_open: int = 200
    """Unfinished games of one visitor in memory; idle ones leave it after a minute."""
    games_per_day: int = 1_000
    """New games of one visitor or account."""
    games_per_hour_of_address: int = 2_400
    level_page_s: float = 3.0
    """How long a level waits for its move from the page that computes it; then the server does. 0: always the server."""

    # Worker processes
    work_s_per_minute: float = 30.0
    """Processor time for the questions, pictures, files and tables of one address; of reports it has `analysis_per_address`
    at once."""
    password_s_per_minute: float = 20.0
    """Processor time for checking passwords from one address; the browsers that know an account have as much for it."""
    work_s: float = 60.0
    """Time limit of one piece of work; reports have none."""
    work_waiting: int = 1000
    """Requests in one line, those at work included."""
    work_waiting_of_address: int = 100

    # The store
    queue: int = 1024
    """Waiting writes; further ones are answered `busy`."""
    batch: int = 512
    """Writes in one transaction."""
    busy_retry_ms: int = 250
    read_s: float = 1.0
    """Longest read transaction; longer ones would keep the write-ahead log from shrinking."""
    connect_s: float = 1.0
    commit_s: float = 5.0
    """A longer PostgreSQL transaction counts as failed with an unknown outcome."""
    locked_s: float = 0.8
    """Longest wait for a locked SQLite file."""
    wal_bytes: int = 64 * 1024 * 1024
    """Length of the write-ahead log above which a warning is logged."""
    lease_s: float = 3.0
    """A node without a sign of life for so long loses its games to other nodes."""
    heartbeat_s: float = 1.0
    """How often a node gives a sign of life; at least three times in `lease_s`."""
    stop_s: float = 2.0
    """Longest graceful stop."""
    drain_s: float = 1.2
    """Part of it for writing what waits."""

    # People
    login_idle_s: int = 14 * 86_400
    login_absolute_s: int = 90 * 86_400
    logins_per_account: int = 50
    """Browsers that are logged in to one account; a further one ends the login that was unused for longest."""
    password_length: tuple[int, int] = (8, 256)
    name_length: tuple[int, int] = (2, 30)
    tokens_per_account: int = 20
    kept_bytes: int = 65_536
    """Of the progress in one lesson."""
    progress_bytes: int = 256 * 1024
    """Of all progress of one person."""
    study_bytes: int = 1024 * 1024
    """Of a stored report."""
    studies_per_person: int = 200
    chapters_per_study: int = 64
    chapter_bytes: int = 256 * 1024
    study_writes_per_minute: int = 240
    """Of one visitor: studies and chapters changed; of one address five times as many."""
    own_puzzles_per_person: int = 1_000
    """Puzzles made of the mistakes of one person."""
    reviews_per_person: int = 5_000
    """Items that one person learns by repetition."""
    repertoire_lines: int = 500
    """Lines of openings that one person keeps."""

    # Clocks
    lag_quota_moves: int = 7
    lag_first_moves: int = 3
    lag_most_ms: int = 1_000
    lag_base_ms: int = 150
    lag_share: float = 0.004
    """Quota that each move gains, as a share of base time + 40 increments."""
    lag_late_ms: int = 750
    """A pong that comes later earns nothing."""
    flag_grace_ms: int = 2_000
    bot_margin_ms: int = 100
    local_bot_margin_ms: int = 20
    first_move_fast_s: float = 30.0
    first_move_s: float = 60.0
    gone_closed_s: float = 10.0
    outage_mover_ms: int = 15_000
    outage_other_ms: int = 5_000
    outage_resume_s: float = 30.0
    outage_abort_s: float = 600.0

    # Analysis
    analysis_searches: int = 0
    """Searches at once; 0: half the processors, at least one."""
    analysis_threads: int = 1
    """Threads of each search, and of building a table."""
    analysis_hash_mb: int = 16
    analysis_s: float = 30.0
    """Time limit of a search."""
    analysis_fair_s: float = 3.0
    """Time limit of a search while other visitors wait."""
    analysis_per_address: int = 2
    """Searches at once, and as many reports."""
    analysis_idle_s: float = 60.0
    """An engine unused for so long is closed."""
    report_nodes: int = 100_000
    """Nodes searched for each move of a report."""
    reports_waiting: int = 64
    report_lease_s: float = 30.0
    """After the last sign of life of whoever makes a report, when another process begins it again."""

    # Tournaments of people
    tournaments_per_day: int = 40
    """New tournaments of one visitor."""
    tournaments_per_hour_of_address: int = 60
    tournament_players: int = 500
    tournament_entries: int = 10_000
    """Of the log of one tournament."""
    tournament_file_bytes: int = 4 * 1024 * 1024
    """A tournament file that is taken over."""
    tournament_links: int = 60
    """Links of one tournament for its staff and spectators."""

    # Arena
    arena_games: int = 1
    """Games of one tournament at once."""
    arena_games_most: int = 5_000
    """Games of one tournament in all."""
    arena_entrants: int = 64
    arena_tournaments_per_account: int = 12
    arena_program_bytes: int = 16 * 1024 * 1024
    """Of a program or a zip as it is sent; no other body may be as long."""
    arena_unpacked_bytes: int = 32 * 1024 * 1024
    """Of what it holds, and of what is compiled from it."""
    arena_upload_s: float = 120.0
    """Longest time for receiving a program."""
    arena_versions: int = 200
    """Versions that one account may send to a tournament, refused ones too."""
    arena_bytes_per_account: int = 64 * 1024 * 1024
    arena_changes_per_hour: int = 240
    """New tournaments and entered programs of one account."""

    def for_clients(self) -> dict[str, int | float]:
        """The limits that clients must respect."""
        return {
            "messages": self.socket_messages,
            "window_s": self.socket_window_s,
            "frame_bytes": self.frame_bytes,
            "chat_characters": self.chat_characters,
            "silent_s": self.silent_s,
            "retry_ms": self.busy_retry_ms,
        }


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of one server. `from_env` reads `DAMAS_<NAME>` for each field, `DAMAS_LIMIT_<NAME>` for each limit that
    is a number, and `DATABASE_URL`.
    """

    data: Path
    """Folder of the database, the lock and the arena's tournaments; created if missing."""
    host: str = "127.0.0.1"
    port: int = 8000
    database_url: str = ""
    """Empty: SQLite in the data folder. `postgresql://…`: PostgreSQL. `sqlite:///path`: SQLite elsewhere."""
    public_url: str = ""
    """Public address if it is not host and port: `https://damas.example`."""
    allowed_hosts: tuple[str, ...] = ()
    """Accepted `Host` values besides loopback, `host` and that of `public_url`."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose forwarded headers are trusted."""
    secure: bool = False
    """Cookies only over https; set automatically if `public_url` is https."""
    node: str = "main"
    """Name of this process among those that share a database; it must stay the same after a restart."""
    node_address: str = ""
    """Host and port at which other nodes reach this one; otherwise any free port of `host`."""
    bus: str = ""
    """`redis://host` or `valkey://host`: what nodes tell each other goes over it; otherwise over PostgreSQL."""
    arena_running: int = 0
    """Tournaments of programs played at once; 0: half the processors, at least one."""
    log_level: str = "info"
    limits: Limits = Limits()

    @property
    def sqlite_path(self) -> Path | None:
        """The database file; None for PostgreSQL."""
        if not self.database_url:
            return self.data / "damas.sqlite3"
        if self.database_url.startswith("sqlite:///"):
            return Path(self.database_url.removeprefix("sqlite:///"))
        return None

    @property
    def arena_folder(self) -> Path:
        """Folder of the tournaments of programs."""
        return self.data / "arena"

    @classmethod
    def from_env(
        cls, overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
    ) -> Self:
        """The environment's settings, with `overrides` (those that are not None) on top.

        Raises `BadSetting` for a value that cannot be read; it names the variable.
        """
        environ = os.environ if environ is None else environ
        given: dict[str, Any] = {}
        hints = get_type_hints(cls)
        for name in cls.__struct_fields__:
            text = environ.get(f"DAMAS_{name.upper()}")
            if name == "limits" or text is None or text == "":
                continue
            given[name] = _read(f"DAMAS_{name.upper()}", text, hints[name])
        if limits := _limits_from(environ):
            given["limits"] = Limits(**limits)
        if url := environ.get("DATABASE_URL"):
            given.setdefault("database_url", url)
        given |= {name: value for name, value in (overrides or {}).items() if value is not None}
        if address := given.get("node_address"):
            _check_address("DAMAS_NODE_ADDRESS", address)
        if (bus := given.get("bus")) and urlsplit(bus).scheme not in BUS_SCHEMES:
            raise BadSetting("DAMAS_BUS", bus, "bus")
        for proxy in given.get("trusted_proxies", ()):
            _check_network("DAMAS_TRUSTED_PROXIES", proxy)
        given.setdefault("data", default_folder(environ))
        given["data"] = Path(given["data"])
        if str(given.get("public_url", "")).startswith("https://"):
            given.setdefault("secure", True)
        if _is_postgresql(given.get("database_url", "")):
            given.setdefault("node", socket.gethostname())
        return cls(**given)


_PACES = (
    *(
        "socket_frames",
        "socket_bytes",
        "socket_frames_of_address",
        "socket_bytes_of_address",
        "socket_window_s",
    ),
    *("failed_logins_of_address", "failed_logins_s"),
    *("failed_pins_of_place", "failed_pins_of_address", "failed_pins_s"),
)
"""Limits in a time whose name does not say so."""


def default_folder(environ: Mapping[str, str]) -> Path:
    """The default data folder of a user."""
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home()) / "damas"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/damas"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "damas"


def _is_postgresql(url: str) -> bool:
    return url.startswith(("postgres://", "postgresql"))


def _check_network(variable: str, text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise BadSetting(variable, text, "network") from None


def _check_address(variable: str, text: str) -> None:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port[:6]) < 65_536:
        raise BadSetting(variable, text, "host_and_port")


def _limits_from(environ: Mapping[str, str]) -> dict[str, Any]:
    """The limits that the environment changes."""
    hints = get_type_hints(Limits)
    texts = {
        name: environ.get(f"DAMAS_LIMIT_{name.upper()}")
        for name, hint in hints.items()
        if hint in (int, float)
    }
    limits = {}
    for name, text in texts.items():
        if text:
            variable = f"DAMAS_LIMIT_{name.upper()}"
            limits[name] = _read(variable, text, hints[name])
            if not limits[name] and _is_pace(name):
                raise BadSetting(variable, text, "positive")
    return limits


def _is_pace(limit: str) -> bool:
    """Whether a limit is so much in a time, or that time: by 0 nobody could say when to come again.

    >>> _is_pace("games_per_day"), _is_pace("failed_logins_s"), _is_pace("tokens_per_account")
    (True, True, False)
    """
    return limit in _PACES or any(f"_per_{time}" in limit for time in ("second", "minute", "hour", "day"))


def _read(variable: str, text: str, hint: Any) -> Any:
    if hint is bool:
        if text.lower() not in ("0", "1", "true", "false", "yes", "no"):
            raise BadSetting(variable, text, "one_or_zero")
        return text.lower() in ("1", "true", "yes")
    if hint is int:
        if not text.isdecimal():
            raise BadSetting(variable, text, "number")
        return int(text)
    if hint is float:
        if not text.replace(".", "", 1).isdecimal():
            raise BadSetting(variable, text, "number")
        return float(text)
    if hint is Path:
        return Path(text)
    if hint is str:
        return text
    return tuple(part.strip() for part in text.split(",") if part.strip())
