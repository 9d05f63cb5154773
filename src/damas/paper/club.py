"""The papers of a tournament of people: what hangs on the wall, lies on the tables, and is taken home."""

from collections.abc import Iterator, Sequence

from damas.judging.wording import control_words
from damas.language import sentence
from damas.language.numbers import ordinal
from damas.paper.document import (
    Block,
    Diploma,
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
from damas.paper.scoresheet import blank_scoresheet
from damas.rules import rulebook
from damas.tournaments.hall import State, individuals, table
from damas.tournaments.hall.results import points_text, result_text
from damas.tournaments.hall.rounds import Round
from damas.tournaments.hall.state import folded
from damas.tournaments.hall.table import categories
from damas.views.club import (
    RestView,
    RoundView,
    TableRowView,
    TableView,
    category_words,
    club_row_views,
    edition_words,
    round_view,
    seat_words,
    table_view,
)

MAX_CROSS = 36
"""Players of a cross-table against players; more are shown round by round."""


MAX_TALL_ROWS = 20
"""Boards of a round that are printed in rows high enough to write in, so that they fit a page."""
BLANK = "\u00a0"
"""A cell to write in."""


def club_word(key: str, language: str, **facts: object) -> str:
    """A word of the tables and papers of tournaments."""
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
    """The pairings of a round by board; in a league of teams by match, with its boards once it is published."""
    view = round_view(state, played)
    heading = club_word("round" if played.published else "draft", language, number=played.number)
    body: list[Block] = []
    if played.ballot:
        seed = club_word("seed", language, seed=state.conditions.seed)
        body.append(Text(f"{club_word('ballot', language, moves=played.ballot)}. {seed}.", "strong"))
    body += _matches(view, language) if state.conditions.boards else [_boards(state, view, language)]
    if view.resting:
        body.append(Heading(club_word("resting", language)))
        body += (Text(line) for line in _resting(view, language))
    body.append(Text(edition_words(played, language), "small"))
    return _document(
        state,
        language,
        name=f"{stem}-{played.number}",
        title=f"{club_word('pairings', language)}: {heading}",
        body=tuple(body),
    )


def _boards(state: State, view: RoundView, language: str) -> Grid:
    titles = ("white", "black") if state.conditions.games == 1 else ("first", "second")
    return Grid(
        (
            club_word("board", language),
            club_word(titles[0], language),
            club_word("result", language),
            club_word(titles[1], language),
        ),
        tuple((str(each.board), each.first, each.result, each.second) for each in view.boards),
        (1, 5, 2, 5),
        (0,),
        tall=len(view.boards) <= MAX_TALL_ROWS,
    )


def _resting(view: RoundView, language: str) -> Iterator[str]:
    yield from (
        f"{rest.name}: {how}"
        for rest, how in zip(view.resting, _resting_words(view.resting, language), strict=True)
    )


def _resting_words(resting: Sequence[RestView], language: str) -> Iterator[str]:
    return (club_word(f"rest.{rest.kind}", language, points=points_text(rest.points)) for rest in resting)


def _matches(view: RoundView, language: str) -> Iterator[Block]:
    for match in view.boards:
        heading = Heading(
            f"{club_word('match', language, number=match.board)}: {match.first} – {match.second}"
        )
        rows = tuple(
            (f"{match.board}.{seat.board}", seat_words(seat.first, seat.white, language), seat.result,
             seat_words(seat.second, seat.white, language))
            for seat in match.match_boards
        )  # fmt: skip
        titles = (
            club_word("board", language),
            match.first,
            match.result or club_word("result", language),
            match.second,
        )
        grid = Grid(titles, rows or (("", BLANK, "", BLANK),), (1, 5, 2, 5), (0,))
        yield Together((heading, grid))


def names_paper(state: State, played: Round, language: str, stem: str) -> Document:
    """Where everybody plays in a round, by name."""
    view = round_view(state, played)
    rows = [
        (name, str(board.board), color, other)
        for board in view.boards
        for name, color, other in (
            (board.first, "white", board.second),
            (board.second, "black", board.first),
        )
    ]
    if state.conditions.boards:
        rows = [
            (name, f"{match.board}.{seat.board}", "white" if name == seat.white else "black", other)
            for match in view.boards
            for seat in match.match_boards
            for name, other in ((seat.first, seat.second or "–"), (seat.second, seat.first or "–"))
            if name
        ]
    one_game = state.conditions.games == 1
    resting = [(rest.name, "–", "", next(_resting_words((rest,), language))) for rest in view.resting]
    named = [
        (name, board, *([club_word(color, language) if color else ""] if one_game else []), other)
        for name, board, color, other in sorted([*rows, *resting], key=lambda row: folded(row[0]))
    ]
    color_title = [club_word("color", language)] if one_game else []
    titles = (
        club_word("player", language),
        club_word("board", language),
        *color_title,
        club_word("opponent", language),
    )
    heading = club_word("round", language, number=played.number)
    return _document(
        state,
        language,
        name=f"{stem}-{played.number}-names",
        title=f"{club_word('by_name', language)}: {heading}",
        body=(Grid(titles, tuple(named), (5, 1.2, *([1.6] * one_game), 5), (1,)),),
    )


def scoresheets_papers(state: State, played: Round, language: str) -> tuple[Document, ...]:
    """A score sheet for each game of a round, with the players' names, in the order of boards."""
    conditions = state.conditions
    book = rulebook(conditions.rulebook)
    year_first = conditions.date.replace("-", ".")
    sheets = []
    for board, white, black in _games(state, played):
        tags = {
            "Event": conditions.title,
            "Site": conditions.place,
            "Date": year_first,
            "Round": str(played.number),
            "Board": board,
            "White": white,
            "Black": black,
            "TimeControl": conditions.control,
        }
        sheets.append(blank_scoresheet(book, language, tags))
    return tuple(sheets)


def _games(state: State, played: Round) -> Iterator[tuple[str, str, str]]:
    """Board, White and Black of every game of a round."""
    for board in round_view(state, played).boards:
        seats = [(str(board.board), board.first, board.second)]
        if state.conditions.boards:
            seats = [
                (
                    f"{board.board}.{seat.board}",
                    seat.white,
                    seat.second if seat.white == seat.first else seat.first,
                )
                for seat in board.match_boards
                if seat.first and seat.second
            ]
        for place, white, black in seats:
            for game in range(state.conditions.games):
                yield (place, white, black) if game % 2 == 0 else (place, black, white)


def diplomas_paper(
    state: State,
    language: str,
    stem: str,
    *,
    top: int = 3,
    category: str = "",
    signatures: Sequence[str] = (),
) -> Document:
    """A diploma for each of the first of the table or of a category, landscape, a page each; ties share a place."""
    conditions = state.conditions
    rows = [row for row in table_view(state, category).rows if row.rank <= top and not row.out]
    date = date_words(conditions.date.replace("-", "."), language)
    where = ", ".join(filter(None, (clipped(conditions.place), date)))
    arbiter = " · ".join(filter(None, (word("arbiter", language), clipped(conditions.arbiter))))
    diplomas = []
    for row in rows:
        honour = club_word("honour", language, place=ordinal(row.rank, language))
        if category:
            honour = f"{honour} · {category_words(category, language)}"
        diplomas.append(
            Diploma(
                clipped(conditions.title),
                club_word("diploma", language),
                club_word("given_to", language),
                row.name,
                honour,
                where,
                tuple(signatures) or (arbiter, club_word("organiser", language)),
            )
        )
    return Document(
        language=language,
        name=f"{stem}-diplomas",
        title=club_word("diploma", language),
        body=tuple(diplomas),
        footer=clipped(conditions.title),
        bare=True,
        landscape=True,
    )


def table_paper(state: State, language: str, stem: str) -> Document:
    """The standings, and those of each category."""
    view = table_view(state)
    heading = club_word("after", language, number=view.round) if view.round else club_word("before", language)
    body: list[Block] = [_standings(state, view, language)]
    names = (
        f"{club_word(f'short_tie_break.{name}', language)}: {club_word(f'tie_break.{name}', language)}"
        for name in state.conditions.tie_breaks
    )
    body.append(Text("; ".join(names), "small"))
    for category in categories(state):
        part = _standings(state, table_view(state, category), language)
        body += (Heading(category_words(category, language)), part)
    if state.conditions.boards:
        single = individuals(state)
        body += (Heading(club_word("players", language)), _standings(single, table_view(single), language))
    if state.conditions.team_best:
        rows = tuple(
            (str(row.rank), row.club, points_text(row.points), ", ".join(row.members))
            for row in club_row_views(state)
        )
        keys = ("short_rank", "club", "short_points", "members")
        titles = tuple(club_word(key, language) for key in keys)
        body += (Heading(club_word("clubs", language)), Grid(titles, rows, (1, 4, 1.5, 8), (0, 2)))
    return _document(state, language, name=f"{stem}-table", title=heading, body=tuple(body), signed=True)


def _standings(state: State, view: TableView, language: str) -> Grid:
    tie_breaks = state.conditions.tie_breaks
    clubs = any(row.club for row in view.rows)
    columns: list[tuple[str, float, list[str]]] = [
        (club_word("short_rank", language), 1, [str(row.rank) for row in view.rows]),
        (
            club_word("team" if state.conditions.boards else "player", language),
            6,
            [_named(row, language) for row in view.rows],
        ),
        *([(club_word("club", language), 4.0, [row.club for row in view.rows])] if clubs else []),
        (club_word("short_points", language), 1.5, [points_text(row.points) for row in view.rows]),
        (club_word("results", language), 2, [f"{row.wins}-{row.draws}-{row.losses}" for row in view.rows]),
    ]
    right = (0, 2 + clubs, *range(4 + clubs, 4 + clubs + len(tie_breaks)))
    for name in tie_breaks:
        values = [points_text(row.tie_breaks[name]) for row in view.rows]
        columns.append((club_word(f"short_tie_break.{name}", language), 1.5, values))
    return Grid(
        tuple(title for title, _, _ in columns),
        tuple(zip(*(cells for _, _, cells in columns), strict=True)),
        tuple(width for _, width, _ in columns),
        right,
    )


def _named(row: TableRowView, language: str) -> str:
    return f"{row.name} ({club_word(f'out.{row.out}', language)})" if row.out else row.name


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
            cell, opponent = _cell(state, played, row.name, language)
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
    who = club_word("team" if state.conditions.boards else "player", language)
    titles = ("", who, *map(str, range(1, count + 1)), club_word("short_points", language))
    share = max(0.7, min(2.0, 14 / max(1, count)))
    grid = Grid(titles, tuple(lines), (1, 6, *([share] * count), 1.4), (0, count + 2))
    body: list[Block] = [grid]
    if _names_colors(state):
        legend = (
            f"{club_word(f'short_{each}', language)}: {club_word(each, language)}"
            for each in ("white", "black")
        )
        body.append(Text("; ".join(legend), "small"))
    return _document(
        state,
        language,
        name=f"{stem}-cross",
        title=club_word("cross", language),
        body=tuple(body),
        signed=True,
    )


def _names_colors(state: State) -> bool:
    """Whether a cross-table says who had which colour: not where both had both, nor player against player."""
    return state.conditions.games == 1 and state.conditions.system != "round-robin"


def _cell(state: State, played: Round, name: str, language: str) -> tuple[str, str]:
    """What a player got in a round: the points, with the letter of the colour in a Swiss of one game, and the opponent."""
    for pair in played.pairs:
        if name in (pair.first, pair.second):
            opponent = pair.second if name == pair.first else pair.first
            result = played.results.get(pair.board)
            if result is None:
                return "", opponent
            signs = result.signs(pair, name)
            if set(signs) in ({"+"}, {"-"}, {"n"}):
                return "+" if "+" in signs else "–", opponent
            own = result_text(type(result)(signs), state.conditions).partition("-")[0]
            if state.conditions.system == "round-robin":
                return own, opponent
            if not _names_colors(state):
                return f" {own}", opponent
            color = "white" if name == pair.first else "black"
            return f"{club_word(f'short_{color}', language)} {own}", opponent
    rest = next((rest for rest in played.resting if rest.name == name), None)
    points = {"bye": state.conditions.bye, "requested": state.conditions.requested_bye}
    return (f"– {points_text(points.get(rest.kind, 0.0))}" if rest else "–"), ""
