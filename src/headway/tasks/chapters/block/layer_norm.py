"""Build: the layer norm of tokens, with gain and shift."""

import numpy as np
import torch

from headway.tasks.chapters.block.mistakes import (
    ANOTHER_SPREAD,
    GAIN_AND_SHIFT_MISUSED,
    NOT_CENTERED,
    UNBIASED_VARIANCE,
    WRONG_NUMBERS_TOGETHER,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def draw(rng: np.random.Generator, *shape: int, std: float = 1.0) -> torch.Tensor:
    """Gaussian numbers as a tensor of 32-bit floats."""
    return torch.from_numpy(rng.normal(size=shape) * std).float()


def layer_norm(x, gain, shift, eps=1e-5):
    """Each token's C numbers moved to mean 0 and variance 1, then to gain and shift."""
    centered = x - x.mean(dim=-1, keepdim=True)
    variance = centered.square().mean(dim=-1, keepdim=True)
    return centered / (variance + eps).sqrt() * gain + shift


def cases(rng: np.random.Generator) -> list[Case]:
    def inputs(*shape, std=1.0, mean=1.0):
        C = shape[-1]
        return mean + draw(rng, *shape, std=std), 1 + draw(rng, C, std=0.5), draw(rng, C)

    equal = inputs(2, 3, 4)
    equal[0][1, 2] = 3.0
    return [
        Case("two texts of five tokens", *inputs(2, 5, 6, std=2.0), core=True),
        Case("all sizes equal", *inputs(4, 4, 4), path="other shapes"),
        Case("one token, without a batch", *inputs(7), path="other shapes"),
        Case("batch and heads", *inputs(2, 3, 4, 5), path="other shapes"),
        Case("a token whose numbers are all equal", *equal),
        Case("tokens whose numbers are nearly equal", *inputs(2, 3, 6, std=2e-3)),
        Case("another eps", *inputs(2, 3, 5), 0.5),
        Case("tokens far from zero", *inputs(2, 3, 8, mean=1000.0)),
        Case("tokens of one number", *inputs(3, 2, 1)),
    ]


CENTERED = "x - x.mean(dim=-1, keepdim=True)"
VARIANCE = "centered.square().mean(dim=-1, keepdim=True)"
DIVIDED = "centered / (variance + eps).sqrt()"
SPREAD = "(variance + eps).sqrt()"

_one_shape_only = changed(layer_norm, CENTERED, "x - x.mean(dim=2, keepdim=True)")


def over(axes: str):
    """Mean and variance over other axes, both or one of them."""
    mean, variance = f"x - x.mean({axes})", f"centered.square().mean({axes})"
    return any_of(
        changed(*changed(layer_norm, CENTERED, mean), VARIANCE, variance),
        changed(layer_norm, CENTERED, mean),
        changed(layer_norm, VARIANCE, variance),
    )


def root_mean_square(x, gain, shift, eps=1e-5):
    """An RMS norm as new, torch's, which has another eps and no gain yet."""
    return torch.nn.RMSNorm(x.shape[-1])(x).detach()


layer_norm_task = Task(
    id="10-block/layer-norm",
    title="Layer norm",
    kind="build",
    points=2,
    minutes=8,
    answer="layer_norm",
    cases=cases,
    reference=layer_norm,
    misconceptions=(
        UNBIASED_VARIANCE.by(
            changed(layer_norm, VARIANCE, "x.var(dim=-1, keepdim=True)"),
            changed(layer_norm, SPREAD, "(x.std(dim=-1, keepdim=True) + eps)"),
            changed(layer_norm, SPREAD, "x.std(dim=-1, keepdim=True)"),
        ),
        Misconception(
            "eps-misused",
            any_of(
                any_of(
                    changed(
                        layer_norm,
                        SPREAD,
                        "(variance.sqrt() + eps)",
                        "variance.sqrt().clamp(min=eps)",
                        "(variance + eps**2).sqrt()",
                    ),
                    changed(layer_norm, "(variance + eps)", "variance.clamp(min=eps)"),
                ),
                changed(layer_norm, "(variance + eps)", "variance"),
                changed(layer_norm, "variance + eps", "variance + 1e-5"),
            ),
            "Where the numbers of a token are nearly equal, eps decides, and yours is missing, is "
            "added elsewhere, or is another number. What is it added to?",
        ),
        WRONG_NUMBERS_TOGETHER.by(
            *map(over, ("dim=0, keepdim=True", "dim=-2, keepdim=True", "")),
            over("dim=(0, -1), keepdim=True"),
            over("dim=(-2, -1), keepdim=True"),
            changed(*_one_shape_only, VARIANCE, "centered.square().mean(dim=2, keepdim=True)"),
            lambda x, gain, shift, eps=1e-5: x / x.square().mean().sqrt(),
        ),
        NOT_CENTERED.by(
            changed(layer_norm, CENTERED, "x"),
            changed(layer_norm, VARIANCE, "x.square().mean(dim=-1, keepdim=True)"),
            changed(layer_norm, DIVIDED, f"x / {SPREAD}"),
            root_mean_square,
        ),
        ANOTHER_SPREAD.by(
            changed(layer_norm, SPREAD, "(variance + eps)"),
            changed(layer_norm, DIVIDED, "centered"),
            any_of(
                changed(layer_norm, VARIANCE, "centered.square().sum(dim=-1, keepdim=True)"),
                changed(
                    layer_norm,
                    SPREAD,
                    "(centered.abs().mean(dim=-1, keepdim=True) + eps)",
                    "(x.amax(dim=-1, keepdim=True) - x.amin(dim=-1, keepdim=True) + eps)",
                ),
                changed(layer_norm, DIVIDED, "centered.softmax(dim=-1)"),
            ),
        ),
        GAIN_AND_SHIFT_MISUSED.by(
            changed(layer_norm, f"{DIVIDED} * gain + shift", DIVIDED),
            changed(layer_norm, " * gain", ""),
            changed(layer_norm, " + shift", ""),
            changed(layer_norm, "* gain + shift", "* shift + gain"),
            changed(layer_norm, f"{DIVIDED} * gain + shift", f"({DIVIDED} + shift) * gain"),
            lambda x, gain, shift, eps=1e-5: layer_norm(x * gain + shift, 1.0, 0.0, eps),
            lambda x, gain, shift, eps=1e-5: layer_norm(x * gain, 1.0, shift, eps),
            lambda x, gain, shift, eps=1e-5: layer_norm(x, 1.0, 0.0),
        ),
        Misconception(
            "difference-of-large-numbers",
            changed(
                layer_norm,
                VARIANCE,
                "(x.square().mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).square())",
                "(x.square().mean(dim=-1, keepdim=True)"
                " - x.mean(dim=-1, keepdim=True).square()).clamp(min=0)",
            ),
            "This is right near zero. Far from it you subtract one large number from another: how "
            "many of a float's digits are left?",
        ),
        Misconception(
            "axis-dropped",
            any_of(
                changed(layer_norm, VARIANCE, "centered.square().mean(dim=-1)"),
                changed(layer_norm, CENTERED, "x - x.mean(dim=-1)"),
                changed(
                    *changed(layer_norm, CENTERED, "x - x.mean(dim=-1)"),
                    VARIANCE,
                    "centered.square().mean(dim=-1)",
                ),
            ),
            "Your mean or your variance has an axis less than the tokens, and meets the wrong ones "
            "or none. Which shape does it need to meet its own token?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
