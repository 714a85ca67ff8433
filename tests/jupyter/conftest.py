"""Jupyter servers for tests: each on a free port, with settings of its own, gone at the end."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

TOKEN = "sesame"
SECONDS = 60


@dataclass
class Server:
    """A running Jupyter server."""

    address: str

    def url(self, path: str) -> str:
        """The address of a path, with the right to open it."""
        return f"{self.address}/{path}?token={TOKEN}"


@pytest.fixture
def jupyter(tmp_path):
    """Starts a command that becomes a Jupyter server, and waits until it answers."""
    started = []

    def start(command: list[str], folder: Path, extension: str = "lab") -> Server:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        log = tmp_path / "server.log"
        options = [
            *("--allow-root", "--no-browser", f"--ServerApp.port={port}"),
            *("--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"),
        ]
        home = {"HOME": str(tmp_path / "home"), "JUPYTER_PLATFORM_DIRS": "0"}
        with log.open("w") as output:
            process = subprocess.Popen(
                [*command, *options],
                cwd=folder,
                env=os.environ | home,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        started.append(process)
        server = Server(f"http://127.0.0.1:{port}")
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            try:
                urllib.request.urlopen(server.url("api/status"), timeout=5).close()
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
            else:
                return server
        pytest.fail(f"The server did not answer within {SECONDS} s:\n{log.read_text()}")

    yield start
    for process in started:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def page(browser):
    """An empty page, with patience: a server and a kernel take their time to start."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.set_default_timeout(SECONDS * 1000)
    yield page
    page.close()
