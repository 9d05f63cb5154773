"""Learning from positions: `python -m training.train DIR [DIR:0.25 ...] --out DIR`.

Writes weights.pt (floating point), training.json (what was done) and loss.svg. After each epoch the state is kept
beside them, so that the same words again go on where they stopped.
"""

import re
import sys
from pathlib import Path

from training.refusing import MOST_SEED, Refused, Words, a_stage, need_file, need_torch, refuse, whole
from training.shards import shards

MOST_EPOCHS = 10**6
MOST_BATCH = 10**9
UNIT = 150.0
"""Hundredths of a man for odds of e to 1. The same for every network, so that the margins of the search mean the same
chances with each of them, however the scores it learned from were counted."""


@a_stage("train", __doc__)
def main(parser: Words) -> int:
    parser.add_argument(
        "data", nargs="+", metavar="DIR[:SHARE]", help="folders of games, or a share of one: runs/b0:0.25"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=whole(1, MOST_EPOCHS), default=30)
    parser.add_argument("--batch", type=whole(1, MOST_BATCH), default=16384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument(
        "--blend", type=float, default=0.7, help="share of the score in the label, the rest is the result"
    )
    parser.add_argument("--from", dest="start", type=Path, help="weights.pt, or a network, to begin with")
    parser.add_argument("--scale", type=float, help="K of sigmoid(score / K); otherwise fitted to the data")
    parser.add_argument(
        "--unit", type=float, default=UNIT, help="hundredths of a man that the network's output is counted in"
    )
    parser.add_argument("--seed", type=whole(0, MOST_SEED), default=1)
    parser.add_argument("--device", help="as PyTorch calls it; otherwise cuda where there is one, and cpu")
    options = parser.parse_args()
    need_torch(parser)
    for folder in options.data:
        name, _, share = folder.partition(":")
        if not any(shards(Path(name))):
            refuse(parser, f"no shards in {name}: training.generate writes them")
        if share and not re.fullmatch(r"0?\.\d+|1", share):
            refuse(parser, f"{folder}: a share is more than nothing and at most 1, as 0.25")
    if options.start:
        need_file(parser, options.start)
    from training.learning import learn

    try:
        learn(options)
    except Refused as why:
        refuse(parser, why)
    return 0


if __name__ == "__main__":
    sys.exit(main())
