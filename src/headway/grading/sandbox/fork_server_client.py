"""The grader's side of the fork server, which is started once and forks all sessions."""

import os
import select
import socket
import sys
import time
from collections.abc import Collection
from contextlib import ExitStack

from headway.grading.sandbox.boxes import new_box
from headway.grading.sandbox.bubblewrap import last_line, refusal
from headway.grading.sandbox.launch import SET_UP, Launched, child_pid, launched_fork_server
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import Monitor
from headway.grading.sandbox.mounts import HOME, PRIVATE_FOLDERS, View
from headway.grading.sandbox.seccomp import seccomp_filter
from headway.grading.sandbox.session import (
    Session,
    SessionError,
    answer_greeting,
    await_greeting,
    socket_pair,
)
from headway.runner.isolate import READY, Confinement
from headway.runner.prepare import LIBRARIES

COMMAND = (sys.executable, "-m", "headway.runner.fork_server")
START_SECONDS = 120  # until everything is imported, even on a busy machine
SESSION_SECONDS = 20  # until a forked session greets
MAX_TOLD = 1 << 16


class ForkServer:
    """A fork server in its own sandbox.

    Args:
        view: what it, and so its sessions, can see.
        space_bytes: most bytes of all files in each private folder.
        hidden: modules that students cannot import, with a message that says why.
        libraries: modules that the server imports beforehand.

    Raises:
        UserError: if bubblewrap is missing, or does not work.
        SessionError: if the server does not get ready.
    """

    def __init__(
        self,
        view: View,
        space_bytes: int,
        hidden: Collection[str] = (),
        libraries: Collection[str] = LIBRARIES,
    ):
        self._filter = seccomp_filter(devices=bool(view.devices))
        self._kept = _below_private(view)
        self._stack = ExitStack()
        self._monitor: Monitor | None = None
        with ExitStack() as undo:
            undo.callback(self.end)
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._control = self._stack.enter_context(control)
            with theirs:
                command = [*COMMAND, str(theirs.fileno()), ",".join(libraries), *hidden]
                sandbox = launched_fork_server(command, view, space_bytes, [theirs.fileno()])
                self._sandbox = self._stack.enter_context(sandbox)
                self._stack.callback(lambda: self._sandbox.end(self._monitor))
            self._get_ready()
            undo.pop_all()

    def session(self, limits: Limits) -> Session:
        """A fresh session.

        Args:
            limits: its limits.

        Raises:
            SessionError: if no session starts.
        """
        start = time.monotonic()
        confinement = Confinement(
            limits.rlimits(),
            PRIVATE_FOLDERS,
            HOME,
            limits.space_bytes,
            limits.files,
            self._filter,
            self._kept,
        )
        with ExitStack() as undo:
            sock, theirs = socket_pair()
            undo.callback(sock.close)
            with theirs:
                try:
                    socket.send_fds(self._control, [confinement.pack()], [theirs.fileno()])
                except OSError as error:
                    raise SessionError(f"it is gone: {error.strerror}") from error
            self._wait_for_session(sock)
            number = await_greeting(sock, SESSION_SECONDS)
            box = new_box(limits)
            if box:
                undo.callback(box.remove)
            try:
                monitor = Monitor(number, limits, start, box)
                undo.callback(monitor.end)
                if box:
                    box.add(number)  # it still waits, so it has no children
            except (OSError, ValueError) as error:
                raise SessionError(f"its process {number} cannot be watched: {error}") from error
            answer_greeting(sock)
            undo.pop_all()
            return Session(sock, monitor)

    def end(self) -> None:
        """End the server with all its sessions, and wait until all processes are gone."""
        self._stack.close()

    def _get_ready(self) -> None:
        try:
            self._monitor = Monitor(
                wait_for_first_process(self._sandbox), Limits(), time.monotonic()
            )
        except ProcessLookupError as error:
            raise SessionError("it ended at its start") from error
        self._sandbox.start_program()
        self._control.settimeout(SESSION_SECONDS)
        ready, _, _ = select.select(
            [self._control, self._monitor.descriptor], [], [], START_SECONDS
        )
        if not ready:
            raise SessionError(f"it is not ready after {START_SECONDS} s")
        if self._control not in ready or self._control.recv(MAX_TOLD) != READY:
            self._sandbox.end(self._monitor)
            self._monitor = None
            raise SessionError(f"it did not get ready: {stderr_of(self._sandbox)}")

    def _wait_for_session(self, sock: socket.socket) -> None:
        """Wait until a session greets.

        Raises:
            SessionError: if the server reports an error, or ends.
        """
        # Other processes may hold the other end of `_control` open, so watch the server itself.
        places = [sock, self._control, self._monitor.descriptor]
        ready, _, _ = select.select(places, [], [], SESSION_SECONDS)
        if self._monitor.descriptor in ready:
            raise SessionError("it ended")
        if self._control in ready:
            try:
                told = self._control.recv(MAX_TOLD)
            except OSError as error:
                raise SessionError(str(error)) from error
            raise SessionError(told.decode(errors="replace") or "it ended")


def _below_private(view: View) -> tuple[str, ...]:
    """The outermost mounts inside a private folder, for instance if the course is in /tmp."""
    below = [
        target for _, target in view.mounts if any(map(target.is_relative_to, PRIVATE_FOLDERS))
    ]
    return tuple(
        str(target)
        for target in dict.fromkeys(below)
        if not any(target != other and target.is_relative_to(other) for other in below)
    )


def wait_for_first_process(sandbox: Launched) -> int:
    """Wait until a sandbox is set up; return the id of its first process.

    Raises:
        UserError: if the setup fails.
        SessionError: if it takes too long.
    """
    process, told = sandbox.process, b""
    set_up, _, _ = select.select([process.stdout], [], [], SESSION_SECONDS)
    if not set_up:
        raise SessionError(f"the sandbox is not there after {SESSION_SECONDS} s")
    if process.stdout.read(len(SET_UP)) != SET_UP:
        process.wait()
        raise refusal(stderr_of(sandbox), process.returncode)
    while (number := child_pid(told)) is None:
        told += os.read(sandbox.status, MAX_TOLD)
    return number


def stderr_of(sandbox: Launched) -> str:
    """The last line on standard error of a sandbox that has ended."""
    errors = sandbox.process.stderr.read() or b""
    return last_line(errors.decode(errors="replace"), sandbox.process.poll())
