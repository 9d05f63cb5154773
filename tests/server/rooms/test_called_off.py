"""Games for which nobody comes: called off once, by whom they belong to, or after a day by themselves."""

from secrets import token_hex

from damas.arbiter.ledger import table_of
from damas.language import LANGUAGES
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.rooms.rooms import Rooms
from damas.server.store import Store
from damas.server.store.rows import HeadUpdate, broken_link
from server.rooms.by_hand import ANA, RUI, Hands, act, friends, move, reloaded, ticked
from server.rooms.clients import Server
from server.shared import code


async def test_calling_off_twice_is_calling_off_once(server: Server) -> None:
    ana = await server.person()
    game = await ana.create(kind="friend", colour="white")
    board = await ana.sit(game)
    assert (await board.move("c3-d4", ply=0))["code"] == "WAITING"
    number = token_hex(16)
    first = await board.ask(t="act", do="abort", id=number)
    assert first["t"] == "ack"
    assert await board.ask(t="act", do="abort", id=number) == first
    assert (await board.act("abort"))["t"] == "nack"
    assert (await board.act("resign"))["t"] == "nack"
    assert (await board.move("c3-d4", ply=0))["t"] == "nack"
    rui = await server.person()
    assert (await rui.http.post(f"/api/games/{game}/join", json={})).status_code == 409
    assert code(await ana.http.post(f"/api/games/{game}/rematch", json={})) == (409, "CALLED_OFF")
    rows = await server.services.store.games.events(game)
    assert [row.kind for row in rows] == ["started", "ended", "ruled"] and broken_link(rows) is None
    # And after the room was let go and loaded again.
    await board.close()
    server.rooms._drop(await server.rooms.room(game))
    board = await ana.sit(game)
    assert board.hello["status"] == "aborted" and board.view["outcome"]["void"]
    assert await board.ask(t="act", do="abort", id=number, last_seq=0) == first
    assert table_of(row.data for row in await server.services.store.games.events(game)).outcome is not None
    assert (await ana.look(game))["status"] == "aborted"
    for kind in ("pdn", "json"):
        assert (await ana.http.get(f"/game/export/{game}.{kind}")).status_code == 200
    assert (await ana.http.get("/api/archive.pdn")).status_code == 200


async def test_a_game_called_off_without_a_single_event_takes_no_commands(rooms: Rooms, store: Store) -> None:
    """As stores may have them from before such games had events."""
    room = await rooms.room(await rooms.create(NewGame("brasileira", AgainstFriend(), colour="white"), ANA))
    await store.games.append(room.id, room.ledger.epoch, [], HeadUpdate(status="aborted"))
    room = await reloaded(rooms, room)
    for command in (move(room, "c3-d4"), act(room, "abort"), act(room, "resign")):
        assert (await room.submit(command, ANA.id)).message["code"] == "CALLED_OFF"
    assert await store.games.events(room.id) == []


async def test_after_a_day_nobody_waits_any_more(rooms: Rooms, store: Store, hands: Hands) -> None:
    wanted = NewGame("brasileira", AgainstFriend(), colour="white")
    old = await rooms.create(wanted, ANA)
    rooms.sweep(idle_s=0)  # it is not even in memory
    hands.pass_by(86_000)
    young = await rooms.create(wanted, RUI)
    hands.pass_by(1_000)
    await rooms.call_off_forgotten()
    heads = [await store.games.head(game) for game in (old, young)]
    assert [head and head.status for head in heads] == ["aborted", "waiting"]


async def test_why_a_game_has_no_result_is_said_in_every_language(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    hands.pass_by(61)
    await ticked(room)
    late = room.table.outcome
    waiting = await rooms.room(await rooms.create(NewGame("faraes", AgainstFriend()), ANA))
    await waiting.call_off()
    lonely = waiting.table.outcome
    assert late and late.void and lonely and lonely.void
    sentences = {
        "pt-BR": ("as pretas não fizeram o primeiro lance a tempo", "ninguém veio jogar"),
        "pt-PT": ("as pretas não fizeram o primeiro lance a tempo", "ninguém veio jogar"),
        "es": ("las negras no hicieron la primera jugada a tiempo", "nadie vino a jugar"),
        "en": ("Black did not make the first move in time", "nobody came to play"),
    }
    for language in LANGUAGES:
        for outcome, sentence in zip((late, lonely), sentences[language], strict=True):
            assert sentence in outcome.sentence(language)
