"""The training loop: batch, loss, gradient, clip, step, and what it reports on the way.

    def loss(model, batch):
        inputs, targets = batch
        return summed_cross_entropy(model(inputs), targets)

    trainer = Trainer(model, loss, Shuffled((inputs, targets), 64), adamw(model, 3e-3))
    trainer.train(600)

A loss gives a total and the number of tokens it sums over. One step takes the gradient of
total / count over its whole batch, also when the batch is worked off in parts:

    gradient = ∇ (total_1 + … + total_k) / (count_1 + … + count_k)

The mean of the parts' means would be another number wherever their counts differ.

What step n does depends on the state after step n − 1 and on n alone: the batch and the learning
rate are functions of n. So a run can stop anywhere and go on (`headway.training.checkpoint`).
"""

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grads_with_norm_, get_total_norm
from torch.optim.lr_scheduler import LambdaLR

from headway.shapes import ShapeError
from headway.training.batches import Batch, move, split
from headway.training.callbacks import notify
from headway.training.compiler import missing_for_compiling
from headway.training.interrupt import held_interrupt
from headway.training.progress import Bar

Loss = Callable[[nn.Module, Batch], "Tensor | tuple[Tensor, Tensor | int]"]
MAX_PENDING = 32  # steps whose numbers may wait on a GPU before the loop waits for them


class Record(NamedTuple):
    """One step of training.

    Attributes:
        step: counted from 1.
        loss: total / count over the step's batch, before the update.
        learning_rate: of the first parameter group.
        gradient_norm: L2, over all parameters, before clipping.
        seconds: spent in training up to this step.
    """

    step: int
    loss: float
    learning_rate: float
    gradient_norm: float
    seconds: float


