"""The client of a session: send files, run cells and use answers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from headway.grading.execution.conversation import (
    NAME,
    NONSENSE,
    OUTPUTS,
    TAKING_SECONDS,
    VALUES,
    Conversation,
    SessionLost,
)
from headway.grading.safe_text import REASON_LENGTH, one_line
from headway.tasks.engine.memory_room import room
from headway.tasks.engine.probe.asks import (
    ask_and_count,
    ask_and_note,
    ask_then_look,
    shape_of_first,
)
from headway.tasks.engine.probe.calls import by_length, call, call_by_length, value
from headway.tasks.engine.probe.outcomes import Outcome, Raised, Returned, Verb
from headway.tasks.engine.probe.plain import UnplainError, plain
from headway.tasks.engine.probe.verbs import VERBS
from headway.tasks.engine.task import Case, Task

GRACE_SECONDS = 3  # for the session itself to stop what takes too long
NEARLY = 0.9  # of the limit: a cell that failed after so long was stopped; clocks differ a little
PRINTED = 4_000
ITEMS = 100_000
QUESTIONS = 100_000  # per case, for answers that call a function kept by the judge
NAMES = {verb: name for name, verb in VERBS.items()}


class NoAnswer(Exception):  # noqa: N818
    """The answer is still the placeholder of the release."""


class Client(Conversation):
    """Sends files to one session, runs cells there and uses answers.

    The other end is `headway.runner.serve`.
    """

    def put_files(self, files: dict[str, bytes]) -> None:
        """Put files into the working directory."""
        self._say({"do": "files", "files": files})
        self._hear(("ready",), self._now() + TAKING_SECONDS)

    def run(self, source: str, seconds: float, heard: Callable[[Any], None]) -> bool:
        """Run a cell; return whether it came to its end, and was not stopped.

        Args:
            seconds: limit for the cell.
            heard: called with each message that claims to be an output of the cell.
        """
        self._room, self._limit, start = OUTPUTS, seconds, self._now()
        self._say({"do": "run", "source": source, "seconds": seconds})
        end = start + seconds + GRACE_SECONDS
        while (message := self._hear_output(end)).get("is") == "output":
            heard(message.get("output"))
        if message.get("is") != "done":
            raise SessionLost(NONSENSE)
        return not message.get("error") or self._now() - start < NEARLY * seconds

    def outcomes(
        self,
        task: Task,
        expression: str,
        cases: Sequence[Case],
        most: Sequence[int],
        seconds: float,
    ) -> list[Outcome]:
        """Run an answer on each case, all in one new process forked from the session.

        For a task that asks for a value, no process is needed.

        Args:
            most: the largest allowed size of the value in each case.
            seconds: limit for all cases together.

        Raises:
            NoAnswer: if the answer is still the placeholder.
            AnswerLost: if there is no answer, or it ended its process.
            AnswerStopped: if it took too long.
        """
        here = task.verb is value and expression.isidentifier()
        blank = self.begin(expression, seconds, here)
        outcomes = []
        for case, enough in zip(cases, most, strict=True):
            verb = case.verb or task.verb
            if verb is ask_and_count:
                outcomes.append(self._outcome_of_questions(case, enough))
            elif verb in (ask_and_note, ask_then_look):
                outcomes.append(self._outcome_with_function(verb, case, enough))
            elif verb is call_by_length:
                outcomes.append(self._outcome_by_length(case, enough))
            else:
                outcomes.append(self.ask(verb, case.inputs, enough))
        self._say({"do": "end"})
        self._hear(("ended",), self._deadline)
        if blank:
            raise NoAnswer
        return outcomes

    def begin(self, expression: str, seconds: float, here: bool = False) -> bool:
        """Start a process for an answer; return whether the answer is a placeholder.

        Args:
            expression: the answer's expression.
            seconds: limit for the process.
            here: use the session's own process instead of a new one.
        """
        self._limit, self._deadline = seconds, self._now() + seconds + GRACE_SECONDS
        self._room = VALUES
        self._say({"do": "answer", "expression": expression, "seconds": seconds, "here": here})
        return self._hear(("answer",), self._deadline).get("blank") is True

    def ask(self, verb: Verb, inputs: Sequence, most: int) -> Outcome:
        """Use the answer of `begin` once.

        Args:
            most: the largest allowed size of the value (`headway.tasks.engine.value_size`). A
                message that is too long for such a value is not decoded.
        """
        self._say({"do": "ask", "verb": NAMES[verb], "inputs": list(inputs)})
        outcome = self._hear_outcome(("outcome",), most)
        return outcome if isinstance(outcome, Raised) else _outcome(outcome)

    def _outcome_by_length(self, case: Case, most: int) -> Outcome:
        """The outcome of `call_by_length`. Items are sent only after the results for all shorter
        ones have come back, since the student's code can find whatever the session has."""
        outcomes: list[Outcome] = []

        def ask(given: Sequence) -> Any:
            outcomes.append(self.ask(call, given, most))
            return None if isinstance(outcomes[-1], Raised) else outcomes[-1].value

        value = by_length(ask, case.inputs)
        printed = "".join(outcome.printed for outcome in outcomes)[:PRINTED]
        if outcomes and isinstance(outcomes[-1], Raised):
            return replace(outcomes[-1], printed=printed)
        return Returned(value, printed)

    def _outcome_of_questions(self, case: Case, most: int) -> Outcome:
        """The outcome of `ask_and_count`, with the tables and the count of questions kept here.

        The session's own count is ignored.
        """
        tables, *rest = case.inputs
        kept, verb = list(tables.shape), NAMES[ask_and_count]
        self._say({"do": "ask", "verb": verb, "inputs": rest, "kept": kept})
        times, places = [0] * len(tables), [set() for _ in tables]
        for message in self._until_outcome(most):
            if isinstance(message, Raised):
                return message
            if message["is"] != "question":
                break
            match message:
                case {"table": int(table), "place": [*place]} if (
                    all(type(i) is int for i in (table, *place))
                    and len(place) == tables.ndim - 2
                    and all(0 <= i < n for i, n in zip((table, *place), tables.shape, strict=False))
                ):
                    times[table] += 1
                    places[table].add(tuple(place))
                    self._say({"row": tables[table, *place]})
                case _:
                    raise SessionLost(NONSENSE)
        outcome = _outcome(message)
        match outcome:
            case Returned([*told]) if len(told) == len(tables):
                counted = zip(told, times, places, strict=True)
                value = [[_result(one), n, len(seen)] for one, n, seen in counted]
                return Returned(value, outcome.printed)
            case Returned(value) if value is not None:
                raise SessionLost(NONSENSE)
        return outcome

    def _outcome_with_function(self, verb: Verb, case: Case, most: int) -> Outcome:
        """The outcome of `ask_and_note` or `ask_then_look`; the function and its calls stay here.

        The session's own record of the calls is ignored.
        """
        function, *rest = case.inputs
        self._say({"do": "ask", "verb": NAMES[verb], "inputs": rest, "kept": None})
        shapes = []
        for message in self._until_outcome(most):
            if isinstance(message, Raised):
                return message
            if message["is"] != "question":
                break
            match message:
                case {"given": [*given]}:
                    shapes.append(shape_of_first(given))
                    self._say(_told_by(function, given))
                case _:
                    raise SessionLost(NONSENSE)
        outcome = _outcome(message)
        if verb is ask_then_look:
            return outcome
        match outcome:
            case Returned([result, _]):
                return Returned([result, shapes], outcome.printed)
            case Returned(value) if value is not None:
                raise SessionLost(NONSENSE)
        return outcome

    def _until_outcome(self, most: int) -> Iterator[dict | Raised]:
        """Yield questions, each to be answered before the next one, and at last the outcome."""
        for _ in range(QUESTIONS + 1):  # plus one for the outcome
            yield self._hear_outcome(("outcome", "question"), most)
        raise SessionLost(f"it asked more than {QUESTIONS:,} questions")


