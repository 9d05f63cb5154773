"""A game: a record and what the laws say of it. The board and the laws only; people's procedures are the arbiter's."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from damas.board import Color
from damas.errors import Citation, GameOver, IllegalMove, Refusal
from damas.game.laws import Law, Progress, laws, resting_king
from damas.game.outcome import Outcome
from damas.game.position import Move, Position
from damas.game.record import Claims, Record
from damas.rules import DrawRule, Rulebook, cite, rulebook


@dataclass(frozen=True)
class Customs:
    """What a regulation settles about the laws: may the platform end a game, and which limits wait for a claim."""

    platform_rules: bool = True
    claims: bool = False
    """True: a limit that the federation words as a claim waits for one. False: it is applied by itself (G3)."""


LETTER = Customs(platform_rules=False, claims=False)
"""The rulebook alone, nothing added."""


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
        book = rulebook(book) if isinstance(book, str) else book
        position = Position.from_fen(fen, book) if fen else Position.start(book)
        record = Record(position, recorded=recorded)
        customs = customs or Customs()
        return cls(record, customs, ending(record, customs))

    @classmethod
    def of(
        cls,
        start: Position,
        moves: Iterable[Move],
        *,
        recorded: bool = True,
        claims: Claims = (),
        customs: Customs | None = None,
    ) -> Self:
        """The game that these moves make, up to the one that ends it; raises as `Position.play` does.

        The same as playing them one by one, only quicker: no law is asked before it can be complete. `claims` are the
        plies after which a player called attention to a limit, and its id.

        >>> start = Position.from_fen("W:WKa1,Kg1:BKb8", "brasileira")
        >>> Game.of(start, []).outcome is None
        True
        """
        game = cls(Record(start, recorded=recorded), customs or Customs())
        game = replace(game, outcome=ending(game.record, game.customs))
        if game.outcome:
            return game
        laws_at_work = [
            law
            for law in applicable(start.rulebook, game.customs)
            if not waits_for_claim(law.rule, game.customs)
        ]
        due = [0] * len(laws_at_work)
        ply = soonest = 0
        for record in Record.growing(start, moves, recorded=recorded, claims=claims):
            ply += 1
            if start.rulebook.rests and (why := rests(record.until(ply - 1), record.move(ply))):
                raise IllegalMove(why)
            if not _can_move(record):
                return cls(record.ended(), game.customs, end_on_board(record))
            if ply < soonest:
                continue
            for place, law in enumerate(laws_at_work):
                if ply < due[place]:
                    continue
                progress = law.progress(record)
                if progress and progress.complete:
                    return cls(record.ended(), game.customs, declare(record, progress))
                due[place] = law.soonest(record, progress)
            soonest = min(due, default=0)
        return cls(record.until(ply), game.customs) if ply else game

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def legal_moves(self) -> list[Move]:
        """Those of the position that the moves before allow: in most rulebooks all of them; none after the end."""
        return [] if self.outcome else legal_moves(self.record)

    def play(self, move: Move | str) -> Self:
        """One ply further. Raises `GameOver` after the end, `IllegalMove` where the moves before forbid this one,
        otherwise as `Position.play` does.
        """
        if self.outcome:
            tried = move if isinstance(move, str) else move.text
            raise GameOver(Refusal("GAME_OVER", tried, self.outcome.citation))
        if isinstance(move, str):
            move = self.position.parse(move)
        if why := rests(self.record, move):
            raise IllegalMove(why)
        record = self.record.play(move)
        return replace(self, record=record, outcome=ending(record, self.customs))

    def call_attention(self, rule_id: str) -> Self:
        """A player calls attention to a limit that is counted from such a claim; to any other it changes nothing.

        Raises `ValueError` for an id that no draw rule of this game has.
        """
        if rule_id not in self.draw_rules:
            known = ", ".join(self.draw_rules) or "none"
            raise ValueError(f"no draw rule {rule_id!r} in this game; there are: {known}")
        record = self.record.claim(rule_id)
        return replace(self, record=record, outcome=self.outcome or ending(record, self.customs))

    def take_back(self, plies: int = 1) -> Self:
        """The game as it stood so many plies ago."""
        if not 0 <= plies <= self.record.length:
            raise ValueError(f"{plies} plies cannot be taken back: {self.record.length} have been played")
        record = self.record.until(self.record.length - plies)
        return replace(self, record=record, outcome=ending(record, self.customs))

    def claimable(self) -> list[Progress]:
        """Limits that are complete and wait for a player to say so."""
        if self.outcome:
            return []
        return [
            progress
            for law in applicable(self.record.rulebook, self.customs)
            if waits_for_claim(law.rule, self.customs)
            and (progress := law.progress(self.record))
            and progress.complete
        ]

    def claim(self, rule_id: str) -> Outcome | None:
        """What a claim of that rule would bring now: an outcome if it is right, None if not."""
        return next((declare(self.record, p) for p in self.claimable() if p.rule.id == rule_id), None)

    @property
    def draw_rules(self) -> dict[str, DrawRule]:
        """The draw rules of this game, by their ids."""
        return {law.rule.id: law.rule for law in applicable(self.record.rulebook, self.customs)}

    def progress(self) -> list[Progress]:
        """Every law that is counting, nearest to its end first."""
        running = [
            progress
            for law in applicable(self.record.rulebook, self.customs)
            if (progress := law.progress(self.record))
        ]
        return sorted(running, key=lambda progress: progress.need - progress.have)


def applicable(book: Rulebook, customs: Customs) -> list[Law]:
    return [law for law in laws(book) if customs.platform_rules or not law.rule.platform]


def waits_for_claim(rule: DrawRule, customs: Customs) -> bool:
    """A federation's claim is applied by itself unless the regulation asks for claims; a platform's is an offer only."""
    return rule.claim == "player" and (rule.platform or customs.claims)


def legal_moves(record: Record) -> list[Move]:
    """The moves of the position that the record leaves."""
    moves = list(record.position.legal_moves)
    for rule in record.rulebook.rests:
        resting = resting_king(rule, record)
        moves = [move for move in moves if move.is_capture or move.origin != resting]
    return moves


def rests(record: Record, move: Move) -> Refusal | None:
    """Why a king may not make this simple move after those before it, or None if it may."""
    for rule in record.rulebook.rests:
        if not move.is_capture and move.origin == resting_king(rule, record):
            square = record.rulebook.square_names[move.origin]
            facts: dict[str, object] = {"square": square, "count": rule.limit, "ply": record.length + 1}
            legal = tuple(other.text for other in legal_moves(record))
            return Refusal("KING_RESTS", move.text, cite(record.rulebook, rule.article), facts, legal)
    return None


def _can_move(record: Record) -> bool:
    return bool(legal_moves(record) if record.rulebook.rests else record.position.count_moves())


def ending(record: Record, customs: Customs) -> Outcome | None:
    """How the game stands after its last ply: the end on the board comes before every draw (G5)."""
    return end_on_board(record) or _end_by_law(record, customs)


def end_on_board(record: Record) -> Outcome | None:
    position = record.position
    if _can_move(record):
        return None
    loser = position.turn
    white_men, white_kings, black_men, black_kings = position.counts
    pieces = white_men + white_kings if loser is Color.WHITE else black_men + black_kings
    reason, statement = ("NO_MOVES", "no_move_loses") if pieces else ("NO_PIECES", "no_pieces_loses")
    book = record.rulebook
    article = book.statement(statement)
    citation = cite(book, article) if article else Citation(book.id, "", "")
    return Outcome(loser.other, reason, citation, facts={"loser": loser})


def _end_by_law(record: Record, customs: Customs) -> Outcome | None:
    for law in applicable(record.rulebook, customs):
        if waits_for_claim(law.rule, customs):
            continue
        progress = law.progress(record)
        if progress and progress.complete:
            return declare(record, progress)
    return None


def declare(record: Record, progress: Progress) -> Outcome:
    """The outcome a completed law gives."""
    rule = progress.rule
    winner = _more_pieces(record.position) if rule.decides == "pieces" else None
    facts: dict[str, object] = {"count": rule.limit, "since": record.move_number(progress.first)}
    if progress.plies:
        facts["plies"] = ", ".join(map(str, progress.plies))
    citation = cite(record.rulebook, progress.article)
    return Outcome(winner, rule.rule.upper(), citation, rule.id, rule.platform, facts)


def _more_pieces(position: Position) -> Color | None:
    white_men, white_kings, black_men, black_kings = position.counts
    white, black = white_men + white_kings, black_men + black_kings
    return None if white == black else Color.WHITE if white > black else Color.BLACK
