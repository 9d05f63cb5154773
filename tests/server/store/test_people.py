"""People: hashed passwords and tokens, logins that end, and what a visitor brings along."""

import asyncio

import msgspec
import pytest
from sqlalchemy import Connection, select, text

from damas.server.settings import Limits, Settings
from damas.server.store import Store, people
from damas.server.store.errors import NameAlike, NameTaken, TooMuchProgress, WriteRefused
from damas.server.store.people import Account
from damas.server.store.rows import PuzzleAttempt, Study
from damas.server.store.schema import puzzle_attempt
from damas.server.work import passwords
from server.store.sample_rows import WITHOUT_LATER_TABLES, game

HOUR = 3_600_000


async def everything(store: Store) -> str:
    """All that is on disk about people."""

    def read(connection: Connection) -> str:
        tables = ("account", "login", "api_token")
        return repr([connection.execute(text(f"SELECT * FROM {name}")).all() for name in tables])

    return await store.database.read(read)


async def test_passwords(store: Store) -> None:
    ana = await store.people.create_account("Álvaro", "correct horse")
    assert await store.people.account(ana.id) == ana
    assert await store.people.account_named("ÁLVARO") == ana
    assert await store.people.check_password("álvaro", "correct horse") == ana
    assert await store.people.check_password("álvaro", "wrong") is None
    assert await store.people.check_password("nobody", "correct horse") is None
    stored = await everything(store)
    assert "correct horse" not in stored
    assert "$argon2id$" in stored


async def test_names_that_differ_in_case_cannot_both_be_taken(store: Store) -> None:
    jobs = [store.people.create_account(name, "a password") for name in ("Ana", "ANA", "ana")]
    created = await asyncio.gather(*jobs, return_exceptions=True)
    assert sum(isinstance(answer, Account) for answer in created) == 1
    assert sum(isinstance(answer, NameTaken) for answer in created) == 2


async def test_names_that_look_alike_cannot_both_be_taken(store: Store) -> None:
    """Also not at the same moment; whoever has such a name already keeps it."""
    names = ("Maria", "MARlA", "Mаriа")  # a small L, two Cyrillic letters
    jobs = [store.people.create_account(name, "a password") for name in names]
    created = await asyncio.gather(*jobs, return_exceptions=True)
    assert sum(isinstance(answer, Account) for answer in created) == 1
    assert sum(isinstance(answer, NameAlike) for answer in created) == 2
    await store.people.create_account("Delia", "a password")
    with pytest.raises(NameTaken) as taken:
        await store.people.check_name("DELIA")
    assert taken.type is NameTaken
    await store.people.create_account("Della", "a password")


async def test_accents_make_no_other_name(settings: Settings) -> None:
    """Also beside accounts of a damas that took them for another."""
    store = await Store.open(settings)
    await store.people.create_account("José", "a password")
    earlier = "UPDATE account SET look = 'Jose\u0301', look_upper = 'JOSE\u0301'"
    change = (earlier, *WITHOUT_LATER_TABLES, "UPDATE alembic_version SET version_num = '0003'")
    await store.writer.do(lambda connection: [connection.execute(text(each)) for each in change])
    await store.close()
    again = await Store.open(settings)
    for name in ("Jose", "JOSÉ", "Jọsè"):
        with pytest.raises(NameTaken):
            await again.people.create_account(name, "a password")
    await again.people.create_account("Jo sé", "a password")
    await again.close()


async def test_accounts_of_an_earlier_damas_stay(settings: Settings) -> None:
    """Also two that look alike; a third one cannot join them."""
    store = await Store.open(settings)
    await store.people.create_account("Ana", "a password")
    earlier = (
        "DROP INDEX ix_account_look",
        "DROP INDEX ix_account_look_upper",
        "ALTER TABLE account DROP COLUMN look",
        "ALTER TABLE account DROP COLUMN look_upper",
        "INSERT INTO account SELECT 'second', 'Аnа', 'аnа', password, bot, created_ms, closed_ms FROM account",
        "ALTER TABLE game DROP COLUMN arbiter_link",
        *WITHOUT_LATER_TABLES,
        "UPDATE alembic_version SET version_num = '0001'",
    )
    await store.writer.do(lambda connection: [connection.execute(text(each)) for each in earlier])
    await store.close()
    again = await Store.open(settings)
    assert await again.people.check_password("ana", "a password")
    assert await again.people.check_password("Аnа", "a password")
    with pytest.raises(NameAlike):
        await again.people.create_account("Anа", "a password")
    await again.close()


