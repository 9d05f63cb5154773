"""A game: a record and what the laws say of it. The board and the laws only; people's procedures are the arbiter's."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from damas import _core
from damas.board import Color
from damas.errors import GameOver, IllegalMove, Refusal
from damas.game import pickling
from damas.game.laws import Progress, in_endings, laws_of, progress_of
from damas.game.outcome import Occurrences, Outcome
from damas.game.position import Move, Position, no_move
from damas.game.record import Claims, Record
from damas.rules import DrawRule, Rulebook, cite
from damas.rules.limits import LimitName


@dataclass(frozen=True)
class Customs:
    """What a regulation settles about the laws: may the platform end a game, and which limits wait for a claim."""

    platform_rules: bool = True
    claims: bool = False
    """True: a limit that the federation words as a claim waits for one. False: it is applied by itself (G3)."""
    offers: bool = False
    """Whether the platform offers a draw at the third occurrence under a text that has no rule on it (B.000-6)."""
    offers_wait: bool = True
    """Whether that offer waits while the text limits the ending on the board. In older records it did not."""


LETTER = Customs(platform_rules=False, claims=False)
"""The rulebook alone, nothing added."""


OFFER = DrawRule(
    id="platform-third-occurrence",
    rule="repetition",
    articles=(),
    limit=3,
    claim="player",
    decides="draw",
    platform=True,
)
"""The draw that the platform offers in a casual game: either player may take it, and nobody must."""


@dataclass(frozen=True)
class Game:
    """A value: `play` gives the next game and leaves this one as it is.

    >>> game = Game.start("brasileira", fen="W:WKa1,Kg1:BKb8")
    >>> game.play("g1-h2").progress()[0].have
    1
    """

    record: Record
    customs: Customs = Customs()
    outcome: Outcome | None = None

    @classmethod
    def start(
        cls,
        book: Rulebook | str,
        *,
        fen: str | None = None,
        recorded: bool = True,
        customs: Customs | None = None,
    ) -> Self:
        """A new game from the start of a rulebook, or from the position of a FEN."""
        position = Position.from_fen(fen, book) if fen else Position.start(book)
        record = Record(position, recorded=recorded)
        customs = customs or Customs()
        return cls(record, customs, ending(record, customs))

    @classmethod
    def of(
        cls,
        start: Position,
        moves: Iterable[Move | str],
        *,
        recorded: bool = True,
        claims: Claims = (),
        customs: Customs | None = None,
    ) -> Self:
        """The game that these moves or their texts make, up to the one that ends it; raises as `play` does.

        The same as playing them one by one, and with moves quicker. `claims` are the plies after which a player called attention
        to a limit, and its id.

        >>> start = Position.from_fen("W:WKa1,Kg1:BKb8", "brasileira")
        >>> Game.of(start, []).outcome is None
        True
        """
        customs = customs or Customs()
        record, refused = Record(start, recorded=recorded).extend(
            _read(start, moves), claims, customs.platform_rules, customs.claims
        )
        if refused is not None:
            raise refused_move(record, refused)
        return cls(record, customs, ending(record, customs))

    @property
    def position(self) -> Position:
        """The position after the last ply."""
        return self.record.position

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook by which it is played."""
        return self.record.rulebook

    @property
    def turn(self) -> Color:
        """The side to move; after the end, the side that would have moved."""
        return self.position.turn

    @property
    def moves(self) -> list[Move]:
        """The moves played, in order."""
        return self.record.moves

    def pdn(self, tags: Mapping[str, str] | None = None, *, numbering: str | None = None) -> str:
        """The game as PDN, with these tags beside those that follow from it; see `damas.notation.write_game`.

        >>> Game.start("brasileira").play("c3-d4").pdn({"White": "Ana"}).splitlines()[-1]
        '1. c3-d4 *'
        """
        from damas.notation.pdn.game import PdnGame  # a room above, which only those who write games load

        return PdnGame.of_game(self, tags).pdn(numbering)

    def _repr_svg_(self) -> str:
        """The board with the last move on it, in a notebook."""
        last = self.record.move(self.record.length).route if self.record.length else None
        return self.position.svg(last_move=last)

    @property
    def legal_moves(self) -> list[Move]:
        """Those of the position that the moves before allow: in most rulebooks all of them; none after the end."""
        return [] if self.outcome else list(self.record.legal_moves)

    def play(self, move: Move | str) -> Self:
        """One ply further. Raises `GameOver` after the end, `IllegalMove` where the moves before forbid this one,
        otherwise as `Position.play` does.
        """
        if self.outcome:
            tried = move.text if isinstance(move, Move) else str(move)
            raise GameOver(Refusal("GAME_OVER", tried, self.outcome.citation))
        record = self.record
        if isinstance(move, str):
            move = record.position.parse(move)
        try:
            longer = record.after(move, True)
        except TypeError:
            raise no_move(move) from None
        if longer is None:
            raise refused_move(record, move)
        return self._with(longer)

    def call_attention(self, rule_id: str) -> Self:
        """A player calls attention to a limit that is counted from such a claim; to any other it changes nothing.

        Raises `ValueError` for an id that no draw rule of this game has.
        """
        if rule_id not in self.draw_rules:
            ids = ", ".join(self.draw_rules) or "none"
            raise ValueError(f"no draw rule {rule_id!r} in this game; there are: {ids}")
        called = self._with(self.record.claim(rule_id))
        return type(self)(called.record, self.customs, self.outcome) if self.outcome else called

    def take_back(self, plies: int = 1) -> Self:
        """The game as it stood so many plies ago."""
        if not 0 <= plies <= self.record.length:
            raise ValueError(f"{plies} plies cannot be taken back: {self.record.length} have been played")
        return self._with(self.record.until(self.record.length - plies))

    def claimable(self) -> list[Progress]:
        """Limits that are complete and wait for a player to say so."""
        if self.outcome:
            return []
        record, customs = self.record, self.customs
        draws = record.rulebook.draws
        laws = record.claimable(customs.platform_rules, customs.claims)
        complete = progress_of(record, (draws[law] for law in laws))
        if OFFER.id in self.draw_rules and not self._offer_comes_too_early():
            complete += [offer for offer in [_occurrences(record)] if offer.complete]
        return complete

    def _offer_comes_too_early(self) -> bool:
        """Whether the offer must wait, because the text itself limits the ending on the board.

        The text goes first even before a player calls for its count.
        """
        book = self.record.rulebook
        return self.customs.offers_wait and any(
            in_endings(book, limit, self.position.counts)
            for limit in book.draws
            if limit.endings and not limit.platform
        )

    def claim(self, rule_id: str) -> Outcome | None:
        """What a claim of that rule would bring now: an outcome if it is right, None if not."""
        return next((declare(self.record, p) for p in self.claimable() if p.rule.id == rule_id), None)

    @property
    def draw_rules(self) -> dict[str, DrawRule]:
        """The draw rules of this game, by their ids."""
        book = self.record.rulebook
        rules = {rule.id: rule for rule in applicable(book, self.customs)}
        repeats = any(rule.rule in ("repetition", "cycle") for rule in book.draws)
        return rules if repeats or not self.customs.offers else {**rules, OFFER.id: OFFER}

    def progress(self) -> list[Progress]:
        """Every law that is counting, nearest to its end first."""
        draws = self.record.rulebook.draws
        laws = self.record.running(self.customs.platform_rules)
        running = progress_of(self.record, (draws[law] for law in laws))
        return sorted(running, key=lambda progress: progress.need - progress.have)

    def __repr__(self) -> str:
        state = self.outcome.result if self.outcome else f"{self.turn.value} to move"
        texts = [move.text for move in self.moves]
        return f"<Game {' '.join([self.rulebook.id, *texts])}, {state}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (pickling.game, (pickling.VERSION, type(self), self.record, self.customs, self.outcome))

    def _with(self, record: Record) -> Self:
        """The game with another record and the outcome that it has. Written to the instance itself: it is new."""
        game = object.__new__(type(self))
        customs = self.customs
        game.__dict__.update(record=record, customs=customs, outcome=ending(record, customs))
        return game


