"""Stored classes: teachers, pupils with their names and PINs, logins, games, homework.

A pupil's name stands in the table `pupil` and nowhere else: games know pupils by their ids. PINs and logins are kept
only as hashes.
"""

import secrets
import time
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import Connection, Executable, delete, func, insert, or_, select, update

from damas.server.store import keys, schema
from damas.server.store.database import Database
from damas.server.store.dialects import put_if_absent
from damas.server.store.errors import ClassFull, PupilTwice, StoreBusy, StoreError, StoreFailed, WriteRefused
from damas.server.store.learning import forget_learning
from damas.server.store.report_jobs import adopt_report_jobs
from damas.server.store.rows import Homework, Pupil, SchoolClass
from damas.server.store.writer import Writer

_class, _teacher, _pupil, _login = (
    schema.school_class,
    schema.class_teacher,
    schema.pupil,
    schema.pupil_login,
)
_class_game, _homework, _game = schema.class_game, schema.homework, schema.game

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""None that look alike: codes are read from a board and typed."""
CODE_LENGTH = 6
"""Letters of a class's code."""
LOGIN = "cls_"
"""Begins every token of a pupil's login."""
MAX_TEACHERS = 10
"""Teachers of one class."""
MAX_HOMEWORK = 60
"""Homework that a class keeps."""
SEEN_EVERY_MS = 60_000
"""A login's last use is written once a minute at most."""

IRREGULAR = ("refused", "reported", "noted", "unfinished")
"""Kinds of events of which the register of a game is made."""


class PupilLogin(msgspec.Struct, frozen=True):
    """A browser in which a pupil is logged in. `key` names it; it is not the token."""

    key: str
    pupil: str
    school_class: str


