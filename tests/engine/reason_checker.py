"""Proves the reason for a mistake again from its moves, without asking the code that gave it."""

from collections.abc import Callable, Iterator, Sequence

from damas.board import Color
from damas.engine.reasons import Mistake, Reason, probe_kings
from damas.game import Game, Move, Position
from damas.game.explain import examine
from damas.rules import cite

MAX_STEPS = 200_000


def check(mistake: Mistake, reason: Reason) -> None:
    """Raises an `AssertionError` for a sentence that says what the moves do not show."""
    group, _, what = reason.kind.partition("_")
    if what in ("opposition", "threat", "trapped"):
        _check_squeeze(mistake, reason, what)
    elif what in ("breakthrough", "run") or (what == "crown" and reason.marks):
        _check_run(mistake, reason, what)
    elif what in ("forcada", "three_kings") or (
        reason.kind == "missed_win_in" and mistake.best.score <= 25_000
    ):
        _check_king_ending(mistake, reason)
    elif group in ("missed", "allows") and what not in ("win", "win_in"):
        _check_combination(mistake, reason, what)
    elif group in ("line", "later", "first"):
        assert group == "first" or (group == "later") == (len(reason.moves) > 8)
        assert reason.facts["moves"] == (len(reason.moves) + 1) // 2
        _check_sequence(mistake, reason, what)
    elif reason.kind in ("missed_win", "missed_win_in"):
        assert mistake.best.score > 25_000
    elif reason.kind in ("loses", "loses_in"):
        assert mistake.reply and mistake.reply.score > 25_000
    elif reason.kind == "left_diagonal":
        _check_diagonal(mistake)
    elif reason.kind == "ran_out":
        _check_run_out(mistake, reason)
    else:
        assert reason.kind == "too_slow", reason.kind
        _check_too_slow(mistake, reason)


def _check_combination(mistake: Mistake, reason: Reason, what: str) -> None:
    start = mistake.after.position if reason.after else mistake.before.position
    end, offered, crowned, chosen_for_them = _replay(start, reason)
    given = _count(start, start.turn) - _count(end, start.turn)
    taken = _count(start, start.turn.other) - _count(end, start.turn.other)
    if what == "end":
        assert end.turn is not start.turn and not list(end.legal_moves)
        goal = None
    else:
        assert not end.must_capture()
        assert (given, taken) == (reason.facts["given"], reason.facts["taken"])
        assert reason.facts["count"] == taken - given
        goal = _worth(end, start.turn) - _worth(start, start.turn) - (not _is_safe(end, start.turn))
        assert goal > 0
    assert reason.facts["first"] == reason.moves[0].text
    if not reason.after:
        assert reason.moves[0] == mistake.best.moves[0]
    expected = {
        "shot": offered and taken > given,
        "majority": offered and taken > given and chosen_for_them,
        "exchange": not offered and taken > given > 0,
        "piece": not offered and taken > given == 0,
        "crowning": taken <= given and taken > 0 and crowned,
        "king": 0 < taken <= given and _kings(start, start.turn.other) > _kings(end, start.turn.other),
        "crown": taken == 0 and crowned,
        "end": True,
    }
    assert expected[what], what
    if reason.shot:
        assert (reason.shot.given, reason.shot.taken) == (given, taken)
    first = start.play(reason.moves[0])
    assert _wins(first, start, goal, offers=3, steps=[0]), "a reply escapes"


def _replay(start: Position, reason: Reason) -> tuple[Position, bool, bool, bool]:
    """The last position; whether anything was offered or crowned, and whether a law chose a reply."""
    position, offered, crowned, chosen = start, False, False, False
    for number, move in enumerate(reason.moves):
        legal = list(position.legal_moves)
        assert move in legal
        if number % 2:
            assert all(other.is_capture for other in legal), "a reply need not capture"
            chosen = chosen or (len(legal) == 1 and _is_chosen_by_law(position, reason))
        else:
            offered = offered or not move.is_capture
            crowned = crowned or move.promotes
        position = position.play(move)
    return position, offered, crowned, chosen


def _is_chosen_by_law(position: Position, reason: Reason) -> bool:
    """Whether some other capture of one piece is refused by the article that the sentence cites."""
    names = position.rulebook.square_names
    for start in range(len(names)):
        for end in range(len(names)):
            refusal = examine(position, f"{names[start]}x{names[end]}") if start != end else None
            reasons = (refusal, *refusal.further) if refusal else ()
            if any(each.citation == reason.facts["law"] for each in reasons):
                return True
    return False


