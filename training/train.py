"""Train a network from positions: `python -m training.train DIR [DIR:0.25 ...] --out DIR`.

Writes weights.pt (floating point), training.json (the record) and loss.svg. The state is saved after each epoch,
so the same options continue an interrupted run.
"""

import re
import sys
from pathlib import Path

from training.command_line import COUNT, SEED, StageError, StageParser, require_torch, stage_main
from training.shards import shards

UNIT = 150.0
"""Hundredths of a man per unit of log-odds. The same for every network, so that the margins of the search mean the same
winning chances with each of them, whatever the scale of the training scores."""


@stage_main("train", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument(
        "data", nargs="+", metavar="DIR[:SHARE]", help="folders of games, or a share of one: runs/b0:0.25"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--first", type=int, choices=(256, 512), default=256, help="outputs of the first layer (default 256)"
    )
    parser.add_argument(
        "--buckets", type=int, choices=(8, 16), default=8, help="buckets of material (default 8)"
    )
    parser.add_argument("--epochs", type=COUNT, default=30)
    parser.add_argument("--batch", type=COUNT, default=16384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument(
        "--blend", type=float, default=0.7, help="share of the score in the label, the rest is the result"
    )
    parser.add_argument("--from", dest="start", type=Path, help="weights.pt, or a network, to start from")
    parser.add_argument("--scale", type=float, help="K of sigmoid(score / K); default: fitted to the data")
    parser.add_argument(
        "--unit", type=float, default=UNIT, help="hundredths of a man per unit of the network's output"
    )
    parser.add_argument("--seed", type=SEED, default=1)
    parser.add_argument("--device", help="PyTorch device; default: cuda if available, else cpu")
    options = parser.parse_args()
    require_torch()
    for folder in options.data:
        name, _, share = folder.partition(":")
        if not any(shards(Path(name))):
            raise StageError(f"no shards in {name}: training.generate writes them")
        if share and not re.fullmatch(r"0?\.\d+|1", share):
            raise StageError(f"{folder}: a share is greater than 0 and at most 1, for example 0.25")
    if options.start:
        options.start.stat()
    from training.learning import learn

    learn(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
