"""Wrong answers that nobody who writes the catalogues has seen: they measure naming.

`python -m tests.tasks.held_out [NN …]` prints, for each chapter, how many of them get a name and
how many of the names are wrong. Who wrote the answers knew the page and the notebook alone; who
judged the names knew the answers, the catalogue of names and not which one the check gives.

A file is `NN-SLUG.toml`, with an `[[answer]]` for each:

- `task`, "08-attention/attend";
- `thought`: what the student believes or overlooked;
- `code`: what the student's cell has in it;
- `names`: the names that a teacher would let stand. None, if no name of the catalogue is right.

Don't extend a catalogue because of them: they would measure nothing any more. Write new ones then.
"""

import contextlib
import io
import linecache
import sys
import tomllib
import types
from dataclasses import dataclass
from pathlib import Path

import torch

from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.tasks.engine.unseen_text.cell import Cell, fit_then_predict, judge_alone
from headway.tasks.engine.verdict import Verdict

FOLDER = Path(__file__).parent
MODULE = "a_students_answer"


@dataclass(frozen=True)
class HeldOut:
    """A wrong answer, and the names that a teacher would let stand for its mistake."""

    task: str
    thought: str
    code: str
    names: tuple[str, ...]

    def verdict(self) -> Verdict:
        """What the check says, as in a student's notebook."""
        task = find_task(self.task)
        torch.manual_seed(0)
        if task.verb is fit_then_predict:
            return judge_alone(task, Cell(self.code, task.answer, hidden=task.hidden))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return judge(task, getattr(self._run(), task.answer))

    def _run(self) -> types.ModuleType:
        module, path = types.ModuleType(MODULE), f"<{MODULE} {id(self)}>"
        sys.modules[MODULE] = module
        linecache.cache[path] = len(self.code), None, self.code.splitlines(True), path
        exec(compile(self.code, path, "exec"), vars(module))
        return module


def answers_of(chapter: str) -> list[HeldOut]:
    """The wrong answers to a chapter's tasks, "08-attention"."""
    data = tomllib.loads((FOLDER / f"{chapter}.toml").read_text(encoding="utf-8"))
    return [HeldOut(**one | {"names": tuple(one["names"])}) for one in data["answer"]]


def chapters() -> list[str]:
    """The chapters with such answers."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))
