"""Earlier answers of the same assignment that an answer uses, where a student must look first."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from dis import get_instructions
from types import CodeType, FunctionType
from typing import Any

from headway.tasks.engine.duties import DUTIES
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Verdict

_LOOK_UPS = {"LOAD_GLOBAL", "LOAD_NAME"}


def names_in(answer: Any) -> set[str]:
    """Names of the globals that a function, or the methods of a class, may look up.

    `words.encode` looks up words, and no answer that is called encode.
    """
    codes = [function.__code__ for function in _functions(answer)]
    names: set[str] = set()
    while codes:
        code = codes.pop()
        names.update(step.argval for step in get_instructions(code) if step.opname in _LOOK_UPS)
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return names


def globals_of(answer: Any) -> dict[str, Any]:
    """The globals that a function, or the methods of a class, look up."""
    return {k: v for function in _functions(answer) for k, v in function.__globals__.items()}


def _functions(answer: Any) -> list[FunctionType]:
    methods = vars(answer).values() if isinstance(answer, type) else [answer]
    return [method for method in methods if isinstance(method, FunctionType)]


def with_earlier(verdict: Verdict, names: Iterable[str], earlier: Mapping[str, Verdict]) -> Verdict:
    """The verdict, which also says on which earlier answers it may hang.

    One that gives the right results, and fails only what every answer owes, is rarely the cause of
    wrong results elsewhere: there the student looks last.

    Args:
        verdict: on an answer.
        names: that the answer uses.
        earlier: verdicts on the assignment's earlier answers, by their names.
    """
    if verdict.status in ("passed", "untouched"):
        return verdict
    used, first, last = set(names), [], []
    for name, found in earlier.items():
        if name not in used or found.status == "passed":
            continue
        if found.status == "untouched":
            first.append(f"It uses {name}, which is not filled in yet: begin there.")
        elif _only_owes(found) and not _only_owes(verdict):
            last.append(
                f"It uses {name}, which gives what it should but does not pass all of its own "
                "check: look here first, then there."
            )
        else:
            first.append(f"It uses {name}, which does not pass its own check: look there first.")
    if not (first or last):
        return verdict
    reason = verdict.reason
    if reason and not reason.endswith((".", "?", "!", "…")):  # an exception's own words
        reason += "."
    return replace(verdict, reason=" ".join(filter(None, [reason, *first, *last])))


def _only_owes(verdict: Verdict) -> bool:
    """Whether an answer fails nothing but duties."""
    failed = {label for label, passed in verdict.cases if not passed}
    return bool(failed) and failed <= {duty.label for duty in DUTIES}


def verdicts(earlier: Iterable[Task], answers: Mapping[str, Any], used: set[str]) -> dict:
    """How earlier answers that are used fare with the cases of their own checks.

    Args:
        earlier: tasks of the assignment.
        answers: by name; a notebook's globals.
        used: names that are looked for; what is trained is not trained again.
    """
    return {
        task.answer: judge(task, answers[task.answer])
        for task in earlier
        if task.answer in used & answers.keys() and task.kind != "train" and task.verb is not value
    }
