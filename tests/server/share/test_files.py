"""Games to take away: each file says the game the server knows."""

import io
from xml.etree import ElementTree

import httpx
import pytest
import segno
from PIL import Image
from sqlalchemy import text

from damas.game import Position
from damas.judging.judge import judge
from damas.notation import PdnGame, read_games
from damas.server.security.errors import ApiError
from server.rooms.clients import Person

MOVES = ("c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5")


@pytest.fixture
async def ana(server) -> Person:
    return await server.person()


async def played(person: Person, moves: tuple[str, ...] = MOVES, **terms: object) -> str:
    game = await person.create(kind="device", **terms)
    board = await person.sit(game)
    for move in moves:
        ply = board.view["ply"]
        assert (await board.move(move))["t"] == "ack"
        while board.view["ply"] == ply:
            await board.next("event")
    assert (await board.act("resign"))["t"] == "ack"
    await board.close()
    return game


# One game


async def test_the_pdn_is_the_game(ana):
    game = await played(ana)
    answer = await ana.http.get(f"/game/export/{game}.pdn")
    assert answer.headers["content-disposition"] == f'attachment; filename="damas-{game}.pdn"'
    [found] = list(read_games(answer.text))
    assert isinstance(found, PdnGame)
    assert [node.move.text for node in found.moves] == list(MOVES)
    assert found.tags["Site"].endswith(f"/game/{game}")
    assert (found.tags["Reason"], found.result.text, judge(found).verdict) == (
        "RESIGNATION",
        "1-0",
        "EXPLAINED",
    )


async def test_the_json_is_the_view_of_the_table_and_who_played(ana):
    game = await played(ana)
    reply = (await ana.http.get(f"/game/export/{game}.json")).json()
    assert [move["text"] for move in reply["moves"]] == list(MOVES)
    assert reply["id"] == game and reply["you"] == "both" and reply["status"] == "over"
    assert reply["start"] == Position.start("brasileira").fen
    assert reply["outcome"]["reason"] == "RESIGNATION"


async def test_the_svg_shows_the_ply_that_is_asked_for(ana):
    game = await played(ana)
    last = await ana.http.get(f"/game/export/{game}.svg")
    ElementTree.fromstring(last.text)
    first = await ana.http.get(f"/game/export/{game}.svg?ply=0")
    assert "White 12 men, Black 12 men" in first.text
    assert "White 11 men, Black 11 men" in last.text
    assert "unsafe-inline" in last.headers["content-security-policy"], "the picture keeps its own colours"


async def test_the_gif_has_a_picture_for_every_position(ana):
    game = await played(ana)
    answer = await ana.http.get(f"/game/export/{game}.gif")
    film = Image.open(io.BytesIO(answer.content))
    assert film.n_frames == len(MOVES) + 1
    assert film.size == (360, 360) and len(answer.content) < 200_000
    film.seek(film.n_frames - 1)
    assert film.info["duration"] == 3000


async def test_a_long_capture_is_shown_jump_by_jump(ana):
    answer = await ana.http.get(
        "/position.gif", params={"rulebook": "faraes", "fen": "W:Wc3:Bb4,d4,f6", "moves": "c3xe5xg7"}
    )
    film = Image.open(io.BytesIO(answer.content))
    assert film.n_frames == 3
    durations = []
    for place in range(3):
        film.seek(place)
        durations.append(film.info["duration"])
    assert durations == [800, 320, 3000]


async def test_the_png_is_as_large_as_asked_and_never_larger_than_allowed(ana):
    game = await played(ana)
    for query, size in (("200", 200), ("99999", 1200), ("1", 80), ("x", 640)):
        answer = await ana.http.get(f"/game/export/{game}.png?size={query}")
        assert Image.open(io.BytesIO(answer.content)).size == (size, size)


@pytest.mark.parametrize("address", ["nothere.pdn", "nothere.exe", "../secret.pdn"])
async def test_what_is_not_there_is_not_found(ana, address):
    assert (await ana.http.get(f"/game/export/{address}")).status_code == 404


