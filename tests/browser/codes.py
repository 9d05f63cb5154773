"""QR codes as a telephone reads them: from the picture, by a decoder that shares nothing with who drew it."""

from io import BytesIO

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator


def read(shown: Locator) -> str:
    """What the code on the screen says."""
    found = zxingcpp.read_barcode(Image.open(BytesIO(shown.screenshot())))
    assert found is not None, "nothing that a telephone could read"
    return str(found.text)
