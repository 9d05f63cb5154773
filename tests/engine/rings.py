"""Walks that lead back to where they began: counters run, and nothing else changes."""


def ring_from(start):
    """Four quiet king moves that lead back."""
    for first in quiet_kings(start):
        for second in quiet_kings(start.play(first)):
            position, ring = start.play(first).play(second), [first, second]
            for way in (first, second):
                back = [
                    m
                    for m in quiet_kings(position)
                    if (m.origin, m.destination) == (way.destination, way.origin)
                ]
                if not back:
                    break
                position = position.play(back[0])
                ring.append(back[0])
            if position == start:
                return ring
    return None


def quiet_kings(position):
    return [move for move in position.legal_moves if move.by_king and not move.is_capture]
