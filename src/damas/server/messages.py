"""Messages over the socket of a game, `/game/{id}/socket?last=SEQ`: JSON texts, each with its kind in `t`.

From the page:

| t        | with                                         | answered by                                     |
|----------|----------------------------------------------|-------------------------------------------------|
| `move`   | `id` (32 hex digits), `ply`, `last_seq`, `move` | `ack`, `nack` or `busy` with the same `id`    |
| `act`    | `id`, `last_seq`, `do` and what it needs: `rule`, `square`, `move`, `conduct`, `side` | the same |
| `arbitrate` | `key` of the arbiter's link                 | `hello` with `you`: `arbiter`, or a `nack` without id |
| `intervene` | `id`, `last_seq`, `do`, `reason` and what it needs: `side`, `seconds`, `fen`, `ply`, `result`, `conduct` | as `act` |
| `compute` | `ready`: whether this page computes the moves of the level it plays against | `think`, when there is one to compute |
| `resume` | `last`: what the page has, `chain` of it       | every `event` after it                        |
| `chat`   | `text`                                         | `chat` to the others, or a `nack` without id  |
| `ping`   | `n`                                            | `pong` with the same `n` and `server_ms`      |
| `pong`   | `n` of the server's `ping`                     | nothing: it measures the round trip           |

From the server: `hello`, `event`, `ack`, `nack`, `busy`, `chat`, `presence`, `players`, `superseded`, `restarting`,
`paused`, `resumed`, `rematch`, `called_off`, `think`, `ping`, `pong`. Only events have a `seq`, and they come in its order: a page that finds a gap
sends `resume`. An `id` belongs to one command and its content; sent again it gets the stored answer again.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

Id = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""Id of a command: 128 random bits in hexadecimal."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
"""A number that JavaScript can hold."""
Text = Annotated[str, Meta(max_length=200)]
"""A short text."""

Deed = Literal[
    "resign",
    "offer",
    "accept",
    "decline",
    "withdraw",
    "claim",
    "attention",
    "take_back",
    "grant",
    "refuse",
    "abort",
    "absence",
    "give",
    "touch",
    "adjust",
    "press",
    "stop",
    "demand",
    "lift",
    "crown",
    "blow",
    "report",
    "call",
]
"""What a player can do besides moving."""
Remedy = Literal["release", "time", "clock", "say", "position", "restore", "note", "resume", "result"]
"""What the arbiter can do: release from a touched piece, add time, set a clock, tell the players something, set a position, go back to a ply, write an irregularity
down, let a suspended game go on, decide the result."""


class Move(Struct, tag_field="t", tag="move", frozen=True):
    """A whole move as text."""

    id: Id
    ply: Count
    """How many plies the page has seen."""
    last_seq: Count
    move: Text
    side: Literal["white", "black"] | None = None
    """That of the level, from a page that was asked to compute its move (`think`)."""


class Act(Struct, tag_field="t", tag="act", frozen=True):
    """Any other command of a player."""

    id: Id
    last_seq: Count
    do: Deed
    rule: Text = ""
    """For `claim` and `attention`."""
    square: Text | Count = ""
    """For `touch`, `lift`, `crown` and `blow`: a name, or an internal square."""
    move: Text = ""
    """For `stop`: the capture as far as it went."""
    conduct: Text = ""
    """For `report`: what the opponent did."""
    side: Literal["white", "black"] | None = None
    """The side, for a player who holds both; deduced if left out."""


class Arbitrate(Struct, tag_field="t", tag="arbitrate", frozen=True):
    """Asks for the arbiter's role at this socket."""

    key: Text
    """The secret of the arbiter's link."""


class Intervene(Struct, tag_field="t", tag="intervene", frozen=True):
    """An intervention of the arbiter."""

    id: Id
    last_seq: Count
    do: Remedy
    reason: Text
    side: Literal["white", "black"] | None = None
    """For `time`, `clock` and `note`: which player."""
    seconds: Annotated[int, Meta(ge=0, le=864_000)] = 0
    """For `time` how much more, for `clock` what is left."""
    fen: Annotated[str, Meta(max_length=400)] = ""
    """For `position`."""
    ply: Count = 0
    """For `restore`: how many plies stay."""
    result: Literal["1-0", "0-1", "1/2-1/2", "*", ""] = ""
    """For `result`."""
    conduct: Text = ""
    """For `note`: one of `damas.arbiter.conduct.CONDUCT`."""


class Compute(Struct, tag_field="t", tag="compute", frozen=True):
    """Whether this page computes the moves of the level that its visitor plays against."""

    ready: bool


class Resume(Struct, tag_field="t", tag="resume", frozen=True):
    """Asks for every event after `last`."""

    last: Count
    chain: Text = ""


class Chat(Struct, tag_field="t", tag="chat", frozen=True):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Ping(Struct, tag_field="t", tag="ping", frozen=True):
    """Asks for a `pong` with the same word."""

    n: Count | Text = 0


class Pong(Struct, tag_field="t", tag="pong", frozen=True):
    """The answer to the server's `ping`."""

    n: Count | Text = 0


Command: TypeAlias = Move | Act | Intervene
"""What a room decides on."""
ClientMessage: TypeAlias = Move | Act | Arbitrate | Intervene | Compute | Resume | Chat | Ping | Pong
"""Whatever a page may send."""

_decoder = msgspec.json.Decoder(Move | Act | Arbitrate | Intervene | Compute | Resume | Chat | Ping | Pong)
_encoder = msgspec.json.Encoder()


def read_message(text: str | bytes) -> ClientMessage:
    """Decodes a message of a page; raises `msgspec.MsgspecError` or `UnicodeError`."""
    message: ClientMessage = _decoder.decode(text)
    return message


def content(command: Command) -> str:
    """The content to which a command's id is bound: everything but the id and what the sender had seen."""
    if isinstance(command, Move):
        return f"move {command.ply} {command.side or ''} {command.move}"
    if isinstance(command, Intervene):
        facts = (command.side or "", command.seconds, command.ply, command.result, command.conduct)
        return f"intervene {command.do} {' '.join(map(str, facts))} {command.fen} {command.reason}"
    text = f"act {command.do} {command.side or ''} {command.rule} {command.square} {command.move}"
    return f"{text} {command.conduct}" if command.conduct else text


def encode(message: dict[str, Any]) -> str:
    """A message as it is sent over a socket."""
    return _encoder.encode(message).decode()


def raw(value: Any) -> msgspec.Raw:
    """A value encoded once, for use in many messages."""
    return msgspec.Raw(_encoder.encode(value))
