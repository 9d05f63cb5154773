"""May a move be played, and if not, by which article."""

from dataclasses import dataclass, replace
from functools import cached_property

from damas.board import Square
from damas.errors import Citation, NotationError, Refusal
from damas.game import Move, Position
from damas.game.explain import examine, left_uncrowned
from damas.language import sentence
from damas.notation import Hint
from damas.notation.schemes import bottom_left_move
from damas.views.errors import RefusalView, refusal_view, unreadable_view
from damas.views.moves import BoardMoveView, MoveView, alternatives, board_moves, move_view
from damas.views.plain import view_of
from damas.views.words import article_text


@dataclass(frozen=True, slots=True)
class UncrownedView:
    """A man that passes the last row without ending its move there stays a man."""

    square: str
    article: str
    article_id: str
    message: str


@dataclass(frozen=True, slots=True)
class HintView:
    """What a text would mean in a scheme that the board does not use; offered, never played."""

    scheme: str
    move: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMoveView(BoardMoveView):
    """A legal move with internal squares and with names."""

    from_: str
    to: str
    route: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationView:
    """Whether a move may be played. A legal one has `move` and `after`, any other has `refusal`."""

    rulebook: str
    fen: str
    tried: str
    scheme: str | None
    """algebraic, numbers or rows-columns; null where the text could not be read."""
    legal: bool
    not_crowned: UncrownedView | None
    refusal: RefusalView | None
    hint: HintView | None
    after: str | None = None
    """FEN after the move."""
    article_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedExplanationView(ExplanationView):
    """The answer of `damas explain --json`: moves with the names of their squares."""

    move: MoveView | None = None
    alternatives: tuple[MoveView, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardExplanationView(ExplanationView):
    """The answer of `POST /api/explain`: moves with the squares of a board."""

    move: ExplainedMoveView | None = None
    alternatives: tuple[BoardMoveView, ...] | None = None
    route: tuple[int, ...]
    """The squares that were named."""
    marks: tuple[int, ...] | None = None
    """Squares of the pieces that may move instead."""


class Explanation:
    """An attempt at a move, read and examined once."""

    def __init__(self, position: Position, tried: str) -> None:
        self.position, self.tried = position, tried
        reading = position.read(tried)
        self.scheme: str | None = reading[2]
        self.squares: tuple[Square, ...] = reading[1] or ()
        """The squares that the text names; none where it cannot be read."""
        self.candidates = [move for move in reading[0] if isinstance(move, Move)]
        """The legal moves that the text may mean."""
        self.refusal: Refusal | None = None
        self.error: NotationError | None = None
        try:
            self.refusal = examine(position, tried)
        except NotationError as error:
            self.error, self.scheme, self.squares = error, None, ()

    @property
    def move(self) -> Move | None:
        """The move, if it is legal."""
        return self.candidates[0] if self.refusal is None and self.error is None else None

    @cached_property
    def alternatives(self) -> list[Move]:
        """What may be played instead: the moves that the refusal names, or every legal move."""
        return alternatives(self.position, self.refusal) if self.refusal else list(self.position.legal_moves)

    @cached_property
    def bottom_left(self) -> Move | None:
        """The legal move that the text means if its numbers count from the bottom left."""
        return bottom_left_move(self.position, self.tried)

    @property
    def hint(self) -> Hint | None:
        """What a refused text would mean in another scheme."""
        if self.refusal is None or self.bottom_left is None:
            return None
        return Hint("bottom_left", self.tried.strip(), self.bottom_left)

    @cached_property
    def uncrowned(self) -> tuple[Square, Citation] | None:
        """Where a man only passes the last row: of a legal move by its route, of any other by the squares it names."""
        only = self.candidates[0].route if len(self.candidates) == 1 else None
        return left_uncrowned(self.position, only or self.squares)

    def uncrowned_message(self, language: str) -> str:
        """The sentence for `uncrowned`; empty where there is nothing to say."""
        if self.uncrowned is None:
            return ""
        square, citation = self.uncrowned
        name = self.position.rulebook.move_names[square]
        return sentence("cli.explain.passes", language, square=name, article=citation.sentence(language))

    def article_text(self, language: str) -> str:
        """What the article of the refusal says, in our words; empty where house rules bring no text."""
        return (
            article_text(self.position.rulebook, self.refusal.citation.id, language) if self.refusal else ""
        )

    def view(self, language: str) -> NamedExplanationView:
        """Whether the move is legal, why not, and what may be played; squares have names (`damas explain --json`)."""
        names, move = self.position.rulebook.square_names, self.move
        return view_of(
            NamedExplanationView,
            self._view(language),
            move=move_view(move, names) if move else None,
            alternatives=None if move else tuple(move_view(each, names) for each in self.alternatives),
        )

    def board_view(self, language: str) -> BoardExplanationView:
        """The same with squares as indices of the board (`POST /api/explain`)."""
        view = view_of(BoardExplanationView, self._view(language), route=self.squares)
        if move := self.move:
            named = move_view(move, self.position.rulebook.square_names)
            return replace(
                view, move=view_of(ExplainedMoveView, board_moves(self.position, [move])[0], named)
            )
        assert view.refusal
        instead = tuple(board_moves(self.position, self.alternatives))
        return replace(
            view,
            refusal=replace(view.refusal, best=view.refusal.legal, best_takes=view.refusal.more.get("asks")),
            alternatives=instead,
            marks=tuple(sorted({route[0] for move in instead for route in move.routes})),
        )

    def _view(self, language: str) -> ExplanationView:
        """What both answers have in common."""
        position, hint = self.position, self.hint
        why: RefusalView | None = None
        if self.error:
            legal = tuple(move.text for move in position.legal_moves)
            why = unreadable_view(self.error, position.rulebook.id, legal, language)
        elif self.refusal:
            why = refusal_view(self.refusal, language)
        return ExplanationView(
            rulebook=position.rulebook.id,
            fen=position.fen,
            tried=self.tried,
            scheme=self.scheme,
            legal=why is None,
            after=self.position.play(self.move).fen if self.move else None,
            not_crowned=self._uncrowned_view(language),
            refusal=why,
            article_text=None if why is None else self.article_text(language),
            hint=HintView(hint.scheme, hint.move.text, hint.sentence(language)) if hint else None,
        )

    def _uncrowned_view(self, language: str) -> UncrownedView | None:
        if self.uncrowned is None:
            return None
        square, citation = self.uncrowned
        return UncrownedView(
            self.position.rulebook.square_names[square],
            citation.article,
            citation.id,
            self.uncrowned_message(language),
        )
