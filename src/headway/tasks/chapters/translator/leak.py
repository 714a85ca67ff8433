"""Debug: a decoder that sees its own answer."""

import numpy as np
import torch

from headway.nn.attention import attend
from headway.tasks.chapters.translator.drawn import draw_tensor, seen
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def given_decoder(target, memory, memory_mask, embedding, start):
    """The faulty function that the notebook hands out."""
    return decoder(target, memory, memory_mask, embedding, start, lambda T: ones(T).tril(1))


def forced_logits(target, memory, memory_mask, embedding, start):
    """The same with the diagonal as the last one that is seen."""
    return decoder(target, memory, memory_mask, embedding, start)


def ones(T, S=None):
    return torch.ones(T, S or T).bool()


def shifted(target, start, by=1):
    read = target.roll(by, dims=1)
    read[:, :by] = start
    return read


def decoder(
    target,
    memory,
    memory_mask,
    embedding,
    start,
    mask=lambda T: ones(T).tril(),
    shift=shifted,
    cross_mask=lambda mask, T: mask[:, None, :],
):
    """Logits (B, T, V) of a decoder without weights: embeddings, two attentions, scores."""
    x = embedding[shift(target, start)]
    T = x.shape[1]
    x = x + attend(x, x, x, mask(T))[0]
    x = x + attend(x, memory, memory, cross_mask(memory_mask, T))[0]
    return x @ embedding.T


def leak_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, V=7, C=4):
        B = len(lengths)
        target = torch.from_numpy(rng.integers(1, V, (B, T)))
        target[:, :2] = torch.from_numpy(
            np.array([rng.permutation(V - 1)[:2] + 1 for _ in range(B)])
        )[:, :T]
        memory, mask = draw_tensor(rng, B, S, C), seen(*lengths, width=S)
        return target, memory, mask, draw_tensor(rng, V, C), 0

    return [
        Case("one sentence", *draw(5, [4], 4), core=True),
        Case("a batch with padded sources", *draw(4, [2, 5, 3], 5), core=True),
        Case("a target longer than the source", *draw(6, [2, 1], 2)),
        Case("a target as long as the source", *draw(4, [4, 2], 4)),
        Case("two words", *draw(2, [3], 3)),
        Case("one word", *draw(1, [3, 2], 3)),
    ]


def _decoder(**changes):
    return lambda *args: decoder(*args, **changes)


def _no_shift(target, start):
    return target


def _copied_rest(target, start):
    """Only the first token overwritten: the others still stand at their own places."""
    read = target.clone()
    read[:, 0] = start
    return read


leak = Task(
    id="13-translator/leak",
    title="Repair a decoder that sees its own answer",
    kind="debug",
    points=2,
    minutes=10,
    answer="forced_logits",
    cases=leak_cases,
    reference=forced_logits,
    given=given_decoder,
    misconceptions=(
        Misconception(
            "own-position-hidden",
            _decoder(mask=lambda T: ones(T).tril(-1)),
            "No answer is seen any more, and neither is the word just before it. What is read has "
            "been shifted already: may a position look at itself?",
        ),
        Misconception(
            "shift-taken-out",
            _decoder(shift=_no_shift),
            "The mask is right now, and the shift is gone: at each position the decoder reads the "
            "word that it has to say. Were both wrong?",
        ),
        Misconception(
            "shift-taken-out-and-mask-strict",
            _decoder(shift=_no_shift, mask=lambda T: ones(T).tril(-1)),
            "No position attends to its own answer now, but the answer's embedding is what each "
            "position starts from: it goes around the attention. What should be read there?",
        ),
        Misconception(
            "shifted-twice",
            _decoder(
                mask=lambda T: ones(T).tril(1),
                shift=lambda target, start: shifted(target, start, 2),
            ),
            "No answer is seen any more, because what is read was moved one place further. Each "
            "position now starts from the word before the last. Which of the two lines was right?",
        ),
        Misconception(
            "start-without-shift",
            _decoder(shift=_copied_rest),
            "The first position reads the start symbol, and all others read the word they have to "
            "say. What did the roll do for them?",
        ),
        Misconception(
            "nothing-hidden",
            _decoder(mask=lambda T: ones(T)),
            "Now all of the answers are seen. What is a causal mask for?",
        ),
        Misconception(
            "looks-ahead",
            _decoder(mask=lambda T: ones(T).triu()),
            "Each position sees what comes after it and not what came before. Which triangle is "
            "the past, if rows are queries?",
        ),
        Misconception(
            "itself-alone",
            _decoder(mask=lambda T: torch.eye(T).bool()),
            "No answer is seen any more, and of what came before only one token. May a position "
            "look further back?",
        ),
        Misconception(
            "causal-mask-on-the-memory",
            _decoder(cross_mask=lambda mask, T: mask[:, None, :] & ones(T, mask.shape[1]).tril()),
            "The decoder's own attention is right. Now part of the source is hidden, too. Does the "
            "source contain the answer?",
        ),
        Misconception(
            "source-padding-visible",
            _decoder(cross_mask=lambda mask, T: None),
            "The decoder's own attention is right. Now the padding of the source is looked at. Was "
            "that line at fault?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
