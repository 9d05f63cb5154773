"""Total bounded, whatever the form or number of processes."""

import json
import os
from pathlib import Path

import pytest

from damas.matches.box.limits import MIB, BoxLimits

SMALL = BoxLimits(memory=96 * MIB)
WITHIN = {
    "below its limit": """
def attack():
    memory = bytearray(os.urandom(4096)) * (40 * 256)
    time.sleep(0.1)
    return len(memory) >> 20
""",
    "pages that a fork shares are counted once": """
def attack():
    memory = bytearray(os.urandom(4096)) * (40 * 256)
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(0.15)
    return len(memory) >> 20
""",
}
BEYOND = {
    "one process that grows": """
def attack():
    memory = []
    while True:
        memory.append(bytearray(os.urandom(4096)) * 1024)
""",
    "many processes that grow a little": """
def attack():
    for _ in range(8):
        if os.fork() == 0:
            memory = bytearray(os.urandom(4096)) * (30 * 256)
            time.sleep(60)
    time.sleep(60)
""",
    "shared anonymous memory": """
def attack():
    import mmap
    memory = mmap.mmap(-1, 400 << 20)
    for place in range(0, 400 << 20, 4096):
        memory[place] = 1
    time.sleep(60)
""",
}


@pytest.mark.parametrize("body", WITHIN.values(), ids=WITHIN)
def test_control_memory_within_the_limit(box, body):
    attempt = box.run(body, limits=SMALL)
    assert (attempt.verdict, attempt.answer) == ("", 40)


@pytest.mark.parametrize("body", BEYOND.values(), ids=BEYOND)
def test_memory_beyond_the_limit(box, body):
    assert box.run(body, limits=SMALL).verdict == "MEMORY"


SPARSE = """
import mmap, sys, time
size = 1 << 40
memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
for place in range(0, size, 2 << 20):
    memory[place]
time.sleep(60)
"""
"""In Python: reads one page of each 2 MiB: not a page of it is resident, and the page tables take 2 GiB."""
SCRIPTS = {
    "a script that grows": "const attack = () => { const held = []; for (;;) held.push(Buffer.alloc(4 << 20, 1)); };",
    "children of a script that grow": """
const attack = () => new Promise(() => {
  const grow = "held = [bytearray(b'x' * (1 << 20)) for _ in range(200)]; import time; time.sleep(60)";
  for (let i = 0; i < 4; i++) spawn("/usr/bin/python3", ["-c", grow], { stdio: "ignore" });
});
""",
    "page tables of a script's child": f"""
const attack = () => new Promise(() => spawn("/usr/bin/python3", ["-c", {json.dumps(SPARSE)}], {{ stdio: "ignore" }}));
""",
}
PROGRAMS = {
    "a program that grows": "static void attack(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
    "children of a program that grow": """
static void attack(void) {
  for (int i = 0; i < 8; i++) if (fork() == 0) { memset(malloc(100 << 20), 1, 100 << 20); pause(); }
  pause();
}
""",
    "shared pages that nobody writes": """
static void attack(void) {
  for (int i = 0; i < 8; i++) if (fork() == 0) {
    mmap(NULL, 100 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    pause();
  }
  pause();
}
""",
}


@pytest.mark.parametrize("body", SCRIPTS.values(), ids=SCRIPTS)
def test_memory_of_a_script_beyond_the_limit(box, body):
    assert box.run_script(body).verdict == "MEMORY"


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_memory_of_a_c_program_beyond_the_limit(box, body):
    assert box.run_c(body).verdict == "MEMORY"


def test_control_an_interpreter_is_not_charged_for_its_libraries(box):
    """Five more of them share their files, and what each has of its own is little."""
    attempt = box.run_script(
        """
const attack = async () => {
  const child = () => new Promise((done) => spawn(process.execPath, ["-e", "0"]).on("exit", done));
  return await Promise.all([...Array(5)].map(child));
};
""",
        seconds=60,
    )
    assert (attempt.verdict, attempt.answer) == ("", [0] * 5)


MAPPED = """
def attack():
    import mmap
    held, size = [], 0
    for folder, _, names in os.walk("/usr"):
        for path in (os.path.join(folder, name) for name in names):
            try:
                if os.path.islink(path) or not 5 << 20 < os.path.getsize(path) < 40 << 20:
                    continue
                with open(path, "rb") as file:
                    held.append(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            except OSError:
                continue
            size += len(held[-1])
            sum(held[-1][place] for place in range(0, len(held[-1]), 4096))
            if size > WANTED:
                time.sleep(0.2)
                return size >> 20
    return size >> 20
"""


@pytest.mark.parametrize(("mib", "verdict"), [(100, ""), (300, "MEMORY")])
def test_mapped_files_count_beyond_those_of_an_interpreter(box, mib, verdict):
    attempt = box.run(MAPPED, limits=SMALL, WANTED=mib << 20)
    if attempt.verdict != verdict and (attempt.answer or 0) < mib:
        pytest.skip("not proved: the system has too few files to map")
    assert attempt.verdict == verdict


def test_memory_that_belongs_to_no_process(box):
    attempt = box.run(
        """
def attack():
    numbers = {"x86_64": (319, 29, 68, 240), "aarch64": (279, 194, 186, 180)}[os.uname().machine]
    memfd, shmget, msgget, mq_open = numbers
    return [
        syscall(memfd, b"x", 0), syscall(shmget, 0, ctypes.c_size_t(1 << 20), 0o1600), syscall(msgget, 0, 0o1600),
        syscall(mq_open, b"/" + TOKEN.encode(), 0o102, 0o600, None), syscall(447, 0),
    ]
"""
    )
    assert attempt.answer[:4] == ["EPERM"] * 4
    assert attempt.answer[4] in ("EPERM", "ENOSYS")


def test_the_referee_is_not_the_one_to_grow(box):
    """An answer without end costs the program the game, not the referee its memory."""
    before = _resident()
    assert box.run("def attack():\n    while True: os.write(1, b'x' * 65536)\n").verdict == "TOO_MUCH_OUTPUT"
    assert _resident() - before < 4 * MIB


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
