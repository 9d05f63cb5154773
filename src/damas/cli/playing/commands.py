"""Parses what players type: a move in any notation, or a command in Portuguese, Spanish or English."""

import unicodedata
from dataclasses import dataclass

from damas.arbiter import Advised, Corrected, Ended, Noted, Released, Restored, TimeAdded, TimeSet
from damas.arbiter.events import Intervention
from damas.board import Color

_MAX_DIGITS = 6

COMMAND_WORDS: dict[str, tuple[str, ...]] = {
    "why": ("?", "?", "?"),
    "moves": ("moves", "lances", "jugadas"),
    "offer": ("offer", "empate", "empate", "tablas", "draw", "propor", "ofrecer"),
    "accept": ("accept", "aceitar", "aceptar", "aceito", "acepto", "grant", "yes", "sim", "sí"),
    "decline": ("decline", "recusar", "rechazar", "refuse", "recuso", "rechazo", "no", "não"),
    "withdraw": ("withdraw", "retirar", "retirar", "retiro"),
    "claim": ("claim", "reclamar", "reclamar", "reclamo"),
    "attention": ("attention", "atenção", "atención"),
    "touch": ("touch", "tocar", "tocar", "toco"),
    "adjust": (
        "adjust",
        "arrumar",
        "componer",
        "arrumo",
        "ajeitar",
        "compor",
        "compongo",
        "acomodar",
        "ajustar",
    ),
    "stop": ("stop", "soltar", "soltar", "solto", "largar", "suelto"),
    "lift": ("lift", "levantar", "levantar", "levanto"),
    "crown": ("crown", "coroar", "coronar", "coroo", "corono"),
    "blow": ("blow", "soprar", "soplar", "huff", "sopro", "soplo"),
    "report": ("report", "assinalar", "señalar"),
    "register": ("register", "registro", "registro", "registo"),
    "demand": ("demand", "exigir", "exigir", "exijo"),
    "back": ("back", "voltar", "volver", "undo", "desfazer", "atrás"),
    "press": ("press", "relógio", "reloj"),
    "flag": ("flag", "bandeira", "bandera"),
    "resign": ("resign", "abandonar", "abandonar", "abandono", "desistir", "desisto", "rendirse"),
    "abort": ("abort", "cancelar", "cancelar", "cancelo"),
    "resume": ("resume", "continuar", "seguir"),
    "arbiter": ("arbiter", "árbitro", "árbitro"),
    "board": ("board", "tabuleiro", "tablero"),
    "flip": ("flip", "virar", "girar"),
    "save": ("save", "salvar", "guardar", "gravar"),
    "certificate": ("certificate", "certidão", "certificado"),
    "help": ("help", "ajuda", "ayuda"),
    "quit": ("quit", "sair", "salir", "exit", "q"),
}
"""The words accepted for each command, with or without accents: the displayed English, Portuguese and Spanish word, then
synonyms."""

INTERVENTIONS: dict[str, tuple[str, ...]] = {
    "time": ("time", "tempo", "tiempo"),
    "clock": ("clock", "relógio", "reloj"),
    "say": ("say", "dizer", "decir"),
    "position": ("position", "posição", "posición"),
    "restore": ("restore", "repor", "reponer"),
    "release": ("release", "liberar", "liberar", "libertar"),
    "note": ("note", "anotar", "anotar"),
    "end": ("end", "encerrar", "terminar"),
}
"""Interventions of the arbiter: add time, set a clock, tell the players something, set a position, restore an earlier
ply, release a player from a touched piece, write an irregularity down, end the game."""

CONDUCT_WORDS: dict[str, tuple[str, ...]] = {
    "pointing": ("pointing", "dedo", "dedo"),
    "hands": ("hands", "mãos", "manos"),
    "holding": ("holding", "segurar", "sostener", "suster"),
    "touching": ("touching", "tocar", "tocar"),
    "blowing": ("blowing", "soprar", "soplar"),
    "crowning": ("crowning", "coroar", "coronar"),
    "lifting": ("lifting", "levantar", "levantar"),
    "illegal": ("illegal", "ilegal", "ilegal"),
    "claim": ("claim", "reclamar", "reclamar"),
    "other": ("other", "outra", "otra"),
}
"""The words accepted for each irregularity of `damas.arbiter.conduct.CONDUCT`, as for commands."""

