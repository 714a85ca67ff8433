"""The box "New in the code" of a page: what its lines say about shapes is what torch does."""

import math
import re

import pytest
import torch

IDIOM = re.compile(r"^- `([^`]+)`(?:, shape `(\([^`]+\))`)?: ", re.MULTILINE)
SIZES = {"B": 2, "T": 3, "S": 5, "V": 7, "H": 4, "G": 2, "D": 6, "C": 24}
PAGES = (
    "04-soft-lookup",
    "06-embeddings",
    "07-positions",
    "08-attention",
    "09-many-heads",
    "10-block",
    "11-language-model",
    "12-masked-model",
    "13-translator",
    "14-decoding",
    "15-kv-cache",
    "16-outlook",
    "18-experts",
    "19-cheaper",
)


def zeros(shape: str) -> torch.Tensor:
    return torch.zeros(eval(shape, {}, SIZES))


@pytest.fixture
def names():
    """What the lines use, under the names and with the shapes that their texts give."""
    scores = zeros("(B, T, S)").requires_grad_()
    return SIZES | {
        "math": math,
        "torch": torch,
        "nn": torch.nn,
        "h": zeros("(B, T, C)").requires_grad_().exp(),
        "functional": torch.nn.functional,
        "table": zeros("(V, C)"),
        "mixed": zeros("(B, V)"),
        "right": zeros("(B,)").long(),
        "scores": scores,
        "loss": scores.sum(),
        "query": zeros("(B, T, D)"),
        "key": zeros("(B, S, D)"),
        "mask": zeros("(B, T, S)").bool(),
        "x": zeros("(B, T, C)"),
        "heads": zeros("(B, H, T, D)"),
        "source": zeros("(B, S)").long(),
        "padding": 0,
        "model": torch.nn.Dropout(0.5),
        "keys": zeros("(B, G, T, D)"),
        "new": zeros("(B, G, 1, D)"),
        "probabilities": torch.full((SIZES["B"], SIZES["V"]), 1 / SIZES["V"]),
        "g": torch.Generator(),
        "text": zeros("(B * T,)").long(),
        "hidden": zeros("(B, T, C)"),
        "at": zeros("(B,)").long(),
        "order": torch.arange(SIZES["T"]).flip(0),
        "F": torch.nn.functional,
        "target": zeros("(B, T)").long(),
    }


@pytest.mark.parametrize("name", PAGES)
def test_the_lines_run_and_have_the_shapes_that_the_page_gives(root, name, names):
    page = (root / "book" / f"{name}.md").read_text(encoding="utf-8")
    box = page.split(":class: hw-idioms\n")[1].split(":::")[0]
    idioms = IDIOM.findall(box)
    assert len(idioms) == box.count("\n- ") in (1, 2)
    for code, shape in idioms:
        result = eval(code, names)
        if shape:
            assert tuple(result.shape) == eval(shape, {}, SIZES), code


def test_backward_and_eval_do_what_their_lines_say(names):
    eval("loss.backward()", names)
    assert names["scores"].grad.shape == names["scores"].shape
    eval("model.eval()", names)
    ones = torch.ones(100)
    assert torch.equal(names["model"](ones), ones)
