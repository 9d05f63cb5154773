"""Convert trained weights to integers: `python -m training.quantise DIR --out NAME.net --generation N`.

Writes the network and, beside it, its card (NAME.json). Fails if a sum of weights could overflow its
integer type, and compares the core's integer evaluation with floating point on a sample of positions.
"""

import sys
from pathlib import Path

from training.command_line import StageError, StageParser, integer_between, require_torch, stage_main


@stage_main("quantise", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument("folder", type=Path, help="output folder of training.train")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generation", type=integer_between(0, 10**6), default=0)
    parser.add_argument("--data", help="folder of shards for comparing integers with floating point")
    options = parser.parse_args()
    require_torch()
    for name in ("training.json", "weights.pt"):
        if not (options.folder / name).is_file():
            raise StageError(f"{options.folder / name} is not there: training.train writes it")
    from training.integers import quantise

    quantise(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