@pytest.mark.parametrize("book", ["portuguesa", "internacional", "turca", "concurso"])
@pytest.mark.parametrize("kind", ["svg", "png"])
async def test_any_position_of_any_board_has_a_picture(ana, book, kind):
    answer = await ana.http.get(f"/position.{kind}?rulebook={book}&orientation=black")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/")


async def test_a_white_piece_is_light_and_a_black_one_dark_where_they_stand(ana):
    """Both orientations: the mirrored board of portuguesa has its corner at the right."""
    for book, fen, orientation, spots in (
        ("brasileira", "W:Wa1:Bh8", "white", ((70, 550), (570, 60))),
        ("brasileira", "W:Wa1:Bh8", "black", ((570, 60), (70, 550))),
        ("portuguesa", "W:W1:B32", "white", ((590, 595), (55, 60))),
    ):
        answer = await ana.http.get(
            "/position.png", params={"rulebook": book, "fen": fen, "orientation": orientation, "size": "640"}
        )
        picture = Image.open(io.BytesIO(answer.content)).convert("L")
        light, dark = (picture.getpixel(spot) for spot in spots)
        assert light > 200 and dark < 80, (book, orientation, light, dark)


# The code


async def test_the_longest_path_has_a_code(ana):
    assert (await ana.http.get("/qr.svg", params={"path": "/" + "x" * 511})).status_code == 200


async def test_the_code_says_the_address_of_the_page(server, ana):
    path = "/game/abc?lang=pt-BR"
    answer = await ana.http.get("/qr.svg", params={"path": path})
    assert answer.headers["content-type"] == "image/svg+xml"
    address = f"http://127.0.0.1:{server.port}{path}"
    codes = []
    for content in (address, address + "x"):
        drawn = io.BytesIO()
        code = segno.make_qr(content, error="m", boost_error=False)
        code.save(
            drawn, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False, svgclass=None
        )
        codes.append(drawn.getvalue())
    assert answer.content == codes[0] != codes[1]


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "https://evil.example", "", "game", "/\\evil.example", "/a b", "/" + "x" * 512],
)
async def test_the_code_leads_nowhere_else(ana, path):
    answer = await ana.http.get("/qr.svg", params={"path": path})
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "BAD_PATH"


# Many games


async def test_my_games_are_mine_and_the_archive_is_everybodys(server, ana):
    game = await played(ana)
    await ana.create(kind="friend")
    rui = await server.person()
    mine = (await ana.http.get("/api/archive?mine=1")).json()["games"]
    assert len(mine) == 2 and mine[1]["id"] == game and mine[1]["you"] == "both"
    assert (await rui.http.get("/api/archive?mine=1")).json()["games"] == []
    [found] = (await rui.http.get("/api/archive")).json()["games"]
    assert found["id"] == game and found["you"] is None, "what is still to be played is in no archive"


async def test_what_nobody_came_to_is_no_game_of_mine(server, ana):
    rui, sought = await server.person(), await ana.create(kind="seek")
    called_off = await ana.create(kind="friend")
    await rui.join(called_off)
    for game in (sought, called_off):
        assert (await (await ana.sit(game)).act("abort"))["t"] == "ack"
    mine = (await ana.http.get("/api/archive?mine=1")).json()["games"]
    assert [(game["id"], game["status"]) for game in mine] == [(called_off, "aborted")]


async def test_my_games_that_go_on(ana):
    await played(ana)
    await ana.create(kind="friend")
    playing = await ana.create(kind="device")
    mine = (await ana.http.get("/api/archive?mine=1&status=playing")).json()["games"]
    assert [game["id"] for game in mine] == [playing]


