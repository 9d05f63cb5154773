"""A line of play while it is being read."""

from damas.game import Position, Record
from damas.notation.pdn.clock import Clock, take_clock
from damas.notation.pdn.game import Node, Variation, clean_comment


class Line:
    """The game itself or a variation. What is said of a move comes after it, so the last one stays open."""

    __slots__ = (
        "before",
        "clock",
        "comments",
        "leading",
        "nags",
        "nodes",
        "now",
        "opened",
        "record",
        "said",
        "start",
        "variations",
    )

    def __init__(self, start: Position, opened: int) -> None:
        self.start = self.before = self.now = start
        self.opened = opened
        self.record: Record | None = None
        """The moves so far, where some rule depends on them."""
        self.nodes: list[Node] = []
        self.leading: list[str] = []
        # Of the last move, until the next one comes.
        self.said = False
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.clock: Clock | None = None
        self.variations: list[Variation] = []

    def settle(self) -> None:
        """Gives the last move what was said of it."""
        if self.said:
            self.said = False
            self.nodes[-1] = Node(
                self.nodes[-1].move,
                tuple(self.nags),
                tuple(self.comments),
                self.clock,
                tuple(self.variations),
            )
            self.nags, self.comments, self.clock, self.variations = [], [], None, []

    def say(self, text: str) -> None:
        if not self.nodes:
            self.leading.append(text)
            return
        self.said = True
        if "[%" in text:
            text, self.clock = take_clock(text, self.clock)
            text = clean_comment(text)
        if text:
            self.comments.append(text)
