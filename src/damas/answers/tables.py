"""What the endgame tables say, as programs read it."""

from damas.tablebase import MoveVerdict, Verdict


def verdict_object(verdict: Verdict, language: str) -> dict[str, object]:
    """The verdict on a position, for the side to move, with the limit that is being counted."""
    count, turn = verdict.count, verdict.position.turn
    return {
        "verdict": verdict.name,
        "value": verdict.value,
        "unlimited": verdict.unlimited,
        "winner": {"win": turn.value, "loss": turn.other.value, "draw": None}[verdict.value],
        "plies": verdict.plies,
        "budget": verdict.budget,
        "limit": count
        and {
            "rule": count.rule.id,
            "article": count.article,
            "have": count.have,
            "need": count.need,
            "unit": "plies" if count.rule.counts == "each" else "strong-moves",
        },
        "left_out": [rule.id for rule in verdict.beside],
        "sentence": verdict.sentence(language),
    }


def move_verdict_object(told: MoveVerdict) -> dict[str, object]:
    """What a move comes to, for the side that makes it; the move itself is shown by whoever asks."""
    return {
        "verdict": told.name,
        "value": told.value,
        "plies": told.plies,
        "ends": told.reason or None,
    }