class Trainer:
    """Trains a module, step by step.

    Args:
        model: any torch module; batches are moved to the device that it is on.
        loss: (model, batch) → the total () and its count, as `summed_cross_entropy` gives them; or
            a mean (), which is then one number a batch and cannot be accumulated.
        batches: step → batch, steps counted from 0; `Shuffled` and `Windows` are such functions.
        optimizer: over the model's parameters; `headway.training.optimizer.adamw` makes one.
        schedule: steps taken → factor of the learning rate, as in `headway.training.schedule`.
        clip: the largest L2 norm a gradient may have; longer ones are shortened to it.
        accumulate: in how many parts a batch is worked off, to save memory; it changes neither
            the loss nor the gradient.
        callbacks: called with the trainer after every step, in this order. The `start` and the
            `finish` of one that has them are called so when `train` begins and when it ends.
        mixed_precision: compute in bfloat16 where the GPU can (`torch.autocast`).
        compiled: let `torch.compile` fuse the model and its loss. The first step then takes as long
            as hundreds: a CPU wins it back in long runs only.

    Mixed precision is left out without a GPU, and compiling without a C++ compiler, each with a
    notice, so that the same notebook runs everywhere.

    Attributes:
        step: the number of steps taken.
        history: a `Record` of every step.
        held_out: (step, loss) of every validation.
        stopped: why training ended early, or None.

    Raises:
        TypeError: if `batches` is no function of the step, but a list or a `DataLoader`.
        ValueError: if `clip` or `accumulate` makes no sense.
    """

    def __init__(
        self,
        model: nn.Module,
        loss: Loss,
        batches: Callable[[int], Batch],
        optimizer: torch.optim.Optimizer,
        schedule: Callable[[int], float] | None = None,
        *,
        clip: float | None = None,
        accumulate: int = 1,
        callbacks: Sequence[Callable[["Trainer"], Any]] = (),
        mixed_precision: bool = False,
        compiled: bool = False,
    ):
        if accumulate < 1 or (clip is not None and clip <= 0):
            raise ValueError(
                f"accumulate must be at least 1 and clip above 0, got {accumulate=}, {clip=}"
            )
        if not callable(batches):
            raise TypeError(
                f"batches must be a function step → batch, got {type(batches).__name__}; "
                "headway.training.batches.Shuffled makes one of tensors, Windows of a text"
            )
        self.model, self.loss, self.batches, self.optimizer = model, loss, batches, optimizer
        self.schedule = LambdaLR(optimizer, schedule) if schedule else None
        self.clip, self.accumulate, self.callbacks = clip, accumulate, list(callbacks)
        self.device = next(model.parameters()).device
        on_gpu = self.device.type == "cuda"
        if mixed_precision and not on_gpu:
            print("No GPU: training in full precision.")
        elif mixed_precision and not torch.cuda.is_bf16_supported(including_emulation=False):
            print("This GPU has no bfloat16 of its own: training in full precision.")
            mixed_precision = False
        if compiled and (missing := missing_for_compiling(self.device)):
            print(f"Training without torch.compile, which needs {missing}.")
        elif compiled:
            self.loss = torch.compile(loss)
        self.max_pending = MAX_PENDING if on_gpu else 1
        self.mixed_precision = mixed_precision and on_gpu
        self.step = 0
        self.held_out: list[tuple[int, float]] = []
        self.stopped: str | None = None
        self._history: list[Record] = []
        self._pending: list[tuple] = []  # records whose loss and norm are still on the device

    def train(self, until: int, progress: bool = True) -> None:
        """Take steps until `until` of them have been taken in all, or a callback stops.

        Ctrl-C ends training after the current step; calling `train` again goes on from there. A
        run that a callback has stopped stays stopped until `stopped` is set to None.

        Args:
            until: the total number of steps, those before this call included.
            progress: show a bar, on stdout.

        Raises:
            FloatingPointError: if a loss or gradient is not finite; the message names the step.
            KeyboardInterrupt: after Ctrl-C, when the step is finished.
        """
        self.model.train()
        notify(self.callbacks, "start", self)
        self._began = time.perf_counter() - (self.history[-1].seconds if self.history else 0.0)
        with held_interrupt() as interrupted, Bar(self.step, until, progress) as bar:
            while self.step < until and self.stopped is None and not interrupted.is_set():
                self.take_step()
                for callback in self.callbacks:
                    callback(self)
                if bar.update():
                    bar.show_loss(self.history[-1].loss)
            if self.history:
                bar.show_loss(self.history[-1].loss)
        notify(self.callbacks, "finish", self)
        if self.stopped is not None:
            print(f"Stopped after step {self.step}: {self.stopped}")
        if interrupted.is_set():
            raise KeyboardInterrupt(f"stopped after step {self.step}; `train` goes on from there")

    def take_step(self) -> None:
        """One update of the weights."""
        loss = self.compute_gradients(self.batches(self.step))
        gradients = [p.grad for p in self.parameters() if p.grad is not None]
        norm = get_total_norm(gradients)
        rate = self.optimizer.param_groups[0]["lr"]
        seconds = time.perf_counter() - self._began
        self._pending.append((self.step + 1, loss, float(rate), norm, seconds))
        if len(self._pending) >= self.max_pending:
            self.flush_pending()
        if self.clip is not None:
            clip_grads_with_norm_(self.parameters(), self.clip, norm)
        self.optimizer.step()
        if self.schedule:
            self.schedule.step()
        self.step += 1

    def compute_gradients(self, batch: Batch) -> Tensor:
        """Leave ∇ total / count of a batch in the parameters, and return total / count ()."""
        self.optimizer.zero_grad()
        parts = split(move(batch, self.device), self.accumulate)
        total, count = torch.zeros((), device=self.device), 0
        for part in parts:
            with self.precision():
                part_total, part_count = self.total_loss(part)
            if len(parts) == 1:
                mean = part_total / at_least_one(part_count)
                mean.backward()
                return mean.detach()
            part_total.backward()
            total = total + part_total.detach()  # in float64 where the model computes so
            count = count + part_count
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad /= at_least_one(count)
        return total / at_least_one(count)

    def total_loss(self, batch: Batch) -> tuple[Tensor, Tensor | int]:
        """The total () and the count that the loss gives for a batch."""
        total, count = total_and_count(self.loss(self.model, batch))
        if count is None and self.accumulate > 1:
            raise TypeError(
                "accumulation needs a loss that returns its total and the count it sums over, got "
                "a mean. Means of parts with different counts do not add up to the batch's mean; "
                "headway.training.loss.summed_cross_entropy gives both."
            )
        return total, 1 if count is None else count

    def precision(self) -> contextlib.AbstractContextManager:
        """The context in which the model computes: bfloat16 in mixed precision, else its own."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.mixed_precision)

    def stop(self, reason: str) -> None:
        """End training after this step; for callbacks."""
        self.stopped = reason

    @property
    def history(self) -> list[Record]:
        """A record of every step; to read it waits for the GPU."""
        self.flush_pending()
        return self._history

    def flush_pending(self) -> None:
        """Read the numbers that still wait on the device, and raise if one is not finite."""
        pending, self._pending = self._pending, []
        if not pending:
            return
        numbers = torch.stack([torch.stack((loss, norm)) for _, loss, _, norm, _ in pending])
        for (step, _, rate, _, seconds), (loss, norm) in zip(
            pending, numbers.tolist(), strict=True
        ):
            if not (math.isfinite(loss) and math.isfinite(norm)):
                raise FloatingPointError(self.nonfinite_message(step, loss, rate, norm))
            self._history.append(Record(step, loss, rate, norm, seconds))

    def nonfinite_message(self, step: int, loss: float, rate: float, norm: float) -> str:
        """What to say about a step whose loss or gradient is not finite."""
        before = f"{self._history[-1].loss:.4g} the step before" if self._history else "no step yet"
        weights = (
            "The weights are those before the step."
            if step == self.step + 1
            else f"Steps up to {self.step} were taken with it: go back to a checkpoint."
        )
        return (
            f"step {step}: the loss is {loss:.4g} and the norm of its gradient {norm:.4g}, at "
            f"learning rate {rate:.3g} (loss {before}). {weights} Usual causes: a learning rate "
            "too high or without warm-up, no clipping, the logarithm of 0, a division by 0, "
            "or a softmax over nothing but masked scores."
        )

    def restore(
        self,
        step: int,
        history: list[Record],
        held_out: list[tuple[int, float]],
        stopped: str | None,
    ) -> None:
        """Stand where another run stood; weights and optimizer are the caller's to load."""
        self.step, self._history, self._pending = step, history, []
        self.held_out, self.stopped = held_out, stopped

    def parameters(self) -> list[nn.Parameter]:
        """The parameters that the optimizer updates."""
        return [p for group in self.optimizer.param_groups for p in group["params"]]


def total_and_count(given: object) -> tuple[Tensor, Tensor | int | None]:
    """What a loss returned, as a total () and a count; the count of a mean is None.

    Raises:
        TypeError: if it is neither a tensor nor a pair.
        ShapeError: if it is not one number.
    """
    total, count = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if not isinstance(total, Tensor):
        raise TypeError(
            f"a loss returns its total and a count, or a mean, as tensors; got {given!r}. "
            "Is the return missing, or an .item() too many?"
        )
    if total.dim():
        raise ShapeError(
            f"a loss is one number of shape (), got {tuple(total.shape)}: "
            "is the sum over the batch missing?"
        )
    return total, count


def at_least_one(count: Tensor | int) -> Tensor | int:
    """A count to divide by: a batch of nothing but padding has the loss zero, not NaN."""
    return count.clamp(min=1) if isinstance(count, Tensor) else max(count, 1)
