"""A class over HTTP: lists, logins, pairing, holding, reports, homework."""

import asyncio
import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import asdict
from sqlalchemy import Connection, select

from damas.rules.library import rulebook_ids
from damas.server.classes.live import LAST_GAMES
from damas.server.learning.course import lessons
from damas.server.learning.puzzle import rulebooks_with_puzzles
from damas.server.settings import Limits
from damas.server.store import schema
from damas.server.store.errors import StoreError
from damas.server.store.rows import GameRow, SchoolClass
from damas.server.store.sqlite import SqliteDatabase
from server.classes.lesson import NAMES, lesson, log_in, sound
from server.rooms.clients import Server


async def test_a_list_is_pasted_and_every_pupil_logs_in(server: Server) -> None:
    here = await lesson(server)
    again = await here.ask("/pupils", 201, text="1. ana secreta\n2. Davi\n3. Davi\n4. 🙂\n")
    assert [each["name"] for each in again["added"]] == ["Davi"]
    assert again["twice"] == ["ana secreta", "Davi"] and again["unreadable"] == ["4. 🙂"]
    assert {len(pin["pin"]) for pin in here.pins} == {6} and len({pin["pin"] for pin in here.pins}) == 3
    view = await here.view()
    assert [pupil["name"] for pupil in view["pupils"]] == [*NAMES, "Davi"]
    for person, name in zip(here.pupils, NAMES, strict=True):
        mine = sound(await person.http.get("/api/class"))
        assert (mine["name"], mine["title"]) == (name, "5.º A")
        assert name not in mine["mates"] and len(mine["mates"]) == 3
    long = await here.ask("/pupils", 201, text="Maria " + "dos Santos " * 6)
    assert long["added"] == [] and long["unreadable"][0].startswith(
        "Maria dos"
    )  # it is named, not only refused
    for text, code in (("  \n5\n", "NO_NAMES"), ("\n".join(f"Pupil {n}x" for n in range(60)), "CLASS_FULL")):
        refused = await here.teacher.http.post(f"{here.path}/pupils", json={"text": text})
        assert refused.json()["error"]["code"] == code


async def test_pins_are_hashed_and_a_new_one_ends_the_login(server: Server) -> None:
    here = await lesson(server)
    ana, pin = here.pupils[0], here.pins[0]

    def everything(connection: Connection) -> str:
        return repr(connection.execute(schema.pupil.select()).all())

    stored = await server.services.store.database.read(everything)
    assert pin["pin"] not in stored and stored.count("$argon2id$") == 3
    new = (await here.ask("/pins", pupils=[pin["id"]]))["pins"]
    assert [each["id"] for each in new] == [pin["id"]] and new[0]["pin"] != pin["pin"]
    assert (await ana.http.get("/api/class")).status_code == 401
    for name in (pin["name"].upper(), "1", "ana"):  # whole, the number on the card, a first name
        assert (await log_in(ana, here.code.lower(), name, new[0]["pin"])).status_code == 200
        assert (await log_in(ana, here.code, name, pin["pin"])).json()["error"]["code"] == "WRONG_PIN"
    sound(await ana.http.post("/api/class/logout", json={}))
    assert (await ana.http.get("/api/class")).status_code == 401


class TestGuessing:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(failed_pins_of_address=3, failed_pins_of_place=100)

    async def test_an_address_may_not_guess(self, server: Server) -> None:
        here = await lesson(server)
        stranger = await server.person()
        codes = [
            (await log_in(stranger, code, name, "000000")).json()["error"]["code"]
            for code, name in (
                (here.code, NAMES[0]),
                ("NOSUCH", NAMES[0]),
                (here.code, "Nobody"),
                (here.code, NAMES[1]),
            )
        ]
        assert codes == ["WRONG_PIN", "WRONG_PIN", "WRONG_PIN", "RATE"]