class Classes:
    """`store.classes`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._limits = database.settings.limits

    # Classes and teachers

    async def create(self, teacher: str, title: str, language: str, terms: Mapping[str, str]) -> SchoolClass:
        """A new class with its first teacher. Raises `ClassFull` where the teacher has too many."""
        new = SchoolClass(
            id=keys.new_id(),
            title=title,
            code="".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)),
            language=language,
            rulebook=terms["rulebook"],
            preset=terms["preset"],
            time_control=terms["time_control"],
            created_ms=_now(),
        )

        def work(connection: Connection) -> None:
            count = select(func.count()).select_from(_teacher).where(_teacher.c.person == teacher)
            if (connection.scalar(count) or 0) >= self._limits.classes_per_teacher:
                raise ClassFull(self._limits.classes_per_teacher)
            connection.execute(insert(_class).values(msgspec.structs.asdict(new)))
            connection.execute(insert(_teacher).values(school_class=new.id, person=teacher))

        await self._writer.do(work)
        return new

    async def get(self, class_id: str) -> SchoolClass | None:
        """The class of that id."""
        row = await self._database.row(select(_class).where(_class.c.id == class_id))
        return None if row is None else SchoolClass(**row._mapping)

    async def with_code(self, code: str) -> SchoolClass | None:
        """The class that pupils enter by this code."""
        row = await self._database.row(select(_class).where(_class.c.code == code))
        return None if row is None else SchoolClass(**row._mapping)

    async def taught_by(self, person: str) -> list[tuple[SchoolClass, int]]:
        """The classes of a teacher with the number of their pupils, oldest first."""
        pupils = select(func.count()).select_from(_pupil).where(_pupil.c.school_class == _class.c.id)
        query = (
            select(_class, pupils.scalar_subquery().label("pupils"))
            .join(_teacher, _teacher.c.school_class == _class.c.id)
            .where(_teacher.c.person == person)
            .order_by(_class.c.created_ms, _class.c.id)
        )
        return [
            (SchoolClass(**_without(row._mapping, "pupils")), row.pupils) for row in await self._rows(query)
        ]

    async def teaches(self, class_id: str, person: str) -> bool:
        """Whether a person is a teacher of the class."""
        mine = select(_teacher.c.person).where(
            _teacher.c.school_class == class_id, _teacher.c.person == person
        )
        return await self._database.row(mine) is not None

    async def add_teacher(self, class_id: str, person: str, link: int) -> None:
        """Makes a person a teacher of the class. Raises `ClassFull`, and `WriteRefused` unless `link` is the number of
        its link still.
        """

        def work(connection: Connection) -> None:
            this = select(_class.c.id).where(_class.c.id == class_id, _class.c.link == link)
            if connection.execute(this.with_for_update()).first() is None:
                raise WriteRefused(f"no link {link} of class {class_id}")
            count = select(func.count()).select_from(_teacher).where(_teacher.c.school_class == class_id)
            if (connection.scalar(count) or 0) >= MAX_TEACHERS:
                raise ClassFull(MAX_TEACHERS)
            put_if_absent(connection, _teacher, {"school_class": class_id, "person": person})

        await self._writer.do(work)

    async def change(self, class_id: str, **fields: Any) -> None:
        """Changes fields of a class."""
        await self._execute(update(_class).where(_class.c.id == class_id).values(fields))

    async def renew_link(self, class_id: str, keep: str) -> None:
        """Makes the teachers' link worthless and takes the class from every teacher but `keep`."""

        def work(connection: Connection) -> None:
            connection.execute(update(_class).where(_class.c.id == class_id).values(link=_class.c.link + 1))
            others = _teacher.c.school_class == class_id, _teacher.c.person != keep
            connection.execute(delete(_teacher).where(*others))

        await self._writer.do(work)

    async def adopt(self, visitor: str, account: str) -> None:
        """Gives the classes of a visitor to an account."""

        def work(connection: Connection) -> None:
            mine = select(_teacher.c.school_class).where(_teacher.c.person == visitor)
            for class_id in connection.execute(mine).scalars().all():
                put_if_absent(connection, _teacher, {"school_class": class_id, "person": account})
            connection.execute(delete(_teacher).where(_teacher.c.person == visitor))

        await self._writer.do(work)

    async def taught_alone_by(self, teacher: str) -> list[SchoolClass]:
        """The classes that a person teaches and nobody else."""
        other = _teacher.alias()
        others = select(other.c.person).where(
            other.c.school_class == _teacher.c.school_class, other.c.person != teacher
        )
        mine = select(_teacher.c.school_class).where(_teacher.c.person == teacher, ~others.exists())
        rows = await self._rows(select(_class).where(_class.c.id.in_(mine)))
        return [SchoolClass(**row._mapping) for row in rows]

    async def leave(self, teacher: str) -> None:
        """Takes a teacher out of all classes."""
        await self._execute(delete(_teacher).where(_teacher.c.person == teacher))

    async def remove(self, class_id: str) -> dict[str, str]:
        """Forgets a class and all its pupils. The stand-in of each pupil in games that stay, by the pupil's id."""

        def work(connection: Connection) -> dict[str, str]:
            pupils = select(_pupil.c.id).where(_pupil.c.school_class == class_id)
            stand_ins = _forget(connection, connection.execute(pupils).scalars().all())
            connection.execute(delete(_class).where(_class.c.id == class_id))
            return stand_ins

        return await self._forgotten(work)

    # Pupils

    async def pupils(self, class_id: str) -> list[Pupil]:
        """The pupils of a class by their number."""
        query = select(_pupil).where(_pupil.c.school_class == class_id).order_by(_pupil.c.number)
        return [_pupil_of(row._mapping) for row in await self._rows(query)]

    async def add_pupils(self, class_id: str, new: Sequence[tuple[str, str]]) -> list[Pupil]:
        """Adds pupils by name and hash of the PIN. Raises `ClassFull`, `PupilTwice`; then none is added."""
        now = _now()

        def work(connection: Connection) -> list[Pupil]:
            # Two requests at once number their pupils one after the other.
            connection.execute(select(_class.c.id).where(_class.c.id == class_id).with_for_update())
            old = connection.execute(select(_pupil).where(_pupil.c.school_class == class_id)).mappings().all()
            if len(old) + len(new) > self._limits.pupils_per_class:
                raise ClassFull(self._limits.pupils_per_class)
            taken = {pupil_key(row["name"]) for row in old}
            first = 1 + max((row["number"] for row in old), default=0)
            pupils = []
            for number, (name, pin) in enumerate(new, first):
                if pupil_key(name) in taken:
                    raise PupilTwice(name)
                taken.add(pupil_key(name))
                person = secrets.token_hex(16)  # as a visitor's: nothing shows whose game it is
                pupils.append(Pupil(id=person, number=number, name=name, pin=pin, created_ms=now))
            values = [{"school_class": class_id, **msgspec.structs.asdict(pupil)} for pupil in pupils]
            if values:
                connection.execute(insert(_pupil), values)
            return pupils

        return await self._writer.do(work)

    async def rename(self, class_id: str, pupil: str, name: str) -> bool:
        """Gives a pupil another name; False if there is none. Raises `PupilTwice`."""

        def work(connection: Connection) -> bool:
            others = select(_pupil.c.name).where(_pupil.c.school_class == class_id, _pupil.c.id != pupil)
            if pupil_key(name) in map(pupil_key, connection.execute(others).scalars().all()):
                raise PupilTwice(name)
            this = _pupil.c.school_class == class_id, _pupil.c.id == pupil
            return connection.execute(update(_pupil).where(*this).values(name=name)).rowcount > 0

        return await self._writer.do(work)

    async def set_pins(self, class_id: str, pins: Mapping[str, str]) -> None:
        """Gives pupils new PINs, by the hash of each, and ends their logins."""

        def work(connection: Connection) -> None:
            for pupil, pin in pins.items():
                this = _pupil.c.school_class == class_id, _pupil.c.id == pupil
                if connection.execute(update(_pupil).where(*this).values(pin=pin)).rowcount:
                    connection.execute(delete(_login).where(_login.c.pupil == pupil))

        await self._writer.do(work)

    async def remove_pupil(self, class_id: str, pupil: str) -> dict[str, str]:
        """Forgets a pupil. The stand-in in games that stay, by the pupil's id; empty if there is no such pupil."""

        def work(connection: Connection) -> dict[str, str]:
            this = select(_pupil.c.id).where(_pupil.c.school_class == class_id, _pupil.c.id == pupil)
            return _forget(connection, connection.execute(this).scalars().all())

        return await self._forgotten(work)

    async def _forgotten(self, work: Callable[[Connection], dict[str, str]]) -> dict[str, str]:
        """Deletes, and leaves nothing of it in the files of the database."""
        stand_ins = await self._writer.do(work)
        with suppress(StoreError):  # it is deleted all the same, and purged after the next transaction
            await self._writer.purge()
        return stand_ins

    async def class_of(self, persons: Collection[str | None]) -> dict[str, tuple[SchoolClass, Pupil]]:
        """The pupils among some persons, by id, each with the class."""
        wanted = [person for person in persons if person]
        columns = [_class.c[name].label(f"class_{name}") for name in SchoolClass.__struct_fields__]
        query = (
            select(_pupil, *columns)
            .join(_class, _class.c.id == _pupil.c.school_class)
            .where(_pupil.c.id.in_(wanted))
        )
        found = {}
        for row in await self._rows(query) if wanted else ():
            fields = {name: row._mapping[f"class_{name}"] for name in SchoolClass.__struct_fields__}
            found[row.id] = SchoolClass(**fields), _pupil_of(row._mapping)
        return found

    # Logins

    async def open_login(self, pupil: str, pin: str) -> str:
        """A new token for a cookie; only its hash is kept. Raises `WriteRefused` unless `pin` is the hash of the pupil's
        PIN still: it may have been renewed while it was checked, or the pupil removed.
        """
        token, now = LOGIN + keys.new_login_token(), _now()
        row = {"token_hash": keys.fingerprint(token), "pupil": pupil, "created_ms": now, "seen_ms": now}

        def work(connection: Connection) -> None:
            this = select(_pupil.c.id).where(_pupil.c.id == pupil, _pupil.c.pin == pin)
            if connection.execute(this.with_for_update()).first() is None:
                raise WriteRefused(f"no pupil {pupil} with this PIN")
            old = now - self._limits.login_absolute_s * 1000
            idle = now - self._limits.login_idle_s * 1000
            connection.execute(
                delete(_login).where(or_(_login.c.created_ms <= old, _login.c.seen_ms <= idle))
            )
            mine = (
                select(_login.c.token_hash).where(_login.c.pupil == pupil).order_by(_login.c.seen_ms.desc())
            )
            kept = mine.limit(max(0, self._limits.logins_per_account - 1))
            hashes = connection.execute(kept).scalars().all()
            connection.execute(
                delete(_login).where(_login.c.pupil == pupil, _login.c.token_hash.not_in(hashes))
            )
            connection.execute(insert(_login).values(row))

        await self._writer.do(work)
        return token

    async def login(self, token: str) -> PupilLogin | None:
        """The login of a token, unless it has ended."""
        key, now = keys.fingerprint(token), _now()
        query = select(_login, _pupil.c.school_class).join(_pupil, _pupil.c.id == _login.c.pupil)
        row = await self._database.row(query.where(_login.c.token_hash == key))
        if (
            row is None
            or row.seen_ms <= now - self._limits.login_idle_s * 1000
            or row.created_ms <= now - self._limits.login_absolute_s * 1000
        ):
            return None
        if now - row.seen_ms >= SEEN_EVERY_MS:
            with suppress(StoreBusy, StoreFailed):  # a database that cannot write now logs nobody out
                await self._execute(update(_login).where(_login.c.token_hash == key).values(seen_ms=now))
        return PupilLogin(key, row.pupil, row.school_class)

    async def login_keys(self, pupil: str) -> set[str]:
        """The keys of the logins of a pupil."""
        query = select(_login.c.token_hash).where(_login.c.pupil == pupil)
        return {row.token_hash for row in await self._rows(query)}

    async def close_login(self, key: str) -> None:
        """Ends one login."""
        await self._execute(delete(_login).where(_login.c.token_hash == key))

    # Games

    async def add_games(self, class_id: str, games: Collection[str]) -> None:
        """Notes games that the teacher has started."""

        def work(connection: Connection) -> None:
            for game in games:
                put_if_absent(connection, _class_game, {"game": game, "school_class": class_id})

        await self._writer.do(work)

    async def games(self, class_id: str, *, playing: bool = False, most: int | None = None) -> list[str]:
        """The games of a class, newest first: all, or those that are being played, or the newest."""
        query = (
            select(_class_game.c.game)
            .join(_game, _game.c.id == _class_game.c.game)
            .where(_class_game.c.school_class == class_id)
            .order_by(_game.c.created_ms.desc(), _game.c.id)
            .limit(most)
        )
        if playing:
            query = query.where(_game.c.status == "playing")
        return [row.game for row in await self._rows(query)]

    async def irregular_games(self, pupils: Collection[str], most: int) -> list[str]:
        """The last games of some pupils whose register may have an entry."""
        event = schema.event
        irregular = (
            select(event.c.seq).where(event.c.game == _game.c.id, event.c.kind.in_(IRREGULAR)).exists()
        )
        query = (
            select(_game.c.id)
            .where(or_(_game.c.white_id.in_(pupils), _game.c.black_id.in_(pupils)), irregular)
            .order_by(_game.c.updated_ms.desc(), _game.c.id)
            .limit(most)
        )
        return [row.id for row in await self._rows(query)]

    async def games_against_levels(self, pupils: Collection[str]) -> list[tuple[str, str, str, int]]:
        """Finished games of pupils against levels: pupil, rulebook, the level's kind, and when it ended."""
        columns = (_game.c.rulebook, _game.c.updated_ms)
        found = []
        for own, other in (("white", "black"), ("black", "white")):
            person, kind = _game.c[f"{own}_id"], _game.c[f"{other}_kind"]
            query = select(person.label("person"), kind.label("kind"), *columns).where(
                person.in_(pupils), kind.startswith("level:"), _game.c.status == "over"
            )
            rows = await self._rows(query)
            found += [(row.person, row.rulebook, row.kind, row.updated_ms) for row in rows]
        return found

    # What was learnt

    async def progress(self, pupils: Collection[str]) -> list[tuple[str, str, str]]:
        """Everything that pupils have learnt: person, key and value."""
        table = schema.progress
        rows = await self._rows(select(table).where(table.c.person.in_(pupils)))
        return [(row.person, row.key, row.value) for row in rows]

    async def solved(self, pupils: Collection[str]) -> list[tuple[str, str, str, int]]:
        """Puzzles that pupils have solved: person, rulebook, puzzle and when it was solved last."""
        table = schema.puzzle_attempt
        query = (
            select(
                table.c.person, table.c.rulebook, table.c.puzzle, func.max(table.c.wall_ms).label("last_ms")
            )
            .where(table.c.person.in_(pupils), table.c.solved)
            .group_by(table.c.person, table.c.rulebook, table.c.puzzle)
        )
        return [(row.person, row.rulebook, row.puzzle, row.last_ms) for row in await self._rows(query)]

    # Homework

    async def add_homework(self, class_id: str, homework: Homework) -> None:
        """Stores homework. Raises `ClassFull`."""

        def work(connection: Connection) -> None:
            count = select(func.count()).select_from(_homework).where(_homework.c.school_class == class_id)
            if (connection.scalar(count) or 0) >= MAX_HOMEWORK:
                raise ClassFull(MAX_HOMEWORK)
            values = {"school_class": class_id, **msgspec.structs.asdict(homework)}
            connection.execute(insert(_homework).values(values))

        await self._writer.do(work)

    async def remove_homework(self, class_id: str, homework: str) -> bool:
        """Takes homework back; False if there is none."""
        this = _homework.c.school_class == class_id, _homework.c.id == homework
        return await self._execute(delete(_homework).where(*this))

    async def homework(self, class_id: str) -> list[Homework]:
        """The homework of a class, due first."""
        query = select(_homework).where(_homework.c.school_class == class_id)
        rows = await self._rows(query.order_by(_homework.c.due, _homework.c.created_ms, _homework.c.id))
        return [Homework(**_without(row._mapping, "school_class")) for row in rows]

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self._database.rows(query)

    async def _execute(self, statement: Executable) -> bool:
        """Whether the statement has changed any row."""

        def work(connection: Connection) -> bool:
            result: Any = connection.execute(statement)
            return bool(result.rowcount > 0)

        return await self._writer.do(work)