def _wins(position: Position, start: Position, goal: int | None, offers: int, steps: list[int]) -> bool:
    """Whether the attacker of `start` wins so much, or the game, whatever is answered: tried literally."""
    steps[0] += 1
    assert steps[0] < MAX_STEPS
    legal = list(position.legal_moves)
    mine = position.turn is start.turn
    if not legal:
        return not mine
    if legal[0].is_capture:
        following = (_wins(position.play(move), start, goal, offers, steps) for move in legal)
        return any(following) if mine else all(following)
    reached = goal is not None and _worth(position, start.turn) - _worth(start, start.turn) >= goal
    if reached or not mine or not offers:
        return reached
    forcing = (after for after in map(position.play, legal) if after.must_capture())
    return any(_wins(after, start, goal, offers - 1, steps) for after in forcing)


def _is_safe(end: Position, attacker: Color) -> bool:
    """Whether the attacker has a move after which nothing can be taken, or need not move."""
    legal = list(end.legal_moves)
    return end.turn is not attacker or any(not end.play(move).must_capture() for move in legal)


def _check_sequence(mistake: Mistake, reason: Reason, what: str) -> None:
    side = mistake.before.position.turn
    assert reason.moves
    if reason.after:
        assert mistake.reply and _goes_on(reason.moves, mistake.reply.moves)
        position, moves = mistake.before.position, (mistake.move, *reason.moves)
    else:
        assert _goes_on(reason.moves, mistake.best.moves)
        position, moves = mistake.before.position, reason.moves
    start = position
    for move in moves:
        mover, position = position.turn, position.play(move)
    if what in ("crowned", "crowns"):
        assert reason.marks == (moves[-1].destination,)
        earlier = [before for before, move in _turns(start, moves[:-1]) if move.promotes]
        assert all(before.turn is not mover for before in earlier), "it is not the first new king"
        assert not reason.kind.startswith("first") or not earlier, "somebody crowned before"
    if what in ("crowned", "crowns"):
        assert moves[-1].promotes and mover is (side.other if what == "crowned" else side)
        assert str(reason.facts["square"]) == start.rulebook.square_names[moves[-1].destination]
        return
    assert not position.must_capture(), "counted in the middle of an exchange"
    won = (_count(position, side) - _count(start, side)) - (
        _count(position, side.other) - _count(start, side.other)
    )
    assert reason.facts["count"] == (won if what == "wins" else -won) > 0


def _turns(position: Position, moves: Sequence[Move]) -> Iterator[tuple[Position, Move]]:
    """Each move with the position before it."""
    for move in moves:
        yield position, move
        position = position.play(move)


def _goes_on(moves: Sequence[Move], expected: Sequence[Move]) -> bool:
    """Whether a sequence begins as a line of the search, however far both go."""
    both = min(len(moves), len(expected))
    return tuple(moves[:both]) == tuple(expected[:both])


def _check_squeeze(mistake: Mistake, reason: Reason, what: str) -> None:
    """Every reply to the quiet move is tried, and every one loses a piece, or the king that is named."""
    start = mistake.after.position if reason.after else mistake.before.position
    first = reason.moves[0]
    expected = mistake.reply.moves[0] if reason.after and mistake.reply else mistake.best.moves[0]
    assert first == expected and not first.is_capture and reason.facts["first"] == first.text
    side, position = start.turn, start.play(first)
    replies = list(position.legal_moves)
    assert replies and not position.must_capture() and reason.moves[1] in replies
    before = _count(start, side) - _count(start, side.other)

    def won(end: Position) -> bool:
        ahead = _count(end, side) - _count(end, side.other) > before
        is_worth = _worth(end, side) - (not _is_safe(end, side)) > _worth(start, side)
        return ahead and is_worth and (what != "trapped" or not _kings(end, side.other))

    for reply in replies:
        assert _forces(position.play(reply), side, won, offers=1, steps=[0]), f"{reply.text} loses nothing"
    if what == "trapped":
        (mark,) = reason.marks
        assert start.diagram[mark] == _letters(side.other)[1] and _kings(start, side.other) == 1
        assert str(reason.facts["square"]) == start.rulebook.square_names[mark]
        return
    white, black = position.fen.split(":")[1:]
    passed = f"{'W' if side is Color.WHITE else 'B'}:{white}:{black}"
    threatens = _forces(Position.from_fen(passed, start.rulebook), side, won, offers=1, steps=[0])
    assert threatens == (what == "threat")


def _forces(
    position: Position, side: Color, won: Callable[[Position], bool], offers: int, steps: list[int]
) -> bool:
    """Whether a side gets what it wants by captures and offers, whatever is answered: tried literally."""
    steps[0] += 1
    assert steps[0] < MAX_STEPS
    legal, mine = list(position.legal_moves), position.turn is side
    if not legal:
        return not mine
    if legal[0].is_capture:
        following = (_forces(position.play(move), side, won, offers, steps) for move in legal)
        return any(following) if mine else all(following)
    if won(position) or not mine or not offers:
        return won(position)
    forcing = (after for after in map(position.play, legal) if after.must_capture())
    return any(_forces(after, side, won, offers - 1, steps) for after in forcing)


