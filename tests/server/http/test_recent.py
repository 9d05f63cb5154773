"""Answers that are remembered."""

from damas.server.web.recent import Recent


async def test_the_results_used_last_are_remembered() -> None:
    recent, made = Recent[str](2), []

    async def use(key: str) -> str:
        async def make() -> str:
            made.append(key)
            return key.upper()

        return await recent.get(key, make)

    assert [await use(key) for key in "abaca"] == ["A", "B", "A", "C", "A"]
    assert made == ["a", "b", "c"]
    assert await use("b") == "B" and made == ["a", "b", "c", "b"], "it was the longest unused"
