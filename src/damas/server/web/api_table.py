"""Every call of the API in one table: OpenAPI, the page `/api` and the tests are made from it.

What a call says about itself stands in `words/api.toml` under its id. An example is a call that works: the tests make
each of them, in this order, with the names in capitals filled in.
"""

from dataclasses import dataclass, field
from typing import Any

from damas.server.analysing.trees import Tree
from damas.server.rooms.rooms import NewGame
from damas.server.web import analysis, board_api, challenges, learn, people, rules

JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
Schema = dict[str, Any]


def thing(*required: str, **properties: Schema) -> Schema:
    """An object with at least these fields."""
    return {"type": "object", "required": [*required, *properties], "properties": properties}


TEXT: Schema = {"type": "string"}
YES: Schema = {"type": "boolean"}
LIST: Schema = {"type": "array"}
OK = thing(ok=YES)
MADE = thing(id=TEXT, url=TEXT)
POSITION = thing("pieces", rulebook=TEXT, fen=TEXT, turn=TEXT, legal=LIST)
GAME = thing("players", "view", "clocks", game=TEXT, status=TEXT, you=TEXT)
ACCOUNT = thing(id=TEXT, name=TEXT, bot=YES)

FEN = "W:Wc3:Bb4,d4,f6"
RULES, GAMES, PLAY, PEOPLE, FILES = "rules", "games", "play", "people", "files"
ANALYSIS, LEARNING, ARENA = "analysis", "learning", "arena"


@dataclass(frozen=True)
class Call:
    """One call. `parameters` are an example of what stands in the path or the query, `sent` of the body."""

    id: str
    method: str
    path: str
    tag: str
    answer: Schema
    parameters: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: type | None = None
    sent: Any = None
    status: int = 200
    kind: str = JSON
    scopes: tuple[str, ...] | None = None
    """Of the token it needs; None where anybody may ask, empty where an account is enough."""


def _of_contest(name: str, tail: str, answer: Schema, **more: Any) -> Call:
    parameters = {"id": "CONTEST", **more.pop("parameters", {})}
    return Call(name, "GET", f"/api/arena/{{id}}{tail}", ARENA, answer, parameters, **more)


def _of_game(name: str, tail: str, **more: Any) -> Call:
    parameters = {"id": "GAME", **more.pop("parameters", {})}
    return Call(
        name, "POST", f"/api/bot/game/{{id}}/{tail}", PLAY, OK, parameters, scopes=("bot:play",), **more
    )


