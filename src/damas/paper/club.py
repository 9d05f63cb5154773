"""The papers of a tournament of people: pairings, result slips, standings and cross-table."""

from collections.abc import Iterator

from damas.judging.wording import control_words
from damas.language import sentence
from damas.paper.document import (
    Block,
    Document,
    Field,
    Grid,
    Heading,
    Text,
    Together,
    clipped,
    date_words,
    rulebook_name,
    word,
)
from damas.rules import rulebook
from damas.tournaments.hall import State, table
from damas.tournaments.hall.results import points_text, result_text
from damas.tournaments.hall.state import PLAYED, Round
from damas.tournaments.hall.table import categories
from damas.views.club import (
    RoundView,
    TableRowView,
    TableView,
    category_words,
    edition_words,
    round_view,
    table_view,
)

MAX_CROSS = 36
"""Players of a cross-table against players; more are shown round by round."""


BLANK = "\u00a0"
"""A cell to write in."""


def _word(key: str, language: str, **facts: object) -> str:
    return sentence(f"club.{key}", language, **facts)


def _document(
    state: State,
    language: str,
    *,
    name: str,
    title: str,
    body: tuple[Block, ...],
    columns: int = 1,
    signed: bool = False,
) -> Document:
    conditions = state.conditions
    control = control_words(conditions.control, language) if conditions.control else ""
    fields = [
        Field(word("event", language), clipped(conditions.title), wide=True),
        Field(word("place", language), clipped(conditions.place)),
        Field(word("date", language), date_words(conditions.date.replace("-", "."), language)),
        Field(word("game", language), rulebook_name(rulebook(conditions.rulebook), language)),
        Field(word("time_control", language), control),
    ]
    return Document(
        language=language,
        name=name,
        title=title,
        fields=tuple(fields),
        body=body,
        columns=2 if columns == 2 else 1,
        signatures=(word("arbiter", language),) if signed else (),
        footer=clipped(conditions.title),
    )


def pairings_paper(state: State, played: Round, language: str, stem: str) -> Document:
    """The pairings of a round by board, and the same by name."""
    view = round_view(state, played)
    heading = _word("round" if played.published else "draft", language, number=played.number)
    body: list[Block] = []
    if played.ballot:
        seed = _word("seed", language, seed=state.conditions.seed)
        body.append(Text(f"{_word('ballot', language, moves=played.ballot)}. {seed}.", "strong"))
    body.append(_boards(state, view, language))
    if view.resting:
        body.append(Heading(_word("resting", language)))
        body += (Text(line) for line in _resting(view, language))
    body.append(Heading(_word("by_name", language)))
    by_name = sorted(
        (name, str(board.board), other)
        for board in view.boards
        for name, other in ((board.first, board.second), (board.second, board.first))
    )
    titles = (_word("player", language), _word("board", language), _word("opponent", language))
    body.append(Grid(titles, tuple(by_name), (5, 1, 5), (1,)))
    body.append(Text(edition_words(played, language), "small"))
    return _document(
        state,
        language,
        name=f"{stem}-{played.number}",
        title=f"{_word('pairings', language)}: {heading}",
        body=tuple(body),
    )


def _boards(state: State, view: RoundView, language: str) -> Grid:
    titles = ("white", "black") if state.conditions.games == 1 else ("first", "second")
    return Grid(
        (
            _word("board", language),
            _word(titles[0], language),
            _word("result", language),
            _word(titles[1], language),
        ),
        tuple((str(each.board), each.first, each.result, each.second) for each in view.boards),
        (1, 5, 2, 5),
        (0,),
        tall=True,
    )


def _resting(view: RoundView, language: str) -> Iterator[str]:
    for rest in view.resting:
        how = _word(f"rest.{rest.kind}", language, points=points_text(rest.points))
        yield f"{rest.name}: {how}"


def slips_paper(state: State, played: Round, language: str, stem: str) -> Document:
    """A slip for each board, on which both players sign the result."""
    conditions = state.conditions
    slips: list[Block] = []
    for pair in played.pairs:
        rows = tuple(
            (_word("game", language, number=number + 1), white, "", black)
            for number in range(conditions.games)
            for white, black in [(pair.first, pair.second) if number % 2 == 0 else (pair.second, pair.first)]
        )
        titles = ("", *(_word(key, language) for key in ("white", "result", "black")))
        heading = (
            f"{_word('slip', language, board=pair.board)} · {_word('round', language, number=played.number)}"
        )
        blocks: list[Block] = [Heading(heading), Grid(titles, rows, (3.4, 4.8, 3.8, 4.8), tall=True)]
        if played.ballot:
            blocks.append(Text(_word("ballot", language, moves=played.ballot), "small"))
        signature = _word("signature", language)
        blocks.append(
            Grid(
                (f"{signature}: {pair.first}", f"{signature}: {pair.second}"),
                ((BLANK, BLANK),),
                (1, 1),
                tall=True,
            )
        )
        slips.append(Together(tuple(blocks)))
    heading = _word("round", language, number=played.number)
    return _document(
        state,
        language,
        name=f"{stem}-{played.number}-slips",
        title=f"{_word('slips', language)}: {heading}",
        body=tuple(slips),
        columns=2,
    )


