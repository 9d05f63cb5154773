"""What a shell offers after TAB. The scripts are run by the shells that are installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from damas.cli import ALIASES, COMMANDS
from damas.rules import rulebook_ids

ASK = {
    "bash": 'COMP_WORDS=(damas {words}); COMP_CWORD={last}; _damas; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "words=(damas {words}); CURRENT=$(({last} + 1)); _damas",
    "fish": 'complete -C "damas {words}"',
}
"""How each shell is asked what it offers for some words."""
LOAD = {
    "bash": 'eval "$(damas completion bash)"',
    "zsh": 'compdef() {{ :; }}; compadd() {{ print -rl -- $candidates }}; eval "$(damas completion zsh)"',
    "fish": "damas completion fish | source",
}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ([""], [word for name in COMMANDS for word in (name, *ALIASES.get(name, ()))]),
        (["per"], ["perft"]),
        (["moves", "-r", ""], [*rulebook_ids()]),
        (["moves", "--lang", "p"], ["pt-BR", "pt-PT"]),
        (["tb", "ver"], ["verify"]),
        (["tb", "build", "--p"], ["--pieces"]),
        (["--json", "show", "--sv"], ["--svg"]),
        (["show", "--svg", "bo"], []),
        (["rules", "concu"], ["concurso"]),
        (["play", "--regulation", "c"], ["casual", "club", "contest"]),
        (["nothing", "x"], []),
    ],
)
def test_the_words_that_are_offered(damas, words, offered):
    answer = damas("completion", "words", stdin="\n".join(words) + "\n")
    assert (answer.code, answer.out.split()) == (0, offered)


@pytest.mark.parametrize("shell", ASK)
def test_a_shell_completes(shell):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    for words, offered in (("mov", ["moves"]), ("rules portu", ["portuguesa", "portuguesa-fpd"])):
        script = f"{LOAD[shell]}\n{ASK[shell]}".format(words=words, last=len(words.split()))
        ran = subprocess.run(
            [shell, "-c", script], capture_output=True, text=True, env={"PATH": path}, check=False
        )
        assert ran.stdout.split() == offered, ran.stderr
