"""Finds games that end in every way, for `games.json`. Run it when a rulebook gets a new law; it takes minutes.

    python tests/playthroughs/find.py [ID ...]

Each game is a short one from a small position, made of quiet moves that let one law and no other run to its end.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from damas.board import Color, Piece, Setup
from damas.errors import DamasError
from damas.game import Customs, Game, Move, Position
from damas.rules import DrawRule, Rulebook, rulebook, rulebook_ids

GAMES = Path(__file__).parent / "games.json"
TRIES = 3000
PATIENCE = 1500
PLATFORM, LETTER = Customs(), Customs(platform_rules=False)


def material(rule: DrawRule) -> list[tuple[str, str]]:
    """Sets of pieces to try for a law."""
    if rule.endings and rule.limit == 0:  # there at once: somebody must take the last man
        return [("K", "KM"), ("KM", "K"), ("K", "KK")]
    if rule.endings:
        first = rule.endings[0].replace("K{3,}", "KKK")
        one, _, other = first.partition("-")
        return [(one, other)]
    if rule.pieces:
        return [("KM", "KM"), ("KMM", "KM"), ("KMM", "KMM"), ("KKM", "KMM")]
    return [("KM", "KM"), ("KKM", "KM"), ("KKK", "K"), ("KMM", "KMM")]


def setup(book: Rulebook, one: str, other: str, random: Random) -> Position | None:
    squares = random.sample(book.geometry.squares, len(one) + len(other))
    pieces = {}
    for square, kind, color in zip(
        squares, one + other, [Color.WHITE] * len(one) + [Color.BLACK] * len(other), strict=True
    ):
        pieces[square] = Piece(color.letter if kind == "K" else color.letter.lower())
    try:
        return Position.of(Setup(pieces, book.first_to_move), book)
    except DamasError:
        return None


class Finder:
    def __init__(self, rule: DrawRule, random: Random) -> None:
        self.rule, self.random = rule, random
        self.left = PATIENCE

    def search(self, game: Game) -> Game | None:
        """Depth-first search that tries the moves which bring the law nearest to its limit first."""
        if game.outcome:
            return game if game.outcome.rule == self.rule.id else None
        self.left -= 1
        if self.left < 0:
            return None
        steps = []
        for move in game.position.legal_moves:
            following = game.play(move)
            if following.outcome and following.outcome.rule != self.rule.id:
                continue
            if following.outcome is None and following.position.must_capture():
                continue
            have = max((p.have for p in following.progress() if p.rule.id == self.rule.id), default=-1)
            steps.append((have, move.by_king, self.random.random(), following))
        for *_, following in sorted(steps, key=lambda step: step[:3], reverse=True):
            if ended := self.search(following):
                return ended
        return None


def shuttle(game: Game, rounds: int, random: Random) -> Game | None:
    """A game in which both sides repeat `rounds` different rounds of king moves until it ends."""
    lines: list[list[str]] = []
    for _ in range(200):
        if len(lines) == rounds:
            break
        here, line = game, []
        for _ in range(2):
            away = [m for m in here.position.legal_moves if m.by_king and not m.is_capture]
            if not away:
                return None
            line.append(random.choice(away))
            here = here.play(line[-1])
            if here.outcome or here.position.must_capture():
                break
        else:
            names = game.position.rulebook.square_names
            back = [f"{names[move.destination]}-{names[move.origin]}" for move in line]
            texts = [move.text for move in line] + back
            if texts not in lines:
                lines.append(texts)
    while lines and len(lines) == rounds:
        for line in lines:
            for text in line:
                try:
                    game = game.play(text)
                except DamasError:
                    return None
                if game.outcome:
                    return game
    return None


def walk(game: Game, random: Random) -> Game | None:
    """A game of moves without capture until it ends."""
    while not game.outcome:
        moves = list(game.position.legal_moves)
        random.shuffle(moves)
        for move in moves:
            following = game.play(move)
            if (following.outcome is None or following.outcome.reason == "LENGTH") and (
                not following.position.must_capture() and not move.is_capture
            ):
                game = following
                break
        else:
            return None
    return game


def law_game(book: Rulebook, rule: DrawRule) -> tuple[str, list[str]] | None:
    if rule.platform and rule.claim == "player":
        return None  # it never ends a game by itself
    customs = PLATFORM if rule.platform else LETTER
    for number in range(TRIES):
        random = Random(f"{book.id} {rule.id} {number}")
        choices = material(rule)
        start = setup(book, *choices[number % len(choices)], random)
        if start is None or not start.count_moves():
            continue
        game = Game(Game.start(book, fen=start.fen, customs=customs).record, customs)
        if game.position.must_capture() and rule.limit:
            continue
        if Game.start(book, fen=start.fen, customs=customs).outcome:
            continue
        if rule.rule in ("repetition", "cycle"):
            ended = shuttle(game, 2 if book.id == "concurso" and rule.platform else 1, random)
        elif rule.rule == "length":
            ended = walk(game, random)
        else:
            ended = Finder(rule, random).search(game)
        if ended and ended.record.length and ended.outcome and ended.outcome.rule == rule.id:
            return ended.record.start.fen, [move.text for move in ended.record.moves]
    return None


def board_game(book: Rulebook, reason: str) -> tuple[str, list[str]] | None:
    """A game of two or three plies that ends on the board."""
    kinds = [("M", "M"), ("K", "M"), ("MM", "M"), ("K", "MM"), ("MMM", "MM")]
    for number in range(40 * TRIES):
        random = Random(f"{book.id} {reason} {number}")
        start = setup(book, *kinds[number % len(kinds)], random)
        if start is None:
            continue
        game = Game.start(book, fen=start.fen, customs=LETTER)
        moves: list[Move] = []
        while game.outcome is None and len(moves) < 3:
            choice = game.position.legal_moves
            moves.append(choice[random.randrange(len(choice))])
            game = game.play(moves[-1])
        if game.outcome and game.outcome.reason == reason and len(moves) == 3:
            return start.fen, [move.text for move in moves]
    return None


def find_games(book_ids: Sequence[str]) -> None:
    """Write to `games.json` a game for each end on the board and each law of these rulebooks."""
    sys.setrecursionlimit(5000)
    games = json.loads(GAMES.read_text(encoding="utf-8")) if GAMES.exists() else {}
    for book in map(rulebook, book_ids):
        for reason in ("NO_PIECES", "NO_MOVES"):
            report(games, book, reason, board_game(book, reason))
        for rule in book.draws:
            report(games, book, rule.id, law_game(book, rule))
        GAMES.write_text(shown(games), encoding="utf-8")


def report(games: dict, book: Rulebook, name: str, game: tuple[str, list[str]] | None) -> None:
    print(book.id, name, len(game[1]) if game else "NOT FOUND", flush=True)
    if game:
        games[f"{book.id} {name}"] = {"fen": game[0], "moves": " | ".join(game[1])}


def shown(games: dict) -> str:
    lines = [f"  {json.dumps(key)}: {json.dumps(game)}" for key, game in games.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    find_games(sys.argv[1:] or rulebook_ids())
