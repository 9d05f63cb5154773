"""Every word of the pages in four languages: none missing, none that falls back, none that nobody says."""

import re
from pathlib import Path

import damas.server
from damas.language import LANGUAGES
from damas.server.words import Words

SERVER = Path(damas.server.__file__).parent
SPOKEN = ("*.html", "*.js", "*.py")
SAID = re.compile(r"""(?<![\w.])(?:t|say|has|text|word)\(\s*(?:\w+,\s*)?['"]([a-z_]+\.[\w.-]+)['"]\s*[,)]""")
BUILT = re.compile(r"""['"`]([a-z_]+\.[\w.-]*?)(?:\$\{|['"]\s*[+~]|\{)""")
"""A key that is put together: everything that begins like it may be said."""


def entries() -> dict[str, dict[str, str]]:
    words = Words()
    return {key: dict(words.texts(key)) for key in words}


def sources() -> list[tuple[Path, str]]:
    folders = (SERVER,)
    return [
        (path, path.read_text("utf-8"))
        for folder in folders
        for pattern in SPOKEN
        for path in sorted(folder.rglob(pattern))
    ]


def test_no_sentence_was_left_in_english() -> None:
    """A whole sentence that reads the same in English and in another language was forgotten."""
    same = [
        key
        for key, texts in entries().items()
        if len(re.sub(r"\{.*?\}", "", texts["en"]).split()) >= 4
        and any(texts[language] == texts["en"] for language in LANGUAGES[:3])
    ]
    assert not same


def test_the_words_of_each_country() -> None:
    """pt-PT says peão, ecrã, telemóvel; pt-BR pedra, tela, celular; es ficha, and nothing in Portuguese."""
    foreign = {
        "pt-BR": r"\b(peão|peões|telemóvel|ecrã|utilizador\w*|palavra-passe|partilh\w+)\b",
        "pt-PT": r"\b(pedras?|celular|telas?|usuári\w+|senhas?|compartilh\w+)\b",
        "es": r"\b(primeir\w+|não|são(?! Paulo)|você|lances?|peças?|pedras?|jogo(?! de Damas)|jogar|depois|também|mais|pelo|pela)\b",
    }
    wrong = [
        (language, key, texts[language])
        for key, texts in entries().items()
        for language, pattern in foreign.items()
        if re.search(pattern, texts[language], re.IGNORECASE)
    ]
    assert not wrong


def test_every_word_that_is_said_is_there() -> None:
    known = set(entries())
    namespaces = {key.split(".")[0] for key in known}
    missing = [
        (str(path.relative_to(SERVER)), key)
        for path, text in sources()
        for key in SAID.findall(text)
        if key.split(".")[0] in namespaces and key not in known
    ]
    assert not missing


def test_nothing_is_written_that_nobody_says() -> None:
    text = "\n".join(text for _, text in sources())
    quoted = set(re.findall(r"""['"`]([a-z_]+\.[\w.-]+)['"`]""", text))
    begun = set(BUILT.findall(text))
    raised = {f"errors.{code}" for code in re.findall(r"""["']([A-Z][A-Z_]+)["']""", text)}
    raised |= {f"rooms.{key.removeprefix('errors.')}" for key in raised}
    unsaid = [
        key
        for key in entries()
        if key not in quoted and key not in raised and not any(key.startswith(start) for start in begun)
    ]
    assert not unsaid


def test_the_test_finds_what_it_looks_for() -> None:
    assert SAID.findall("""{{ t('frame.play') }} t("a.b", {n}) words.say("errors.X", lang)""")
    assert BUILT.findall("t(`rules.switch.${key}`)") == ["rules.switch."]
    assert BUILT.findall("t('frame.' + name)") == ["frame."]


def test_a_missing_word_shows_its_key() -> None:
    assert Words().say("frame.none", "en") == "frame.none"
    assert Words().say("none.none", "en") == "none.none"
