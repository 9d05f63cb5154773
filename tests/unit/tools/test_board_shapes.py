from board_shapes import MODULE, module


def test_the_board_of_the_page_shows_the_pieces_of_the_library():
    assert MODULE.read_text(encoding="utf-8") == module(), "run `python tools/board_shapes.py`"
