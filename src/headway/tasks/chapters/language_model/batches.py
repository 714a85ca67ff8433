"""Build: texts as one stream of tokens, cut into batches of pieces and what follows each token."""

from functools import partial

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from headway.tasks.chapters.language_model.mistakes import SHIFTED_WRONGLY, UNSHIFTED
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def batches(texts, length, size, end):
    """Pairs of inputs and targets (B, T), in the order of the stream; the last may be short."""
    stream = torch.tensor([token for text in texts for token in [*text, end]])
    pieces = max(len(stream) - 1, 0) // length
    inputs = stream[: pieces * length].view(pieces, length)
    targets = stream[1 : pieces * length + 1].view(pieces, length)
    firsts = range(0, pieces, size)
    return [(inputs[i : i + size].clone(), targets[i : i + size].clone()) for i in firsts]


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, end=0):
        """Texts whose tokens differ from their neighbors, and none of which is the end."""
        return [(1 + rng.permutation(sum(lengths) + 3))[:n].tolist() for n in lengths], end

    def ask(label, lengths, length, size, **options):
        texts, end = draw(*lengths)
        return Case(label, texts, length, size, end, **options)

    exact = "a stream that just fits"
    return [
        ask("three texts, two batches", [9, 6, 9], 4, 3, core=True),
        ask("full batches only", [8, 6, 9], 3, 2),
        ask("the last target is the last token", [7, 4], 4, 2, path=exact),
        ask("as many tokens as inputs", [6, 4], 4, 2, path=exact),
        ask("tokens left over", [11], 5, 4),
        ask("an empty text among others", [4, 0, 5], 3, 2),
        ask("pieces of one token", [3, 2], 1, 3, path=exact),
        ask("more rows than pieces", [9, 6], 3, 20),
        ask("a stream too short for a piece", [2], 5, 2, path="nothing to cut"),
        ask("no text at all", [], 1, 2, path="nothing to cut"),
    ]


STREAM = "[token for text in texts for token in [*text, end]]"
PIECES = "max(len(stream) - 1, 0) // length"
INPUTS = "stream[: pieces * length].view(pieces, length)"
TARGETS = "stream[1 : pieces * length + 1].view(pieces, length)"
CUT = "stream[: pieces * (length + 1)].view(pieces, length + 1)"
PLACES = "torch.arange(pieces)[:, None] + torch.arange(length)"
LONGER = "torch.cat([stream, torch.tensor([end])])"


def other(**becomes: str) -> AnyOf:
    """The right answer with something else in one variable or several."""
    wrong = AnyOf([batches])
    for name, text in becomes.items():
        wrong = changed(*wrong, f"{name} = {globals()[name.upper()]}", f"{name} = {text}")
    return wrong


def each_alone(texts, length, size, end, filled=False):
    """The pieces of every text by itself, in batches together; the last one filled up, perhaps."""
    rows = []
    for text in texts:
        stream = [*text, end]
        stream += [end] * (-(len(stream) - 1) % length) if filled else []
        for i in range(0, len(stream) - length, length):
            rows.append((stream[i : i + length], stream[i + 1 : i + length + 1]))
    parts = (rows[i : i + size] for i in range(0, len(rows), size))
    return [tuple(map(torch.tensor, zip(*part, strict=True))) for part in parts]


def padded(texts, length, size, end, longest=None, starts=True):
    """A row for each text, cut off if asked and filled up on the right, as on the page.

    Args:
        longest: of a piece's length, how many tokens of a text are kept; all if not given.
        starts: whether the end symbol stands before a text as well.
    """
    most = None if longest is None else longest(length)
    made = []
    for i in range(0, len(texts), size):
        rows = [torch.tensor([end] * starts + text[:most] + [end]) for text in texts[i : i + size]]
        ids = pad_sequence(rows, batch_first=True, padding_value=-1)
        made.append((ids[:, :-1].clamp(min=0), ids[:, 1:]))
    return made