def _read(start: Position, moves: Iterable[Move | str]) -> Iterable[Move]:
    """The moves, texts among them read in the position in which they are played; raises `TypeError` for anything else."""
    if isinstance(moves, str):
        raise TypeError("a list of moves is needed, not one text")
    moves = list(moves)
    for item in moves:
        if not isinstance(item, Move | str):
            raise no_move(item)
    return _texts_read(start, moves) if any(isinstance(item, str) for item in moves) else moves  # type: ignore[return-value]


def _texts_read(position: Position, moves: list[Move | str]) -> Iterator[Move]:
    """Each move when it is wanted: those after the end of the game are not read."""
    for item in moves:
        move = position.parse(item) if isinstance(item, str) else item
        yield move
        position = position.play(move)


def applicable(book: Rulebook, customs: Customs) -> list[DrawRule]:
    """The draw rules that may act under these customs, in the order of the rulebook's file."""
    return [rule for rule in book.draws if customs.platform_rules or not rule.platform]


def waits_for_claim(book: Rulebook, rule: DrawRule, customs: Customs) -> bool:
    """Whether a draw rule ends the game only when a player claims it."""
    return rule is OFFER or laws_of(book).waits_for_claim(book.draws.index(rule), customs.claims)


def _occurrences(record: Record) -> Progress:
    """How often the position has stood, as far as the offer asks."""
    now = record.position
    plies = tuple(ply for ply, position in enumerate(record.positions) if position == now)
    return Progress(OFFER, len(plies), OFFER.limit, plies[0], plies[0] + 1, plies)


