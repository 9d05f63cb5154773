"""The JSON objects that calls of the API answer with, where these are not views of `damas.views`."""

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from damas.server.analysing.trees import Branch
from damas.server.learning.views import LessonEntryView, PuzzleEntryView, PuzzleView
from damas.views.analysis import ReportView
from damas.views.boards import FrameView, GameView, PositionView
from damas.views.endgames import BoardProbedMoveView, BoardProbeView
from damas.views.errors import ErrorView
from damas.views.explorer import OpeningLineView
from damas.views.over_the_board import FollowedView
from damas.views.rulebook_pages import ListedRulebookView
from damas.views.table import ClockView, TableView
from damas.views.verdicts import VerdictView


class Ok(TypedDict):
    """It is done."""

    ok: bool


class Created(TypedDict):
    """A game or a tournament that was made."""

    id: str
    url: str


def created_game(game: str) -> Created:
    """The reply of a call that made or found a game."""
    return {"id": game, "url": f"/game/{game}"}


class ArbiterLink(TypedDict):
    """The secret link of a game's arbiter: the key after `#` is the argument of the socket's `arbitrate`; null while the
    other player has not agreed.
    """

    url: str | None


class FollowedBoard(TypedDict):
    """A board that an arbiter follows: `board` and what comes after it only where `status` is that of a game."""

    id: str
    status: str
    players: NotRequired[dict[str, Any]]
    board: NotRequired[FollowedView]
    clocks: NotRequired[ClockView]
    rematch: NotRequired[dict[str, str] | None]


class FollowedBoardList(TypedDict):
    """The boards that an arbiter follows, in the order of the request."""

    boards: list[FollowedBoard]


class Refused(TypedDict):
    """Why a request is refused."""

    error: ErrorView


# Rules and analysis


class RulebookList(TypedDict):
    """Every rulebook."""

    rulebooks: list[ListedRulebookView]


class JudgedGames(TypedDict):
    """Verdicts on recorded games, and whether all hold."""

    games: list[VerdictView]
    holds: bool


class Frames(TypedDict):
    """A game step by step."""

    frames: list[FrameView]


class SetupCheck(TypedDict):
    """Whether pieces may stand so; where they may not, the fields of the error stand beside it."""

    fits: bool
    fen: NotRequired[str]
    standard: NotRequired[bool]


class LineOfPlay(TypedDict):
    """The positions of a line; `error` says why it ends early."""

    views: list[GameView]
    error: ErrorView | None


class ExploredMove(TypedDict):
    """A legal move, and the games in which it was played."""

    text: str
    name: str
    """Of the opening to which it leads; empty if that has none."""
    score: int | None
    """In the engine's book, in hundredths of a man for the side to move; null where the book ends."""
    games: int
    white: int
    """Games that White won."""
    draws: int
    black: int
    """Games that Black won."""


class Explored(TypedDict):
    """A position in the explorer; the moves that were played most come first."""

    names: list[str]
    """What the opening is called, the usual name first."""
    source: str
    has_file: bool
    """Whether the operator has put a file of statistics on the server."""
    games: int
    moves: list[ExploredMove]


class OpeningLines(TypedDict):
    """Openings of a rulebook to choose from."""

    rulebook: str
    lines: list[OpeningLineView]


class RepertoireQuestion(TypedDict):
    """A position of a line in which the visitor moves."""

    ply: int
    """Plies played before it."""
    item: str
    """What it is called in its deck of reviews."""
    move: str


class OwnLine(TypedDict):
    """A line of a repertoire."""

    id: str
    side: Literal["white", "black"]
    """The side that the visitor plays."""
    name: str
    moves: list[str]
    questions: list[RepertoireQuestion]


class Repertoire(TypedDict):
    """The visitor's lines of a rulebook; their reviews are in the decks `opening:ID-white` and `opening:ID-black`."""

    rulebook: str
    lines: list[OwnLine]


class RepertoireAdded(TypedDict):
    """How many lines were read, and the deck of their reviews."""

    added: int
    deck: str


class TableAnswer(TypedDict):
    """What the endgame tables say: a `BoardProbeView`, or why they say nothing."""

    there: bool
    message: str
    sentence: str


class Fair(TypedDict):
    """The browser's own engine may help."""

    fair: bool


class ReportJob(TypedDict):
    """A report that is being made, or is done."""

    id: str
    state: str
    done: int
    total: int
    report: ReportView | None


# Files


class PdnGameTree(TypedDict):
    """A game that was read, with its variations."""

    rulebook: str
    fen: str
    standard: bool
    tags: dict[str, str]
    result: str
    winner: str | None
    comments: list[str]
    moves: list[Branch]


