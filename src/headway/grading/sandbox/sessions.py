"""Two kinds of sessions: in a sandbox, or without one.

    with SandboxedSessions(student_view(package)).session() as session:
        transport.send(session.socket, {"do": "run", "source": "1 + 1", "seconds": 10})

After the context all processes of the session have ended, and all its files are deleted.
"""

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from headway.grading.sandbox.boxes import box_for
from headway.grading.sandbox.hardening import harden
from headway.grading.sandbox.launch import launched
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import Monitor
from headway.grading.sandbox.mounts import View, student_view
from headway.grading.sandbox.session import (
    Session,
    SessionError,
    TrustedProcess,
    answer_greeting,
    await_greeting,
    socket_pair,
)
from headway.runner.prepare import OWN_NAMESPACE, SHARED_NAMESPACE

START = (sys.executable, "-m", "headway.runner.start")
START_SECONDS = 120  # until a session greets, even on a busy machine


class Sessions(Protocol):
    """Provides sessions.

    Attributes:
        note: what a report should say about a problem with the sessions; empty if there is none.
    """

    note: str

    def session(self, limits: Limits | None = None) -> AbstractContextManager[Session]:
        """A context with a new session; at its end, all processes of the session are ended."""


class SandboxedSessions:
    """Sessions that each start a new sandbox with a new Python.

    Args:
        view: what a session can see.
        limits: default limits of a session.
        hidden: modules that students cannot import, with a message that says why.
        libraries: those of `headway.runner.prepare.LIBRARIES` that the notebook uses.
    """

    def __init__(
        self,
        view: View,
        limits: Limits | None = None,
        hidden: Collection[str] = (),
        libraries: Collection[str] = (),
    ):
        self.view, self.limits = view, limits or Limits()
        self.arguments = (",".join(libraries), *hidden)
        self.note = ""

    @contextmanager
    def session(self, limits: Limits | None = None) -> Iterator[Session]:
        """A new session; see `Sessions`.

        Raises:
            UserError: if bubblewrap is missing, or does not work.
            SessionError: if the program in the sandbox does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        sock, theirs = socket_pair()
        command = [*START, str(theirs.fileno()), OWN_NAMESPACE, *self.arguments]
        with (
            box_for(limits) as box,
            sock,
            theirs,
            launched(command, self.view, limits, [theirs.fileno()], box) as sandbox,
        ):
            theirs.close()
            monitor = None
            try:
                first = sandbox.first_process()
                monitor = Monitor(first, limits, start, box)
                sandbox.start_program()
                await_greeting(sock, START_SECONDS)
                harden(first, limits)
                answer_greeting(sock)
            except (SessionError, OSError) as error:
                sandbox.end(monitor)
                raise SessionError(f"{error}: {sandbox.last_error()}") from error
            except BaseException:
                sandbox.end(monitor)
                raise
            session = Session(sock, monitor)
            try:
                yield session
            finally:
                session.leave()
                sandbox.end(None)


class TrustedSessions:
    """Sessions without a sandbox, for trusted code, or if no sandbox is available.

    Only the wall time is limited, and a process that leaves its process group outlives the session.

    Args:
        package: the student's package, a folder named headway.
        limits, hidden, libraries: as for `SandboxedSessions`.

    Raises:
        ValueError: if the folder has another name.
    """

    def __init__(
        self,
        package: Path,
        limits: Limits | None = None,
        hidden: Collection[str] = (),
        libraries: Collection[str] = (),
    ):
        if package.name != "headway":
            raise ValueError(
                f"The student's package is {package}; expected a folder called headway."
            )
        self.package, self.limits = package.resolve(), limits or Limits()
        self.arguments = (",".join(libraries), *hidden)
        self.note = "Submissions ran without a sandbox, with all rights of whoever graded them."

    @contextmanager
    def session(self, limits: Limits | None = None) -> Iterator[Session]:
        """A new session; see `Sessions`.

        Raises:
            SessionError: if the program does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        sock, theirs = socket_pair()
        with sock, theirs, TemporaryDirectory(prefix="headway-") as home:
            process = subprocess.Popen(
                [*START, str(theirs.fileno()), SHARED_NAMESPACE, *self.arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=self._environment(home),
                cwd=home,
                start_new_session=True,
            )
            theirs.close()
            trusted = TrustedProcess(process, limits, start)
            try:
                await_greeting(sock, START_SECONDS)
                answer_greeting(sock)
            except BaseException:
                trusted.end()
                raise
            session = Session(sock, trusted)
            try:
                yield session
            finally:
                session.leave()

    def _environment(self, home: str) -> dict[str, str]:
        return {
            **student_view(self.package).environment,
            "HOME": home,
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(self.package.parent),
        }
