"""An error as programs read it."""

from typing import Protocol

from damas.errors import (
    BadRegulation,
    BadRulebook,
    IllegalMove,
    IllegalSetup,
    NotationError,
    UnknownRulebook,
    file_trouble,
)


class Speaking(Protocol):
    """Everything that is refused with a code and a sentence: each `DamasError`, and what the command line adds."""

    code: str

    def sentence(self, language: str) -> str: ...


def error_object(error: Speaking | OSError, language: str) -> dict[str, object]:
    """An error as scripts read it: a stable code, the data, and the sentence for people."""
    if isinstance(error, IllegalMove):
        return error.refusal.as_json(language)
    data: dict[str, object] = {"code": getattr(error, "code", "FILE")}
    if isinstance(error, NotationError | IllegalSetup):
        data["text"] = error.text
        data["problems"] = [
            {
                "code": problem.code,
                "token": problem.token,
                "offset": problem.offset,
                "squares": list(problem.squares),
                "message": problem.sentence(language),
            }
            for problem in error.problems
        ]
    elif isinstance(error, BadRulebook | BadRegulation):
        data["rulebook" if isinstance(error, BadRulebook) else "regulation"] = error.name
        data["problems"] = [
            {"key": mistake.key, "got": mistake.got, "allowed": mistake.allowed(language)}
            for mistake in error.problems
        ]
    elif isinstance(error, UnknownRulebook):
        data["rulebook"] = error.name
        data["known"] = list(error.known)
    if isinstance(error, OSError):
        message = file_trouble(error).sentence(language)
        message = f"{error.filename}: {message}" if error.filename is not None else message
    else:
        message = error.sentence(language)
    return {**data, "message": " ".join(message.split()), "lang": language}
