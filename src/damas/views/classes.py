"""Classes of a school, as their teachers and pupils are shown them."""

from collections.abc import Sequence
from dataclasses import dataclass

from damas.views.table import ClockView


@dataclass(frozen=True, slots=True)
class ClassPupilView:
    """A pupil, for the teacher."""

    id: str
    number: int
    name: str
    here: bool
    """Whether a page of the pupil is open."""
    game: str | None
    """The game of the class that the pupil plays now."""


@dataclass(frozen=True, slots=True)
class ClassBoardView:
    """A board of the class, for the teacher."""

    id: str
    key: str
    """The key of its arbiter's link."""
    white: str
    black: str
    status: str
    result: str | None
    rulebook: str
    fen: str
    move: int
    """The number of the move to be made."""
    awaited: str
    """The side that has to do something."""
    held: bool
    calls: Sequence[str]
    """Sides that have called the teacher as arbiter."""
    irregularities: dict[str, int]
    """How many each side has."""
    clocks: ClockView | None
    """None where nobody has opened the game lately."""


@dataclass(frozen=True, slots=True)
class HomeworkView:
    """Homework, with the pupils who have done it."""

    id: str
    kind: str
    """lesson, puzzles or game."""
    title: str
    rulebook: str
    lesson: str
    count: int
    due: str
    done: Sequence[str]
    """Ids of pupils."""
    begun: dict[str, int]
    """Puzzles solved so far, by the id of each pupil who has not done it yet."""


@dataclass(frozen=True, slots=True)
class ClassTermsView:
    """What the games of a class are played by."""

    rulebook: str
    preset: str
    time: str


@dataclass(frozen=True, slots=True)
class ClassView:
    """A class as its teacher follows it."""

    id: str
    title: str
    code: str
    terms: ClassTermsView
    chat: bool
    held: bool
    notice: str
    pupils: Sequence[ClassPupilView]
    boards: Sequence[ClassBoardView]


@dataclass(frozen=True, slots=True)
class ClassEntryView:
    """A class in the list of a teacher."""

    id: str
    title: str
    code: str
    pupils: int


@dataclass(frozen=True, slots=True)
class PinView:
    """A new PIN of a pupil, which is shown once."""

    id: str
    number: int
    name: str
    pin: str


@dataclass(frozen=True, slots=True)
class PastedView:
    """What came of a pasted list of names."""

    added: Sequence[PinView]
    twice: Sequence[str]
    """Names that the list or the class has already."""
    unreadable: Sequence[str]
    """Lines that are no name."""


@dataclass(frozen=True, slots=True)
class PairedView:
    """The games that were started."""

    games: Sequence[str]
    left: str
    """Name of the pupil for whom there is no opponent, or empty."""


@dataclass(frozen=True, slots=True)
class ArticleCountView:
    """How often a pupil has broken an article."""

    article: str
    count: int


@dataclass(frozen=True, slots=True)
class PupilReportView:
    """What a pupil has done."""

    id: str
    number: int
    name: str
    irregularities: Sequence[ArticleCountView]
    refused: int
    """Moves that were refused."""
    lessons: int
    """Lessons that are complete."""
    puzzles: int
    """Puzzles that are solved."""
    homework: int
    """Homework that is done."""


@dataclass(frozen=True, slots=True)
class ClassReportView:
    """What all pupils have done, and the homework."""

    pupils: Sequence[PupilReportView]
    homework: Sequence[HomeworkView]


@dataclass(frozen=True, slots=True)
class TaskView:
    """Homework as a pupil sees it."""

    id: str
    kind: str
    title: str
    rulebook: str
    lesson: str
    count: int
    due: str
    done: bool
    solved: int
    """Puzzles solved so far."""


@dataclass(frozen=True, slots=True)
class PupilView:
    """A class as a pupil sees it."""

    title: str
    name: str
    number: int
    held: bool
    notice: str
    game: str | None
    opponent: str
    mates: Sequence[str]
    tasks: Sequence[TaskView]
