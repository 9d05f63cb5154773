"""`damas club`: a tournament of people, from the terminal. One file is one tournament."""

import argparse
from collections.abc import Callable
from typing import Any

from damas.cli.arguments import (
    BadInput,
    add_common,
    add_flag,
    add_integer,
    add_rulebook,
    add_storage,
)
from damas.cli.new_file import add_force
from damas.tournaments.hall.conditions import ORDERS, SCORED_BY, SYSTEMS
from damas.tournaments.tie_breaks import TIE_BREAKS

ACTIONS = {
    "new": "begin a tournament in a new file, from a template or from options",
    "demo": "begin an example in a new file: eight players, Swiss, five rounds, faraes, 20 minutes",
    "templates": "the templates and their sources",
    "status": "where the tournament stands and what comes next",
    "enter": "enter a player, or a team; with --team a player of a team",
    "import": "enter the players of a CSV list, or the squads of teams",
    "players": "the players, as a table or as CSV",
    "checkin": "mark players as present, or absent again",
    "bye": "let a player rest in a later round",
    "withdraw": "a player leaves the tournament",
    "disqualify": "exclude a player, with a reason",
    "forbid": "two players must not meet",
    "rename": "correct a name that was written wrongly, of a player or a team, with a reason",
    "pair": "draft the next round; --meet brings two players of the draft together by hand",
    "lineup": "in a league of teams: who sits at the boards of a team in the round",
    "publish": "publish the draft",
    "round": "the pairings and results of a round",
    "result": "enter or correct the result of a board",
    "table": "the standings, whole or of a category",
    "explain": "how a player came to a place: every tie-break with its sum",
    "ratings": "performance and Elo; --list takes the ratings from a federation's list, --csv is the report for it",
    "undo": "undo the last entry, or one by its number",
    "log": "every entry: who, when, why",
    "trf": "write the tournament as TRF, or begin one from TRF",
    "print": "a paper as PDF: pairings, names, slips, table, cross, scoresheets, cards or diplomas",
    "serve": "the web app with a tournament in it, for every phone in the hall",
}
"""Every action, in the order of the help, and what it does."""
WRITING = (
    "new", "demo", "enter", "import", "checkin", "bye", "withdraw", "disqualify", "forbid", "rename", "pair", "lineup",
    "publish", "result", "ratings", "undo", "trf",
)  # fmt: skip
"""Actions that write to the log."""
PAPERS = ("pairings", "names", "slips", "table", "cross", "scoresheets", "cards", "diplomas")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_flag(parser, "--demo", "open the web app with the example: eight players, Swiss, faraes, 20 minutes")
    _server(parser)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")
    for name, text in ACTIONS.items():
        action = actions.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False
        )
        if name == "serve":
            action.add_argument("file", nargs="?", metavar="FILE", help="file of a tournament to go on with")
        elif name != "templates":
            action.add_argument("file", metavar="FILE", help="file of the tournament")
        if declare := _DECLARATIONS.get(name):
            declare(action)
        if name in WRITING:
            group = action.add_argument_group("the log")
            group.add_argument("--by", metavar="WHO", help="who enters this (default: your user name)")
            group.add_argument("--why", metavar="TEXT", default="", help="the reason, kept in the log")
        add_common(action)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from damas.cli.club import desk, serve, show

    if options.demo or options.action == "serve":
        return serve.serve_(options)
    if not options.action:
        raise BadInput("cli.bad.required", names="ACTION, --demo")
    module: Any = desk if options.action in WRITING else show
    action: Callable[[argparse.Namespace], int] = getattr(module, f"{options.action}_".replace("-", "_"))
    return action(options)


def _server(action: argparse.ArgumentParser) -> None:
    group = action.add_argument_group("the web app")
    group.add_argument("--host", metavar="HOST", help="address to listen on (default: every one)")
    add_integer(group, "--port", 0, 65535, "default: 8000; 0 takes any free port")
    group.add_argument(
        "--address", metavar="URL", help="address in links and QR codes (default: that in the local network)"
    )
    group.add_argument(
        "--open", action="store_true", default=None, dest="browser", help="open the browser here"
    )
    add_storage(group)


