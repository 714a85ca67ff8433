"""What is said between a session and its client, what may come back, and how long we wait for it.

Nothing that comes back is believed to be more than plain data of bounded size: a message that is
longer than one may be here is not even unpacked. What has not the form that was asked for ends the
conversation. Time is counted by a clock that stands still while the session waits for a processor
that others use.
"""

import math
import re
import time

from headway.grading.safe_text import one_line
from headway.grading.sandbox.session import Session
from headway.runner.transport import FrameTooLargeError, WireError, receive_sized, send
from headway.tasks.engine.probe.outcomes import Raised
from headway.tasks.engine.value_size import most_bytes, too_much

TAKING_SECONDS = 30
NAME = 60  # characters of an exception's name that are kept
MESSAGE, OUTPUT = 2 << 20, 8 << 20  # bytes of what is neither a value nor an output, and of one
# Bytes of all that a cell puts out, and of all that is said while an answer is put to use. What
# `headway.runner.output_capture` lets through has less than half of that.
OUTPUTS, VALUES = 96 << 20, 512 << 20
LEFT_OUT = "… left out: an output of {:,} bytes.\n"
SIGNAL = re.compile(r"signal \d{1,2}")
NONSENSE = "its process sent something that makes no sense"
TOO_MUCH = "its process sent far too much"


class SessionLost(Exception):  # noqa: N818 - an ending, and no error of the program
    """The session ended, or makes no sense any more; the message says so in words."""


class AnswerLost(Exception):  # noqa: N818
    """The answer did not live to be judged; the message says why in words."""


class Conversation:
    """Messages to a session and from it, one after another.

    Args:
        session: one just made.
        seconds: by its clock, after which nothing is waited for any more.

    Raises:
        SessionLost: by every method, if the session ends or talks nonsense.

    Attributes:
        timed_out: whether anything ran to the end of its time.
    """

    def __init__(self, session: Session, seconds: float = math.inf):
        self._session, self._deadline, self.timed_out = session, 0.0, False
        self._end = self._now() + seconds
        self._room = OUTPUTS

    def _say(self, message: dict) -> None:
        try:
            send(self._session.socket, message, TAKING_SECONDS)
        except TimeoutError as error:
            raise SessionLost("its process doesn't answer") from error
        except EOFError as error:
            raise SessionLost("its process ended") from error

    def _now(self) -> float:
        """Seconds on the session's clock, which stands still while it is denied a processor."""
        return time.monotonic() - self._session.starved_seconds

    def _hear_output(self, deadline: float) -> dict:
        """The next message while a cell runs; an output that is too long says so."""
        try:
            return self._receive((), deadline, OUTPUT)
        except FrameTooLargeError as large:
            text = LEFT_OUT.format(large.size)
            output = {"output_type": "stream", "name": "stderr", "text": text}
            return {"is": "output", "output": output}

    def _hear_outcome(self, expected: tuple[str, ...], most: int) -> dict | Raised:
        """The message with a value; what is said of the value, where it is far too large."""
        try:
            return self._receive(expected, self._deadline, most_bytes(most))
        except FrameTooLargeError as large:
            return too_much(f"a value of {large.size:,} bytes", most)
        except MemoryError:
            return too_much("a value that takes more memory than there is", most)

    def _take(self, size: int) -> None:
        """Count the bytes of a message, which nobody can send without end."""
        self._room -= size
        if self._room < 0:
            raise SessionLost(TOO_MUCH)

    def _hear(self, expected: tuple[str, ...], deadline: float) -> dict:
        """The next message, which is neither an output nor a value."""
        try:
            return self._receive(expected, deadline, MESSAGE)
        except FrameTooLargeError as large:
            raise SessionLost(NONSENSE) from large

    def _receive(self, expected: tuple[str, ...], deadline: float, most: int) -> dict:
        """The next message; a `FrameTooLargeError` if it has more than so many bytes."""
        try:
            end = min(deadline, self._end)
            message, size = receive_sized(
                self._session.socket, lambda: end - self._now(), most=most
            )
        except TimeoutError as error:
            self.timed_out = True
            raise SessionLost("it didn't stop when told to") from error
        except EOFError as error:
            raise SessionLost("its process ended") from error
        except FrameTooLargeError as large:
            self._take(large.size)
            raise
        except WireError as error:
            raise SessionLost(NONSENSE) from error
        self._take(size)
        # An array is plain data as well, and what it is compared to has no truth value.
        if not isinstance(message, dict) or type(message.get("is")) is not str:
            raise SessionLost(NONSENSE)
        if not expected or message["is"] in expected:
            return message
        match message:
            case {"is": "lost", "why": str(why)}:
                if why == "time":
                    self.timed_out = True
                    raise AnswerLost("Calling your answer took too long and was stopped.")
                # Of hidden cases nothing may be told, so a number to exit with is not passed on.
                by = f" ({why})" if SIGNAL.fullmatch(why) else ""
                raise AnswerLost(f"Calling your answer ended the process that it ran in{by}.")
            case {"is": "raised", "error": str(name), "message": str(text)} if (
                "answer" in expected  # later there were hidden cases to tell of
            ):
                raise AnswerLost(f"{one_line(name, NAME)}: {one_line(text)}")
        raise SessionLost(NONSENSE)