def pupil_key(name: str) -> str:
    """Names with the same key cannot both be in a class; pupils may type theirs without accents.

    >>> pupil_key("João  d'Ávila") == pupil_key("joao d’avila")
    True
    """
    plain = unicodedata.normalize("NFKD", name.replace("’", "'")).casefold()
    return " ".join("".join(letter for letter in plain if not unicodedata.combining(letter)).split())


def _forget(connection: Connection, pupils: Sequence[str]) -> dict[str, str]:
    """Deletes pupils and what they have learnt; in games and nowhere else a random id stands in for each."""
    stand_ins = {pupil: secrets.token_hex(16) for pupil in pupils}
    for pupil, stand_in in stand_ins.items():
        of_pupil = or_(_game.c.white_id == pupil, _game.c.black_id == pupil)
        games = select(_game.c.id).where(of_pupil)
        connection.execute(delete(schema.chat).where(schema.chat.c.game.in_(games)))
        for side in (_game.c.white_id, _game.c.black_id):
            connection.execute(update(_game).where(side == pupil).values({side.name: stand_in}))
        forget_learning(connection, pupil)
        connection.execute(delete(schema.study).where(schema.study.c.owner == pupil))
        adopt_report_jobs(connection, pupil, None)
        connection.execute(delete(_login).where(_login.c.pupil == pupil))
        connection.execute(delete(_pupil).where(_pupil.c.id == pupil))
    return stand_ins


def _pupil_of(row: Mapping[str, Any]) -> Pupil:
    return Pupil(**{name: row[name] for name in Pupil.__struct_fields__})


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}


def _now() -> int:
    return time.time_ns() // 1_000_000
