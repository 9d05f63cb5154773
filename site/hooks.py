"""What MkDocs does not know: the pages of two languages, and pages that lie outside docs.

Read by MkDocs (`hooks` in en.yml and pt.yml). Pages are Markdown for readers of the repository; their links lead to files.
Each link is followed in the repository and becomes a link of the site: to a page of this language, to one of the other, or
to the file itself, which is copied. Portuguese pages share the pictures and the English pages of the English site.
"""

import posixpath
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LANGUAGES = {"en": "English", "pt": "Português"}
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)?(#[^)\s]*)?(?=\))")
OUTSIDE = {
    "README.md": ("en", "index.md"),
    "README.pt.md": ("pt", "index.md"),
    "CONTRIBUTING.md": ("en", "project/contributing.md"),
    "CHANGELOG.md": ("en", "project/changelog.md"),
    "SECURITY.md": ("en", "project/security.md"),
}
"""Pages of the site that lie outside docs: their language and their place in the site."""
FAVICON = ROOT / "src/damas/server/static/icons/favicon.svg"


def pages_in(nav: Any) -> list[str]:
    """Return the pages of a navigation; a folder stands for all of its pages, its index first."""
    if isinstance(nav, str):
        folder = DOCS / nav
        if not folder.is_dir():
            return [nav]
        found = sorted(folder.glob("*.md"), key=lambda path: (path.stem != "index", path.stem))
        return [path.relative_to(DOCS).as_posix() for path in found]
    return [page for part in (nav.values() if isinstance(nav, dict) else nav) for page in pages_in(part)]


@cache
def language_of(page: str) -> str | None:
    """Return the language in whose navigation a page of docs is; None for a file that is no page."""
    for language in LANGUAGES:
        nav = yaml.safe_load((Path(__file__).parent / f"{language}.yml").read_text(encoding="utf-8"))["nav"]
        if page in pages_in(nav):
            return language
    return None


def place_of(path: str) -> tuple[str, str]:
    """Return language and place in the site of a file of the repository."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    inside = path.removeprefix("docs/")
    if inside == path:
        return "en", f"files/{path}"
    return language_of(inside) or "en", inside


def source_of(page: str, language: str) -> str:
    """Return the path in the repository of a page of the site."""
    return next((path for path, place in OUTSIDE.items() if place == (language, page)), f"docs/{page}")


def expand(nav: Any) -> Any:
    """Return the navigation with each folder replaced by its pages."""
    if isinstance(nav, str):
        pages = pages_in(nav)
        return nav if pages == [nav] else pages
    if isinstance(nav, dict):
        return {title: expand(part) for title, part in nav.items()}
    return [expand(part) for part in nav]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Expand the folders of the navigation; leave out what only a web server needs."""
    config.nav = expand(config.nav)
    config.theme.static_templates -= {"404.html", "sitemap.xml"}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Keep the pages of this language, and in English the other files; add the pages from outside docs."""
    language = config.extra["language"]
    kept = []
    for file in files:
        if file.is_documentation_page():
            if language_of(file.src_uri) is None:
                raise PluginError(f"docs/{file.src_uri} is in no navigation: site/en.yml, site/pt.yml")
            keep = language_of(file.src_uri) == language
        else:
            keep = language == "en" or not (DOCS / file.src_uri).exists()
        if keep:
            kept.append(file)
    kept += [
        File.generated(config, page, abs_src_path=str(ROOT / path))
        for path, (spoken, page) in OUTSIDE.items()
        if spoken == language
    ]
    kept.append(File.generated(config, "assets/favicon.svg", abs_src_path=str(FAVICON)))
    return Files(kept)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let every link to a file of the repository lead to its place in the site."""
    language = config.extra["language"]
    here = page.file.src_uri
    source = source_of(here, language)

    def follow(link: re.Match[str]) -> str:
        target, anchor = link[1] or "", link[2] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if not target or not (ROOT / path).is_file():
            return link[0]
        spoken, place = place_of(path)
        if spoken != language:
            return f"/__{spoken}__/{place.removesuffix('.md') + '.html' if place.endswith('.md') else place}{anchor}"
        if place.startswith("files/") and place not in files.src_uris:
            files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
        return posixpath.relpath(place, posixpath.dirname(here) or ".") + anchor

    # An example ends with an empty line so that doctest sees its end; readers need none.
    markdown = re.sub(
        r"^```python\n(>>>.*?)\n*^```$", "```pycon\n\\1\n```", markdown, flags=re.MULTILINE | re.DOTALL
    )
    # The site has a language switch on every page.
    markdown = re.sub(
        r"^\[(In English|Em português)\]\([^)]*\)\n+", "", markdown, count=1, flags=re.MULTILINE
    )
    return LINK.sub(follow, markdown)


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, **_: Any) -> dict[str, Any]:
    """Let the language switch lead to the same page in the other language, or to its first page."""
    pairs: dict[str, str] = config.extra["translations"]
    mine = config.extra["language"]
    here = page.file.src_uri
    other = pairs.get(here) if mine == "en" else {pt: en for en, pt in pairs.items()}.get(here)
    config.extra["alternate"] = [
        {
            "lang": lang,
            "name": name,
            "link": f"/__{lang}__/{html(here if lang == mine else other or 'index.md')}",
        }
        for lang, name in LANGUAGES.items()
    ]
    return context


def html(page: str) -> str:
    """Return the address of a page within its site."""
    return page.removesuffix(".md") + ".html"


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Make links between the two sites relative: the site works from any folder."""
    up = posixpath.relpath(".", posixpath.dirname(page.url) or ".") + "/"
    folder = {
        "en": "" if config.extra["language"] == "en" else "../",
        "pt": "pt/" if config.extra["language"] == "en" else "",
    }
    # For these the theme would ask for a map of the other site, which a folder cannot give.
    output = re.sub(r'<link rel="alternate"[^>]*>|(?<=\.html") hreflang="\w+"', "", output)
    for language in LANGUAGES:
        output = output.replace(f'"/__{language}__/', f'"{up}{folder[language]}')
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """Remove the maps of scripts and styles: they are larger than the site."""
    for path in Path(config.site_dir).rglob("*.map"):
        path.unlink()
