"""One script and one sheet a page: the same as its modules and sheets, checked without a browser."""

import gzip
import json
import re
from pathlib import Path

import httpx
import pytest

from damas.server.web import static_files
from damas.server.web.bundles import ON_DEMAND, STYLES, in_order, join_modules, source_map
from damas.server.web.pages import TEMPLATES
from damas.server.web.static_files import FOLDER, static_file

MODULES = {
    "a.js": "import { b, c as d } from './lib/b.js';\nimport * as all from './lib/b.js';\nlog(b(), d, all.b());\n",
    "lib/b.js": "/**\n * Says b.\n */\nexport function b() {\n  return 'b'; // so\n}\nexport const c = await 1;\n",
}


def test_modules_become_functions_that_return_what_they_export() -> None:
    assert in_order(["a.js"], MODULES.__getitem__) == ["lib/b.js", "a.js"]
    assert join_modules(["lib/b.js", "a.js"], MODULES.__getitem__) == (
        "const $module0 = await (async () => {\n"
        "\n\n\nfunction b() {\n  return 'b'; // so\n}\nconst c = await 1;\n"
        "return { b, c };\n})();\n"
        "const $module1 = (() => {\n"
        "const { b, c: d } = $module0;\nconst all = $module0;\nlog(b(), d, all.b());\n"
        "return {  };\n})();\n"
    )


def test_the_source_map_names_the_line_of_the_module() -> None:
    drawn = json.loads(source_map(["lib/b.js", "a.js"], MODULES.__getitem__))
    assert drawn["sources"] == ["/static/lib/b.js", "/static/a.js"]
    joined = join_modules(["lib/b.js", "a.js"], MODULES.__getitem__).split("\n")
    lines = drawn["mappings"].split(";")
    assert len(lines) == len(joined) - 1
    # The head of a function has no line; then each line is the next one; the second module begins at its first line.
    assert lines[:3] == ["", "AAAA", "AACA"]
    assert lines[joined.index("const { b, c: d } = $module0;")] == "ACNA"


@pytest.mark.parametrize("text", ["export default 1;\n", "import b from './b.js';\n", "export { b };\n"])
def test_what_bundles_cannot_join_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"a\.js"):
        join_modules(["a.js"], {"a.js": text}.__getitem__)


def test_an_import_of_what_is_not_exported_is_an_error() -> None:
    """Of `export const b = 1, c = 2` bundles see the first name only: the second would be undefined."""
    modules = {"a.js": "import { b,\n  c as d } from './b.js';\n", "b.js": "export const b = 1, c = 2;\n"}
    with pytest.raises(ValueError, match=r"a\.js: b\.js does not export c"):
        join_modules(["b.js", "a.js"], modules.__getitem__)


def test_modules_that_import_each_other_are_an_error() -> None:
    modules = {"a.js": "import './b.js';\n", "b.js": "import './a.js';\n"}
    with pytest.raises(ValueError, match="each other"):
        in_order(["a.js"], modules.__getitem__)


def test_every_page_has_its_bundles() -> None:
    templates = [path.read_text() for path in TEMPLATES.glob("*.html")]
    pages = {name for text in templates for name in re.findall(r"{% set page = '(\w+)' %}", text)}
    assert pages == STYLES.keys() - {"page"}
    assert {path.stem for path in (FOLDER / "pages").glob("*.js")} <= STYLES.keys()
    for page in STYLES:
        sheet = static_file(f"bundle/{page}.css").content.data.decode()
        assert "@import" not in sheet
        assert "url(" not in sheet.replace('url("data:', ""), "a bundle lies elsewhere than its sheets"


@pytest.mark.parametrize("name", ON_DEMAND)
def test_a_bundle_on_demand_exports_what_its_module_does(name: str) -> None:
    exported = re.findall(
        r"^export (?:async )?function (\w+)", static_file(ON_DEMAND[name]).content.data.decode(), re.M
    )
    last = static_file(f"bundle/{name}.js").content.data.decode().splitlines()[-2]
    assert exported
    assert re.fullmatch(rf"export const {{ {', '.join(exported)} }} = \$module\d+;", last)
    with pytest.raises(KeyError):
        static_file(f"bundle/{name}.css")


def test_a_changed_module_changes_the_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    monkeypatch.setattr(static_files, "CHECK_S", 0)
    monkeypatch.setattr(static_files, "_files", {})
    (tmp_path / "shell.js").write_text("import './a.js';\n")
    (tmp_path / "a.js").write_text("one();\n")
    first = static_files.static("bundle/page.js")
    assert static_files.static("bundle/page.js") == first
    (tmp_path / "a.js").write_text("two(2);\n")
    assert static_files.static("bundle/page.js") != first
    assert b"two(2);" in static_file("bundle/page.js").content.data


