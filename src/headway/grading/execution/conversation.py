"""The messages between a session and its client, with limits on their size and time.

Messages from the session are untrusted plain data of bounded size: one that is too long is not
decoded, and one of an unexpected form ends the conversation. Time limits are on the session's own
clock (`headway.grading.sandbox.clock`).
"""

import math
import re

from headway.grading.safe_text import one_line
from headway.grading.sandbox.session import Session
from headway.runner.transport import FrameTooLargeError, WireError, receive_sized, send
from headway.tasks.engine.probe.outcomes import Raised
from headway.tasks.engine.value_size import most_bytes, too_much

TAKING_SECONDS = 30
NAME = 60  # characters of an exception's name that are kept
MESSAGE, OUTPUT = 2 << 20, 8 << 20  # bytes of a message without value or output; of an output
# Most bytes of all outputs of a cell, and of all messages about one answer. This is more than twice
# what `headway.runner.output_capture` lets through.
OUTPUTS, VALUES = 96 << 20, 512 << 20
LEFT_OUT = "… left out: an output of {:,} bytes.\n"
SIGNAL = re.compile(r"signal \d{1,2}")
NONSENSE = "its process sent something that makes no sense"
TOO_MUCH = "its process sent far too much"
TOO_LONG = "it computed or slept for more than {:g} seconds"


class SessionLost(Exception):  # noqa: N818 - an ending, and no error of the program
    """The session ended, or sent an invalid message; the exception's text says which."""


class SessionStopped(SessionLost):
    """The session reached a time limit, and has to be ended."""


class AnswerLost(Exception):  # noqa: N818
    """The answer could not be judged, since it is missing, crashed or timed out; see the text."""


class AnswerStopped(AnswerLost):
    """The answer reached its time limit."""


class Conversation:
    """Exchanges messages with a session.

    Args:
        session: a new session.
        seconds: time limit of the whole conversation, on the session's clock.

    Raises:
        SessionLost: from every method, if the session ends or sends an invalid message.
        SessionStopped: from every method, if a time limit is reached.
    """

    def __init__(self, session: Session, seconds: float = math.inf):
        self._session, self._deadline, self._limit = session, 0.0, seconds
        self._end = self._now() + seconds
        self._room = OUTPUTS

    def _say(self, message: dict) -> None:
        end = self._now() + TAKING_SECONDS
        try:
            with self._session.awaited():
                send(self._session.socket, message, lambda: end - self._now())
        except TimeoutError as error:
            raise SessionStopped("its process doesn't answer") from error
        except EOFError as error:
            raise SessionLost("its process ended") from error

    def _now(self) -> float:
        """The session's clock."""
        return self._session.seconds

    def _hear_output(self, deadline: float) -> dict:
        """The next message while a cell runs; a note replaces an output that is too long."""
        try:
            return self._receive((), deadline, OUTPUT)
        except FrameTooLargeError as large:
            text = LEFT_OUT.format(large.size)
            output = {"output_type": "stream", "name": "stderr", "text": text}
            return {"is": "output", "output": output}

    def _hear_outcome(self, expected: tuple[str, ...], most: int) -> dict | Raised:
        """The next message with a value; a `Raised` if the value is too large."""
        try:
            return self._receive(expected, self._deadline, most_bytes(most))
        except FrameTooLargeError as large:
            return too_much(f"a value of {large.size:,} bytes", most)
        except MemoryError:
            return too_much("a value that takes more memory than there is", most)

    def _take(self, size: int) -> None:
        """Count the bytes of a message, and end the conversation if there are too many."""
        self._room -= size
        if self._room < 0:
            raise SessionLost(TOO_MUCH)

    def _hear(self, expected: tuple[str, ...], deadline: float) -> dict:
        """The next message other than an output or a value."""
        try:
            return self._receive(expected, deadline, MESSAGE)
        except FrameTooLargeError as large:
            raise SessionLost(NONSENSE) from large

    def _receive(self, expected: tuple[str, ...], deadline: float, most: int) -> dict:
        """The next message; raises `FrameTooLargeError` if it has more than `most` bytes."""
        try:
            end = min(deadline, self._end)
            with self._session.awaited():
                message, size = receive_sized(
                    self._session.socket, lambda: end - self._now(), most=most
                )
        except TimeoutError as error:
            raise SessionStopped(TOO_LONG.format(self._limit)) from error
        except EOFError as error:
            raise SessionLost("its process ended") from error
        except FrameTooLargeError as large:
            self._take(large.size)
            raise
        except WireError as error:
            raise SessionLost(NONSENSE) from error
        self._take(size)
        # The value may be an array, for which == gives an array without a truth value.
        if not isinstance(message, dict) or type(message.get("is")) is not str:
            raise SessionLost(NONSENSE)
        if not expected or message["is"] in expected:
            return message
        match message:
            case {"is": "lost", "why": str(why)}:
                if why == "time":
                    said = TOO_LONG.format(self._limit)
                    raise AnswerStopped(f"Calling your answer was stopped: {said}.")
                # An exit code could tell the student about hidden cases, so it is not shown.
                by = f" ({why})" if SIGNAL.fullmatch(why) else ""
                raise AnswerLost(f"Calling your answer ended the process that it ran in{by}.")
            case {"is": "raised", "error": str(name), "message": str(text)} if (
                "answer" in expected  # later, the text could reveal hidden cases
            ):
                raise AnswerLost(f"{one_line(name, NAME)}: {one_line(text)}")
        raise SessionLost(NONSENSE)
