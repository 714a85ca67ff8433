"""Three kinds of sessions: forked from a fork server, each in a new sandbox, or unsandboxed.

    with ForkedSessions(student_view(package), Limits()) as sessions, sessions.session() as session:
        transport.send(session.socket, {"do": "run", "source": "1 + 1", "seconds": 10})

After the inner context all processes of the session have ended, and all its files are deleted.
"""

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

from headway.grading.sandbox.boxes import box_for
from headway.grading.sandbox.fork_server_client import (
    START_SECONDS,
    ForkServer,
    stderr_of,
    wait_for_first_process,
)
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
from headway.runner.isolate import OWN_NAMESPACE, SHARED_NAMESPACE
from headway.runner.prepare import LIBRARIES

FRESH_PROCESS = (sys.executable, "-m", "headway.runner.fresh_process")


class Sessions(Protocol):
    """Provides sessions, one at a time, within its context.

    Attributes:
        note: what a report should say about a problem with the sessions; empty if there is none.
    """

    note: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def session(self, limits: Limits | None = None) -> AbstractContextManager[Session]:
        """A context with a new session; at its end, all processes of the session are ended."""


class ForkedSessions:
    """Sessions forked from one fork server in one sandbox, or new processes if that fails.

    If the fork server dies, it is started once more for the same session. If that fails, all
    further sessions are `FreshSessions`, and `note` says so.

    Args:
        view: what a session can see.
        limits: default limits of a session.
        hidden: modules that students cannot import, with a message that says why.
        libraries: modules that the fork server imports, if they are installed; a session imports
            others when it needs them.

    Raises:
        UserError: on entering, if bubblewrap is missing or does not work.
    """

    def __init__(
        self,
        view: View,
        limits: Limits | None = None,
        hidden: Collection[str] = (),
        libraries: Collection[str] = LIBRARIES,
    ):
        self.view, self.limits, self.hidden = view, limits or Limits(), tuple(hidden)
        self.libraries, self.note = tuple(libraries), ""
        self._fork_server: ForkServer | None = None

    def __enter__(self) -> Self:
        try:
            self._fork_server = self._start()
        except SessionError as error:
            self._give_up(error)
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    @contextmanager
    def session(self, limits: Limits | None = None) -> Iterator[Session]:
        """A new session, forked if possible; see `Sessions`."""
        limits = limits or self.limits
        session = self._forked_session(limits)
        if session is None:
            with FreshSessions(self.view, limits, self.hidden).session() as fresh:
                yield fresh
            return
        try:
            yield session
        finally:
            session.leave()

    @property
    def is_forking(self) -> bool:
        """Whether sessions come from a fork server."""
        return self._fork_server is not None

    def _forked_session(self, limits: Limits) -> Session | None:
        if self._fork_server is None:
            return None
        try:
            return self._fork_server.session(limits)
        except SessionError:
            self._end()
        try:
            self._fork_server = self._start()
            return self._fork_server.session(limits)
        except SessionError as error:
            self._end()
            self._give_up(error)
        return None

    def _start(self) -> ForkServer:
        return ForkServer(self.view, self.limits.space_bytes, self.hidden, self.libraries)

    def _end(self) -> None:
        if self._fork_server:
            self._fork_server.end()
        self._fork_server = None

    def _give_up(self, error: SessionError) -> None:
        self.note = (
            f"The fork server did not work here ({error}), so each submission started Python "
            "anew, which takes longer. The results are the same."
        )


class FreshSessions:
    """Sessions that each start a new sandbox with a new Python: slower, but without a fork server.

    Args:
        view, limits, hidden: as for `ForkedSessions`.
    """

    def __init__(self, view: View, limits: Limits | None = None, hidden: Collection[str] = ()):
        self.view, self.limits, self.hidden = view, limits or Limits(), tuple(hidden)
        self.note = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @contextmanager
    def session(self, limits: Limits | None = None) -> Iterator[Session]:
        """A fresh session; see `Sessions`.

        Raises:
            UserError: if bubblewrap is missing, or does not work.
            SessionError: if the program in the sandbox does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        sock, theirs = socket_pair()
        command = [*FRESH_PROCESS, str(theirs.fileno()), OWN_NAMESPACE, *self.hidden]
        with (
            box_for(limits) as box,
            sock,
            theirs,
            launched(command, self.view, limits, [theirs.fileno()], box) as sandbox,
        ):
            theirs.close()
            monitor = None
            try:
                monitor = Monitor(wait_for_first_process(sandbox), limits, start, box)
                sandbox.start_program()
                await_greeting(sock, START_SECONDS)
                answer_greeting(sock)
            except (SessionError, ProcessLookupError) as error:
                sandbox.end(monitor)
                raise SessionError(f"{error}: {stderr_of(sandbox)}") from error
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
        limits, hidden: as for `ForkedSessions`.

    Raises:
        ValueError: if the folder has another name.
    """

    def __init__(self, package: Path, limits: Limits | None = None, hidden: Collection[str] = ()):
        if package.name != "headway":
            raise ValueError(
                f"The student's package is {package}; expected a folder called headway."
            )
        self.package, self.limits, self.hidden = (
            package.resolve(),
            limits or Limits(),
            tuple(hidden),
        )
        self.note = "Submissions ran without a sandbox, with all rights of whoever graded them."

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @contextmanager
    def session(self, limits: Limits | None = None) -> Iterator[Session]:
        """A fresh session; see `Sessions`.

        Raises:
            SessionError: if the program does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        sock, theirs = socket_pair()
        with sock, theirs, TemporaryDirectory(prefix="headway-") as home:
            process = subprocess.Popen(
                [*FRESH_PROCESS, str(theirs.fileno()), SHARED_NAMESPACE, *self.hidden],
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
