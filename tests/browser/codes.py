"""QR codes as a telephone reads them: from the picture, by a decoder that shares nothing with who drew it."""

from io import BytesIO
from time import monotonic

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator

PATIENCE = 60.0  # seconds a telephone is held before the screen


def read(shown: Locator) -> str:
    """What the code on the screen says; like a telephone, looks again until the picture has come."""
    until = monotonic() + PATIENCE
    while (code := zxingcpp.read_barcode(Image.open(BytesIO(shown.screenshot())))) is None:
        assert monotonic() < until, "nothing that a telephone could read"
    return str(code.text)
