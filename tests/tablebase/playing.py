"""Half-spent games: a record in which part of a limit has been counted, and playing it out by the tables."""

from collections.abc import Iterator
from random import Random

from damas import Position
from damas.board import Color, Piece, Setup
from damas.game import Game
from damas.game.game import LETTER
from damas.rules import Rulebook
from damas.tablebase import Material, Store, probe

KINGS = [Material.of_name(name) for name in ("KKK-K", "KK-K", "KK-KK", "KKM-K", "KK-KM")]
"""Endings in which limits decide."""
KINDS = (Piece.WHITE_MAN, Piece.WHITE_KING, Piece.BLACK_MAN, Piece.BLACK_KING)


def random_position(rng: Random, book: Rulebook, material: Material) -> Position:
    """Any position of a material, either side to move and either side the stronger one."""
    from damas.errors import IllegalSetup

    counts = (material if rng.random() < 0.5 else material.opposite).counts
    while True:
        squares = rng.sample(range(len(book.square_names)), sum(counts))
        pieces = {}
        for kind, count in zip(KINDS, counts, strict=True):
            for _ in range(count):
                pieces[squares.pop()] = kind
        try:
            return Position.of(Setup(pieces, rng.choice(list(Color))), book)
        except IllegalSetup:
            continue  # a man on its crown row


def half_spent(rng: Random, store: Store, materials: list[Material]) -> Iterator[Game]:
    """Games that are not over, begun in one of the materials and played on for a while without a capture.

    The side that would win plays half of its moves well, so that something is left to decide.
    """
    while True:
        start = random_position(rng, store.book, rng.choice(materials))
        game = Game.start(store.book, fen=start.fen, customs=LETTER)
        for _ in range(rng.randrange(0, 26)):
            if game.outcome:
                break
            quiet = [move for move in game.position.legal_moves if not move.is_capture]
            if not quiet:
                break
            probed = (
                probe(game.position, game.record, customs=LETTER, store=store) if rng.random() < 0.5 else None
            )
            good = (
                [each.move for each in probed.moves if each.value == probed.verdict.value] if probed else []
            )
            game = game.play(rng.choice([move for move in quiet if move in good] or quiet))
        seen = [game.record.position_after(ply) for ply in range(game.record.length + 1)]
        if not game.outcome and len(set(seen)) == len(seen):
            yield game


def wandering(rng: Random, store: Store, material: Material, least: int) -> Iterator[Game]:
    """Games that nobody hurries to end: no capture is made or offered and no position comes twice; those of at least
    so many plies, after each further ply.
    """
    while True:
        start = random_position(rng, store.book, material)
        game = Game.start(store.book, fen=start.fen, customs=LETTER)
        seen = {start}
        while not game.outcome:
            if game.record.length >= least:
                yield game
            quiet = []
            for move in game.legal_moves:
                after = game.position.play(move)
                if not move.is_capture and after not in seen and not after.must_capture():
                    quiet.append(move)
            if not quiet:
                break
            game = game.play(rng.choice(quiet))
            seen.add(game.position)


def winner_by_tables(game: Game, store: Store) -> Color | None:
    """Who wins a game that is not over, what has been counted included."""
    value = probe(game.position, game.record, customs=LETTER, store=store).verdict.value
    turn = game.position.turn
    return {"win": turn, "loss": turn.other, "draw": None}[value]


ENDLESS = 90
"""Plies after which a drawn game that no limit ends is given up."""


def played_out(game: Game, store: Store, rng: Random | None = None) -> Game:
    """By the tables on both sides; with `rng`, the side that does not win plays anything."""
    winner = None
    last = game.record.length + ENDLESS
    while not game.outcome and game.record.length < last:
        probed = probe(game.position, game.record, customs=LETTER, store=store)
        value = probed.verdict.value
        if winner is None:
            winner = {"win": game.position.turn, "loss": game.position.turn.other, "draw": False}[value]
        if rng and game.position.turn is not winner:
            game = game.play(rng.choice(list(game.position.legal_moves)))
        else:
            game = game.play(probed.moves[0].move)
    return game
