"""`damas completion`: the script by which a shell completes commands and options, and the words that it offers."""

import argparse
import sys
from collections.abc import Iterable, Sequence

from damas.arbiter import PRESETS
from damas.cli import parser_for
from damas.language import LANGUAGES
from damas.rules import rulebook_ids

SCRIPTS = {
    "bash": """\
_damas() {
    local IFS=$'\\n'
    COMPREPLY=($(printf '%s\\n' "${COMP_WORDS[@]:1:COMP_CWORD}" | damas completion words 2>/dev/null))
}
complete -o default -F _damas damas
""",
    "zsh": """\
#compdef damas
_damas() {
    local -a candidates
    candidates=(${(f)"$(print -rl -- "${words[@]:1:$((CURRENT - 1))}" | damas completion words 2>/dev/null)"})
    if (( $#candidates )); then compadd -a candidates; else _files; fi
}
compdef _damas damas
""",
    "fish": """\
function __damas_words
    set -l typed (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token --cut-at-cursor)
    string join \\n -- $typed[2..-1] | damas completion words 2>/dev/null
end
complete --command damas --arguments '(__damas_words)'
""",
}
"""The script of each shell; what it offers comes from `damas completion words`."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    choices = (*SCRIPTS, "words")
    parser.add_argument("shell", choices=choices, metavar="SHELL", help=", ".join(SCRIPTS))
    parser.epilog = (
        'In bash: eval "$(damas completion bash)" in ~/.bashrc. In zsh: eval "$(damas completion zsh)" in ~/.zshrc, after '
        "compinit. In fish: damas completion fish > ~/.config/fish/completions/damas.fish. "
        "`damas completion words` reads the words after `damas` from standard input, one a line, the last one being "
        "completed, and prints what it may become; nothing where a file may be meant."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if options.shell == "words":
        print(*candidates(sys.stdin.read().removesuffix("\n").split("\n")), sep="\n")
    else:
        print(SCRIPTS[options.shell], end="")
    return 0


def candidates(words: Sequence[str]) -> list[str]:
    """What the last of the words after `damas` may become.

    >>> candidates(["per"]), candidates(["moves", "-r", "port"])
    (['perft'], ['portuguesa', 'portuguesa-fpd'])
    """
    *before, current = words
    parser = parser_for(before)
    for word in before:
        parser = _subparsers(parser).get(word, parser)
    option = parser._option_string_actions.get(before[-1]) if before else None
    if option and option.nargs != 0:
        offered = list(_values(option))
    elif current.startswith("-"):
        shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
        offered = [name for action in shown for name in action.option_strings]
    else:
        offered = [value for action in parser._get_positional_actions() for value in _values(action)]
    return [word for word in dict.fromkeys(offered) if word.startswith(current)]


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of a parser's commands, by name."""
    actions = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return {name: command for action in actions for name, command in action.choices.items()}


def _values(action: argparse.Action) -> Iterable[str]:
    """The values of an argument that can be listed."""
    if action.choices is not None:
        return map(str, action.choices)
    known = {"ID": rulebook_ids(), "LANG": LANGUAGES, "REGULATION": PRESETS}
    return known.get(str(action.metavar), ())