class PdnGames(TypedDict):
    """The games of a text; `bad` ones could not be read."""

    games: list[PdnGameTree]
    bad: list[dict[str, Any]]
    more: bool


class WrittenPdn(TypedDict):
    """A game as PDN."""

    pdn: str


class StudyChapter(TypedDict):
    """A chapter with its game."""

    id: str
    title: str
    rulebook: str
    mode: str
    orientation: str
    version: int
    game: PdnGameTree


class ChangedStudy(TypedDict):
    """What was changed is stored; the next change names this version."""

    version: int


class CreatedChapter(TypedDict):
    """A chapter that was added."""

    id: str
    version: int


class CreatedStudy(Created):
    """A study that was made; `bad` are the games that could not be read."""

    chapters: int
    bad: list[dict[str, Any]]


class PlayerName(TypedDict):
    """A player's name, and whether it is a person, a level or a bot."""

    name: str
    kind: str


class PlayerNames(TypedDict):
    """The names of both players."""

    white: PlayerName
    black: PlayerName


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedGame:
    """A game in the archive."""

    id: str
    rulebook: str
    white: PlayerName
    black: PlayerName
    you: str | None
    status: str
    result: str | None
    reason: str | None
    article: str | None
    plies: int
    fen: str
    time: str
    created_ms: int
    updated_ms: int


class Archive(TypedDict):
    """A page of the archive; `next` asks for the following one."""

    games: list[ArchivedGame]
    next: str | None


class Certificate(TypedDict):
    """What proves how a game ended; `damas judge` checks it."""

    ledger: list[dict[str, Any]]
    irregularities: dict[str, Any]
    outcome: dict[str, Any]
    seal: str


# Learning


class LessonList(TypedDict):
    """Every lesson."""

    lessons: list[LessonEntryView]


class KeptProgress(TypedDict):
    """What a visitor has done, by key."""

    progress: dict[str, Any]


class PuzzleList(TypedDict):
    """Some puzzles of a rulebook, without their moves."""

    rulebook: str
    total: int
    """Puzzles of the rulebook."""
    motifs: dict[str, int]
    """Puzzles of each motif."""
    matching: int
    """Puzzles that meet the criteria; those listed are one page of them."""
    puzzles: list[PuzzleEntryView]


class SolverRating(TypedDict):
    """How strong a solver of puzzles is, by Glicko-2."""

    rating: int
    deviation: int
    """The true strength lies within twice as much, in 95 of 100 cases."""
    provisional: bool
    """There are too few results yet."""
    attempts: int


class PuzzleTried(TypedDict):
    """A try is stored; `rating` is null where it was not for the rating."""

    ok: bool
    rating: SolverRating | None
    change: int


class RatingPoint(TypedDict):
    """A rating in its plot."""

    at_ms: int
    rating: int


class MotifRecord(TypedDict):
    """How the first tries at puzzles of a motif went."""

    motif: str
    tried: int
    solved: int


class Training(TypedDict):
    """A solver's rating and its past; the motifs that are solved least come first."""

    rulebook: str
    rating: SolverRating
    points: list[RatingPoint]
    motifs: list[MotifRecord]


class TrainingToday(TypedDict):
    """What a solver may do today."""

    rulebook: str
    date: str
    daily: str
    """Id of the puzzle of the day."""
    daily_solved: bool
    due: int
    """Puzzles to review."""
    days: int
    """Days in a row with a puzzle."""


class NextPuzzle(TypedDict):
    """The puzzle that comes next; `met` is true where all of the motif were tried before."""

    id: str
    met: bool


class PuzzleRun(TypedDict):
    """Puzzles of a run, each harder than the one before."""

    seed: int
    puzzles: list[str]


class TakenMistake(TypedDict):
    """A mistake that is a puzzle now."""

    ply: int
    id: str


class LeftMistake(TypedDict):
    """A mistake that is no puzzle: `forced`, `no_gain`, `second_way`, `no_end`, `too_easy` or `solved`."""

    ply: int
    why: str


class MistakesTaken(TypedDict):
    """Which mistakes of a game are trained from now on, and why the others are not."""

    rulebook: str
    taken: list[TakenMistake]
    left: list[LeftMistake]


class PuzzleSample(TypedDict):
    """A few puzzles of every kind with their solutions."""

    rulebook: str
    total: int
    motifs: dict[str, int]
    puzzles: list[PuzzleView]


