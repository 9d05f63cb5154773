"""From floating point to integers: `python -m training.quantise DIR --out NAME.net --generation N`.

Writes the network and, beside it, its card (NAME.json). Refuses weights whose sums could leave their integers, and
compares the core's integers with the floating point on random rows of data.
"""

import sys
from pathlib import Path

from training.refusing import Words, a_stage, need_torch, refuse, whole

MOST_GENERATION = 10**6


@a_stage("quantise", __doc__)
def main(parser: Words) -> int:
    parser.add_argument("folder", type=Path, help="where training.train has written")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generation", type=whole(0, MOST_GENERATION), default=0)
    parser.add_argument("--data", help="a folder of shards to compare integers with floating point on")
    options = parser.parse_args()
    need_torch(parser)
    for name in ("training.json", "weights.pt"):
        if not (options.folder / name).is_file():
            refuse(parser, f"{options.folder / name} is not there: training.train writes it")
    from training.integers import quantise

    quantise(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