SIDES = {
    **dict.fromkeys(("white", "brancas", "blancas"), Color.WHITE),
    **dict.fromkeys(("black", "pretas", "negras"), Color.BLACK),
}
"""Prefixes that name the side of a command when two people share the keyboard."""


EUROPEAN = {"register": "registo", "save": "guardar"}
"""Words displayed in pt-PT where they differ from those of pt-BR."""


def command_words(language: str) -> dict[str, str]:
    """Return the word displayed for each command in this language."""
    return _displayed(COMMAND_WORDS, language) | (EUROPEAN if language == "pt-PT" else {})


def conduct_words(language: str) -> dict[str, str]:
    """Return the word displayed for each irregularity in this language."""
    return _displayed(CONDUCT_WORDS, language)


def _displayed(words: dict[str, tuple[str, ...]], language: str) -> dict[str, str]:
    place = {"en": 0, "es": 2}.get(language, 1)
    return {name: choices[place] for name, choices in words.items()}


@dataclass(frozen=True)
class Command:
    """A parsed line: `move` with its text, or a command with its argument; `side` if the player named one."""

    name: str
    argument: str
    side: Color | None = None


def read(line: str) -> Command:
    """Parse a line. Anything that is not a command is a move, which the arbiter checks.

    >>> read("Atenção thirteen-moves"), read("black resign"), read("? c3-d4")
    (Command(name='attention', argument='thirteen-moves', side=None), Command(name='resign', argument='', side=<Color.BLACK: 'black'>), Command(name='why', argument='c3-d4', side=None))
    """
    text = " ".join(line.split())
    first, _, rest = text.partition(" ")
    side = SIDES.get(_fold(first))
    if side and rest:
        command = read(rest)
        return Command(command.name, command.argument, side)
    if text.startswith("?"):
        return Command("why", text.removeprefix("?").strip())
    command_name = _COMMANDS.get(_fold(first))
    return Command(command_name, rest) if command_name else Command("move", text)


def intervention(text: str, at: int) -> Intervention | None:
    """Parse the text after `arbiter` into an intervention with its reason, or None if it is unclear.

    >>> intervention("end 1/2-1/2 lights out", 900)
    Ended(at=900, reason='lights out', result='1/2-1/2')
    >>> intervention("time white 60 the clock had stopped", 900).ms
    60000
    """
    word, _, rest = text.partition(" ")
    what = _INTERVENTIONS.get(_fold(word))
    value, _, reason = rest.partition(" ")
    if what in ("time", "clock") and (side := SIDES.get(_fold(value))):
        seconds, _, reason = reason.partition(" ")
        kind = TimeAdded if what == "time" else TimeSet
        return kind(at, reason, side, int(seconds) * 1000) if _is_number(seconds) else None
    if what == "note" and (side := SIDES.get(_fold(value))):
        conduct, _, reason = reason.partition(" ")
        return Noted(at, reason, side, conduct_named(conduct)) if conduct else None
    if what == "say":
        return Advised(at, rest)
    if what == "release":
        return Released(at, rest)
    if what == "position" and value:
        return Corrected(at, reason, value)
    if what == "restore" and _is_number(value):
        return Restored(at, reason, int(value))
    return Ended(at, reason, value) if what == "end" and value else None


def conduct_named(text: str) -> str:
    """The irregularity that a word means; another word is unchanged, and the arbiter says what there is."""
    return _CONDUCT.get(_fold(text), text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS


def _fold(word: str) -> str:
    """Return the word in lower case without accents."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_INTERVENTIONS = {_fold(word): what for what, words in INTERVENTIONS.items() for word in words}
_CONDUCT = {_fold(word): conduct for conduct, words in CONDUCT_WORDS.items() for word in words}
_COMMANDS = {_fold(word): command for command, words in COMMAND_WORDS.items() for word in words}
