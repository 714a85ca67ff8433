"""Find failing earlier answers that an answer uses, so that the student looks there first."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from dis import get_instructions
from types import CodeType, FunctionType
from typing import Any

from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value
from headway.tasks.engine.requirements import REQUIREMENTS
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Verdict

_LOOK_UPS = {"LOAD_GLOBAL", "LOAD_NAME"}


def names_in(answer: Any) -> set[str]:
    """Names of the globals that a function, or the methods of a class, may look up.

    `words.encode` looks up `words`, and not an answer named `encode`.
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
    """The verdict, with a reason that names the earlier answers that may cause the failure.

    An earlier answer that fails only requirements gives the right results, so it is rarely the
    cause: the student is told to look there last.

    Args:
        verdict: verdict on an answer.
        names: names that the answer uses.
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
    if reason and not reason.endswith((".", "?", "!", "…")):  # an exception's message
        reason += "."
    return replace(verdict, reason=" ".join(filter(None, [reason, *first, *last])))


def _only_owes(verdict: Verdict) -> bool:
    """Whether an answer fails only requirements."""
    failed = {label for label, passed in verdict.cases if not passed}
    return bool(failed) and failed <= {requirement.label for requirement in REQUIREMENTS}


def verdicts(earlier: Iterable[Task], answers: Mapping[str, Any], used: set[str]) -> dict:
    """Verdicts on the earlier answers that are used, except training tasks, which take long.

    Args:
        earlier: earlier tasks of the assignment.
        answers: answers by name, such as a notebook's globals.
        used: names that the present answer uses.
    """
    return {
        task.answer: judge(task, answers[task.answer])
        for task in earlier
        if task.answer in used & answers.keys() and task.kind != "train" and task.verb is not value
    }