CALLS = (
    Call("rulebooks", "GET", "/api/rulebooks", RULES, thing(rulebooks=LIST)),
    Call(
        "rulebook",
        "GET",
        "/api/rulebook/{id}",
        RULES,
        thing("board", "draws", "presets", id=TEXT, name=TEXT, articles=LIST, start_fen=TEXT),
        {"id": "faraes"},
    ),
    Call(
        "position",
        "POST",
        "/api/position",
        RULES,
        POSITION,
        body=rules.AskPosition,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
    ),
    Call(
        "explain",
        "POST",
        "/api/explain",
        RULES,
        thing("refusal", rulebook=TEXT, fen=TEXT, tried=TEXT, legal=YES),
        body=rules.AskExplain,
        sent={"rulebook": "faraes", "fen": FEN, "move": "c3xa5"},
    ),
    Call(
        "compare",
        "POST",
        "/api/compare",
        RULES,
        thing(rulebook=TEXT, groups=LIST),
        body=rules.AskCompare,
        sent={"fen": "W:WKa1:Bd4,g5"},
    ),
    Call(
        "judge",
        "POST",
        "/api/judge",
        RULES,
        thing(games=LIST, holds=YES),
        body=rules.AskJudge,
        sent={"pdn": '[Rulebook "brasileira"] 1. c3-d4 f6-g5 2. b2-c3 *'},
    ),
    Call(
        "difference",
        "GET",
        "/api/difference/{first}/{second}",
        RULES,
        {"type": "object"},
        {"first": "brasileira", "second": "portuguesa"},
    ),
    Call("examples", "GET", "/api/examples/{id}", RULES, LIST, {"id": "faraes"}),
    Call(
        "example",
        "GET",
        "/api/examples/{id}/{article}/{name}",
        RULES,
        thing(frames=LIST),
        {"id": "faraes", "article": "002-12", "name": "four-kings-are-not-three"},
    ),
    Call(
        "analysis_setup",
        "POST",
        "/api/analysis/setup",
        ANALYSIS,
        thing(fits=YES),
        body=analysis.Where,
        sent={"rulebook": "faraes", "fen": FEN},
    ),
    Call(
        "analysis_line",
        "POST",
        "/api/analysis/line",
        ANALYSIS,
        thing("error", views=LIST),
        body=analysis.Stretch,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"], "since": 1},
    ),
    Call(
        "tablebase",
        "POST",
        "/api/tablebase",
        ANALYSIS,
        thing(there=YES),
        body=analysis.Where,
        sent={"rulebook": "brasileira", "fen": "W:WKa1:BKh6"},
    ),
    Call(
        "report",
        "POST",
        "/api/analysis/report",
        ANALYSIS,
        thing("done", "total", "report", id=TEXT, state=TEXT),
        body=analysis.Wanted,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
        status=202,
    ),
    Call(
        "pdn_read",
        "POST",
        "/api/pdn/read",
        FILES,
        thing(games=LIST, bad=LIST, more=YES),
        body=analysis.PdnText,
        sent={"pdn": '[Rulebook "brasileira"] 1. c3-d4 f6-g5 2. b2-c3 *'},
    ),
    Call(
        "pdn_write",
        "POST",
        "/api/pdn/write",
        FILES,
        thing(pdn=TEXT),
        body=Tree,
        sent={"rulebook": "brasileira", "moves": [{"text": "c3-d4", "comments": ["!"]}]},
    ),
    Call(
        "archive",
        "GET",
        "/api/archive",
        FILES,
        thing("next", games=LIST),
        query={"rulebook": "brasileira", "since": "2024-01-01"},
    ),
    Call(
        "archive_pdn",
        "GET",
        "/api/archive.pdn",
        FILES,
        {},
        query={"rulebook": "brasileira"},
        kind="text/x-pdn",
    ),
    Call("lessons", "GET", "/api/lessons", LEARNING, thing(lessons=LIST)),
    Call(
        "lesson",
        "GET",
        "/api/lessons/{lesson}",
        LEARNING,
        {"type": "object"},
        {"lesson": "lei-da-maioria"},
    ),
    Call("progress", "GET", "/api/progress", LEARNING, thing("progress")),
    Call(
        "keep_progress",
        "POST",
        "/api/progress",
        LEARNING,
        OK,
        body=learn.Progress,
        sent={"progress": {"puzzles.brasileira": {"solved": 3}}},
    ),
    Call(
        "puzzles",
        "GET",
        "/api/puzzles/{id}",
        LEARNING,
        thing(rulebook=TEXT, puzzles=LIST),
        {"id": "brasileira"},
    ),
    Call(
        "all_puzzles",
        "GET",
        "/api/puzzles/{id}/all",
        LEARNING,
        thing(rulebook=TEXT, puzzles=LIST),
        {"id": "brasileira"},
    ),
    Call(
        "puzzle",
        "GET",
        "/api/puzzles/{id}/{puzzle}",
        LEARNING,
        {"type": "object"},
        {"id": "brasileira", "puzzle": "PUZZLE"},
    ),
    Call(
        "puzzle_tried",
        "POST",
        "/api/puzzles/{id}/{puzzle}",
        LEARNING,
        {"type": "object"},
        {"id": "brasileira", "puzzle": "PUZZLE"},
        body=learn.Attempt,
        sent={"solved": True},
    ),
    Call(
        "ending",
        "POST",
        "/api/endings",
        LEARNING,
        thing("view", "verdict", rulebook=TEXT, ending=TEXT, goal=TEXT, fen=TEXT),
        body=learn.AskEnding,
        sent={"rulebook": "brasileira", "ending": "man-man", "seed": 7},
    ),
    Call(
        "ending_reply",
        "POST",
        "/api/endings/reply",
        LEARNING,
        thing("view", "reply", "best", played=TEXT, kept=YES, won=YES),
        body=learn.AskReply,
        sent={"rulebook": "brasileira", "fen": "W:Wc3:Bf6", "moves": ["c3-d4"]},
    ),
    Call("whoami", "GET", "/api/account", PEOPLE, thing(id=TEXT, name=TEXT, account=YES, bot=YES)),
    Call(
        "sign_up",
        "POST",
        "/api/account",
        PEOPLE,
        ACCOUNT,
        body=people.NewAccount,
        sent={"name": "NEW", "password": "um cavalo sem sela"},
        status=201,
    ),
    Call(
        "log_in",
        "POST",
        "/api/account/login",
        PEOPLE,
        ACCOUNT,
        body=people.Credentials,
        sent={"name": "NEW", "password": "um cavalo sem sela"},
    ),
    Call(
        "new_token",
        "POST",
        "/api/account/tokens",
        PEOPLE,
        thing("scopes", token=TEXT, id=TEXT),
        body=people.NewToken,
        sent={"label": "my bot", "scopes": ["bot:play"]},
        status=201,
        scopes=(),
    ),
    Call(
        "challenge_ai",
        "POST",
        "/api/challenge/ai",
        GAMES,
        MADE,
        body=challenges.AiTerms,
        sent={"rulebook": "brasileira", "level": 3, "color": "white"},
        status=201,
    ),
    Call(
        "challenge_open",
        "POST",
        "/api/challenge/open",
        GAMES,
        MADE,
        body=challenges.Terms,
        sent={"rulebook": "portuguesa", "time": "5+3"},
        status=201,
    ),
    Call(
        "challenge_user",
        "POST",
        "/api/challenge/{user}",
        GAMES,
        thing("challenge", id=TEXT, url=TEXT),
        {"user": "OTHER"},
        body=challenges.Terms,
        sent={"rulebook": "faraes", "time": "3+2"},
        status=201,
        scopes=("bot:play",),
    ),
    Call(
        "challenge_accept",
        "POST",
        "/api/challenge/{id}/accept",
        GAMES,
        OK,
        {"id": "TO_ME"},
        scopes=("bot:play",),
    ),
    Call(
        "challenge_decline",
        "POST",
        "/api/challenge/{id}/decline",
        GAMES,
        OK,
        {"id": "TO_ME_TOO"},
        scopes=("bot:play",),
    ),
    Call(
        "challenge_cancel",
        "POST",
        "/api/challenge/{id}/cancel",
        GAMES,
        OK,
        {"id": "BY_ME"},
        scopes=("bot:play",),
    ),
    Call(
        "seek",
        "POST",
        "/api/board/seek",
        GAMES,
        thing(type=TEXT, id=TEXT),
        body=challenges.Terms,
        sent={"rulebook": "internacional", "time": "10"},
        kind=NDJSON,
    ),
    Call("lobby", "GET", "/api/lobby", GAMES, thing("playing", seeks=LIST, games=LIST)),
    Call(
        "new_game",
        "POST",
        "/api/games",
        GAMES,
        MADE,
        body=NewGame,
        sent={"rulebook": "faraes", "opponent": {"kind": "level", "level": 2}, "colour": "white"},
        status=201,
    ),
    Call("game", "GET", "/api/games/{id}", GAMES, GAME, {"id": "GAME"}),
    Call(
        "join",
        "POST",
        "/api/games/{id}/join",
        GAMES,
        thing(id=TEXT, url=TEXT, you=TEXT),
        {"id": "OPEN"},
    ),
    Call(
        "rematch",
        "POST",
        "/api/games/{id}/rematch",
        GAMES,
        MADE,
        {"id": "OVER"},
        status=201,
        scopes=("bot:play",),
    ),
    Call(
        "stream_event",
        "GET",
        "/api/stream/event",
        PLAY,
        thing(type=TEXT),
        kind=NDJSON,
        scopes=("bot:play",),
    ),
    Call(
        "stream_game",
        "GET",
        "/api/bot/game/stream/{id}",
        PLAY,
        thing("state", type=TEXT, id=TEXT),
        {"id": "GAME"},
        kind=NDJSON,
        scopes=("bot:play",),
    ),
    _of_game("move", "move/{move}", parameters={"move": "c3-d4"}, query={"ply": "0"}),
    _of_game("chat", "chat", body=board_api.Said, sent={"text": "Boa sorte!"}),
    _of_game("draw", "draw/{answer}", parameters={"answer": "yes"}),
    _of_game("claim", "claim/{rule}", parameters={"id": "CLAIMING", "rule": "RULE"}),
    _of_game("takeback", "takeback/{answer}", parameters={"answer": "yes"}),
    _of_game("resign", "resign"),
    _of_game("claim_victory", "claim-victory", parameters={"id": "DESERTED"}),
    _of_game("abort", "abort", parameters={"id": "YOUNG"}),
    Call(
        "certificate",
        "GET",
        "/api/games/{id}/certificate",
        FILES,
        thing("ledger", "outcome", seal=TEXT),
        {"id": "GAME"},
    ),
    Call(
        "export",
        "GET",
        "/game/export/{id}.{kind}",
        FILES,
        {},
        {"id": "GAME", "kind": "pdn"},
        kind="text/x-pdn",
    ),
    Call("arena", "GET", "/api/arena", ARENA, thing("no_box", contests=LIST)),
    _of_contest("contest", "", thing("table", id=TEXT, title=TEXT, status=TEXT, entries=LIST)),
    _of_contest("contest_stream", "/stream", thing(status=TEXT, version=TEXT, games=LIST), kind=EVENTS),
    _of_contest(
        "contest_receipt",
        "/receipts/{receipt}",
        thing("nearest", id=TEXT, verdict=TEXT, name=TEXT, fen=TEXT, article=TEXT, said=TEXT, legal=LIST),
        parameters={"receipt": "RECEIPT"},
    ),
    _of_contest(
        "contest_game", "/games/{game}.pdn", {}, parameters={"game": "001-001-01"}, kind="text/x-pdn"
    ),
    _of_contest(
        "contest_file",
        "/files/{what}",
        thing("settings", players=LIST, list=LIST),
        parameters={"what": "results.json"},
    ),
)

BOARD_TOO = "/api/bot/"
"""What begins so is there for boards as well, under `/api/board/` and by the scope `board:play`."""