def _check_run(mistake: Mistake, reason: Reason, what: str) -> None:
    """Whatever is replied, a man is crowned within the moves that the sentence names."""
    start = mistake.after.position if reason.after else mistake.before.position
    if not reason.after:
        assert reason.moves[0] == mistake.best.moves[0]
    position, gives = start, False
    for number, move in enumerate(reason.moves):
        gives = gives or bool(number % 2 and move.is_capture)
        position = position.play(move)
    assert reason.moves[-1].promotes and gives == (what == "breakthrough")
    assert reason.facts["first"] == reason.moves[0].text and reason.marks == (reason.moves[-1].destination,)
    moves = reason.facts["moves"]
    assert moves == (len(reason.moves) + 1) // 2 and (moves == 1) == (what == "crown")
    steps = [0]

    def crowns(position: Position, left: int) -> bool:
        steps[0] += 1
        assert steps[0] < MAX_STEPS
        for move in sorted(position.legal_moves, key=lambda move: not move.promotes):
            after = position.play(move)
            if move.promotes and _after_captures(after, start.turn) > _worth(start, start.turn):
                return True
            replies = list(after.legal_moves)
            if left > 1 and replies and all(crowns(after.play(reply), left - 1) for reply in replies):
                return True
        return False

    after = start.play(reason.moves[0])
    if moves == 1:
        assert _after_captures(after, start.turn) > _worth(start, start.turn)
    else:
        assert all(crowns(after.play(reply), moves - 1) for reply in after.legal_moves), "a reply stops it"


def _after_captures(position: Position, side: Color) -> int:
    """The worth that is left to a side when both have taken what they must, the other side at its best."""
    if not position.must_capture():
        return _worth(position, side)
    values = [_after_captures(position.play(move), side) for move in position.legal_moves]
    return max(values) if position.turn is side else min(values)


def _check_king_ending(mistake: Mistake, reason: Reason) -> None:
    """The tables are asked again, and the winner is followed to the end by their moves."""
    verdicts = [probe_kings(record) for record in (mistake.before, mistake.after)]
    assert verdicts[0] and verdicts[1] and (verdicts[0].value, verdicts[1].value) == ("win", "draw")
    assert reason.facts["moves"] == verdicts[0].moves
    if not reason.kind.endswith("_in"):
        assert sorted(mistake.before.position.counts) == [0, 0, 1, 3]


def _check_run_out(mistake: Mistake, reason: Reason) -> None:
    """The game is played again: the move ends it as a draw by the article, and the better one does not."""
    record = mistake.before
    game = Game.start(record.rulebook, fen=record.start.fen)
    for ply in range(1, record.length + 1):
        game = game.play(record.move(ply))
    assert not game.outcome and not game.play(mistake.best.moves[0]).outcome
    outcome = game.play(mistake.move).outcome
    assert outcome and outcome.winner is None and outcome.reason == "LIMIT"
    assert outcome.citation == reason.facts["law"]


def _check_too_slow(mistake: Mistake, reason: Reason) -> None:
    """The tables have a win without the limit, and none in the moves that it leaves."""
    verdict = probe_kings(mistake.after)
    assert verdict and verdict.value == "draw" and verdict.unlimited != "draw" and verdict.count
    count = verdict.count
    assert (count.counted, count.rule.limit) == (reason.facts["have"], reason.facts["need"])
    assert cite(mistake.after.rulebook, count.article) == reason.facts["law"]
    assert count.counted < count.rule.limit


def _check_diagonal(mistake: Mistake) -> None:
    diagonal = mistake.before.rulebook.geometry.main_diagonal
    letter = "W" if mistake.before.position.turn is Color.WHITE else "B"

    def holds(position: Position) -> bool:
        return any(position.diagram[square] == letter for square in diagonal)

    assert holds(mistake.before.position) and not holds(mistake.after.position)


def _letters(side: Color) -> str:
    return "wW" if side is Color.WHITE else "bB"


def _count(position: Position, side: Color) -> int:
    return sum(position.diagram.count(letter) for letter in _letters(side))


def _kings(position: Position, side: Color) -> int:
    return position.diagram.count(_letters(side)[1])


def _worth(position: Position, side: Color) -> int:
    king = 3 if position.rulebook.flying_king.value else 2

    def of(color: Color) -> int:
        man, crowned = _letters(color)
        return position.diagram.count(man) + king * position.diagram.count(crowned)

    return of(side) - of(side.other)
