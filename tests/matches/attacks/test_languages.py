"""The same attacks in C and in JavaScript: a runtime that needs much address space is contained like any other."""

import pytest

from damas.matches.box.limits import BoxLimits

FEW = BoxLimits(processes=6, threads=24)
C = {
    "control": ("", 'static void attack(void) { printf("7\\n"); }'),
    "fork bomb": ("PROCESSES", "static void attack(void) { for (;;) fork(); }"),
    "output without end": (
        "TOO_MUCH_OUTPUT",
        "static void attack(void) { static char x[65536]; for (;;) if (write(1, x, sizeof x) < 0) pause(); }",
    ),
    "silence while it computes": (
        "TIMEOUT",
        "static void attack(void) { for (volatile long i = 0;; i++) {} }",
    ),
    "a crash": ("CRASH", "static void attack(void) { *(volatile int *)8 = 1; }"),
}
SCRIPTS = {
    "control": ("", "const attack = () => 7;"),
    "children without end": (
        "PROCESSES",
        'const attack = () => { for (;;) spawn("/bin/sleep", ["60"], { stdio: "ignore", detached: true }); };',
    ),
    "output without end": (
        "TOO_MUCH_OUTPUT",
        'const attack = () => { for (;;) try { require("node:fs").writeSync(1, "x".repeat(65536)); } catch {} };',
    ),
    "silence while it computes": ("TIMEOUT", "const attack = () => { for (;;) {} };"),
    "a crash": ("CRASH", "const attack = () => { process.abort(); };"),
}


@pytest.mark.parametrize("name", C)
def test_a_program_in_c(box, name):
    verdict, body = C[name]
    attempt = box.run_c(body, limits=FEW, seconds=2.0 if verdict == "TIMEOUT" else 30.0)
    assert (attempt.verdict, attempt.answer) == (verdict, None if verdict else 7)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_program_in_javascript(box, name):
    verdict, body = SCRIPTS[name]
    limits = BoxLimits(processes=6)
    attempt = box.run_script(body, limits=limits, seconds=2.0 if verdict == "TIMEOUT" else 30.0)
    assert (attempt.verdict, attempt.answer) == (verdict, None if verdict else 7)
