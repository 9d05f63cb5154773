"""A line of play while it is being read."""

from damas.game import Position, Record
from damas.notation.pdn.clock import Clock, take_clock
from damas.notation.pdn.game import Node, Variation, clean_comment


class OpenLine:
    """The main line of a game or a variation. Notes on a move follow it, so its last move can still get some."""

    def __init__(self, start: Position, opened: int) -> None:
        self.start = self.before = self.now = start
        self.opened = opened
        self.record: Record | None = None
        """The moves so far, under a rulebook with rest rules; None under any other."""
        self.nodes: list[Node] = []
        self.leading: list[str] = []
        # Notes on the last move, until `settle`.
        self.has_notes = False
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.clock: Clock | None = None
        self.variations: list[Variation] = []

    def settle(self) -> None:
        """Attach the notes to the last move."""
        if self.has_notes:
            self.has_notes = False
            self.nodes[-1] = Node(
                self.nodes[-1].move,
                tuple(self.nags),
                tuple(self.comments),
                self.clock,
                tuple(self.variations),
            )
            self.nags, self.comments, self.clock, self.variations = [], [], None, []

    def add_comment(self, text: str) -> None:
        """Add a comment to the last move, or to the line if it has no moves yet."""
        if not self.nodes:
            self.leading.append(text)
            return
        self.has_notes = True
        if "[%" in text:
            text, self.clock = take_clock(text, self.clock)
            text = clean_comment(text)
        if text:
            self.comments.append(text)