def _new(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--template", metavar="NAME", help="a template (damas club templates), or a TOML file of your own"
    )
    action.add_argument("--title", metavar="TEXT", help="name of the tournament")
    add_rulebook(action, default=None, shown="that of the template, or brasileira", own=False)
    action.add_argument("--system", choices=SYSTEMS, metavar="SYSTEM", help=", ".join(SYSTEMS))
    add_integer(action, "--rounds", 1, 99, "rounds of a Swiss (default: by the number of players)")
    add_integer(action, "--games", 1, 4, "games of an encounter: 1, 2 or 4")
    add_integer(action, "--cycles", 1, 2, "how often everybody meets everybody in a round robin")
    add_integer(action, "--groups", 2, 26, "groups before the knock-out")
    add_integer(action, "--advance", 1, 16, "players of each group who go on")
    action.add_argument("--time", dest="control", metavar="TIME", help="minutes, or minutes+seconds a move")
    action.add_argument("--score", metavar="W-D-L", help="points of a win, a draw and a loss: 2-1-0, 1-0.5-0")
    action.add_argument(
        "--scored-by", choices=SCORED_BY, metavar="WHAT", help="points for each match or for each game"
    )
    action.add_argument("--bye", metavar="POINTS", help="points of the pairing bye")
    action.add_argument("--requested-bye", metavar="POINTS", help="points of a requested bye")
    action.add_argument(
        "--tie-breaks", metavar="NAMES", help=f"in their order, with commas: {', '.join(TIE_BREAKS)}"
    )
    action.add_argument("--ballot", metavar="WHICH", help="openings to draw, as damas openings names them")
    add_integer(action, "--seed", 0, 10**9, "seed of lots and ballots (default: drawn now, and printed)")
    action.add_argument("--order", choices=ORDERS, metavar="HOW", help=f"start numbers: {', '.join(ORDERS)}")
    add_flag(action, "--check-in", "pair only players who are checked in")
    add_flag(action, "--clubs-apart", "keep players of one club apart while possible")
    add_integer(action, "--no-show-limit", 0, 9, "so many no-shows eliminate a player (0: none do)")
    add_integer(action, "--provisional-rating", 0, 9999, "rating of players without one")
    action.add_argument(
        "--boards",
        metavar="LIST",
        help="a league of teams: the number of boards of a match, or who may sit at each: open,f,m,17,11f",
    )
    add_integer(action, "--squad", 0, 99, "players of a team at most (0: as many as it likes)")
    add_integer(action, "--min-boards", 1, 30, "a team with fewer players at the boards loses the match")
    add_flag(action, "--free-order", "teams may sit in another order in every round")
    add_integer(action, "--team-best", 0, 99, "players of a club whose points make the table of clubs")
    action.add_argument("--place", metavar="TEXT", help="where it is played")
    action.add_argument("--date", metavar="DATE", help="first day, as 2026-11-18 (default: today)")
    action.add_argument("--arbiter", metavar="NAME", help="the chief arbiter")


def _enter(action: argparse.ArgumentParser) -> None:
    action.add_argument("name", metavar="NAME", help="the player's name")
    for option in ("club", "federation", "birth", "series", "id"):
        action.add_argument(f"--{option}", metavar="TEXT", default="", help=f"the player's {option}")
    action.add_argument("--sex", choices=("f", "m"), default="", help="f or m")
    add_integer(action, "--rating", 0, 9999, "the player's rating", default=0)
    action.add_argument("--team", metavar="TEAM", default="", help="add the player to the end of this squad")


def _lineup(action: argparse.ArgumentParser) -> None:
    _names("TEAM")(action)
    action.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="from the first board on: place in the squad, name or part of it; - for a board that stays empty",
    )
    add_integer(action, "--round", 1, 99, "an earlier round (default: the last)")


def _names(*names: str) -> Callable[[argparse.ArgumentParser], None]:
    def declare(action: argparse.ArgumentParser) -> None:
        for name in names:
            action.add_argument(
                name.lower(), metavar=name, help="a player: number, name, or a part of it that only one has"
            )

    return declare


