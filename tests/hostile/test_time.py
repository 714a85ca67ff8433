"""Whatever a cell or an answer does so that its time isn't counted, it comes to its end.

Nothing is timed here: what ends none of these would wait for ever.
"""

import pytest

from headway.grading.execution.client import Client
from headway.grading.execution.conversation import AnswerStopped, SessionStopped
from headway.grading.sandbox.limits import Limits
from headway.tasks.engine.probe.calls import call
from tests.full import full_but
from tests.hostile.submissions.hungry import SWALLOW

SECONDS = 1
WAYS = {
    "it computes": "while True: pass",
    "it sleeps": "import time; time.sleep(1000)",
    "it sleeps, again and again": "import time\nwhile True: time.sleep(0.01)",
    "it stops itself": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "it waits for a child that sleeps": """
import os, time
if not os.fork(): time.sleep(1000)
os.wait()
""",
    "it waits for a child as vfork() does": """
import ctypes, time
CLONE, CLONE_VFORK, SIGCHLD = 56, 0x4000, 17
ctypes.CDLL(None).syscall(CLONE, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0)
time.sleep(1000)
""",
    "it lets short-lived children compute, and waits for none": """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if not os.fork():
        end = time.process_time() + 0.002
        while time.process_time() < end: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
""",
    "it lets a daemon compute, and sleeps": """
import os, time
if not os.fork():
    os.setsid()
    while True: pass
time.sleep(1000)
""",
    "it lets a thread compute, and swallows what interrupts it": """
import threading, time
def loop():
    while True: pass
threading.Thread(target=loop, daemon=True).start()
while True:
    try: time.sleep(1000)
    except BaseException: pass
""",
    "it ignores all signals": SWALLOW,
    # Last, since an answer may print.
    "it prints": "while True: print('x', flush=True)",
}

# The short run takes those that are ended in another way each.
UNLIKE = {
    "it computes",
    "it stops itself",
    "it lets a daemon compute, and sleeps",
    "it ignores all signals",
    "it prints",
}


@pytest.mark.parametrize("way", full_but(UNLIKE.__contains__, WAYS))
def test_a_cell_comes_to_its_end(sessions, way):
    with sessions.session(Limits(cpu_seconds=600, wall_seconds=1200)) as session:
        client = Client(session)
        try:
            ended = client.run(WAYS[way], SECONDS, lambda output: None)
        except SessionStopped:
            ended = False
        assert session.ended_by_limit() is None
    assert not ended


@pytest.mark.parametrize(
    "way", full_but(UNLIKE.__contains__, [way for way in WAYS if way != "it prints"])
)
def test_an_answer_comes_to_its_end(sessions, way):
    with sessions.session(Limits(cpu_seconds=600, wall_seconds=1200)) as session:
        client = Client(session)
        client.run("def answer(code): exec(code, {})", 60, lambda output: None)
        assert not client.begin("answer", SECONDS)
        with pytest.raises((SessionStopped, AnswerStopped)):
            client.ask(call, [WAYS[way]], 1000)
        assert session.ended_by_limit() is None
