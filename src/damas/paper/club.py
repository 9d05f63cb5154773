"""The papers of a tournament of people: what hangs on the wall, lies on the tables, and is taken home."""

from collections.abc import Iterator, Mapping, Sequence

from damas.judging.wording import control_words
from damas.language import sentence
from damas.language.numbers import ordinal
from damas.paper.document import (
    Block,
    Card,
    Cards,
    Code,
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
    BoardView,
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


MAX_SIGNER = 26
"""Letters of a name above the line on which it is signed."""
MAX_TALL_ROWS = 20
"""Boards of a round that are printed in rows high enough to write in, so that they fit a page."""
MAX_BOARDS_OF_HALF_A_PAGE = 8
"""Boards of a match whose sheet fits half a page."""
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
    """The pairings of a round by board; in a league of teams by match, with its boards once it is published."""
    view = round_view(state, played)
    heading = _word("round" if played.published else "draft", language, number=played.number)
    body: list[Block] = []
    if played.ballot:
        seed = _word("seed", language, seed=state.conditions.seed)
        body.append(Text(f"{_word('ballot', language, moves=played.ballot)}. {seed}.", "strong"))
    body += _matches(view, language) if state.conditions.boards else [_boards(state, view, language)]
    if view.resting:
        body.append(Heading(_word("resting", language)))
        body += (Text(line) for line in _resting(view, language))
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
        tall=len(view.boards) <= MAX_TALL_ROWS,
    )


def _resting(view: RoundView, language: str) -> Iterator[str]:
    yield from (
        f"{rest.name}: {how}"
        for rest, how in zip(view.resting, _resting_words(view.resting, language), strict=True)
    )


def _resting_words(resting: Sequence[RestView], language: str) -> Iterator[str]:
    return (_word(f"rest.{rest.kind}", language, points=points_text(rest.points)) for rest in resting)


def _matches(view: RoundView, language: str) -> Iterator[Block]:
    for match in view.boards:
        heading = Heading(f"{_word('match', language, number=match.board)}: {match.first} – {match.second}")
        rows = tuple(
            (f"{match.board}.{seat.board}", seat_words(seat.first, seat.white, language), seat.result,
             seat_words(seat.second, seat.white, language))
            for seat in match.match_boards
        )  # fmt: skip
        titles = (
            _word("board", language),
            match.first,
            match.result or _word("result", language),
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
        (name, board, *([_word(color, language) if color else ""] if one_game else []), other)
        for name, board, color, other in sorted([*rows, *resting], key=lambda row: folded(row[0]))
    ]
    color_title = [_word("color", language)] if one_game else []
    titles = (_word("player", language), _word("board", language), *color_title, _word("opponent", language))
    heading = _word("round", language, number=played.number)
    return _document(
        state,
        language,
        name=f"{stem}-{played.number}-names",
        title=f"{_word('by_name', language)}: {heading}",
        body=(Grid(titles, tuple(named), (5, 1.2, *([1.6] * one_game), 5), (1,)),),
    )


def slips_paper(
    state: State,
    played: Round,
    language: str,
    stem: str,
    addresses: Mapping[int, str] | None = None,
) -> Document:
    """A slip for each board, on which both players sign the result: six to a page, or four with several games.

    `addresses` of boards are printed as QR codes. In a league of teams it is a sheet for each match, two to a page.
    """
    conditions, codes = state.conditions, addresses or {}
    cards = []
    for board in round_view(state, played).boards:
        code = Code.of(codes[board.board]) if board.board in codes else None
        round_words = _word("round", language, number=played.number)
        key, number = ("match", "number") if conditions.boards else ("slip", "board")
        heading = f"{_word(key, language, **{number: board.board})} · {round_words}"
        head: list[Block] = [Text(clipped(conditions.title), "small"), Heading(heading)]
        if conditions.games > 1 and not conditions.boards:
            head.append(Text(f"{board.first} – {board.second}"))
        blocks: list[Block] = []
        if conditions.boards:
            blocks += _match_sheet(board, language)
        else:
            blocks.append(_games_to_fill(conditions.games, board, language))
        if played.ballot:
            blocks.append(Text(_word("ballot", language, moves=played.ballot), "small"))
        signature = _word("captain" if conditions.boards else "signature", language)
        short = str if conditions.boards else _short
        signed = tuple(f"{signature}: {short(name)}" for name in (board.first, board.second))
        blocks.append(Grid(signed, ((BLANK, BLANK),), (1, 1), tall=True))
        cards.append(Card(tuple(head), tuple(blocks), code))
    columns, rows = (1, 2) if conditions.boards else (2, 3) if conditions.games == 1 else (2, 2)
    if len(conditions.boards) > MAX_BOARDS_OF_HALF_A_PAGE:
        rows = 1
    return _cut_out(
        state, language, f"{stem}-{played.number}-slips", "slips", Cards(tuple(cards), columns, rows)
    )


def _short(name: str) -> str:
    return name if len(name) <= MAX_SIGNER else f"{name[: MAX_SIGNER - 1]}…"


