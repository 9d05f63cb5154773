"""The papers of a tournament of people that are cut out: a slip for each board, a card for each player."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from damas.paper.club import BLANK, club_word
from damas.paper.document import Block, Card, Cards, Code, Document, Grid, Heading, Text, clipped
from damas.tournaments.hall import Place, State, individuals
from damas.tournaments.hall.rounds import Round
from damas.views.club import BoardView, MatchBoardView, round_view, seat_words

MAX_SIGNER = 26
"""Letters of a name above the line on which it is signed."""
MAX_BOARDS_OF_HALF_A_PAGE = 8
"""Boards of a match whose sheet fits half a page."""


@dataclass(frozen=True)
class CardLink:
    """What the QR code of a card opens, and the PIN that opens the same."""

    address: str
    pin: str = ""


def slips_papers(
    state: State, played: Round, language: str, stem: str, address: str = ""
) -> tuple[Document, ...]:
    """A slip for each board, on which both players sign the result: six to a page, or four with several games.

    In a league of teams it is a sheet for each match, two to a page, and with an address a slip for each board too. In
    `address`, which is printed as a QR code, {round} and {board} are filled in.
    """
    conditions, boards = state.conditions, round_view(state, played).boards
    name = f"{stem}-{played.number}-slips"

    def code(place: Place) -> Code | None:
        filled = address.replace("{round}", str(played.number)).replace("{board}", str(place))
        return Code.of(filled) if address else None

    columns, rows = (2, 3) if conditions.games == 1 else (2, 2)
    if not conditions.boards:
        cards = [
            _slip(state, played, board, Place(board.board), code(Place(board.board)), language)
            for board in boards
        ]
        return (_cut_out(state, language, name, "slips", Cards(tuple(cards), columns, rows)),)
    sheets = [_match_card(state, played, board, code(Place(board.board)), language) for board in boards]
    per_page = 1 if len(conditions.boards) > MAX_BOARDS_OF_HALF_A_PAGE else 2
    documents = [_cut_out(state, language, name, "slips", Cards(tuple(sheets), 1, per_page))]
    cards = [
        _slip(state, played, _by_color(seat), place, code(place), language)
        for match in boards
        for seat in match.match_boards
        if seat.first and seat.second and (place := Place(match.board, seat.board))
    ]
    if cards and address:
        documents.append(_cut_out(state, language, name, "slips", Cards(tuple(cards), columns, rows)))
    return tuple(documents)


def _by_color(seat: MatchBoardView) -> BoardView:
    """A board of a match with White named first, as on a slip of two people."""
    black = seat.second if seat.white == seat.first else seat.first
    return BoardView(seat.board, seat.white, black, "", "")


def _slip(
    state: State, played: Round, board: BoardView, place: Place, code: Code | None, language: str
) -> Card:
    games = state.conditions.games
    heading = (
        f"{club_word('slip', language, board=place)} · {club_word('round', language, number=played.number)}"
    )
    head: list[Block] = [Text(clipped(state.conditions.title), "small"), Heading(heading)]
    if games > 1:
        head.append(Text(f"{board.first} – {board.second}"))
    blocks: list[Block] = [_games_to_fill(games, board, language)]
    if played.ballot:
        blocks.append(Text(club_word("ballot", language, moves=played.ballot), "small"))
    signature = club_word("signature", language)
    signed = tuple(f"{signature}: {_short(name)}" for name in (board.first, board.second))
    blocks.append(Grid(signed, ((BLANK, BLANK),), (1, 1), tall=True))
    return Card(tuple(head), tuple(blocks), code)


def _match_card(state: State, played: Round, match: BoardView, code: Code | None, language: str) -> Card:
    heading = f"{club_word('match', language, number=match.board)} · {club_word('round', language, number=played.number)}"
    blocks: list[Block] = [*_match_sheet(match, language)]
    if played.ballot:
        blocks.append(Text(club_word("ballot", language, moves=played.ballot), "small"))
    captain = club_word("captain", language)
    signed = tuple(f"{captain}: {name}" for name in (match.first, match.second))
    blocks.append(Grid(signed, ((BLANK, BLANK),), (1, 1), tall=True))
    return Card((Text(clipped(state.conditions.title), "small"), Heading(heading)), tuple(blocks), code)


def _short(name: str) -> str:
    return name if len(name) <= MAX_SIGNER else f"{name[: MAX_SIGNER - 1]}…"


def _games_to_fill(games: int, board: BoardView, language: str) -> Grid:
    titles = ("", *(club_word(key, language) for key in ("white", "result", "black")))
    if games == 1:
        return Grid(titles[1:], ((board.first, "", board.second),), (4, 3, 4), tall=True)
    sides = (_short(board.first), _short(board.second))
    rows = tuple(
        (club_word("game", language, number=number + 1), sides[number % 2], "", sides[1 - number % 2])
        for number in range(games)
    )
    return Grid(titles, rows, (3.4, 4.4, 3.6, 4.4), tall=True)


def _match_sheet(match: BoardView, language: str) -> Iterator[Block]:
    rows = tuple(
        (f"{match.board}.{seat.board}", seat_words(seat.first, seat.white, language), seat.result or BLANK,
         seat_words(seat.second, seat.white, language))
        for seat in match.match_boards
    )  # fmt: skip
    titles = (club_word("board", language), match.first, club_word("result", language), match.second)
    yield Grid(titles, rows, (1.2, 5, 2.5, 5), (0,), tall=True)


def _cut_out(state: State, language: str, name: str, title: str, cards: Cards) -> Document:
    """Pages of cards, without a head."""
    return Document(
        language=language,
        name=name,
        title=club_word(title, language),
        body=(cards,),
        footer=clipped(state.conditions.title),
        bare=True,
    )


def cards_paper(
    state: State,
    language: str,
    stem: str,
    links: Mapping[str, CardLink] | None = None,
    captains: Mapping[str, CardLink] | None = None,
) -> Document:
    """A card for each player: name, number and club, with the QR code of an address and a PIN where there are any.

    In a league of teams the cards of the captains come first, where they have links.
    """
    players = individuals(state) if state.conditions.boards else state
    captain, number = club_word("captain", language), club_word("number", language)
    cards = [
        _card(state, team, captain, captains[team])
        for team in state.by_number
        if captains and team in captains
    ]
    for place, name in enumerate(players.by_number, start=1):
        club = players.players[name].person.club
        line = " · ".join(filter(None, (f"{number} {place}", club)))
        cards.append(_card(state, name, line, (links or {}).get(name)))
    return _cut_out(state, language, f"{stem}-cards", "cards", Cards(tuple(cards), 2, 5))


def _card(state: State, name: str, line: str, link: CardLink | None) -> Card:
    blocks: list[Block] = [Text(clipped(state.conditions.title), "small"), Text(name, "strong"), Text(line)]
    if link and link.pin:
        blocks.append(Text(f"PIN {link.pin}", "strong"))
    return Card(tuple(blocks), code=Code.of(link.address) if link else None)
