"""Hubs that tests start and end, and whether this machine can have a whole one."""

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from headway.errors import UserError
from headway.grading.hub.classroom import require_reachable

PATIENCE = 240  # seconds, on a busy machine; nothing takes so long where all is well


def why_not() -> str:
    """Why no hub can start servers here; empty if one can."""
    if os.getuid() != 0:
        return "only root can start servers as other accounts"
    if not shutil.which("useradd") or not shutil.which("npm"):
        return "there is no useradd or no npm here"
    try:
        require_reachable(Path("/srv"))
    except UserError as error:
        return str(error)
    return ""


WITH_SERVERS = [
    pytest.mark.full,
    pytest.mark.browser,
    pytest.mark.jupyter,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def running(command: list, address: str, log: Path, **more: object) -> Iterator[None]:
    """A hub that answers at an address, ended with the block.

    Args:
        log: file of what it says.
        more: for the process.
    """
    with log.open("w") as file:
        hub = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True, **more)
    try:
        end = time.monotonic() + PATIENCE
        while not answers(f"{address}/hub/health"):
            assert hub.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.2)
        yield
    finally:
        hub.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            hub.wait(60)


def answers(url: str) -> bool:
    try:
        return urllib.request.urlopen(url, timeout=5).status == 200
    except OSError:
        return False
