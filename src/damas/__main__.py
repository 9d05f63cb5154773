"""`python -m damas`: the same as the command `damas`."""

import sys

from damas.cli import main

if __name__ == "__main__":
    sys.exit(main())
