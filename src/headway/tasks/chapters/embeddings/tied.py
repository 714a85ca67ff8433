"""Build one matrix for both ends of a model, and let it learn from both."""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.embeddings.mistakes import (
    SOFTMAX_TWICE,
    SUM_AND_MEAN,
    TRANSPOSED,
    WRONG_SIGN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import use
from headway.tasks.engine.task import Case, Task


class Tied:
    """One table (V, C): √C times its rows going in, dot products with its rows coming out."""

    def __init__(self, table):
        self.table = table.clone().requires_grad_()

    def embed(self, ids):
        return math.sqrt(self.table.shape[1]) * self.table[ids]

    def deembed(self, hidden):
        return hidden @ self.table.mT

    def learn(self, ids, targets, rate):
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        (slope,) = torch.autograd.grad(loss, self.table)
        self.table = (self.table - rate * slope).detach().requires_grad_()
        return loss


def tied_cases(rng: np.random.Generator) -> list[Case]:
    def table(V, C):
        return (torch.from_numpy((0.6 * rng.normal(size=(V, C))).astype(np.float32)),)

    def ids(V, *shape):
        return torch.from_numpy(rng.integers(0, V, shape))

    def hidden(*shape):
        return torch.from_numpy(rng.normal(size=shape).astype(np.float32))

    def step(V, N, rate):
        """Different words, each with another target."""
        order = rng.permutation(V)[: N + 1]
        return "learn", torch.from_numpy(order[:-1]), torch.from_numpy(order[1:]), rate

    def both_ends(V, C):
        return ("embed", torch.arange(V)), ("deembed", hidden(2, C))

    repeated = torch.tensor([1, 1, 4, 1, 4]), ids(6, 5)
    return [
        Case(
            "in and out, and one step",
            table(7, 3),
            ("embed", ids(7, 2, 4)),
            ("deembed", hidden(2, 4, 3)),
            step(7, 5, 0.5),
            *both_ends(7, 3),
            core=True,
        ),
        Case(
            "as many words as columns",
            table(4, 4),
            ("embed", ids(4, 3)),
            ("deembed", hidden(3, 4)),
            step(4, 3, 0.7),
            *both_ends(4, 4),
        ),
        Case("a second step", table(6, 2), step(6, 4, 0.6), step(6, 5, 0.9), *both_ends(6, 2)),
        Case("words that come again", table(6, 3), ("learn", *repeated, 1.5), *both_ends(6, 3)),
        Case(
            "one word, and no batch",
            table(5, 3),
            ("embed", torch.tensor(int(rng.integers(5)))),
            ("deembed", hidden(3)),
            path="other shapes",
        ),
        Case(
            "three axes of words",
            table(5, 2),
            ("embed", ids(5, 2, 1, 3)),
            ("deembed", hidden(2, 1, 3, 2)),
            path="other shapes",
        ),
    ]


ROOT, IN, OUT = "math.sqrt(self.table.shape[1]) * ", "self.table[ids]", "hidden @ self.table.mT"
STEP = "self.table = (self.table - rate * slope).detach().requires_grad_()"
SOME_ROWS = """seen = torch.zeros(len(self.table), 1).index_fill(0, {}, 1.0)
        self.table = (self.table - rate * seen * slope).detach().requires_grad_()"""
LOSS = "functional.cross_entropy(self.deembed(self.embed(ids)), targets)"
ADAM = "rate * slope / (slope.abs() + 1e-8)"  # its first step
no_root = changed(Tied, ROOT, "")


class TwoTables(Tied):
    """Begins tied, and each end learns by itself."""

    def __init__(self, table):
        super().__init__(table)
        self.out = table.clone().requires_grad_()

    def deembed(self, hidden):
        return hidden @ self.out.mT

    def learn(self, ids, targets, rate):
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        slopes = torch.autograd.grad(loss, (self.table, self.out))
        moved = [t - rate * s for t, s in zip((self.table, self.out), slopes, strict=True)]
        self.table, self.out = (t.detach().requires_grad_() for t in moved)
        return loss


class KeptOut(TwoTables):
    """The way out stays what the table was."""

    def learn(self, ids, targets, rate):
        out = self.out
        loss = super().learn(ids, targets, rate)
        self.out = out
        return loss


class KeptIn(TwoTables):
    """The way in stays what the table was."""

    def learn(self, ids, targets, rate):
        table = self.table
        loss = super().learn(ids, targets, rate)
        self.table = table
        return loss


class OldGradients(Tied):
    """The slopes of a step are added to those of the step before."""

    def learn(self, ids, targets, rate):
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        loss.backward()
        with torch.no_grad():
            self.table -= rate * self.table.grad
        return loss


tied_task = Task(
    id="06-embeddings/tied",
    title="One matrix, in and out",
    kind="build",
    points=2,
    minutes=12,
    answer="Tied",
    verb=use,
    cases=tied_cases,
    reference=Tied,
    misconceptions=(
        Misconception(
            "two-matrices",
            any_of(TwoTables, KeptOut, KeptIn),
            "After a step, your words go in by one matrix and come out by another. How many "
            "matrices does a tied model keep?",
        ),
        Misconception(
            "a-part-of-the-slope",
            any_of(
                changed(
                    Tied,
                    LOSS,
                    "functional.cross_entropy(self.embed(ids) @ self.table.detach().mT, targets)",
                    "functional.cross_entropy(self.deembed(self.embed(ids).detach()), targets)",
                ),
                changed(Tied, STEP, *(SOME_ROWS.format(seen) for seen in ("ids", "targets"))),
            ),
            "Your matrix moves by a part of its slope: that of one of its two uses, or of some "
            "rows. In which ways does the loss depend on it?",
        ),
        Misconception(
            "root-of-the-width",
            any_of(
                no_root,
                changed(*no_root, "rate * slope", ADAM),
                changed(
                    *no_root,
                    OUT,
                    "math.sqrt(self.table.shape[1]) * hidden @ self.table.mT",
                    "hidden @ self.table.mT / math.sqrt(self.table.shape[1])",
                ),
                changed(
                    Tied,
                    OUT,
                    "math.sqrt(self.table.shape[1]) * hidden @ self.table.mT",
                    "hidden @ self.table.mT / math.sqrt(self.table.shape[1])",
                ),
                changed(*no_root, "table.clone()", "(table.shape[1] ** 0.5 * table.clone())"),
                changed(
                    Tied,
                    ROOT,
                    "self.table.shape[1] * ",
                    "1 / math.sqrt(self.table.shape[1]) * ",
                    "math.sqrt(self.table.shape[0]) * ",
                    "1 / self.table.shape[1] * ",
                ),
            ),
            "The factor of the text is missing in your model, is another number, or acts in "
            "another place. What is multiplied, by what, and where?",
        ),
        TRANSPOSED.by(
            changed(Tied, OUT, "hidden @ self.table"),
            changed(Tied, IN, "self.table.mT[ids]", "self.table[:, ids].mT"),
        ),
        SOFTMAX_TWICE.by(
            changed(
                Tied,
                OUT,
                "(hidden @ self.table.mT).softmax(dim=-1)",
                "(hidden @ self.table.mT).log_softmax(dim=-1)",
                "functional.normalize(hidden, dim=-1) @ functional.normalize(self.table).mT",
                "hidden @ functional.normalize(self.table).mT",
            ),
        ),
        WRONG_SIGN.by(changed(Tied, "- rate * slope", "+ rate * slope")),
        SUM_AND_MEAN.by(
            changed(Tied, ", targets)\n", ", targets, reduction='sum')\n"),
        ),
        Misconception(
            "old-slopes-kept",
            OldGradients,
            "Your second step also goes by the slopes of the first. What does a backward pass do "
            "with the gradients that are there already?",
        ),
        Misconception(
            "loss-after-the-step",
            changed(Tied, "return loss", f"return {LOSS}"),
            "You return the loss after the step. Which one is asked for?",
        ),
        Misconception(
            "rate-without-effect",
            any_of(
                changed(Tied, STEP, "pass"),
                changed(
                    Tied,
                    "rate * slope",
                    "slope",
                    "0.1 * slope",
                    "rate * slope / slope.norm()",
                    ADAM,
                ),
            ),
            "Your matrix stays what it was, or its step has another length than rate and slope "
            "give it. How far should a step go?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
