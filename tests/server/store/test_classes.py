"""Classes on disk: who teaches them, who is in them, and that nothing of a pupil stays."""

import asyncio

import msgspec
import pytest
from sqlalchemy import Connection, text

from damas.server.settings import Settings
from damas.server.store import Store, schema
from damas.server.store.backup import backup, restore
from damas.server.store.errors import ClassFull, PupilTwice, WriteRefused
from damas.server.store.rows import Homework, PuzzleAttempt, SchoolClass, Study
from server.store.sample_rows import LATER_TABLES, WITHOUT_LATER_COLUMNS, event, game

TERMS = {"rulebook": "faraes", "preset": "school", "time_control": "none"}


async def new_class(store: Store, *names: str) -> SchoolClass:
    school_class = await store.classes.create("teacher", "5.º A", "pt-PT", TERMS)
    await store.classes.add_pupils(school_class.id, [(name, f"hash {name}") for name in names])
    return school_class


async def everything(store: Store) -> str:
    """All that is on disk."""

    def read(connection: Connection) -> str:
        return repr([connection.execute(table.select()).all() for table in schema.metadata.sorted_tables])

    return await store.database.read(read)


async def test_a_class_belongs_to_its_teachers(store: Store) -> None:
    first = await new_class(store, "Ana", "Bia")
    other = await store.classes.create("somebody else", "6.º B", "es", TERMS)
    assert await store.classes.taught_by("teacher") == [(first, 2)]
    assert await store.classes.teaches(first.id, "teacher")
    assert not await store.classes.teaches(other.id, "teacher")
    await store.classes.add_teacher(first.id, "colleague", first.link)
    await store.classes.add_teacher(first.id, "colleague", first.link)
    await store.classes.adopt("colleague", "account")
    assert [await store.classes.teaches(first.id, who) for who in ("colleague", "account")] == [False, True]
    await store.classes.renew_link(first.id, "account")
    with pytest.raises(WriteRefused):  # the old link was being read
        await store.classes.add_teacher(first.id, "colleague", first.link)
    assert not await store.classes.teaches(first.id, "teacher")
    assert await store.classes.get(first.id) == msgspec.structs.replace(first, link=2)
    assert await store.classes.with_code(first.code) is not None


async def test_pupils_are_numbered_and_no_name_comes_twice(store: Store) -> None:
    school_class = await new_class(store, "Ana", "João")
    with pytest.raises(PupilTwice, match="JOAO"):
        await store.classes.add_pupils(school_class.id, [("Zé", "x"), ("JOAO", "y")])
    assert [pupil.name for pupil in await store.classes.pupils(school_class.id)] == ["Ana", "João"]
    await asyncio.gather(
        *(store.classes.add_pupils(school_class.id, [(name, "x")]) for name in ("Zé", "Eva"))
    )
    pupils = await store.classes.pupils(school_class.id)
    assert [pupil.number for pupil in pupils] == [1, 2, 3, 4]
    with pytest.raises(PupilTwice):
        await store.classes.rename(school_class.id, pupils[0].id, "zé")
    assert await store.classes.rename(school_class.id, pupils[0].id, "Ana Maria")
    other = await new_class(store, "Outra")
    assert not await store.classes.rename(other.id, pupils[0].id, "Taken over")
    with pytest.raises(ClassFull):
        await store.classes.add_pupils(other.id, [(f"Pupil {n}", "x") for n in range(60)])


async def test_a_login_ends_with_a_new_pin_and_with_the_pupil(store: Store) -> None:
    school_class = await new_class(store, "Ana", "Bia")
    ana, bia = await store.classes.pupils(school_class.id)
    token = await store.classes.open_login(ana.id, ana.pin)
    login = await store.classes.login(token)
    assert login is not None
    assert (login.pupil, login.school_class) == (ana.id, school_class.id)
    assert token not in await everything(store)
    await store.classes.set_pins(school_class.id, {ana.id: "new"})
    assert await store.classes.login(token) is None
    with pytest.raises(WriteRefused):  # the old one was being checked
        await store.classes.open_login(ana.id, ana.pin)
    of_bia = await store.classes.open_login(bia.id, bia.pin)
    await store.classes.remove_pupil(school_class.id, bia.id)
    assert await store.classes.login(of_bia) is None
    with pytest.raises(WriteRefused):
        await store.classes.open_login(bia.id, bia.pin)


async def test_nothing_of_a_class_stays_but_its_games(store: Store) -> None:
    school_class = await new_class(store, "Ana Secreta", "Bia")
    ana, bia = await store.classes.pupils(school_class.id)
    await store.games.create(game("g", white_id=ana.id, black_id=bia.id), [event(1)])
    await store.games.say("g", ana.id, "Player 1", "a line of chat", 1)
    await store.classes.add_games(school_class.id, ["g"])
    await store.people.add_progress(ana.id, {"lesson.x": '{"done":[1]}'})
    attempt = PuzzleAttempt(rulebook="faraes", puzzle="p", solved=True, hints=0, spent_ms=1, wall_ms=1)
    await store.puzzles.add_attempt(ana.id, attempt)
    await store.studies.save(Study(id="s", owner=ana.id, title="", data="{}", created_ms=1, updated_ms=1))
    homework = Homework(
        id="h", kind="game", rulebook="faraes", lesson="", count=3, due="2026-12-01", created_ms=1
    )
    await store.classes.add_homework(school_class.id, homework)
    assert await store.classes.homework(school_class.id) == [homework]
    await store.classes.open_login(ana.id, ana.pin)
    assert set(await store.classes.class_of([ana.id, None, "nobody"])) == {ana.id}

    stand_ins = await store.classes.remove(school_class.id)
    head = await store.games.head("g")
    assert head is not None
    assert (head.white_id, head.black_id) == (stand_ins[ana.id], stand_ins[bia.id])
    assert len(await store.games.events("g")) == 1
    stored = await everything(store)
    for trace in (
        ana.id,
        bia.id,
        "Secreta",
        "a line of chat",
        "hash Bia",
        school_class.id,
        school_class.code,
    ):
        assert trace not in stored


async def test_a_backup_has_classes_and_salvage_takes_one_without_them(
    store: Store, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    school_class = await new_class(store, "Ana", "Bia")
    folder = tmp_path_factory.mktemp("backup")
    await backup(settings, folder / "backup")
    elsewhere = Settings(data=folder / "restored")
    await restore(folder / "backup", elsewhere)
    again = await Store.open(elsewhere)
    assert [pupil.name for pupil in await again.classes.pupils(school_class.id)] == ["Ana", "Bia"]

    def undo(connection: Connection) -> None:
        for table in LATER_TABLES[: LATER_TABLES.index("tournament_line")]:
            connection.execute(text(f"DROP TABLE {table}"))
        for statement in WITHOUT_LATER_COLUMNS:
            connection.execute(text(statement))
        connection.execute(text("UPDATE alembic_version SET version_num = '0005'"))

    await again.writer.do(undo)
    await again.close()
    report = await backup(elsewhere, folder / "saved", salvage=True)
    assert report.set_aside == ()
    upgraded = await Store.open(elsewhere)  # by the revision that adds the tables
    made = await new_class(upgraded, "Eva")
    assert await upgraded.classes.taught_by("teacher") == [(made, 1)]
    await upgraded.close()
