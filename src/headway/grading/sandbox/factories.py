"""Where seats come from: a warm process that forks them, a sandbox for each, or no sandbox at all.

    with WarmSeats(student_view(edition), Limits()) as seats, seats.seat() as seat:
        wire.send(seat.socket, {"do": "run", "source": "1 + 1", "seconds": 10})

After the inner context, nothing that ran in the seat is alive, and nothing that it wrote is left.
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

from headway.grading.sandbox.fork_server_client import COLD_SECONDS, Warm, first_of, stderr_of
from headway.grading.sandbox.launch import launched
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import Meter
from headway.grading.sandbox.mounts import View, student_view
from headway.grading.sandbox.process import Seat, SeatError, TrustedProcess, meet, two_ends, welcome
from headway.runner.isolate import PRIVATE, SHARED
from headway.runner.prepare import LIBRARIES

COLD = (sys.executable, "-m", "headway.runner.fresh_process")


class Seats(Protocol):
    """Gives seats, one at a time. A context: seats can be had within.

    Attributes:
        note: what a report should say about how the seats came about; empty if all is well.
    """

    note: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def seat(self, limits: Limits | None = None) -> AbstractContextManager[Seat]:
        """A fresh seat; it is ended, with all that runs there, at the end of the context."""


class WarmSeats:
    """Seats forked from one warm process in one sandbox; where that fails, cold ones.

    A warm process that dies is started once more for the seat that it should have made; if that
    does not help, all further seats are cold and `note` says so.

    Args:
        view: what a seat can see.
        limits: of a seat, where none are given for it.
        hidden: modules about which the student is told that they are not there.
        libraries: what the warm process imports; any other, a seat imports when it needs it.

    Raises:
        UserError: on entering, if there is no bubblewrap here or it does not work.
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
        self._warm: Warm | None = None

    def __enter__(self) -> Self:
        try:
            self._warm = self._start()
        except SeatError as error:
            self._give_up(error)
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    @contextmanager
    def seat(self, limits: Limits | None = None) -> Iterator[Seat]:
        """A fresh seat, warm if possible; see `Seats`."""
        limits = limits or self.limits
        seat = self._warm_seat(limits)
        if seat is None:
            with ColdSeats(self.view, limits, self.hidden).seat() as cold:
                yield cold
            return
        try:
            yield seat
        finally:
            seat.leave()

    @property
    def is_warm(self) -> bool:
        """Whether seats come from a warm process."""
        return self._warm is not None

    def _warm_seat(self, limits: Limits) -> Seat | None:
        if self._warm is None:
            return None
        try:
            return self._warm.seat(limits)
        except SeatError:
            self._end()
        try:
            self._warm = self._start()
            return self._warm.seat(limits)
        except SeatError as error:
            self._end()
            self._give_up(error)
        return None

    def _start(self) -> Warm:
        return Warm(self.view, self.limits.space_bytes, self.hidden, self.libraries)

    def _end(self) -> None:
        if self._warm:
            self._warm.end()
        self._warm = None

    def _give_up(self, error: SeatError) -> None:
        self.note = (
            f"The warm process did not work here ({error}), so each submission started Python "
            "anew, which takes longer. The results are the same."
        )


class ColdSeats:
    """Seats that are each a sandbox with a Python of its own; slower, and needing less.

    Args:
        view, limits, hidden: as those of `WarmSeats`.
    """

    def __init__(self, view: View, limits: Limits | None = None, hidden: Collection[str] = ()):
        self.view, self.limits, self.hidden = view, limits or Limits(), tuple(hidden)
        self.note = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @contextmanager
    def seat(self, limits: Limits | None = None) -> Iterator[Seat]:
        """A fresh seat; see `Seats`.

        Raises:
            UserError: if there is no bubblewrap here, or it does not work.
            SeatError: if the program inside does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        line, theirs = two_ends()
        command = [*COLD, str(theirs.fileno()), PRIVATE, *self.hidden]
        with (
            line,
            theirs,
            launched(command, self.view, limits, [theirs.fileno()]) as sandbox,
        ):
            theirs.close()
            meter = None
            try:
                meter = Meter(first_of(sandbox), limits, start)
                sandbox.let_go()
                meet(line, COLD_SECONDS)
                welcome(line)
            except (SeatError, ProcessLookupError) as error:
                sandbox.end(meter)
                raise SeatError(f"{error}: {stderr_of(sandbox)}") from error
            except BaseException:
                sandbox.end(meter)
                raise
            seat = Seat(line, meter)
            try:
                yield seat
            finally:
                seat.leave()
                sandbox.end(None)


class TrustedSeats:
    """Seats without a sandbox, for code that is trusted or where no sandbox can be had.

    Only the wall time is limited; a process that leaves its process group outlives the seat.

    Args:
        edition: the student's edition of the package, a folder called headway.
        limits, hidden: as those of `WarmSeats`.

    Raises:
        ValueError: if the folder has another name, under which it could not be imported.
    """

    def __init__(self, edition: Path, limits: Limits | None = None, hidden: Collection[str] = ()):
        if edition.name != "headway":
            raise ValueError(f"The edition is {edition}; expected a folder called headway.")
        self.edition, self.limits, self.hidden = (
            edition.resolve(),
            limits or Limits(),
            tuple(hidden),
        )
        self.note = "Submissions ran without a sandbox, with all rights of whoever graded them."

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @contextmanager
    def seat(self, limits: Limits | None = None) -> Iterator[Seat]:
        """A fresh seat; see `Seats`.

        Raises:
            SeatError: if the program does not start.
        """
        limits, start = limits or self.limits, time.monotonic()
        line, theirs = two_ends()
        with line, theirs, TemporaryDirectory(prefix="headway-") as home:
            process = subprocess.Popen(
                [*COLD, str(theirs.fileno()), SHARED, *self.hidden],
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
                meet(line, COLD_SECONDS)
                welcome(line)
            except BaseException:
                trusted.end()
                raise
            seat = Seat(line, trusted)
            try:
                yield seat
            finally:
                seat.leave()

    def _environment(self, home: str) -> dict[str, str]:
        return {
            **student_view(self.edition).environment,
            "HOME": home,
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(self.edition.parent),
        }
