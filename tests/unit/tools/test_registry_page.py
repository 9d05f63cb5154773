"""The page that a registry shows: README.md with links that lead somewhere."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import registry_page

ROOT = Path(__file__).resolve().parents[3]
REPOSITORY = "https://host.example/us/damas"


def test_every_link_is_absolute_and_leads_to_a_file_of_the_repository(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    registry_page.main(tmp_path, REPOSITORY, "v1.2.3")
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    files = [target for target in targets if target.startswith(REPOSITORY)]
    assert all(target.startswith("https://") for target in targets)
    assert len(files) > 30
    for target in files:
        kind, ref, path = target.removeprefix(f"{REPOSITORY}/").split("/", 2)
        assert (kind, ref) == ("raw" if path.endswith((".png", ".gif")) else "blob", "v1.2.3")
        assert (ROOT / path.partition("#")[0]).exists(), path
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Homepage"] == REPOSITORY and project["name"] == "damas"
    with pytest.raises(SystemExit, match="already"):
        registry_page.main(tmp_path, REPOSITORY, "v1.2.3")


def test_whatever_is_published_was_prepared() -> None:
    workflow = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    for job in re.split(r"^  (?=\w+:$)", workflow.partition("\njobs:\n")[2], flags=re.MULTILINE)[1:]:
        prepared = job.index("tools/registry_page.py")
        assert prepared < min(job.find(word) % 10**6 for word in ("cibuildwheel@", "make release"))
