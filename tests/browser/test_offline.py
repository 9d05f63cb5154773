"""What the worker keeps for a day without network is nobody's."""

import secrets

from browser.screen import Open

KEPT = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        const store = await caches.open(name);
        for (const request of await store.keys()) {
            found[new URL(request.url).pathname] = await (await store.match(request)).text();
        }
    }
    return found;
}"""


def test_a_page_that_was_not_kept_says_so(open_screen: Open) -> None:
    screen = open_screen("phone", "pt-PT")
    page = screen.page
    screen.go("/rules")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    screen.go("/account")
    page.wait_for_function(f"({KEPT})().then(kept => '/offline' in kept)")
    page.context.set_offline(True)
    for address in ("/games", "/learn/dama"):
        page.goto(screen.address + address)
        assert page.get_by_role("heading", level=1).inner_text() == "Sem ligação"
        screen.assert_fits()
    page.context.set_offline(False)
    page.get_by_test_id("again").click()
    page.wait_for_url("**/learn/dama")
    page.get_by_test_id("board").wait_for()
    screen.errors.clear()  # the browser notes every failure by itself


def test_no_page_is_kept_with_its_readers_name(open_screen: Open) -> None:
    screen = open_screen()
    page, name = screen.page, f"Ana {secrets.token_hex(4)}"
    screen.go("/account")
    made = page.evaluate(
        """name => fetch('/api/account', {method: 'POST', headers: {'X-Damas': '1', 'Content-Type': 'application/json'},
            body: JSON.stringify({name, password: 'um cavalo sem sela'})}).then(answer => answer.status)""",
        name,
    )
    assert made == 201
    screen.go("/rules")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    for address in ("/rules", "/learn", "/"):
        screen.go(address)
        assert name in page.content(), "the page itself says who reads it"
    page.wait_for_function(f"({KEPT})().then(kept => '/' in kept && '/learn' in kept && '/rules' in kept)")
    kept = page.evaluate(KEPT)
    assert not [path for path, text in kept.items() if name in text]
    assert 'lang="pt-BR"' in kept["/"]
    page.context.set_offline(True)
    page.goto(screen.address + "/rules")
    assert page.get_by_role("heading", level=1).first.inner_text()
    assert name not in page.content()
    page.context.set_offline(False)
    screen.errors.clear()  # what is not kept is missed aloud