async def test_bundles_are_sent_packed_and_kept_for_ever(web: httpx.AsyncClient) -> None:
    page = await web.get("/", headers={"Accept-Encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    (address,) = re.findall(r'<script type="module" src="([^"]+)"', page.text)
    script = await web.get(address, headers={"Accept-Encoding": "gzip"})
    assert script.headers["content-encoding"] == "gzip"
    assert "immutable" in script.headers["cache-control"]
    for name in ("bundle/nothing.js", "bundle/home.png", "bundle/../app.py", "bundle/"):
        assert (await web.get(f"/static/{name}")).status_code == 404
    drawn = await web.get("/static/bundle/home.js.map")
    assert "/static/pages/home.js" in drawn.json()["sources"]


async def test_a_page_can_be_opened_with_single_modules(web: httpx.AsyncClient) -> None:
    page = await web.get("/?modules")
    sources = re.findall(r'<script type="module" src="/static/([^"?]+)', page.text)
    assert sources == ["shell.js", "pages/home.js"]


async def test_home_and_game_are_small(web: httpx.AsyncClient) -> None:
    """What `tests/browser/loading.py` counts in a browser: at most 150 kB before the first move."""
    for page in ("home", "game"):
        files = (static_file(f"bundle/{page}.{kind}").content for kind in ("js", "css"))
        words = (await web.get("/words/pt-BR.json", headers={"Accept-Encoding": "identity"})).content
        size = sum(len(file.packed or b"") for file in files) + len(gzip.compress(words))
        assert size < 120_000, page


async def test_the_form_starts_a_game_without_scripts(web: httpx.AsyncClient, port: int) -> None:
    own = {"Origin": f"http://127.0.0.1:{port}"}
    await web.get("/")
    form = {"rulebook": "portuguesa", "level": "3", "colour": "black", "preset": "casual", "time": "5+3"}
    started = await web.post("/play", data=form, headers=own)
    assert started.status_code == 303
    game = (await web.get(f"/api/games/{started.headers['location'].removeprefix('/game/')}")).json()
    assert (game["view"]["rulebook"], game["view"]["time"], game["you"]) == ("portuguesa", "5+3", "black")
    assert game["players"]["white"]["kind"] == "level:3"
    for opponent in ("friend", "device", "seek"):
        sent = await web.post("/play", data={**form, "opponent": opponent}, headers=own)
        assert sent.status_code == 303, opponent
    contest = await web.post("/play", data={**form, "rulebook": "concurso", "by-document": "on"}, headers=own)
    view = (await web.get(f"/api/games/{contest.headers['location'].removeprefix('/game/')}")).json()["view"]
    assert view["preset"] == "contest"
    assert view["time"].endswith("/move"), "the time of a casual game is not that of a contest"


async def test_a_form_that_is_not_ours_starts_nothing(web: httpx.AsyncClient, port: int) -> None:
    own = {"Origin": f"http://127.0.0.1:{port}", "Accept": "text/html"}
    form = {"rulebook": "portuguesa"}
    assert (await web.post("/play", data=form)).status_code == 403
    assert (await web.post("/play", data=form, headers={"Origin": "https://evil.example"})).status_code == 403
    bad = await web.post("/play", data={**form, "level": "11"}, headers=own)
    assert bad.status_code == 400
    assert 'data-testid="error-page"' in bad.text
    assert (await web.post("/play", json=form, headers=own)).status_code == 415
    assert (await web.post("/play", data={"rulebook": "x" * 5000}, headers=own)).status_code == 413
    many = await web.post("/play", data={**form, **{f"f{n}": "1" for n in range(30)}}, headers=own)
    assert many.status_code == 400
    unknown = await web.post("/play", data={"rulebook": "nowhere"}, headers=own)
    assert unknown.status_code == 404
    assert 'data-testid="error-page"' in unknown.text, "a person sent the form"


async def test_a_file_has_one_name(web: httpx.AsyncClient) -> None:
    """Under each name a file is read, compressed and kept: strangers must not find new ones."""
    await web.get("/static/core/core.js")
    before = len(static_files._files)
    for name in ("core/./core.js", "core//core.js", "./core/core.js", "lib/../core/core.js"):
        answer = await web.get(f"/static/{name.replace('.', '%2E')}")
        assert answer.status_code == 404, name
    assert len(static_files._files) == before