async def test_filters(ana):
    first = await played(ana)
    second = await played(ana, ("9-13",), rulebook="portuguesa")

    async def ids(**query: str) -> set[str]:
        return {game["id"] for game in (await ana.http.get("/api/archive", params=query)).json()["games"]}

    assert await ids(rulebook="portuguesa") == {second}
    assert await ids(rulebook="portuguese") == {second}
    assert await ids(result="white") == {first, second} - await ids(result="black")
    assert await ids(result="draw") == set()
    assert await ids(opponent="level") == set()
    assert await ids(name="zzz") == set()
    name = (await ana.http.get("/api/archive")).json()["games"][0]["white"]["name"]
    assert await ids(name=name.upper()[:4]) == {first, second}
    assert await ids(since="2999-01-01") == set()
    assert await ids(until="1999-01-01") == set()
    assert await ids(since="2000-01-01", until="2999-01-01") == {first, second}
    assert await ids(since="nonsense", result="nonsense") == {first, second}


async def test_pages_go_on_where_the_last_one_ended(ana, monkeypatch):
    monkeypatch.setattr("damas.server.web.archive.PAGE", 2)
    monkeypatch.setattr("damas.server.web.archive.SCANNED", 2)
    games = [await played(ana, ()) for _ in range(5)]
    found: list[str] = []
    after = ""
    for _ in range(4):
        page = (await ana.http.get("/api/archive", params={"after": after})).json()
        found += [game["id"] for game in page["games"]]
        after = page["next"]
        if after is None:
            break
    assert found == games[::-1]


async def test_all_games_in_one_file(server, ana):
    games = [await played(ana) for _ in range(3)]
    file = (await ana.http.get("/api/archive.pdn?mine=1")).text
    read = list(read_games(file))
    assert all(isinstance(game, PdnGame) for game in read)
    assert [game.tags["Site"].rpartition("/")[2] for game in read] == games[::-1]
    rui = await server.person()
    assert (await rui.http.get("/api/archive.pdn?mine=1")).text == ""


async def test_a_game_that_cannot_be_told_is_left_out_and_raises_an_alarm(server, ana, caplog):
    games = [await played(ana) for _ in range(3)]
    spoil = text("UPDATE event SET data = '{}' WHERE game = :game")
    await server.services.store.writer.do(lambda connection: connection.execute(spoil, {"game": games[1]}))
    answer = await ana.http.get("/api/archive.pdn?mine=1")
    assert answer.status_code == 200
    found = [game.tags["Site"].rpartition("/")[2] for game in read_games(answer.text)]
    assert found == [games[2], games[0]]
    [alarm] = [record for record in caplog.records if "ALARM" in record.getMessage()]
    assert games[1] in alarm.getMessage()


async def test_a_download_plays_so_many_moves_again_and_no_more(ana, monkeypatch):
    games = [await played(ana) for _ in range(3)]
    monkeypatch.setattr("damas.server.web.archive.MAX_PLIES", 2 * len(MOVES))
    found = list(read_games((await ana.http.get("/api/archive.pdn?mine=1")).text))
    assert [game.tags["Site"].rpartition("/")[2] for game in found] == games[:0:-1]


async def test_a_download_waits_for_a_busy_server_and_is_never_shorter_than_it_looks(
    server, ana, monkeypatch
):
    games = [await played(ana) for _ in range(2)]
    files, refusals = server.services.work.files, []
    run = files.run

    async def refusing(*arguments, **options):
        if refusals:
            raise refusals.pop()
        return await run(*arguments, **options)

    monkeypatch.setattr(files, "run", refusing)
    refusals += [ApiError(503, "BUSY", retry_s=0), ApiError(429, "RATE", retry_s=0)]
    found = list(read_games((await ana.http.get("/api/archive.pdn?mine=1")).text))
    assert [game.tags["Site"].rpartition("/")[2] for game in found] == games[::-1]
    for refused in ([ApiError(503, "RESTARTING", retry_s=0)], [ApiError(503, "BUSY", retry_s=0)] * 50):
        refusals[:] = refused
        with pytest.raises(httpx.RemoteProtocolError):
            await ana.http.get("/api/archive.pdn?mine=1")


async def test_an_address_has_one_download_at_a_time(server, ana):
    with server.services.downloads.hold("127.0.0.1"):
        answer = await ana.http.get("/api/archive.pdn")
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "UNDER_WAY")
    assert (await ana.http.get("/api/archive.pdn")).status_code == 200
    assert server.services.downloads.held == 0