def _rename(action: argparse.ArgumentParser) -> None:
    _names("PLAYER")(action)
    action.add_argument("name", metavar="NAME", help="the right name")


def _checkin(action: argparse.ArgumentParser) -> None:
    action.add_argument("names", nargs="*", metavar="PLAYER", help="numbers, names or parts of them")
    add_flag(action, "--all", "everybody who is not out")
    add_flag(action, "--absent", "not in the hall any more")


def _bye(action: argparse.ArgumentParser) -> None:
    _names("PLAYER")(action)
    add_integer(action, "round", 1, 99, "the round to rest in", metavar="ROUND")


def _pair(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--meet",
        nargs=2,
        metavar=("ONE", "OTHER"),
        help="bring two players of the draft to one board; needs --why",
    )


def _round(action: argparse.ArgumentParser) -> None:
    add_integer(action, "number", 1, 99, "the round (default: the last)", metavar="ROUND", nargs="?")


def _result(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "board",
        metavar="BOARD",
        help="the board; in a league 1.2 is board 2 of match 1, and 1 the whole match",
    )
    action.add_argument(
        "result",
        metavar="RESULT",
        help="for the player named first: 1-0, =, 2-0, a sign a game (1=), or +- -+ -- for those who did not come",
    )
    add_integer(action, "--round", 1, 99, "an earlier round (default: the last)")
    action.add_argument(
        "--advance", metavar="PLAYER", default="", help="who goes on after a tie in a knock-out"
    )


def _undo(action: argparse.ArgumentParser) -> None:
    add_integer(
        action, "entry", 1, 10**6, "number in the log (default: the last that counts)", metavar="N", nargs="?"
    )


def _trf(action: argparse.ArgumentParser) -> None:
    action.add_argument("--read", metavar="TRF", help="begin the tournament FILE from this TRF file")
    add_rulebook(action, shown="brasileira", own=False)
    _output(action)


def _print(action: argparse.ArgumentParser) -> None:
    action.add_argument("kind", choices=PAPERS, metavar="KIND", help=", ".join(PAPERS))
    add_integer(
        action, "--round", 1, 99, "the round of pairings, names, slips and score sheets (default: the last)"
    )
    action.add_argument(
        "--address",
        metavar="URL",
        default="",
        help="print QR codes: {round} and {board} of slips, {number} of cards are filled in",
    )
    add_integer(action, "--top", 1, 99, "places that get a diploma (default: 3)", default=3)
    action.add_argument(
        "--category", metavar="NAME", default="", help="diplomas of a category: sex:f, age:11 …"
    )
    _output(action)


def _output(action: argparse.ArgumentParser) -> None:
    action.add_argument("-o", "--output", metavar="OUT", help="file to write")
    add_force(action)


def _import(action: argparse.ArgumentParser) -> None:
    action.add_argument("list", metavar="CSV", help="list of players")
    action.add_argument(
        "--list", dest="ratings", metavar="CSV", help="take the ratings from this federation's list"
    )


def _ratings(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--list",
        dest="ratings",
        metavar="CSV",
        help="take the ratings from this list, by number in it or by name",
    )
    add_flag(action, "--csv", "the report for the federation, as CSV")


def _table(action: argparse.ArgumentParser) -> None:
    action.add_argument("--category", metavar="NAME", default="", help="group:A, sex:f, series:A, age:11 …")
    add_flag(action, "--players", "in a league of teams: the table of their players")
    add_flag(action, "--clubs", "in an individual tournament: the table of clubs")


_DECLARATIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "new": _new,
    "enter": _enter,
    "import": _import,
    "players": lambda action: add_flag(action, "--csv", "as CSV"),
    "checkin": _checkin,
    "bye": _bye,
    "withdraw": _names("PLAYER"),
    "disqualify": _names("PLAYER"),
    "forbid": _names("ONE", "OTHER"),
    "rename": _rename,
    "pair": _pair,
    "lineup": _lineup,
    "round": _round,
    "result": _result,
    "table": _table,
    "explain": _names("PLAYER"),
    "ratings": _ratings,
    "undo": _undo,
    "trf": _trf,
    "print": _print,
    "serve": _server,
}