def _games_to_fill(games: int, board: BoardView, language: str) -> Grid:
    titles = ("", *(_word(key, language) for key in ("white", "result", "black")))
    if games == 1:
        return Grid(titles[1:], ((board.first, "", board.second),), (4, 3, 4), tall=True)
    sides = (_short(board.first), _short(board.second))
    rows = tuple(
        (_word("game", language, number=number + 1), sides[number % 2], "", sides[1 - number % 2])
        for number in range(games)
    )
    return Grid(titles, rows, (3.4, 4.4, 3.6, 4.4), tall=True)


def _match_sheet(match: BoardView, language: str) -> Iterator[Block]:
    rows = tuple(
        (f"{match.board}.{seat.board}", seat_words(seat.first, seat.white, language), seat.result or BLANK,
         seat_words(seat.second, seat.white, language))
        for seat in match.match_boards
    )  # fmt: skip
    titles = (_word("board", language), match.first, _word("result", language), match.second)
    yield Grid(titles, rows, (1.2, 5, 2.5, 5), (0,), tall=True)


def _cut_out(state: State, language: str, name: str, title: str, cards: Cards) -> Document:
    """Pages of cards, without a head."""
    return Document(
        language=language,
        name=name,
        title=_word(title, language),
        body=(cards,),
        footer=clipped(state.conditions.title),
        bare=True,
    )


def cards_paper(
    state: State,
    language: str,
    stem: str,
    addresses: Mapping[str, str] | None = None,
    pins: Mapping[str, str] | None = None,
) -> Document:
    """A card for each player: name, number and club, with the QR code of an address and a PIN where there are any."""
    codes, secrets = addresses or {}, pins or {}
    players = individuals(state) if state.conditions.boards else state
    numbers = players.numbers
    cards = []
    for name in players.by_number:
        person = players.players[name].person
        blocks: list[Block] = [Text(clipped(state.conditions.title), "small"), Text(name, "strong")]
        number = f"{_word('number', language)} {numbers[name]}"
        blocks.append(Text(" · ".join(filter(None, (number, person.club)))))
        if name in secrets:
            blocks.append(Text(f"PIN {secrets[name]}", "strong"))
        cards.append(Card(tuple(blocks), code=Code.of(codes[name]) if name in codes else None))
    return _cut_out(state, language, f"{stem}-cards", "cards", Cards(tuple(cards), 2, 5))


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
        honour = _word("honour", language, place=ordinal(row.rank, language))
        if category:
            honour = f"{honour} · {category_words(category, language)}"
        diplomas.append(
            Diploma(
                clipped(conditions.title),
                _word("diploma", language),
                _word("given_to", language),
                row.name,
                honour,
                where,
                tuple(signatures) or (arbiter, _word("organiser", language)),
            )
        )
    return Document(
        language=language,
        name=f"{stem}-diplomas",
        title=_word("diploma", language),
        body=tuple(diplomas),
        footer=clipped(conditions.title),
        bare=True,
        landscape=True,
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
    if state.conditions.boards:
        single = individuals(state)
        body += (Heading(_word("players", language)), _standings(single, table_view(single), language))
    if state.conditions.team_best:
        rows = tuple(
            (str(row.rank), row.club, points_text(row.points), ", ".join(row.members))
            for row in club_row_views(state)
        )
        keys = ("short_rank", "club", "short_points", "members")
        titles = tuple(_word(key, language) for key in keys)
        body += (Heading(_word("clubs", language)), Grid(titles, rows, (1, 4, 1.5, 8), (0, 2)))
    return _document(state, language, name=f"{stem}-table", title=heading, body=tuple(body), signed=True)


def _standings(state: State, view: TableView, language: str) -> Grid:
    tie_breaks = state.conditions.tie_breaks
    clubs = any(row.club for row in view.rows)
    columns: list[tuple[str, float, list[str]]] = [
        (_word("short_rank", language), 1, [str(row.rank) for row in view.rows]),
        (
            _word("team" if state.conditions.boards else "player", language),
            6,
            [_named(row, language) for row in view.rows],
        ),
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
    who = _word("team" if state.conditions.boards else "player", language)
    titles = ("", who, *map(str, range(1, count + 1)), _word("short_points", language))
    share = max(0.7, min(2.0, 14 / max(1, count)))
    grid = Grid(titles, tuple(lines), (1, 6, *([share] * count), 1.4), (0, count + 2))
    body: list[Block] = [grid]
    if _names_colors(state):
        legend = (
            f"{_word(f'short_{each}', language)}: {_word(each, language)}" for each in ("white", "black")
        )
        body.append(Text("; ".join(legend), "small"))
    return _document(
        state, language, name=f"{stem}-cross", title=_word("cross", language), body=tuple(body), signed=True
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
            return f"{_word(f'short_{color}', language)} {own}", opponent
    rest = next((rest for rest in played.resting if rest.name == name), None)
    points = {"bye": state.conditions.bye, "requested": state.conditions.requested_bye}
    return (f"– {points_text(points.get(rest.kind, 0.0))}" if rest else "–"), ""