def rests(record: Record, move: Move) -> Refusal | None:
    """Why a king may not make this simple move after those before it, or None if it may."""
    for number, rule in enumerate(record.rulebook.rests):
        if not move.is_capture and move.origin == record.resting_king(number):
            square = record.rulebook.square_names[move.origin]
            facts: dict[str, object] = {"square": square, "count": rule.limit, "ply": record.length + 1}
            legal = tuple(other.text for other in record.legal_moves)
            return Refusal("KING_RESTS", move.text, cite(record.rulebook, rule.article), facts, legal)
    return None


def refused_move(record: Record, move: Move) -> Exception:
    """The error of a move that the core has refused."""
    if why := rests(record, move):
        return IllegalMove(why)
    from damas.game.explain import error_for  # a legal move never needs it

    return error_for(record.position, move.text)


def ending(record: Record, customs: Customs) -> Outcome | None:
    """How the game stands after its last ply: the end on the board comes before every draw (G5)."""
    law = record.ended_by(customs.platform_rules, customs.claims)
    if law == _GOES_ON:
        return None
    if law == _core.NO_MOVE:
        return _end_on_board(record)
    [progress] = progress_of(record, [record.rulebook.draws[law]])
    return declare(record, progress)


_GOES_ON = _core.GOES_ON


def _end_on_board(record: Record) -> Outcome:
    position = record.position
    loser = position.turn
    white_men, white_kings, black_men, black_kings = position.counts
    pieces = white_men + white_kings if loser is Color.WHITE else black_men + black_kings
    reason, statement = ("NO_MOVES", "no_move_loses") if pieces else ("NO_PIECES", "no_pieces_loses")
    return Outcome.loss(loser, reason, cite(record.rulebook, record.rulebook.statement(statement)))


def declare(record: Record, progress: Progress) -> Outcome:
    """The outcome a completed law gives."""
    rule = progress.rule
    winner = _more_pieces(record.position) if rule.decides == "pieces" else None
    facts: dict[str, object] = {"count": rule.limit, "since": record.move_number(progress.first)}
    if progress.plies:
        facts["plies"] = ", ".join(map(str, progress.plies))
    citation = cite(record.rulebook, progress.article)
    name = LimitName(record.rulebook, rule, progress.ending)
    places = None
    if progress.plies:
        numbers = tuple(record.move_number(ply) if ply else 0 for ply in progress.plies)
        places = Occurrences(record.mover(progress.plies[-1]), numbers, rule.rule == "cycle")
    return Outcome(
        winner,
        rule.rule.upper(),
        citation,
        rule.id,
        rule.platform,
        facts,
        limit=name,
        occurrences=places,
    )


def _more_pieces(position: Position) -> Color | None:
    white_men, white_kings, black_men, black_kings = position.counts
    white, black = white_men + white_kings, black_men + black_kings
    return None if white == black else Color.WHITE if white > black else Color.BLACK
