"""The end of a class, of a teacher's part in it, and of the game of a pupil who leaves."""

from damas.server.classes.boards import LEFT_REASON
from damas.server.nodes.tunnel import BrokenTunnel
from damas.server.security.errors import ApiError
from damas.server.services import Services
from damas.server.store.rows import SchoolClass


async def forget_class(services: Services, school_class: SchoolClass) -> None:
    """Ends the games of a class and forgets it with everything about its pupils; games stay, and nobody knows whose they
    were.
    """
    async with services.boards.pairing(school_class.id):  # who is being paired is not left at a board
        await services.boards.stop(school_class)
        stand_ins = await services.store.classes.remove(school_class.id)
    await forget_pupils(services, school_class, stand_ins)


async def forget_pupils(services: Services, school_class: SchoolClass, stand_ins: dict[str, str]) -> None:
    """Logs out pupils whom the store has forgotten, and takes them out of the rooms."""
    for pupil, other in stand_ins.items():  # in rooms, as in the store
        services.rooms.adopt((pupil, other))
        services.bus.publish("adopt", (pupil, other))
        await services.logins.changed(pupil)
    services.live.changed(school_class.id)


async def leave_classes(services: Services, teacher: str) -> None:
    """Takes a teacher out of all classes; a class that nobody else teaches is forgotten."""
    for school_class in await services.store.classes.taught_alone_by(teacher):
        await forget_class(services, school_class)
    await services.store.classes.leave(teacher)


async def end_game(services: Services, game: str) -> None:
    """Ends a game of a pupil who leaves, wherever it is. Raises `ApiError`."""
    owner = await services.passing.owner(game)
    if owner is None:
        await (await services.rooms.room(game)).stop(LEFT_REASON)
        return
    try:
        status, _ = await services.passing.ask(owner, "POST", f"/node/games/{game}/left")
    except BrokenTunnel:
        status = 503
    if status != 200:
        raise ApiError(503, "RESTARTING", retry_s=1)