batches_task = Task(
    id="11-language-model/batches",
    title="Batches from a stream",
    kind="build",
    points=2,
    minutes=15,
    answer="batches",
    cases=cases,
    reference=batches,
    misconceptions=(
        UNSHIFTED.by(changed(batches, TARGETS, "inputs")),
        SHIFTED_WRONGLY.by(
            other(inputs="stream[1 : pieces * length + 1].view(pieces, length)", targets=INPUTS),
            changed(batches, TARGETS, "stream.roll(1)[: pieces * length].view(pieces, length)"),
            changed(batches, TARGETS, "stream.roll(-2)[: pieces * length].view(pieces, length)"),
            other(
                pieces="max(len(stream) - 2, 0) // length",
                targets="stream[2 : pieces * length + 2].view(pieces, length)",
            ),
        ),
        Misconception(
            "target-lost-at-each-cut",
            any_of(
                changed(
                    batches,
                    TARGETS,
                    "inputs.roll(-1, 1)",
                    "inputs.roll(-1, 0)",
                    "torch.cat([inputs[:, 1:], torch.full((pieces, 1), end)], 1)",
                ),
                other(
                    pieces="len(stream) // (length + 1)",
                    inputs=f"{CUT}[:, :-1]",
                    targets=f"{CUT}[:, 1:]",
                ),
                other(inputs=f"{INPUTS}[:, :-1]", targets=f"{INPUTS}[:, 1:]"),
            ),
            "The token behind a cut is no target of yours, or your pieces are too short for it. "
            "Which token follows the last one of a piece in the stream?",
        ),
        Misconception(
            "pieces-overlap",
            other(
                pieces="max(len(stream) - length, 0)",
                inputs=f"stream[{PLACES}]",
                targets=f"stream[1 + {PLACES}]",
            ),
            "Your pieces overlap, so most tokens come several times. Where does the next piece "
            "begin, if every token is read once?",
        ),
        Misconception(
            "texts-not-parted",
            any_of(
                changed(batches, "[*text, end]", "text"),
                changed(batches, STREAM, f"{STREAM}[:-1]"),
                changed(batches, "[*text, end]", "[end, *text]"),
                changed(batches, "[*text, end]", "([*text, end] if text else [])"),
                changed(batches, "[*text, end]", "[end, *text, end]"),
            ),
            "In your stream an end symbol is missing, or is in another place. Where does the text "
            "ask for one?",
        ),
        Misconception(
            "texts-kept-apart",
            any_of(
                lambda texts, length, size, end: [
                    batch for text in texts for batch in batches([text], length, size, end)
                ],
                each_alone,
                partial(each_alone, filled=True),
                *(
                    partial(padded, longest=longest, starts=starts)
                    for longest in (None, lambda length: length - 1, lambda length: length)
                    for starts in (True, False)
                ),
            ),
            "You cut every text by itself, and lose what is left of each or fill it up. What is a "
            "stream?",
        ),
        Misconception(
            "another-order",
            any_of(
                other(
                    inputs="stream[: pieces * length].view(length, pieces).T",
                    targets="stream[1 : pieces * length + 1].view(length, pieces).T",
                ),
                changed(
                    *changed(
                        batches, "inputs[i : i + size]", "inputs[i // size :: -(-pieces // size)]"
                    ),
                    "targets[i : i + size]",
                    "targets[i // size :: -(-pieces // size)]",
                ),
            ),
            "Your pieces, or the tokens in them, are in another order than asked. Which token is "
            "to the right of a token, and which piece below a piece?",
        ),
        Misconception(
            "last-batch-lost",
            changed(batches, "range(0, pieces, size)", "range(0, pieces - size + 1, size)"),
            "Pieces that do not fill a batch are left over, and yours are gone. What does the "
            "text say of the last batch?",
        ),
        Misconception(
            "last-piece-off-by-one",
            any_of(
                other(
                    pieces="len(stream) // length",
                    targets=f"{LONGER}[1 : pieces * length + 1].view(pieces, length)",
                ),
                other(
                    pieces="len(stream) // length",
                    targets="stream.roll(-1)[: pieces * length].view(pieces, length)",
                ),
                changed(batches, PIECES, "len(stream) // length"),
                changed(
                    batches,
                    "pieces = max",
                    "extra = -(len(stream) - 1) % length; stream = torch.cat([stream, "
                    "torch.full((extra,), end)]) if len(stream) > 1 else stream; pieces = max",
                ),
            ),
            "At the end of the stream you take a piece of which not all tokens have a target, or "
            "fill one up. How many tokens do a piece and its targets need?",
        ),
    ),
    compare=equal(),
)
