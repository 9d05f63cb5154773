# Written by tools/core_stub.py from cpp/bindings.
"""
The fast core of damas: positions, legal moves and their texts. Use it through the package.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self, TypeVar

from typing_extensions import Buffer


def refusal_codes() -> tuple[str, ...]:
    """
    The codes of refusals; where several rules are broken, the first names the refusal.
    """

class Rules:
    """
    The switches and names one rulebook gives to the core. Equal ones are one object.
    """

    @property
    def id(self) -> str: ...

    @property
    def squares(self) -> int: ...

    @property
    def compiled(self) -> bool: ...

    @property
    def size(self) -> int: ...

    @property
    def all_squares(self) -> bool: ...

def rules(*, id: str, size: int, all_squares: bool, capture_lines: int, men_capture_backward: bool, men_capture_kings: bool, flying_king: bool, king_landing: int, promotion: int, removal: int, capture_priority: Sequence[int], interpreted: bool, algebraic: Sequence[str], numbers: Sequence[str], rows_columns: Sequence[str], fen: str, moves: str, white_start: Sequence[int], black_start: Sequence[int], black_starts: bool) -> Rules: ...

class Move:
    """
    Everything one side does in a turn, all jumps included.

    Two moves are equal when they share origin and result; the route is kept for drawing.
    Squares are internal indices; `text` has their names.

    >>> import damas
    >>> (move,) = damas.Position.from_fen("W:Wc3:Bd4,f6", "brasileira").legal_moves
    >>> move.text, move.captured, move.route
    ('c3xe5xg7', (13, 22), (9, 18, 27))
    """

    def __copy__(self) -> Self: ...

    def __deepcopy__(self, memo: dict[int, object]) -> Self: ...

    @property
    def rules(self) -> Rules:
        """The rules that name its squares."""

    @property
    def origin(self) -> int:
        """The square it leaves."""

    @property
    def destination(self) -> int:
        """The square it ends on."""

    @property
    def promotes(self) -> bool:
        """Whether a man ends it as a king."""

    @property
    def by_king(self) -> bool:
        """Whether a king made it, not a man."""

    @property
    def is_capture(self) -> bool:
        """Whether it takes anything."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares of the pieces taken, in the order taken."""

    @property
    def route(self) -> tuple[int, ...]:
        """Every square it rests on, first to last."""

    @property
    def text(self) -> str:
        """In the rulebook's own notation."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class LegalMoves:
    """
    The legal moves of a position: iterate, count, index or ask with `in`.

    Captures are already reduced to the compulsory ones.

    >>> import damas
    >>> moves = damas.Position.start("brasileira").legal_moves
    >>> len(moves), moves[0].text, moves[0] in moves
    (7, 'a3-b4', True)
    """

    def __copy__(self) -> Self: ...

    def __deepcopy__(self, memo: dict[int, object]) -> Self: ...

    @property
    def rules(self) -> Rules:
        """The rules that name the squares."""

    def __len__(self) -> int: ...

    def count(self) -> int:
        """How many there are."""

    def __repr__(self) -> str: ...

    def __getitem__(self, index: int, /) -> Move: ...

    def __iter__(self) -> Iterator[Move]: ...

    def __contains__(self, move: object, /) -> bool: ...

def move(rules: Rules, route: Sequence[int], captured: Sequence[int], promotes: bool, by_king: bool) -> Move:
    """
    The move with this route and these pieces taken; whether it is legal is for a position to say.
    """

def moves(rules: Rules, moves: Sequence[Move]) -> LegalMoves:
    """Moves as a position lists them."""

class Position:
    def __copy__(self) -> Self: ...

    def __deepcopy__(self, memo: dict[int, object]) -> Self: ...

    @property
    def rules(self) -> Rules:
        """What the core knows of the rulebook."""

    @property
    def black_to_move(self) -> bool:
        """Whether Black is to move."""

    @property
    def white_men(self) -> tuple[int, ...]:
        """The squares of White's men, in ascending order."""

    @property
    def white_kings(self) -> tuple[int, ...]:
        """The squares of White's kings, in ascending order."""

    @property
    def black_men(self) -> tuple[int, ...]:
        """The squares of Black's men, in ascending order."""

    @property
    def black_kings(self) -> tuple[int, ...]:
        """The squares of Black's kings, in ascending order."""

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """White men, White kings, Black men, Black kings."""

    @property
    def diagram(self) -> str:
        """One character a square: w W b B or a point."""

    @property
    def fen(self) -> str:
        """
        As a FEN in the rulebook's own names of squares; `Position.from_fen` reads it back.
        """

    @property
    def key(self) -> int:
        """64 bits that are equal for equal positions, on every platform."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def legal_moves(self) -> LegalMoves:
        """
        Every legal move, captures already reduced to the compulsory ones; those that differ only in their route appear once. Their order is the same on every platform.
        """

    def routes(self) -> LegalMoves:
        """The legal moves with every order of taking kept apart."""

    @property
    def takes_long(self) -> bool:
        """
        Whether listing the legal moves or their routes takes more than about a millisecond, or is given up. Such lists are made without Python's lock, and the last few are remembered.
        """

    def quiet_moves(self) -> LegalMoves:
        """Moves without capture, as if captures were not compulsory."""

    def count_moves(self) -> int:
        """The number of legal moves, without listing them."""

    def must_capture(self) -> bool:
        """Whether the side to move has a capture, which is then compulsory."""

    def after(self, move: Move, /) -> Self | None:
        """The next position, or None if the move is not legal here."""

    def under(self, rules: Rules, /) -> Self:
        """The same pieces under other rules of the same board."""

    def read(self, text: str, /) -> tuple[list[Move], tuple[int, ...], str] | tuple[list[tuple[str, str, int, int]], None, None]:
        """
        (moves the text may mean, squares it names, scheme), or (problems, None, None).
        """

    def refused(self, text: str, /) -> tuple[list[tuple[str, str, int, int]], list[tuple[str, str, int, list[tuple[str, int, int]]]], list[str]]:
        """
        Why a text may not be played: problems with the text, or rules that it breaks (code, the rulebook's statement or answer, which of its articles, facts) and what may be played instead. All empty if it may.
        """

    def perft(self, depth: int, routes: bool = False) -> int:
        """
        The number of lines of play of so many plies; draw laws do not end any. With `routes`, captures that differ only in their route are counted apart.
        """

P = TypeVar("P", bound=Position)

def start(type: type[P], rules: Rules, /) -> P: ...

def place(type: type[P], rules: Rules, white_men: Sequence[int], white_kings: Sequence[int], black_men: Sequence[int], black_kings: Sequence[int], black_to_move: bool, /) -> P | list[tuple[str, str, int, int]]:
    """
    A position of the given class, or the list of what is wrong: code, token, offset, square or -1.
    """

def read_fen(type: type[P], rules: Rules, text: str, /) -> P | list[tuple[str, str, int, int]]:
    """
    A position of the given class, or the list of what is wrong: code, token, offset, square or -1.
    """

def successors(rules: Rules, codes: Buffer, turns: Buffer) -> tuple[memoryview, memoryview, memoryview]:
    """
    Piece codes of all successors, and for each its parent's row and the move's two ends.
    """

class Laws:
    """The draw and rest rules of one rulebook, in the order of its file."""

    def __init__(self, max_pieces: int) -> None:
        """`max_pieces`: the most pieces a side can have."""

    def add(self, *, id: str, kind: int, need: int, by_pieces: bool, claim: int, platform: bool, off_during: int) -> None: ...

    def add_limit(self, *, id: str, need: int, by_pieces: bool, claim: int, platform: bool, off_during: int, strong_only: bool, starts: int, while_weak: bool, capture: bool, man_move: bool, promotion: bool, unless: int, endings: Sequence[Sequence[tuple[int, int]]], pieces: tuple[int, int], a_side: int, kings_on_both_sides: bool) -> None:
        """
        Each ending: the fewest and most kings and men of one side, then of the other.
        """

    def add_rest(self, limit: int) -> None:
        """So many simple moves in a row may one king make."""

    def applies(self, law: int, counts: tuple[int, int, int, int]) -> bool:
        """
        Whether a law applies to this material: White men, White kings, Black men and kings.
        """

    def waits_for_claim(self, law: int, claims: bool) -> bool:
        """
        Whether a law waits for a player's claim; `claims`: the regulation asks for claims.
        """

def strong_side_is_black(counts: tuple[int, int, int, int]) -> bool:
    """
    The stronger side has more pieces, then more kings; it is White if all is equal.
    """

GOES_ON: int = -1

NO_MOVE: int = -2

class Record:
    """
    A game as it was played. Playing on gives a longer record; this one stays.
    """

    def __init__(self, start: Position, laws: Laws, recorded: bool) -> None: ...

    def __copy__(self) -> Self: ...

    def __deepcopy__(self, memo: dict[int, object]) -> Self: ...

    @property
    def rules(self) -> Rules:
        """What the core knows of the rulebook."""

    @property
    def recorded(self) -> bool:
        """
        Whether the players write the game down: some limits count from a claim where nobody does.
        """

    @property
    def claims(self) -> tuple[tuple[int, str], ...]:
        """
        (ply after which it was made, id of the limit): players who called attention to a limit.
        """

    @property
    def length(self) -> int:
        """How many plies have been played."""

    @property
    def start(self) -> Position:
        """The position before the first ply."""

    @property
    def position(self) -> Position:
        """The position now."""

    def position_after(self, ply: int) -> Position:
        """The position after so many plies; 0 is the start."""

    def move(self, ply: int) -> Move:
        """The move of a ply; plies count from 1."""

    @property
    def positions(self) -> list[Position]:
        """The start, then the position after each ply."""

    @property
    def moves(self) -> list[Move]:
        """The moves in the order played."""

    def after(self, move: Move, rested: bool) -> Self | None:
        """
        The record with one more ply, or None if the move is not legal; `rested`: nor if its king must rest.
        """

    def extend(self, moves: Iterable[Move], claims: Sequence[tuple[int, str]], platform_rules: bool, wait_for_claims: bool) -> tuple[Self, Move | None]:
        """
        The record with these moves, up to the one that ends the game, and the first that is not legal or None.
        """

    def until(self, ply: int) -> Self:
        """
        The record as it stood after an earlier ply; later claims are forgotten with the moves.
        """

    def claim(self, rule_id: str) -> Self:
        """The record with a player's attention called to a limit, now."""

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the position that the rest rules leave."""

    def count(self, law: int) -> tuple[int, int, int, int, tuple[int, ...], int] | None:
        """
        (have, need, since, first, plies, ending) of a law, or None where it has nothing to count.
        """

    def running(self, platform_rules: bool) -> list[int]:
        """
        The laws that count now; a draw that the platform offers gives way to the text's own limit on this ending.
        """

    def claimable(self, platform_rules: bool, wait_for_claims: bool) -> list[int]:
        """
        The laws that are complete and wait for a player to say so; none after the end of the game.
        """

    def move_number(self, ply: int) -> int:
        """
        The number a score sheet gives a ply: a pair of turns a number, the starter's turn first.
        """

    def ended_by(self, platform_rules: bool, wait_for_claims: bool) -> int:
        """
        NO_MOVE where no move is left, else the first law that ends the game by itself, or GOES_ON.
        """

    def resting_king(self, rule: int) -> int | None:
        """
        The square of the king that may make no simple move now by a rest rule, or None.
        """

    def __eq__(self, other: object, /) -> bool: ...

class GameBatch:
    """The laws of many games that advance together."""

    def __init__(self, start: Position, laws: Laws, games: int) -> None: ...

    def copy(self) -> GameBatch:
        """The same games, which go their own way."""

    def play(self, codes: Buffer, turns: Buffer, origins: Buffer, destinations: Buffer, restarted: Buffer) -> None:
        """
        One move in each game: the board and the turn after it, and its two ends; or the game begins anew.
        """

    def ended_by(self, platform_rules: bool, wait_for_claims: bool) -> memoryview:
        """The first law that ends each game by itself, or GOES_ON."""

    def count(self, law: int) -> memoryview:
        """How far a law has run in each game, -1 where it has nothing to count."""

    def resting_kings(self) -> memoryview:
        """
        The square of the king that may make no simple move now in each game, or -1.
        """

class DamagedTable(ValueError):
    pass

TABLE_FORMAT: int = 2

class Progress:
    """How far long work is; may be read and stopped from another thread."""

    def __init__(self) -> None: ...

    @property
    def done(self) -> int: ...

    def stop(self) -> None: ...

class EndgameTables:
    """
    Endgame tables of one set of rules. Materials are canonical: White the stronger side.
    """

    def __init__(self, rules: Rules, key: bytes) -> None: ...

    def declare(self, material: tuple[int, int, int, int], count: tuple[int, int, bool, bool, bool, bool], starts: bool, started: tuple[int, int, bool, bool, bool, bool], diagonal: int, immediate_draw: bool, unavoidable: bool, endless_wins: bool) -> int:
        """
        Makes a material known with its law; returns how many positions it has for one side to move.
        """

    def solve(self, material: tuple[int, int, int, int], threads: int, progress: Progress) -> bool:
        """False if it was stopped."""

    def save(self, material: tuple[int, int, int, int], path: str, threads: int) -> None:
        """Raises OSError."""

    def open(self, material: tuple[int, int, int, int], path: str) -> None: ...

    def load(self, material: tuple[int, int, int, int], threads: int) -> None: ...

    def check(self, material: tuple[int, int, int, int], threads: int) -> None:
        """Reads a whole file; raises DamagedTable."""

    def release(self, material: tuple[int, int, int, int]) -> None:
        """Gives back the memory; its file still answers."""

    def available(self, material: tuple[int, int, int, int]) -> bool: ...

    def probe(self, position: Position, table: int) -> int:
        """
        A code: 0 drawn, 1 + 2d lost in d plies, 2 + 2d won in d; -1 if not there.
        """

    def tally(self, material: tuple[int, int, int, int], position_type: object) -> list[tuple[tuple[int, int, int, int], list[tuple[int, int, int, int, Any]]]]:
        """
        For each order of the material, White to move: (wins, draws, losses, longest, where), without limits and with.
        """

    def verify(self, material: tuple[int, int, int, int], samples: int, threads: int, progress: Progress, position_type: object) -> tuple[int, list[tuple[Any, int, int, int]]]:
        """
        Derives every position anew from its moves (or so many samples): how many, and what differs.
        """

class Network:
    """A network of integers that scores quiet positions."""

    @staticmethod
    def read(data: bytes) -> Network:
        """
        Reads a file's bytes; raises ValueError with the one thing that is wrong.
        """

    @property
    def size(self) -> int: ...

    @property
    def all_squares(self) -> bool: ...

    @property
    def rules(self) -> int: ...

    @property
    def card(self) -> str: ...

    @property
    def checksum(self) -> int: ...

def rules_fingerprint(rules: Rules) -> int:
    """64 bits that are equal for rules that move alike."""

class Line:
    """Moves the search expects, and their score for the side to move."""

    @property
    def score(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def moves(self) -> list[Move]: ...

class Report:
    """What a search has found."""

    @property
    def depth(self) -> int: ...

    @property
    def deepest(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def table_hits(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def hash_full(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def verdict(self) -> int: ...

    @property
    def lines(self) -> list[Line]: ...

class Engine:
    """A search with its memory and threads. One search at a time."""

    def __init__(self, rules: Rules, laws: Laws, *, platform_rules: bool = True, hash_bytes: int, threads: int, interpreted: bool = False, baseline: bool = False) -> None: ...

    def use(self, network: Network | None) -> None: ...

    def use_tables(self, tables: EndgameTables, pieces: int, materials: Sequence[tuple[tuple[int, int, int, int], int, int, int, int]]) -> None:
        """
        Asks endgame tables of up to so many pieces: for each material, the limits that its tables count.
        """

    def ticket(self) -> int:
        """
        Announces a search: `stop` and `ponder_hit` reach it even before it begins.
        """

    def search(self, record: Record, *, depth: int = 120, nodes: int = 0, soft_us: int = 0, hard_us: int = 0, lines: int = 1, ponder: bool = False, noise: int = 0, share: int = 256, horizon: int = 200, seed: int = 0, only: Sequence[Position] = [], ticket: int = 0, watcher: object | None = None) -> Report:
        """
        Thinks about the last position of a game until a limit is met or `stop` is called.
        """

    def stop(self) -> None:
        """
        From any thread: ends the search in progress, and each that has a ticket.
        """

    def ponder_hit(self) -> None:
        """The expected move was played: the clock runs."""

    def clear(self) -> None:
        """Forgets everything learned in earlier searches."""

    def standing(self, position: Position) -> int:
        """The static score, for the side to move."""

def harvest(rules: Rules, laws: Laws, network: Network | None, *, nodes: int, seed: int, first: int, games: int, threads: int, random: tuple[int, int] = (4, 9), fair: int = 150, threatened: bool = False, table_engine: Engine | None = None, progress: Progress | None = None) -> tuple[bytes, dict[str, Any]]:
    """
    Games of the engine against itself: records to learn from, and counts. The endgame tables of another engine end three games in four.
    """

def pairs(rules: Rules, laws: Laws, first: Network | None, second: Network | None, *, nodes: int, move_us: int, seed: int, from_pair: int, count: int, threads: int) -> tuple[list[int], list[int]]:
    """
    Pairs of games from the same opening with colours changed: how many pairs gave the first player 0, 1/2, ... 2 points, and how many games it lost, drew and won.
    """

def record_bytes(rules: Rules) -> int: ...