class ReviewDeckCount(TypedDict):
    """A deck of items that come back."""

    deck: str
    due: int
    total: int
    next_ms: int
    """When the next item is due, or has been."""


class ReviewDecks(TypedDict):
    """All decks of a visitor."""

    due: int
    """Items that are due, of all decks."""
    decks: list[ReviewDeckCount]


class ReviewItem(TypedDict):
    """An item of a deck."""

    item: str
    due_ms: int


class ReviewDeck(TypedDict):
    """Items of a deck; those up to `now_ms` are due."""

    deck: str
    now_ms: int
    items: list[ReviewItem]


class ReviewsAdded(TypedDict):
    """How many items were new in a deck."""

    added: int


class ReviewAnswered(ReviewItem):
    """When an item comes back; `counted` is false where another page was first."""

    counted: bool


class Drill(TypedDict):
    """Positions in which something must be captured."""

    rulebook: str
    seed: int
    positions: list[PositionView]


class Ending(TypedDict):
    """An ending to practise."""

    rulebook: str
    ending: str
    goal: str
    fen: str
    view: FrameView
    verdict: BoardProbeView


class EndingReply(TypedDict):
    """How a learner's move was answered."""

    played: str
    kept: bool
    best: BoardProbedMoveView
    reply: str | None
    after_move: FrameView
    view: FrameView
    verdict: BoardProbeView | None
    won: bool


# People and games


class WhoAmI(TypedDict):
    """The visitor who asks."""

    id: str
    name: str
    account: bool
    bot: bool
    scopes: list[str]


class Account(TypedDict):
    """An account."""

    id: str
    name: str
    bot: bool


class Token(TypedDict):
    """A new token, which is shown this once."""

    token: str
    id: str
    label: str
    scopes: list[str]


class Person(TypedDict):
    """Somebody with an account."""

    id: str
    name: str


class ChallengeTerms(TypedDict):
    """A game that waits for one certain player; `color` is that of the challenger."""

    id: str
    url: str
    status: str
    challenger: Person
    destUser: Person
    rulebook: str
    time: str
    color: str
    preset: str


class CreatedChallenge(Created):
    """A challenge that was made."""

    challenge: ChallengeTerms


class Seek(TypedDict):
    """Somebody who looks for an opponent; `color` is the one that is free."""

    id: str
    mine: bool
    name: str
    color: str
    colour: str
    """Deprecated: the same as `color`."""
    rulebook: str
    time: str
    preset: str


class GameOnShow(TypedDict):
    """A game that can be watched."""

    id: str
    mine: bool
    white: str
    black: str
    ply: int
    fen: str
    viewers: int
    rulebook: str
    time: str
    preset: str


class LobbySnapshot(TypedDict):
    """Who looks for a game, and which games can be watched."""

    seeks: list[Seek]
    games: list[GameOnShow]
    playing: int


class Seat(TypedDict):
    """A player of a game: whether the seat is still free, whether somebody is there, and whether they took the arbiter's
    link before the other person came.
    """

    name: str
    kind: str
    free: bool
    here: bool
    arbiter_link: bool


class GameReply(TypedDict):
    """The whole of a game, as the socket's `hello` has it too."""

    game: str
    epoch: int
    seq: int
    chain: str
    status: str
    you: str
    may_join: bool
    players: dict[str, Seat]
    view: TableView
    clocks: ClockView
    first_move_ms: int | None
    server_ms: int
    paused: str | None
    start: str
    previous: str | None
    rematch: str | None
    arbiter_wanted: list[str]


class Joined(Created):
    """A game that was joined, and the seat."""

    you: str


class StreamEvent(TypedDict):
    """A line of a stream; what else it has depends on its type."""

    type: str


# Tournaments of programs


class ContestList(TypedDict):
    """Every tournament; `no_box` says why programs cannot run here."""

    contests: list[dict[str, Any]]
    no_box: str | None


class Contest(TypedDict):
    """A tournament with its entrants and its table."""

    id: str
    title: str
    status: str
    entries: list[dict[str, Any]]
    table: dict[str, Any] | None


class ContestNews(TypedDict):
    """An event of a tournament's stream: how far it is, and the games in play."""

    status: str
    version: str
    done: int
    total: int
    games: list[dict[str, Any]]


class Receipt(TypedDict):
    """Why a program lost."""

    id: str
    verdict: str
    name: str
    fen: str
    article: str
    said: str
    legal: list[str]
    nearest: str | None


class ContestResults(TypedDict):
    """The results of a tournament."""

    settings: dict[str, Any]
    players: list[dict[str, Any]]
    list: list[dict[str, Any]]
