"""Compressed bytes of what the service worker keeps for when there is no network: `python tests/browser/kept.py`."""

import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser.network import start_server

PARTS = {
    "scripts and sheets": r"^/static/(bundle/|first\.js|icons/)",
    "core and its worker": r"^/static/(core|lib|local)/",
    "networks": r"^/static/networks/",
    "rulebooks": r"^/api/rulebook",
    "words": r"^/words/(local/)?[\w-]+\.json",
    "lessons, examples, puzzles": r"^/words/learning/",
    "pages": r"^/words/pages/",
}


def fetched(url: str, encoding: str) -> bytes:
    with urlopen(Request(url, headers={"Accept-Encoding": encoding})) as reply:
        return bytes(reply.read())


def main(language: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(Path(folder))
        try:
            listed = json.loads(fetched(f"{address}/words/local-files/{language}.json", "identity"))
            sizes: Counter[str] = Counter()
            for path in (*listed["files"], listed["pages"]):
                (part,) = (name for name, pattern in PARTS.items() if re.match(pattern, path))
                sizes[part] += len(fetched(address + path, "gzip"))
        finally:
            server.terminate()
            server.wait()
    for part in PARTS:
        print(f"| {part} | {sizes[part] / 1000:,.0f} |")
    print(f"| together | {sizes.total() / 1000:,.0f} |")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pt-BR")
