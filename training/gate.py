"""Test whether a network is better: `python -m training.gate NEW.net --against OLD.net|material`.

Pairs of games from the same opening with colours changed, at fixed nodes or at equal time, until a pentanomial
sequential test decides or the maximum of pairs is reached. The result is printed, and with --card added to the new
network's card. Exit code 0: better; 1: not better, or undecided; 2: no game could be played.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damas import _core
from damas.cli.progress import ProgressBar
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.jobs import run_pieces
from damas.jobs.work import Send
from damas.rules import rulebook
from damas.tournaments.sprt import Sample, Test
from training.atomic_files import ensure_writable_folder, write_text
from training.command_line import (
    COUNT,
    SEED,
    PortableNetwork,
    StageError,
    StageParser,
    integer_between,
    load_network,
    stage_main,
)

ROUND_PAIRS = 16
"""Pairs between two looks at the test; more where more threads play."""


@dataclass(frozen=True)
class Games:
    """The work of a gate: a piece is a number of pairs from a first one."""

    book: str
    new: PortableNetwork
    old: PortableNetwork | None
    nodes: int
    move_us: int
    seed: int
    threads: int

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[tuple[int, int]], Any]]:  # noqa: ARG002 (rounds are short)
        """Yields the function that plays some pairs."""
        book = rulebook(self.book)
        new, old = self.new.read(), self.old.read() if self.old else None

        def play(piece: tuple[int, int]) -> Any:
            first, count = piece
            return _core.pairs(
                rules_of(book),
                laws_of(book),
                new,
                old,
                nodes=self.nodes,
                move_us=self.move_us,
                seed=self.seed,
                from_pair=first,
                count=count,
                threads=self.threads,
            )

        yield play


@stage_main("gate", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument("network", type=Path)
    parser.add_argument("--against", default="material", help="another network, or `material` (default)")
    parser.add_argument("-r", "--rulebook", help="default: the one on the network's card")
    parser.add_argument("--nodes", type=COUNT, default=10_000)
    parser.add_argument(
        "--move-us", type=integer_between(0, 10**9), default=0, help="microseconds a move instead of nodes"
    )
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=5.0)
    parser.add_argument("--pairs", type=COUNT, default=4000, help="maximum pairs to play")
    parser.add_threads()
    parser.add_cluster()
    parser.add_argument("--seed", type=SEED, default=1_000_003)
    parser.add_argument("--card", action="store_true", help="add the result to the card beside the network")
    options = parser.parse_args()
    if not options.elo0 < options.elo1:
        raise StageError(f"--elo0 {options.elo0:g} must be less than --elo1 {options.elo1:g}")

    new = load_network(options.network)
    card_path = options.network.with_suffix(".json")
    card = read_card(card_path) if options.card or not options.rulebook else {}
    book = rulebook(options.rulebook or str(card.get("rulebook")))
    if new.rules != _core.rules_fingerprint(rules_of(book)):
        raise StageError(f"{options.network} is not a network for {book.id}")
    old = None if options.against == "material" else load_network(options.against, book)
    if options.card:
        ensure_writable_folder(card_path.parent)
    test = Test(options.elo0, options.elo1)
    nodes = 0 if options.move_us else options.nodes
    label = f"{book.id}: {options.network.name} against {Path(options.against).name}"
    bar = ProgressBar(label, options.pairs, log_every_s=10)
    pairs, results, played = [0] * 5, [0] * 3, 0
    verdict = "open"
    games = Games(
        book.id,
        PortableNetwork(options.network),
        None if old is None else PortableNetwork(options.against),
        nodes,
        options.move_us,
        options.seed,
        1 if options.cluster else options.threads,
    )
    per_round = ROUND_PAIRS if options.cluster else max(ROUND_PAIRS, 4 * options.threads)
    rounds = [(first, min(per_round, options.pairs - first)) for first in range(0, options.pairs, per_round)]
    for (_, count), (new_pairs, new_results) in run_pieces(games, rounds, jobs=1, cluster=options.cluster):
        played += count
        pairs = [a + b for a, b in zip(pairs, new_pairs, strict=True)]
        results = [a + b for a, b in zip(results, new_results, strict=True)]
        sample = Sample(pairs)
        verdict = test.verdict(sample)
        elo, low, high = sample.elo()
        llr = sample.llr(test.elo0, test.elo1)
        bar.show(
            played,
            f"+{results[2]} ={results[1]} -{results[0]}  Elo {elo:+.1f} [{low:+.1f}, {high:+.1f}]  "
            f"LLR {llr:+.2f} {verdict}",
            last=verdict != "open" or played >= options.pairs,
        )
        if verdict != "open":
            break
    entry = {
        "against": options.against if old is None else f"{old.checksum:016x}",
        "rulebook": book.id,
        "nodes": nodes,
        "move_us": options.move_us,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "pairs": pairs,
        "won_drawn_lost": results[::-1],
        "elo": [round(value, 1) if abs(value) < 10_000 else None for value in (elo, low, high)],
        "llr": round(llr, 2),
        "verdict": verdict,
        "seed": options.seed,
    }
    print(json.dumps(entry))
    if options.card:
        card = read_card(card_path)  # read again: another match may have ended during the games
        card.setdefault("sprt", []).append(entry)
        write_text(card_path, json.dumps(card, indent=1))
    return 0 if verdict == "accepted" else 1


def read_card(path: Path) -> dict[str, Any]:
    """Read the card of a network."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise StageError(f"{path} is not there: without a card give -r and omit --card") from None
    except ValueError:
        card = None
    if not isinstance(card, dict):
        raise StageError(f"{path} is not a card")
    return card


if __name__ == "__main__":
    sys.exit(main())