class TestGuessingByMany:
    @pytest.fixture
    def limits(self) -> Limits:
        return Limits(failed_pins_of_address=100, failed_pins_of_place=3)

    async def test_a_class_is_not_guessed_from_many_addresses(self, server: Server) -> None:
        here, other = await lesson(server), await lesson(server)
        stranger = await server.person()
        answers = [await log_in(stranger, here.code, NAMES[0], "000000") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
        pin = other.pins[0]
        assert (await log_in(stranger, other.code, pin["name"], pin["pin"])).status_code == 200


async def test_a_whole_class_logs_in_at_once(server: Server) -> None:
    here = await lesson(server)
    names = "\n".join(f"Aluno {first}{last}" for first in "ABCDEFG" for last in "ABCDEF")
    added = (await here.ask("/pupils", 201, text=names))["added"]
    logins = [log_in(await server.person(), here.code, pin["name"], pin["pin"]) for pin in added]
    assert [answer.status_code for answer in await asyncio.gather(*logins)] == [200] * len(added)


async def test_no_board_is_held_for_ever_of_a_class_that_is_deleted_meanwhile(server: Server) -> None:
    here, services = await lesson(server), server.services
    school_class = await services.store.classes.get(here.id)
    assert school_class is not None
    await services.store.classes.remove(here.id)
    with pytest.raises(StoreError):  # the request has read the class before
        await services.boards.start(school_class, [(here.pins[0]["id"], here.pins[1]["id"])], "en")
    assert [room.head.status for room in services.rooms if room.playing] == []
    games = await services.store.database.read(
        lambda connection: connection.execute(schema.game.select()).mappings().all()
    )
    assert [game["status"] for game in games] == ["aborted"]


@pytest.mark.parametrize("limits", [Limits(silent_s=3600)])  # nobody is silent for so long while time jumps
async def test_a_lesson_is_paired_held_and_ended(server: Server) -> None:
    here = await lesson(server)
    ana, bia, _ = here.pupils
    await here.ask(time="5+0", preset="casual")
    assert (await here.teacher.http.post(f"{here.path}/games", json={"shuffle": True})).status_code == 409
    pairs = [[here.pins[0]["id"], here.pins[1]["id"]]]
    game = (await here.ask("/games", 201, pairs=pairs))["games"][0]
    white, black = await ana.sit(game), await bia.sit(game)
    assert (white.hello["you"], black.hello["you"]) == ("white", "black")
    assert white.hello["held"] and white.hello["view"]["suspended"]
    again = await here.teacher.http.post(f"{here.path}/games", json={"pairs": pairs})
    assert again.json()["error"]["code"] == "PUPIL_PLAYS"
    await here.ask("/start")
    assert not (await white.until("resumed"))["held"]
    assert (await white.move("c3-d4"))["t"] == "ack"
    own = await here.pupils[2].create(kind="level", level=1, time="5+0", colour="white")  # homework meanwhile
    third = await here.pupils[2].sit(own)
    assert [pupil["here"] for pupil in (await here.view())["pupils"]] == [True, True, True]
    server.stand()
    await here.ask("/hold", notice="Olhem  o quadro")
    assert (await white.until("suspended"))["held"] and (await third.until("suspended"))["held"]
    mine = sound(await ana.http.get("/api/class"))
    assert (mine["held"], mine["notice"], mine["game"]) == (True, "Olhem o quadro", game)
    wanted = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}, "color": "white"}
    late = await here.pupils[2].http.post("/api/games", json=wanted)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "CLASS_HELD")
    before = white.events[-1]["clocks"]
    server.pass_by(500)
    await here.ask("/start")
    after = (await white.until("resumed"))["clocks"]
    assert (after["white"], after["black"]) == (before["white"], before["black"])
    await third.until("resumed")
    view = await here.view()
    assert [(board["white"], board["black"], board["status"]) for board in view["boards"]] == [
        (NAMES[0], NAMES[1], "playing")
    ]
    await here.ask("/hold")  # without words of the teacher's own
    assert sound(await ana.http.get("/api/class"))["notice"].startswith("Look at your teacher")
    await here.ask("/stop")
    assert (await white.until("ruled"))["view"]["outcome"]["void"]
    assert sound(await ana.http.get("/api/class"))["game"] is None


