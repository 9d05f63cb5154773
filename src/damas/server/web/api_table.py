"""Every call of the API in one table: OpenAPI, the page `/api` and the tests are made from it.

The description of a call stands in `words/api.toml` under its id. Its example is a call that works: the tests make each
of them, in this order, with the names in capitals filled in.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from damas.server.analysing.trees import Tree
from damas.server.learning.views import ExampleView, LessonView, PuzzleView
from damas.server.rooms.new_game import NewGame
from damas.server.web import analysis, board_api, challenges, learn, people, rules
from damas.server.web.replies import (
    Account,
    Archive,
    Certificate,
    Contest,
    ContestList,
    ContestNews,
    ContestResults,
    Created,
    CreatedChallenge,
    Ending,
    EndingReply,
    Frames,
    GameReply,
    Joined,
    JudgedGames,
    KeptProgress,
    LessonList,
    LineOfPlay,
    LobbySnapshot,
    Ok,
    PdnGames,
    PuzzleList,
    PuzzleSheet,
    Receipt,
    ReportJob,
    RulebookList,
    SetupCheck,
    StreamEvent,
    TableAnswer,
    Token,
    WhoAmI,
    WrittenPdn,
)
from damas.views.explain import BoardExplanationView
from damas.views.lens import LensView
from damas.views.rulebook_pages import RulebookPageView
from damas.views.rulebooks import RulebookDifferenceView
from damas.views.table import TableView

JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
FEN = "W:Wc3:Bb4,d4,f6"
RULES, GAMES, PLAY, PEOPLE, FILES = "rules", "games", "play", "people", "files"
ANALYSIS, LEARNING, ARENA = "analysis", "learning", "arena"


@dataclass(frozen=True)
class Call:
    """One call. `parameters` and `query` are examples of what stands in the path and the query, `sent` of the body."""

    method: str
    id: str
    path: str
    tag: str
    answer: Any
    """The type of the answer; None where it is no JSON."""
    parameters: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: type | None = None
    sent: Any = None
    status: int = 200
    kind: str = JSON
    scopes: tuple[str, ...] | None = None
    """Of the token it needs; None where anybody may ask, empty where an account is enough."""


_get, _post = partial(Call, "GET"), partial(Call, "POST")


def _of_contest(name: str, tail: str, answer: Any, **more: Any) -> Call:
    parameters = {"id": "CONTEST", **more.pop("parameters", {})}
    return _get(name, f"/api/arena/{{id}}{tail}", ARENA, answer, parameters, **more)


def _of_game(name: str, tail: str, **more: Any) -> Call:
    parameters = {"id": "GAME", **more.pop("parameters", {})}
    return _post(name, f"/api/bot/game/{{id}}/{tail}", PLAY, Ok, parameters, scopes=("bot:play",), **more)


CALLS = (
    _get("rulebooks", "/api/rulebooks", RULES, RulebookList),
    _get("rulebook", "/api/rulebook/{id}", RULES, RulebookPageView, {"id": "faraes"}),
    _post(
        "position",
        "/api/position",
        RULES,
        TableView,
        body=rules.AskPosition,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
    ),
    _post(
        "explain",
        "/api/explain",
        RULES,
        BoardExplanationView,
        body=rules.AskExplain,
        sent={"rulebook": "faraes", "fen": FEN, "move": "c3xa5"},
    ),
    _post("compare", "/api/compare", RULES, LensView, body=rules.AskCompare, sent={"fen": "W:WKa1:Bd4,g5"}),
    _post(
        "judge",
        "/api/judge",
        RULES,
        JudgedGames,
        body=rules.AskJudge,
        sent={"pdn": '[Rulebook "brasileira"] 1. c3-d4 f6-g5 2. b2-c3 *'},
    ),
    _get(
        "difference",
        "/api/difference/{first}/{second}",
        RULES,
        RulebookDifferenceView,
        {"first": "brasileira", "second": "portuguesa"},
    ),
    _get("examples", "/api/examples/{id}", RULES, list[ExampleView], {"id": "faraes"}),
    _get(
        "example",
        "/api/examples/{id}/{article}/{name}",
        RULES,
        Frames,
        {"id": "faraes", "article": "002-12", "name": "four-kings-are-not-three"},
    ),
    _post(
        "analysis_setup",
        "/api/analysis/setup",
        ANALYSIS,
        SetupCheck,
        body=analysis.Where,
        sent={"rulebook": "faraes", "fen": FEN},
    ),
    _post(
        "analysis_line",
        "/api/analysis/line",
        ANALYSIS,
        LineOfPlay,
        body=analysis.Stretch,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"], "since": 1},
    ),
    _post(
        "tablebase",
        "/api/tablebase",
        ANALYSIS,
        TableAnswer,
        body=analysis.Where,
        sent={"rulebook": "brasileira", "fen": "W:WKa1:BKh6"},
    ),
    _post(
        "report",
        "/api/analysis/report",
        ANALYSIS,
        ReportJob,
        body=analysis.ReportRequest,
        sent={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
        status=202,
    ),
    _post(
        "pdn_read",
        "/api/pdn/read",
        FILES,
        PdnGames,
        body=analysis.PdnText,
        sent={"pdn": '[Rulebook "brasileira"] 1. c3-d4 f6-g5 2. b2-c3 *'},
    ),
    _post(
        "pdn_write",
        "/api/pdn/write",
        FILES,
        WrittenPdn,
        body=Tree,
        sent={"rulebook": "brasileira", "moves": [{"text": "c3-d4", "comments": ["!"]}]},
    ),
    _get("archive", "/api/archive", FILES, Archive, query={"rulebook": "brasileira", "since": "2024-01-01"}),
    _get("archive_pdn", "/api/archive.pdn", FILES, None, query={"rulebook": "brasileira"}, kind="text/x-pdn"),
    _get("lessons", "/api/lessons", LEARNING, LessonList),
    _get("lesson", "/api/lessons/{lesson}", LEARNING, LessonView, {"lesson": "lei-da-maioria"}),
    _get("progress", "/api/progress", LEARNING, KeptProgress),
    _post(
        "keep_progress",
        "/api/progress",
        LEARNING,
        Ok,
        body=learn.Progress,
        sent={"progress": {"puzzles.brasileira": {"solved": 3}}},
    ),
    _get("puzzles", "/api/puzzles/{id}", LEARNING, PuzzleList, {"id": "brasileira"}),
    _get("all_puzzles", "/api/puzzles/{id}/all", LEARNING, PuzzleSheet, {"id": "brasileira"}),
    _get(
        "puzzle", "/api/puzzles/{id}/{puzzle}", LEARNING, PuzzleView, {"id": "brasileira", "puzzle": "PUZZLE"}
    ),
    _post(
        "puzzle_tried",
        "/api/puzzles/{id}/{puzzle}",
        LEARNING,
        Ok,
        {"id": "brasileira", "puzzle": "PUZZLE"},
        body=learn.Attempt,
        sent={"solved": True},
    ),
    _post(
        "ending",
        "/api/endings",
        LEARNING,
        Ending,
        body=learn.AskEnding,
        sent={"rulebook": "brasileira", "ending": "man-man", "seed": 7},
    ),
    _post(
        "ending_reply",
        "/api/endings/reply",
        LEARNING,
        EndingReply,
        body=learn.AskReply,
        sent={"rulebook": "brasileira", "fen": "W:Wc3:Bf6", "moves": ["c3-d4"]},
    ),
    _get("whoami", "/api/account", PEOPLE, WhoAmI),
    _post(
        "sign_up",
        "/api/account",
        PEOPLE,
        Account,
        body=people.NewAccount,
        sent={"name": "NEW", "password": "um cavalo sem sela"},
        status=201,
    ),
    _post(
        "log_in",
        "/api/account/login",
        PEOPLE,
        Account,
        body=people.Credentials,
        sent={"name": "NEW", "password": "um cavalo sem sela"},
    ),
    _post(
        "new_token",
        "/api/account/tokens",
        PEOPLE,
        Token,
        body=people.NewToken,
        sent={"label": "my bot", "scopes": ["bot:play"]},
        status=201,
        scopes=(),
    ),
    _post(
        "challenge_ai",
        "/api/challenge/ai",
        GAMES,
        Created,
        body=challenges.AiTerms,
        sent={"rulebook": "brasileira", "level": 3, "color": "white"},
        status=201,
    ),
    _post(
        "challenge_open",
        "/api/challenge/open",
        GAMES,
        Created,
        body=challenges.Terms,
        sent={"rulebook": "portuguesa", "time": "5+3"},
        status=201,
    ),
    _post(
        "challenge_user",
        "/api/challenge/{user}",
        GAMES,
        CreatedChallenge,
        {"user": "OTHER"},
        body=challenges.Terms,
        sent={"rulebook": "faraes", "time": "3+2"},
        status=201,
        scopes=("bot:play",),
    ),
    _post("challenge_accept", "/api/challenge/{id}/accept", GAMES, Ok, {"id": "TO_ME"}, scopes=("bot:play",)),
    _post(
        "challenge_decline",
        "/api/challenge/{id}/decline",
        GAMES,
        Ok,
        {"id": "TO_ME_TOO"},
        scopes=("bot:play",),
    ),
    _post("challenge_cancel", "/api/challenge/{id}/cancel", GAMES, Ok, {"id": "BY_ME"}, scopes=("bot:play",)),
    _post(
        "seek",
        "/api/board/seek",
        GAMES,
        StreamEvent,
        body=challenges.Terms,
        sent={"rulebook": "internacional", "time": "10"},
        kind=NDJSON,
    ),
    _get("lobby", "/api/lobby", GAMES, LobbySnapshot),
    _post(
        "new_game",
        "/api/games",
        GAMES,
        Created,
        body=NewGame,
        sent={"rulebook": "faraes", "opponent": {"kind": "level", "level": 2}, "color": "white"},
        status=201,
    ),
    _get("game", "/api/games/{id}", GAMES, GameReply, {"id": "GAME"}),
    _post("join", "/api/games/{id}/join", GAMES, Joined, {"id": "OPEN"}),
    _post(
        "rematch", "/api/games/{id}/rematch", GAMES, Created, {"id": "OVER"}, status=201, scopes=("bot:play",)
    ),
    _get("stream_event", "/api/stream/event", PLAY, StreamEvent, kind=NDJSON, scopes=("bot:play",)),
    _get(
        "stream_game",
        "/api/bot/game/stream/{id}",
        PLAY,
        StreamEvent,
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
    _get("certificate", "/api/games/{id}/certificate", FILES, Certificate, {"id": "GAME"}),
    _get("export", "/game/export/{id}.{kind}", FILES, None, {"id": "GAME", "kind": "pdn"}, kind="text/x-pdn"),
    _get("arena", "/api/arena", ARENA, ContestList),
    _of_contest("contest", "", Contest),
    _of_contest("contest_stream", "/stream", ContestNews, kind=EVENTS),
    _of_contest("contest_receipt", "/receipts/{receipt}", Receipt, parameters={"receipt": "RECEIPT"}),
    _of_contest(
        "contest_game", "/games/{game}.pdn", None, parameters={"game": "001-001-01"}, kind="text/x-pdn"
    ),
    _of_contest("contest_file", "/files/{what}", ContestResults, parameters={"what": "results.json"}),
)

BOARD_TOO = "/api/bot/"
"""What begins so is there for boards as well, under `/api/board/` and by the scope `board:play`."""