async def test_a_weak_hash_is_made_anew_at_login(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await store.people.create_account("ana", "a password")
    monkeypatch.setattr(passwords, "COST", passwords.Cost(passes=2, memory_kib=64, lanes=1))
    assert await store.people.check_password("ana", "a password")
    assert "t=2" in await everything(store)


def test_passwords_are_hashed_as_rfc_9106_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    stored = passwords.hash_password("a password", passwords.COST)
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


async def test_a_login_is_kept_as_a_hash(store: Store) -> None:
    ana = await store.people.create_account("ana", "a password")
    token = await store.people.open_login(ana.id, "Firefox")
    assert len(token) == 43
    result = await store.people.login(token)
    assert result is not None and result.account == ana and result.agent == "Firefox"
    assert token not in await everything(store)
    assert await store.people.login(token[:-1]) is None
    assert await store.people.login(result.key) is None  # the hash is not the token


async def test_logins_end_idle_and_absolutely(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000_000
    monkeypatch.setattr(people, "_now", lambda: now)
    short = Limits(login_idle_s=3600, login_absolute_s=3 * 3600)
    store = await Store.open(msgspec.structs.replace(settings, limits=short))
    ana = await store.people.create_account("ana", "a password")
    token = await store.people.open_login(ana.id)
    now += HOUR - 1
    assert await store.people.login(token)  # used: the idle hour begins anew
    now += HOUR - 1
    assert await store.people.login(token)
    now += HOUR - 1
    assert await store.people.login(token)
    now += 3  # three hours old
    assert await store.people.login(token) is None
    other = await store.people.open_login(ana.id)
    now += HOUR  # unused for one
    assert await store.people.login(other) is None
    assert await store.people.logins(ana.id) == []
    await store.close()


async def test_a_database_that_cannot_write_logs_nobody_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await store.people.create_account("ana", "a password")
    token = await store.people.open_login(ana.id)
    monkeypatch.setattr(people, "_SEEN_EVERY_MS", 0)

    def fail(_stage: str) -> None:
        raise OSError("no space")

    store.writer.fault = fail
    assert await store.people.login(token)
    store.writer.fault = None


async def test_logins_are_revoked_one_or_all(store: Store) -> None:
    ana = await store.people.create_account("ana", "a password")
    rui = await store.people.create_account("rui", "a password")
    tokens = [await store.people.open_login(ana.id, str(number)) for number in range(4)]
    his = await store.people.open_login(rui.id)
    first = await store.people.login(tokens[0])
    assert first is not None
    assert not await store.people.close_login(rui.id, first.key)  # not his to close
    assert await store.people.close_login(ana.id, first.key)
    assert await store.people.login(tokens[0]) is None
    await store.people.change_password(ana.id, "another", keep=tokens[1])
    assert [login.agent for login in await store.people.logins(ana.id)] == ["1"]
    assert await store.people.check_password("ana", "a password") is None
    await store.people.close_logins(ana.id)
    assert await store.people.login(tokens[1]) is None
    assert await store.people.login(his)


async def test_tokens_for_programs(store: Store) -> None:
    ana = await store.people.create_account("ana", "a password", bot=True)
    token, stored = await store.people.create_token(ana.id, "my bot", ["bot:play", "board:play"])
    assert token.startswith("dam_") and len(token) == 47
    result = await store.people.token(token)
    assert result is not None
    assert (result.account, result.scopes, result.label) == (
        ana,
        frozenset({"bot:play", "board:play"}),
        "my bot",
    )
    assert token not in await everything(store)
    (listed,) = await store.people.tokens(ana.id)
    assert listed.id == stored.id and listed.used_ms is not None
    assert await store.people.revoke_token(ana.id, stored.id)
    assert not await store.people.revoke_token(ana.id, stored.id)
    assert await store.people.token(token) is None
    for scopes in ([], ["root"], ["board:play", "root"]):
        with pytest.raises(WriteRefused):
            await store.people.create_token(ana.id, "x", scopes)


async def test_a_closed_account_lets_nobody_in(store: Store) -> None:
    ana = await store.people.create_account("ana", "a password")
    login = await store.people.open_login(ana.id)
    token, _kept = await store.people.create_token(ana.id, "x", ["board:play"])
    await store.people.close_account(ana.id)
    assert await store.people.check_password("ana", "a password") is None
    assert await store.people.check_password("ana", "") is None
    assert await store.people.login(login) is None
    assert await store.people.token(token) is None
    assert await store.people.account(ana.id) is None
    with pytest.raises(NameTaken):  # nobody can pose as who left
        await store.people.create_account("Ana", "a password")


async def test_visitors_bring_along_what_they_did(store: Store) -> None:
    ana = await store.people.create_account("ana", "a password")
    await store.games.create(game("g", white_id="v1", black_id="v2"))
    lessons = {"v1": '{"done":[1],"name":"v"}', ana.id: '{"done":[2],"name":"a"}'}
    for person, key, value in (("v1", "first", "1"), ("v1", "both", '"v"'), (ana.id, "both", '"a"')):
        await store.people.add_progress(person, {key: value, "lesson": lessons[person]})
    attempt = PuzzleAttempt(rulebook="faraes", puzzle="p", solved=True, hints=0, spent_ms=900, wall_ms=1)
    await store.puzzles.add_attempt("v1", attempt)
    await store.people.adopt("v1", ana.id)
    assert await store.people.progress(ana.id) == {
        "first": "1",
        "both": '"a"',
        "lesson": '{"done":[2,1],"name":"a"}',
    }
    assert await store.people.progress("v1") == {}
    [row] = await store.database.rows(select(puzzle_attempt))
    assert (row.person, row.puzzle, row.spent_ms) == (ana.id, attempt.puzzle, attempt.spent_ms)
    head = await store.games.head("g")
    assert head is not None and (head.white_id, head.black_id) == (ana.id, "v2")


async def test_what_is_done_twice_or_on_two_devices_is_kept_once(store: Store) -> None:
    for value in ('{"done":[0,1]}', '{"done":[1,3]}', '{"done":[0,1]}'):
        await store.people.add_progress("v", {"lesson.dama": value})
    assert await store.people.progress("v") == {"lesson.dama": '{"done":[0,1,3]}'}
    attempt = PuzzleAttempt(rulebook="faraes", puzzle="p", solved=True, hints=0, spent_ms=900, wall_ms=1)
    again = msgspec.structs.replace(attempt, spent_ms=901)
    for client_id in ("attempt-1", "attempt-1", "attempt-2"):
        await store.puzzles.add_attempt("v", attempt, client_id)
    await store.people.adopt("v", "ana")
    await store.puzzles.add_attempt("ana", again, "attempt-2")  # its answer was lost before the login
    rows = await store.database.rows(select(puzzle_attempt))
    assert [(row.person, row.spent_ms) for row in rows] == [("ana", 900)] * 2
    for _ in range(2):
        await store.puzzles.add_attempt(
            "rui", again, "attempt-2"
        )  # takes nothing from her, and loses nothing
    rows = await store.database.rows(select(puzzle_attempt).order_by(puzzle_attempt.c.spent_ms))
    assert [(row.person, row.spent_ms) for row in rows] == [("ana", 900), ("ana", 900), ("rui", 901)]


async def test_what_is_kept_has_a_limit(settings: Settings) -> None:
    limits = Limits(kept_bytes=10, progress_bytes=25)
    store = await Store.open(msgspec.structs.replace(settings, limits=limits))
    kept = {"a": "x" * 10, "b": "ç" * 5}
    await store.people.add_progress("v", kept)
    for more in ({"a": "x" * 11}, {"c": "x" * 6}, {"c": "x" * 3, "d": "ç" * 2}):
        with pytest.raises(TooMuchProgress):
            await store.people.add_progress("v", more)
        assert await store.people.progress("v") == kept, "all or nothing"
    await store.people.add_progress("v", {"b": "x", "c": "x" * 9})
    await store.people.add_progress("w", {"b": "w", "d": "x" * 10, "e": "ç" * 2})
    await store.people.adopt("w", "v")
    assert await store.people.progress("v") == {"a": "x" * 10, "b": "x", "c": "x" * 9, "e": "ç" * 2}
    assert await store.people.progress("w") == {}
    await store.close()


async def test_reports(settings: Settings) -> None:
    store = await Store.open(msgspec.structs.replace(settings, limits=Limits(study_bytes=20)))
    first = Study(id="s", owner="s", title="", data="{}", created_ms=1, updated_ms=1)
    await store.studies.save(first)
    changed = msgspec.structs.replace(first, data='{"a":1}', public=True, updated_ms=2)
    await store.studies.save(changed)
    assert await store.studies.get("s") == changed
    with pytest.raises(WriteRefused, match="bytes"):
        await store.studies.save(msgspec.structs.replace(first, data="x" * 21))
    await store.close()
