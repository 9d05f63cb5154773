"""A bot with one planted bug, which the name of its file says. Under any other name it plays legal moves."""

import json
import sys
import time

BUG = sys.argv[0].rpartition("/")[2].removesuffix(".py")
EMPTY, DIAGONALS = ".", ((1, 1), (1, -1), (-1, 1), (-1, -1))


def say(**message):
    print(json.dumps(message), flush=True)


def at(board, place):
    row, column = place
    return board[row][column] if 0 <= row < len(board) and 0 <= column < len(board) else None


def ahead(place, step, count=1):
    return place[0] + count * step[0], place[1] + count * step[1]


def text(*places):
    return " ".join(f"{row},{column}" for row, column in places)


def own(board, color):
    letter = color[0]
    for row, line in enumerate(board):
        for column, piece in enumerate(line):
            if piece.lower() == letter:
                yield (row, column), piece


def jumps(board, place, color, left=None):
    """Where a man on that square may land, were it the one that has left another."""
    for step in DIAGONALS:
        over, to = at(board, ahead(place, step)), ahead(place, step, 2)
        free = at(board, to) == EMPTY or to == left
        if over not in (None, EMPTY) and over.lower() != color[0] and free and to != left:
            yield to


def few(board):
    """Not in an opening."""
    return sum(piece != EMPTY for line in board for piece in line) < 16


def stops(move):
    """The squares of a move of brasileira as places."""
    return [(int(name[1]) - 1, ord(name[0]) - ord("a")) for name in move.replace("-", "x").split("x")]


def places(move):
    return stops(move) if move[0].isalpha() else [tuple(map(int, p.split(","))) for p in move.split()]


def takes(move):
    first, second = places(move)[:2]
    return abs(first[0] - second[0]) > 1


def chosen(message):
    return message["legal"][7 * message["ply"] % len(message["legal"])]


def bad_move(message, color):
    """The move that the bug would have, if the position gives it a chance."""
    board, legal, forward = message["board"], message["legal"], 1 if color == "white" else -1
    quiet = not takes(legal[0])
    late = few(board)
    pieces = list(own(board, color))
    if BUG == "opponents-piece" and late:
        other = "black" if color == "white" else "white"
        return text(next(own(board, other))[0], (3, 3))
    if BUG == "white-only" and color == "black":
        return "2,2 3,3"
    if BUG == "backward-man" and late and quiet:
        for place, piece in pieces:
            for step in DIAGONALS:
                if piece.islower() and step[0] == -forward and at(board, ahead(place, step)) == EMPTY:
                    return text(place, ahead(place, step))
    if BUG == "flying-king" and quiet:
        for place, piece in pieces:
            for step in DIAGONALS:
                if piece.isupper() and all(at(board, ahead(place, step, n)) == EMPTY for n in (1, 2)):
                    return text(place, ahead(place, step, 2))
    if BUG == "never-captures" and not quiet:
        for place, _piece in pieces:
            for step in DIAGONALS:
                if step[0] == forward and at(board, ahead(place, step)) == EMPTY:
                    return text(place, ahead(place, step))
    if BUG == "one-jump":
        for move in legal:
            if len(places(move)) > 2:
                return text(*places(move)[:2])
    if BUG == "no-crown" and all(places(move)[-1][0] == (7 if color == "white" else 0) for move in legal):
        men = [places(move)[0] for move in legal if at(board, places(move)[0]).islower()]
        if men:
            return text(men[0], ahead(men[0], (-forward, 1 if men[0][1] < 4 else -1)))
    if BUG == "small-capture" and not quiet and max(len(places(move)) for move in legal) > 2:
        for place, piece in pieces:
            for jump in jumps(board, place, color) if piece.islower() else ():
                if not list(jumps(board, jump, color, place)) and all(
                    places(m)[:2] != [place, jump] for m in legal
                ):
                    return text(place, jump)
    return None


def answer(message, color):
    if BUG == "crash" and any(piece.isupper() for _, piece in own(message["board"], color)):
        raise RuntimeError("what is a king?")
    if BUG == "slow" and few(message["board"]):
        time.sleep(5)
    if BUG == "draw-crash" and any(count["need"] - count["have"] <= 2 for count in message["counts"]):
        raise RuntimeError("counted out")
    if BUG == "short-buffer" and len(message["moves"]) > 150:
        raise RuntimeError("line too long")
    if BUG == "debug-first":
        print("let me think", flush=True)
        time.sleep(0.005)
    if BUG == "garbage":
        return print("I play", message["legal"][0], flush=True)
    nonce = message["nonce"]
    if BUG == "old-nonce":
        nonce = "00000000"
    if BUG == "pawn-to":
        return say(move="man\x1b[31m forward", nonce=nonce)
    if BUG == "no-nonce":
        return say(move=message["legal"][0])
    say(move=bad_move(message, color) or chosen(message), nonce=nonce)
    if BUG == "chatty":
        say(score=12)
    return None


def main():
    if BUG == "no-start":
        sys.exit("cannot find my book")
    color = ""
    while True:
        line = sys.stdin.readline()
        if not line:
            if BUG == "deaf":
                time.sleep(0.02)
                continue
            break
        message = json.loads(line)
        if message["type"] == "hello":
            color = message["color"]
            say(type="here I am" if BUG == "not-ready" else "ready")
        elif message["type"] == "move?" or (BUG == "everything-is-a-question" and message["type"] != "end"):
            answer(message, color)
        elif message["type"] == "end":
            if BUG == "late-to-leave":
                time.sleep(5)
            break


if __name__ == "__main__":
    main()
