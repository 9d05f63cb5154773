"""Programs that speak Hub: ours, and small ones that misbehave."""

import sys

OURS = [sys.executable, "-m", "damas", "hub", "--hash", "1"]
GREETED = "if word == 'hub': say('id name=fake version=1'); say('param name=level value=1 type=int min=1 max=9'); say('wait')"
READY = "elif word == 'init': say('ready')"


def fake(folder, *, go="pass", stop="pass", init=READY, hub=GREETED, before=""):
    """The command of an engine of a few lines that does this on `go` and `stop`, in place of what an engine should do."""
    path = folder / "fake.py"
    path.write_text(
        "import sys, time\n"
        "def say(text): print(text, flush=True)\n"
        f"{before}\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        f"    {hub}\n"
        f"    {init}\n"
        "    elif word == 'quit': break\n"
        f"    elif word == 'stop': {stop}\n"
        f"    elif word == 'go': {go}\n"
    )
    return [sys.executable, str(path)]