async def test_not_every_game_of_a_year_is_read_at_each_move(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await lesson(server)
    store, game = server.services.store, await here.pair()
    head = await store.games.head(game)
    assert head is not None
    others = [
        asdict(head) | {"id": f"over{n}", "status": "over", "created_ms": head.created_ms - n}
        for n in range(1, LAST_GAMES + 50)
    ]

    def play_all_year(connection: Connection) -> None:
        connection.execute(schema.game.insert(), others)
        games = [{"game": other["id"], "school_class": here.id} for other in others]
        connection.execute(schema.class_game.insert(), games)

    await store.writer.do(play_all_year)
    read, heads = list[int](), store.games.heads

    async def counting(games: Sequence[str]) -> dict[str, GameRow]:
        read.append(len(games))
        return await heads(games)

    monkeypatch.setattr(store.games, "heads", counting)
    assert [board["id"] for board in (await here.view())["boards"]] == [game]
    assert sound(await here.pupils[0].http.get("/api/class"))["game"] == game
    await here.ask("/hold")
    assert read and max(read) <= LAST_GAMES + 1


async def test_a_game_that_nobody_has_open_when_the_lesson_goes_on_is_let_go_later(server: Server) -> None:
    here = await lesson(server)
    ana = here.pupils[0]
    own = await ana.create(kind="level", level=1, colour="white")  # without a clock
    board = await ana.sit(own)
    await here.ask("/hold")
    assert (await board.until("suspended"))["held"]
    await board.close()  # the phone sleeps
    await until_dropped(server, own)
    await here.ask("/start")
    board = await ana.sit(own)
    assert not board.hello["held"] and not board.hello["view"]["suspended"]
    assert (await board.move("c3-d4"))["t"] == "ack"
    await board.close()
    await until_dropped(server, own)
    await here.ask("/hold")
    assert (await ana.sit(own)).hello["held"]


async def until_dropped(server: Server, game: str) -> None:
    async with asyncio.timeout(60):
        while server.rooms.in_memory(game):
            server.rooms.sweep(idle_s=-1)
            await asyncio.sleep(0.01)


async def test_attention_is_asked_for_while_others_are_paired(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await lesson(server, "Ana", "Bia", "Caê", "Davi")
    await here.pair()  # the lesson is under way: who is paired now begins at once
    boards, start, asked = server.services.boards, server.services.boards.start, list[asyncio.Task[Any]]()

    async def start_and_be_interrupted(*paired: Any) -> list[str]:
        games = await start(*paired)
        asked.append(asyncio.create_task(here.ask("/hold")))
        await asyncio.wait(asked, timeout=2)  # it may have to wait until these are paired
        return games

    monkeypatch.setattr(boards, "start", start_and_be_interrupted)
    pairs = [[here.pins[2]["id"], here.pins[3]["id"]]]
    await here.ask("/games", 201, pairs=pairs)
    await asked[0]
    assert [board["held"] for board in (await here.view())["boards"]] == [True, True]


@pytest.mark.parametrize("held", [False, True])
async def test_pupils_read_in_their_language_what_the_teacher_does(server: Server, held: bool) -> None:
    here = await lesson(server)
    ana = here.pupils[0]
    game = await here.pair()
    if held:
        await here.ask("/hold")
    await here.ask("/stop")
    path = f"/api/games/{game}?lang="
    views = {lang: sound(await ana.http.get(path + lang))["view"] for lang in ("pt-BR", "pt-PT", "es", "en")}
    assert [view["outcome"]["sentence"].split(" (")[0] for view in views.values()] == [
        "Partida sem resultado: o professor encerrou a partida",
        "Partida sem resultado: o professor terminou a partida",
        "Partida sin resultado: el profesor terminó la partida",
        "No result: ended by the teacher",
    ]
    shown = json.dumps(views["pt-BR"], ensure_ascii=False)
    assert "a partida continua: o professor deu o sinal" in shown and "servidor" not in shown


async def test_those_who_are_here_are_shuffled(server: Server) -> None:
    here = await lesson(server, *(f"Pupil {letter}" for letter in "ABCDEFG"))
    game = await here.pair(0, 1)
    boards = [await person.sit(await person.create(kind="device")) for person in here.pupils[:6]]
    taps = (here.teacher.http.post(f"{here.path}/games", json={"shuffle": True}) for _ in range(2))
    answers = sorted(await asyncio.gather(*taps), key=lambda answer: answer.status_code)
    assert [answer.status_code for answer in answers] == [201, 409]  # a second tap finds them playing
    paired = answers[0].json()
    assert len(paired["games"]) == 2 and paired["left"] == ""  # the seventh is not here, two play already
    view = await here.view()
    playing = [pupil["name"] for pupil in view["pupils"] if pupil["game"] not in (None, game)]
    assert playing == [f"Pupil {letter}" for letter in "CDEF"]
    assert not any(board["held"] for board in view["boards"])  # the lesson is under way
    assert boards


async def test_what_pupils_have_done_is_counted_and_harmless_in_a_spreadsheet(server: Server) -> None:
    here = await lesson(server, "=Ana", "＝Bia")
    ana, bia = here.pupils
    game = await here.pair()
    white = await ana.sit(game)
    assert (await white.move("c3-c5"))["t"] == "nack"
    lesson_id, done = next((name, len(each.step)) for name, each in lessons().items())
    puzzle = sound(await ana.http.get("/api/puzzles/brasileira"))["puzzles"][0]["id"]
    tomorrow = "2099-12-31"
    given = [
        {"kind": "lesson", "lesson": lesson_id},
        {"kind": "puzzles", "rulebook": "brasileira", "count": 1},
        {"kind": "game", "rulebook": "brasileira", "count": 1},
    ]
    for each in given:
        await here.ask("/homework", 201, due=tomorrow, **each)
    without = next(book for book in rulebook_ids() if book not in rulebooks_with_puzzles())
    for wrong in ({"due": "2099-02-30"}, {"count": 0}, {"rulebook": "nowhere"}, {"rulebook": without}):
        assert (
            await here.teacher.http.post(f"{here.path}/homework", json=given[1] | {"due": tomorrow} | wrong)
        ).status_code in (400, 404)
    progress = {f"lesson.{lesson_id}": {"done": list(range(done))}}
    sound(await ana.http.post("/api/progress", json={"progress": progress}))
    sound(await ana.http.post(f"/api/puzzles/brasileira/{puzzle}", json={"solved": True}))
    assert [task["done"] for task in sound(await ana.http.get("/api/class"))["tasks"]] == [True, True, False]
    assert [task["done"] for task in sound(await bia.http.get("/api/class"))["tasks"]] == [False] * 3
    given_id = (await here.ask("/homework", 201, due=tomorrow, **given[1] | {"count": 2}))["id"]
    sound(await ana.http.post(f"/api/puzzles/brasileira/{puzzle}", json={"solved": True}))
    task = next(task for task in sound(await ana.http.get("/api/class"))["tasks"] if task["id"] == given_id)
    assert (task["done"], task["solved"], task["count"]) == (False, 1, 2)
    report = sound(await here.teacher.http.get(f"{here.path}/report"))
    assert next(each for each in report["homework"] if each["id"] == given_id)["begun"] == {
        here.pins[0]["id"]: 1
    }
    sound(await here.teacher.http.delete(f"{here.path}/homework/{given_id}"))
    own = await ana.create(kind="level", level=1, colour="white")
    board = await ana.sit(own)
    assert (await board.act("resign"))["t"] == "ack"
    report = sound(await here.teacher.http.get(f"{here.path}/report"))
    first = report["pupils"][0]
    facts = [first[name] for name in ("refused", "lessons", "puzzles", "homework")]
    assert facts == [1, 1, 1, 3]
    assert [len(each["done"]) for each in report["homework"]] == [1, 1, 1]
    assert sum(each["count"] for each in first["irregularities"]) == 1
    sheet = await here.teacher.http.get(f"{here.path}/report.csv?lang=en")
    rows = list(csv.reader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert rows[1][:2] == ["1", "'=Ana"] and rows[1][3:] == ["1", "1", "1", "3"]
    assert rows[2][1] == "'＝Bia"  # where letters are wide, spreadsheets take the wide sign too
    assert "attachment" in sheet.headers["content-disposition"]
    await here.teacher.http.delete(f"{here.path}/homework/{report['homework'][0]['id']}")
    assert len(sound(await ana.http.get("/api/class"))["tasks"]) == 2


async def test_there_is_no_chat_in_a_class_nor_in_school_games_unless_a_teacher_allows_it(
    server: Server,
) -> None:
    here = await lesson(server)
    await here.ask(preset="casual")
    board = await here.pupils[0].sit(await here.pair())
    await board.send(t="chat", text="oi")
    assert (await board.next("nack"))["code"] == "CHAT_OFF"
    await here.ask(chat=True)
    await board.send(t="chat", text="oi")
    assert (await board.next("chat"))["text"] == "oi"
    ana, rui = await server.person(), await server.person()
    game = await ana.create(preset="school")
    await rui.join(game)
    visitor = await ana.sit(game)
    await visitor.send(t="chat", text="oi")
    assert (await visitor.next("nack"))["code"] == "CHAT_OFF"


async def test_everything_is_deleted_and_the_games_stay_nobodys(server: Server) -> None:
    here = await lesson(server)
    ana = here.pupils[0]
    game = await here.pair()
    board = await ana.sit(game)
    sound(await ana.http.post("/api/progress", json={"progress": {"puzzles.brasileira": {"solved": 3}}}))
    sound(await here.teacher.http.delete(here.path))
    assert (await board.until("ruled"))["view"]["outcome"]["void"]
    assert (await ana.http.get("/api/class")).status_code == 401
    assert (await here.teacher.http.get(here.path)).status_code == 403
    assert (await ana.look(game))["you"] == "viewer"
    assert (await log_in(ana, here.code, NAMES[0], here.pins[0]["pin"])).status_code == 401

    def everything(connection: Connection) -> str:
        return repr([connection.execute(table.select()).all() for table in schema.metadata.sorted_tables])

    stored = await server.services.store.database.read(everything)
    assert game in stored
    for pin, name in zip(here.pins, NAMES, strict=True):
        assert pin["id"] not in stored and name not in stored
    assert json.dumps(here.code) not in stored and here.code not in stored


async def test_nobody_is_paired_in_a_class_that_is_being_deleted(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await lesson(server)
    boards, stop, asked = server.services.boards, server.services.boards.stop, list[asyncio.Task[Any]]()
    pair = {"pairs": [[here.pins[0]["id"], here.pins[1]["id"]]]}

    async def stop_and_be_interrupted(school_class: SchoolClass) -> None:
        await stop(school_class)
        asked.append(asyncio.create_task(here.teacher.http.post(f"{here.path}/games", json=pair)))
        await asyncio.wait(asked, timeout=2)  # it may have to wait until the class is gone

    monkeypatch.setattr(boards, "stop", stop_and_be_interrupted)
    sound(await here.teacher.http.delete(here.path))
    assert (await asked[0]).status_code == 403
    assert [room.head.status for room in server.services.rooms if room.playing] == []


@pytest.mark.parametrize("by_operator", [False, True])
async def test_a_class_that_nobody_teaches_any_more_is_forgotten(server: Server, by_operator: bool) -> None:
    alone, shared = await lesson(server), await lesson(server, "Davi", "Eva")
    account = {"name": "Prof Rui", "password": "um cavalo sem sela"}
    sound(await alone.teacher.http.post("/api/account", json=account), 201)
    class_id, _, key = (await shared.ask("/link"))["path"].partition("#teacher=")[2].partition(".")
    sound(await alone.teacher.http.post("/api/classes/claim", json={"id": class_id, "key": key}))
    if by_operator:
        key = (server.services.settings.data / "operator").read_text()
        deed = {"name": account["name"], "do": "close"}
        operator = {"Authorization": f"Operator {key}"}
        stranger = await server.person()
        sound(await stranger.http.post("/api/operator", json=deed, headers=operator))
    else:
        sound(await alone.teacher.http.post("/api/account/close", json={"password": account["password"]}))

    def pupils(connection: Connection) -> list[str]:
        return list(connection.execute(select(schema.pupil.c.name)).scalars())

    assert sorted(await server.services.store.database.read(pupils)) == ["Davi", "Eva"]
    assert (await alone.pupils[0].http.get("/api/class")).status_code == 401
    assert (await alone.teacher.http.get(shared.path)).status_code == 403
    assert sound(await shared.teacher.http.get(shared.path))["title"] == "5.º A"


@pytest.mark.parametrize("whole", [True, False])
async def test_nothing_of_a_deleted_name_stays_in_the_files_of_the_database(
    server: Server, whole: bool
) -> None:
    database = server.services.store.database
    if not isinstance(database, SqliteDatabase):
        pytest.skip("not proved: PostgreSQL clears its files by itself")
    here = await lesson(server)

    def holding() -> list[str]:
        files = sorted(database.path.parent.glob(f"{database.path.name}*"))
        return [file.name for file in files if b"Ana Secreta" in file.read_bytes()]

    assert holding()
    path = here.path if whole else f"{here.path}/pupils/{here.pins[0]['id']}"
    sound(await here.teacher.http.delete(path))
    async with asyncio.timeout(60):
        while holding():  # a reader delays it to the next write
            await here.teacher.http.post("/api/classes", json={"title": "Z", "rulebook": "brasileira"})
            await asyncio.sleep(0.1)


async def test_a_pupil_leaves_and_the_others_stay(server: Server) -> None:
    here = await lesson(server)
    game = await here.pair()
    board = await here.pupils[1].sit(game)
    sound(await here.teacher.http.delete(f"{here.path}/pupils/{here.pins[0]['id']}"))
    await board.until("ended")
    assert (await here.pupils[0].http.get("/api/class")).status_code == 401
    assert [pupil["name"] for pupil in (await here.view())["pupils"]] == list(NAMES[1:])
    sound(await here.teacher.http.post(f"{here.path}/pupils/{here.pins[1]['id']}", json={"name": "Bia"}))
    assert sound(await here.pupils[1].http.get("/api/class"))["name"] == "Bia"
    twice = await here.teacher.http.post(f"{here.path}/pupils/{here.pins[1]['id']}", json={"name": NAMES[2]})
    assert twice.json()["error"]["code"] == "PUPIL_TWICE"


async def test_a_second_device_of_the_teacher_takes_the_link(server: Server) -> None:
    here = await lesson(server)
    path = (await here.ask("/link"))["path"]
    class_id, _, key = path.partition("#teacher=")[2].partition(".")
    colleague = await server.person()
    for wrong in ({"id": class_id, "key": "x"}, {"id": "nothing", "key": key}):
        assert (await colleague.http.post("/api/classes/claim", json=wrong)).status_code == 403
    claim = {"id": class_id, "key": key}
    sound(await colleague.http.post("/api/classes/claim", json=claim))
    assert sound(await colleague.http.get(here.path))["title"] == "5.º A"
    sound(await here.teacher.http.delete(f"{here.path}/link"))
    assert (await colleague.http.get(here.path)).status_code == 403
    assert (await colleague.http.post("/api/classes/claim", json=claim)).status_code == 403
    account = {"name": "Prof Rui", "password": "um cavalo sem sela"}
    sound(await here.teacher.http.post("/api/account", json=account), 201)
    assert len(sound(await here.teacher.http.get("/api/classes"))["classes"]) == 1
