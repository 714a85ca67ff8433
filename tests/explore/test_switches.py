"""Parts switched off: the model without them, and afterwards the model as it was."""

import copy

import pytest
import torch

from headway.explore.answers import Answers
from headway.explore.reading import Reading
from headway.explore.switches import is_part, switched_off
from tests.explore.models import OTHERS, TEXT, pair
from tests.models.folders import HEADS, LAYERS, V
from tests.models.weights import random_ids

close = {"atol": 1e-5, "rtol": 1e-5}
IDS = random_ids(V, 1, 9)[0].tolist()
OFF = [
    ["0.h1"],
    ["1.h0", "1.h2", "1.h5"],
    ["0.attention"],
    ["1.feed-forward"],
    ["0"],
    ["0.h3", "1.attention", "1.feed-forward"],
    ["0", "0.h3", "0.attention"],
    ["0", "1"],
]
each_model = pytest.mark.parametrize("name", ["llama-3", "qwen-2", "gpt-2", *OTHERS])
each_off = pytest.mark.parametrize("off", OFF, ids=" ".join)


@torch.no_grad()
def without(model, off):
    """A copy whose weights are zeroed so that these parts add nothing."""
    twin = copy.deepcopy(model)
    for name in off:
        number, _, part = name.partition(".")
        block = twin.stack.blocks[int(number)]
        if part.startswith("h"):
            D, head = block.attention.head_width, int(part[1:])
            block.attention.output.weight[:, head * D : (head + 1) * D] = 0
        elif part:
            of = block.attention.output if part == "attention" else block.feed_forward.contract
            for weight in of.parameters():
                weight.zero_()
    gone = {int(name) for name in off if name.isdigit()}
    kept = [block for i, block in enumerate(twin.stack.blocks) if i not in gone]
    twin.stack.blocks = torch.nn.ModuleList(kept)
    return twin


@each_model
@each_off
def test_the_model_reads_as_one_whose_weights_are_zeroed(name, off):
    model = pair(name)[1].model
    before = Reading(model, IDS)
    reading, expected = Reading(model, IDS, off), Reading(without(model, off), IDS)
    torch.testing.assert_close(reading.logits(-1, range(9)), expected.logits(-1, range(9)), **close)
    assert not torch.allclose(reading.logits(-1, range(9)), before.logits(-1, range(9)), atol=0.01)
    assert Reading(model, IDS).logits(-1, range(9)).equal(before.logits(-1, range(9)))


@each_model
@each_off
def test_the_cache_writes_what_is_left_of_it(name, off):
    subject = pair(name)[1]
    asked = {"ask": "draw", "text": TEXT, "drawn": [], "off": off, "seed": 0, "count": 8}
    drawn = Answers(subject).answer(asked | {"temperature": 0})["ids"]
    ids, twin = subject.encode(TEXT), without(subject.model, off)
    for token in drawn:
        assert Reading(twin, ids).logits(-1, [-1]).argmax().item() == token
        ids.append(token)


def test_a_block_that_is_off_passes_the_stream_on_and_its_weights_can_still_be_seen():
    model = pair("gpt-2")[1].model
    reading = Reading(model, IDS, ["0"])
    assert reading.streams[0].equal(reading.streams[1])
    assert not reading.streams[1].equal(reading.streams[2])
    torch.testing.assert_close(reading.weights(0), Reading(model, IDS).weights(0), **close)


def test_no_switch_is_left_after_an_error():
    model = pair("llama-3")[1].model

    def fail():
        with switched_off(model, ["0", "1.attention", "1.h0", "1.feed-forward"]):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    parts = list(model.modules())
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in parts)


def test_names_of_parts_are_those_that_the_model_has():
    sizes = pair("llama-3")[1].sizes
    last = f"{LAYERS - 1}.h{HEADS - 1}"
    assert all(is_part(name, sizes) for name in ("0", "1.attention", "0.feed-forward", last))
    wrong = (
        f"{LAYERS}",
        f"0.h{HEADS}",
        "-1",
        "0.",
        "0.h",
        "0.heads",
        "a",
        "",
        "0.h1 ",
        "00000",
        "٣",
    )
    assert not [name for name in wrong if is_part(name, sizes)]
