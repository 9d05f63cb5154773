"""Reports that are requested at one node and watched at another."""

import asyncio
import json

from server.nodes.conftest import at
from server.rooms.clients import Person, Server

BODY = {"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5", "d4-c5", "b6xd4"]}


async def watched(person: Person, key: str) -> list[dict[str, object]]:
    async with person.http.stream("GET", f"/api/analysis/report/{key}/stream", timeout=120) as stream:
        lines = [line async for line in stream.aiter_lines()]
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


async def test_a_report_is_made_once_and_its_progress_is_seen_at_both_nodes(nodes: list[Server]) -> None:
    ana, rui = await nodes[0].person(), await nodes[1].person()
    requests = [person.http.post("/api/analysis/report", json=BODY) for person in (ana, rui)]
    keys = {(await request).json()["id"] for request in requests}
    assert len(keys) == 1
    [key] = keys
    views = await asyncio.gather(watched(ana, key), watched(rui, key))
    for each in views:
        done = [int(str(view["done"])) for view in each]
        assert each[-1]["state"] == "done" and done == sorted(done)
    assert views[0][-1] == views[1][-1]
    made = [server.services.analysing.reports.worker.made for server in nodes]
    assert sorted(made) == [0, 1]


async def test_a_report_is_withdrawn_at_any_node_by_whoever_requested_it(nodes: list[Server]) -> None:
    ana, rui = await nodes[0].person(), await nodes[1].person()
    workers = [server.services.analysing.reports.worker for server in nodes]
    for worker in workers:
        await worker.close()
    key = (await ana.http.post("/api/analysis/report", json=BODY)).json()["id"]
    assert (await rui.http.delete(f"/api/analysis/report/{key}")).status_code == 404
    watching = asyncio.create_task(watched(ana, key))
    there = at(ana, nodes[1])
    assert (await there.http.delete(f"/api/analysis/report/{key}")).status_code == 204
    assert (await watching)[-1]["state"] == "failed"
    assert (await ana.http.get(f"/api/analysis/report/{key}")).status_code == 404
