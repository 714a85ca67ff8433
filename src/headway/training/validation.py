"""How well a model does on what it was not trained on, and when to stop.

    validation = Validation(in_order(held_out, 256), every=50, patience=4)
    Trainer(..., callbacks=[validation]).train(5_000)

Validation changes nothing about training: the model computes without dropout and without
gradients, every module's mode and the random numbers are put back afterwards.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from headway.training.batches import Batch, move
from headway.training.trainer import Loss, Trainer, total_and_count


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Inside, the model is in evaluation mode, without gradients.

    Afterwards each of its modules is in the mode it was in (one that was frozen stays frozen), and
    torch's random stream stands where it stood.
    """
    modes = {module: module.training for module in model.modules()}
    devices = {p.device for p in model.parameters() if p.device.type == "cuda"}
    with torch.random.fork_rng(devices=list(devices)), torch.no_grad():
        model.eval()
        try:
            yield
        finally:
            for module, mode in modes.items():
                module.training = mode


def evaluate(model: nn.Module, loss: Loss, batches: Iterable[Batch]) -> float:
    """The loss over all batches together: the sum of totals by the sum of counts.

    Args:
        model: is put into evaluation mode for the time being.
        loss: as for `Trainer`.
        batches: `in_order` makes them; they may differ in size.

    Returns:
        The mean loss of a token, in nats for a cross-entropy.

    Raises:
        TypeError: if the loss gives only means and there are several batches.
        ValueError: if there are no batches, or they count no token.
    """
    device = next(model.parameters()).device
    totals, tokens = [], 0
    with evaluating(model):
        for batch in batches:
            total, count = total_and_count(loss(model, move(batch, device)))
            if totals and count is None:
                raise TypeError(
                    "several batches need a loss that returns its total and the count it sums "
                    "over, got a mean. The mean of means would give short batches too much weight."
                )
            totals.append(float(total))
            tokens += 1 if count is None else int(count)
    if tokens < 1:
        raise ValueError(f"{len(totals)} batches with {tokens} tokens give no loss; is it padding?")
    return math.fsum(totals) / tokens


class Validation:
    """A callback that evaluates the model every few steps, keeps the best weights, and may stop.

    Results go to `trainer.held_out`. When it stops training, it puts the best weights back;
    training that runs to its end keeps its last weights, so that it can go on (`restore_best`).

    Args:
        held_out: batches, for the trainer's loss; or a function of the model that gives a number
            where less is better, such as one minus the share of exact answers.
        every: steps from one evaluation to the next.
        patience: stop after this many evaluations in a row without improvement; None for never.
        min_delta: by how much a loss must be below the best for an improvement.

    Attributes:
        best_loss, best_step: of the best evaluation so far.

    Raises:
        ValueError: if a setting makes no sense.
    """

    def __init__(
        self,
        held_out: Sequence[Batch] | Callable[[nn.Module], float],
        every: int = 100,
        patience: int | None = None,
        min_delta: float = 0.0,
    ):
        if every < 1 or (patience is not None and patience < 1) or min_delta < 0:
            raise ValueError(
                "every and patience must be at least 1 and min_delta at least 0, got "
                f"{every=}, {patience=}, {min_delta=}"
            )
        self.held_out, self.every = held_out, every
        self.patience, self.min_delta = patience, min_delta
        self.best_loss, self.best_step, self.waited = math.inf, 0, 0
        self.best_weights: dict | None = None

    def __call__(self, trainer: Trainer) -> None:
        """Evaluate if it is time to."""
        if trainer.step % self.every:
            return
        loss = self.measure(trainer)
        trainer.held_out.append((trainer.step, loss))
        if loss < self.best_loss - self.min_delta:
            self.best_loss, self.best_step, self.waited = loss, trainer.step, 0
            self.best_weights = {
                name: weight.detach().clone() for name, weight in trainer.model.state_dict().items()
            }
            return
        self.waited += 1
        if self.patience is not None and self.waited >= self.patience:
            kept = "no evaluation gave a number"
            if self.best_weights is not None:
                self.restore_best(trainer.model)
                kept = f"best {self.best_loss:.4g} at step {self.best_step}, whose weights are back"
            trainer.stop(f"held-out loss has not fallen for {self.waited} evaluations ({kept}).")

    def measure(self, trainer: Trainer) -> float:
        """The model's loss now."""
        with evaluating(trainer.model), trainer.precision():
            if callable(self.held_out):
                return float(self.held_out(trainer.model))
            return evaluate(trainer.model, trainer.loss, self.held_out)

    def restore_best(self, model: nn.Module) -> None:
        """Load the best weights so far into the model.

        Raises:
            RuntimeError: if there was no evaluation yet.
        """
        if self.best_weights is None:
            raise RuntimeError(f"no evaluation yet: the first is after step {self.every}")
        model.load_state_dict(self.best_weights)

    def state_dict(self) -> dict:
        """What early stopping remembers, for a checkpoint."""
        names = ("best_loss", "best_step", "waited", "best_weights")
        return {name: getattr(self, name) for name in names}

    def load_state_dict(self, state: dict) -> None:
        """Go on from what `state_dict` gave."""
        for name, value in state.items():
            setattr(self, name, value)