def _outcome(message: dict) -> Outcome:
    printed = message.get("printed")
    printed = printed[:PRINTED] if isinstance(printed, str) else ""
    name, text = message.get("error"), message.get("message")
    if isinstance(name, str) and isinstance(text, str):
        return Raised(one_line(name, NAME), text[:REASON_LENGTH], printed)
    try:
        _refuse_too_many(message.get("value"))
        return Returned(plain(message.get("value")), printed)
    except UnplainError as error:
        return Raised("UnplainError", str(error), printed)


def _told_by(function: Callable, given: list) -> dict:
    """A function's reply to untrusted arguments."""
    try:
        with room():
            return {"told": function(*given)}
    except IndexError as error:
        return {"refused": [IndexError.__name__, str(error)]}
    except Exception as error:  # the arguments can be anything
        return {"refused": [TypeError.__name__, one_line(str(error))]}


def _result(told: Any) -> Any:
    """The answer's value from a row of the result of `ask_and_count`."""
    match told:
        case [result, _, _]:
            return result
    raise SessionLost(NONSENSE)


def _refuse_too_many(value: Any) -> None:
    """Refuse values with so many items that walking through them would take minutes.

    Raises:
        UnplainError: if all lists and dictionaries together have too many items.
    """
    left, count = [value], 0
    while left:
        inner = left.pop()
        if isinstance(inner, (list, tuple, dict)):
            count += len(inner)
            if count > ITEMS:
                raise UnplainError(f"its lists hold more than {ITEMS:,} items; give an array")
            left += inner.values() if isinstance(inner, dict) else inner
