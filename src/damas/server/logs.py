"""Lines about what happens: for people, or one JSON object a line for machines."""

import json
import logging
import sys
import time
from typing import Any


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str, *, as_json: bool) -> None:
    """Logs go to stderr; standard output keeps the address alone."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if as_json else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper() if as_json else max(logging.WARNING, logging.getLevelName(level.upper())))
    logging.getLogger("alembic").setLevel(logging.WARNING)