def table_paper(state: State, language: str, stem: str) -> Document:
    """The standings, and those of each category."""
    view = table_view(state)
    heading = _word("after", language, number=view.round) if view.round else _word("before", language)
    body: list[Block] = [_standings(state, view, language)]
    names = (
        f"{_word(f'short_tie_break.{name}', language)}: {_word(f'tie_break.{name}', language)}"
        for name in state.conditions.tie_breaks
    )
    body.append(Text("; ".join(names), "small"))
    for category in categories(state):
        part = _standings(state, table_view(state, category), language)
        body += (Heading(category_words(category, language)), part)
    return _document(state, language, name=f"{stem}-table", title=heading, body=tuple(body), signed=True)


def _standings(state: State, view: TableView, language: str) -> Grid:
    tie_breaks = state.conditions.tie_breaks
    clubs = any(row.club for row in view.rows)
    columns: list[tuple[str, float, list[str]]] = [
        (_word("short_rank", language), 1, [str(row.rank) for row in view.rows]),
        (_word("player", language), 6, [_named(row, language) for row in view.rows]),
        *([(_word("club", language), 4.0, [row.club for row in view.rows])] if clubs else []),
        (_word("short_points", language), 1.5, [points_text(row.points) for row in view.rows]),
        (_word("results", language), 2, [f"{row.wins}-{row.draws}-{row.losses}" for row in view.rows]),
    ]
    right = (0, 2 + clubs, *range(4 + clubs, 4 + clubs + len(tie_breaks)))
    for name in tie_breaks:
        values = [points_text(row.tie_breaks[name]) for row in view.rows]
        columns.append((_word(f"short_tie_break.{name}", language), 1.5, values))
    return Grid(
        tuple(title for title, _, _ in columns),
        tuple(zip(*(cells for _, _, cells in columns), strict=True)),
        tuple(width for _, width, _ in columns),
        right,
    )


def _named(row: TableRowView, language: str) -> str:
    return f"{row.name} ({_word(f'out.{row.out}', language)})" if row.out else row.name


def cross_paper(state: State, language: str, stem: str) -> Document:
    """The cross-table: player against player, or round by round in a Swiss or with many players."""
    rows = table(state)
    against = state.conditions.system == "round-robin" and len(rows) <= MAX_CROSS
    places = {row.name: place for place, row in enumerate(rows, start=1)}
    count = len(rows) if against else sum(each.published for each in state.rounds)
    lines = []
    for row in rows:
        cells = [""] * count
        for played in state.rounds:
            if not played.published:
                continue
            cell, opponent = _cell(state, played, row.name)
            if against:
                if opponent:
                    place = places[opponent] - 1
                    cells[place] = " ".join(filter(None, (cells[place], cell)))
            else:
                cells[played.number - 1] = f"{places[opponent]}{cell}" if opponent else cell
        if against:
            cells[places[row.name] - 1] = "■"
        points = points_text(row.standing.points)
        lines.append((str(places[row.name]), row.name, *cells, points))
    titles = ("", _word("player", language), *map(str, range(1, count + 1)), _word("short_points", language))
    share = max(0.7, min(2.0, 14 / max(1, count)))
    grid = Grid(titles, tuple(lines), (1, 6, *([share] * count), 1.4), (0, count + 2))
    return _document(
        state, language, name=f"{stem}-cross", title=_word("cross", language), body=(grid,), signed=True
    )


def _cell(state: State, played: Round, name: str) -> tuple[str, str]:
    """What a player got in a round: the points, with w or b in a Swiss of one game, and the opponent."""
    for pair in played.pairs:
        if name in (pair.first, pair.second):
            opponent = pair.second if name == pair.first else pair.first
            result = played.results.get(pair.board)
            if result is None:
                return "", opponent
            signs = result.signs(pair, name)
            if not any(sign in PLAYED for sign in signs):
                return "+" if "+" in signs else "–", opponent
            own = result_text(type(result)(signs), state.conditions).partition("-")[0]
            if state.conditions.system == "round-robin":
                return own, opponent
            colour = "wb"[name != pair.first] if state.conditions.games == 1 else ""
            return f"{colour} {own}", opponent
    rest = next((rest for rest in played.resting if rest.name == name), None)
    points = {"bye": state.conditions.bye, "requested": state.conditions.requested_bye}
    return (f"– {points_text(points.get(rest.kind, 0.0))}" if rest else "–"), ""
