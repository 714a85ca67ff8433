"""Build multi-head attention: a module that weights are loaded into."""

import math

import numpy as np
import torch

from headway.tasks.chapters.many_heads import wrong
from headway.tasks.chapters.many_heads.heads import draw, out_of_heads
from headway.tasks.chapters.many_heads.multi_head import MultiHead, changed
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe import forward
from headway.tasks.engine.task import Case, Task

LAYERS = ("query", "key", "value", "output")


def weights(rng: np.random.Generator, width: int, std: float = 0.5) -> dict[str, torch.Tensor]:
    """A weight and a bias for each of the four layers, by their names."""
    sizes = {"weight": (width, width), "bias": (width,)}
    return {
        f"{layer}.{name}": std * draw(rng, *size)
        for layer in LAYERS
        for name, size in sizes.items()
    }


def attention_cases(rng: np.random.Generator) -> list[Case]:
    def visible(*shape):
        """A mask that shows something to each query, and never everything."""
        shown = rng.random(shape) < 0.5
        order = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
        np.put_along_axis(shown, order[..., :1], True, axis=-1)
        np.put_along_axis(shown, order[..., 1:2], False, axis=-1)
        return torch.from_numpy(shown)

    x = draw(rng, 2, 5, 12)
    nowhere = visible(2, 4, 4)
    nowhere[0, 2] = False
    causal = torch.ones(5, 5, dtype=torch.bool).tril().expand(2, 5, 5).clone()
    return [
        Case("self-attention", (12, 3), weights(rng, 12), (x,), core=True),
        Case(
            "a memory of another length",
            (8, 2),
            weights(rng, 8),
            (draw(rng, 3, 2, 8), draw(rng, 3, 4, 8)),
            core=True,
        ),
        Case("a causal mask", (12, 3), weights(rng, 12), (x.clone(), None, causal)),
        Case(
            "masks that differ in the batch, as many sentences as heads",
            (12, 3),
            weights(rng, 12),
            (draw(rng, 3, 4, 12), None, visible(3, 4, 4)),
        ),
        Case(
            "a memory with a mask",
            (12, 4),
            weights(rng, 12),
            (draw(rng, 2, 3, 12), draw(rng, 2, 6, 12), visible(2, 3, 6)),
        ),
        Case(
            "a query that may look nowhere",
            (8, 4),
            weights(rng, 8),
            (draw(rng, 2, 4, 8), None, nowhere),
        ),
        Case("one head", (4, 1), weights(rng, 4), (draw(rng, 2, 3, 4),)),
        Case("a single token", (6, 2), weights(rng, 6), (draw(rng, 2, 1, 6),)),
        # Without weights: a width that is checked only when the module runs is checked too late.
        Case("a width that does not divide", (8, 3), {}, (draw(rng, 1, 3, 8),)),
    ]


attention = Task(
    id="09-many-heads/attention",
    title="Multi-head attention",
    kind="build",
    points=3,
    minutes=25,
    answer="MultiHead",
    probe=forward,
    cases=attention_cases,
    reference=MultiHead,
    misconceptions=(
        Misconception(
            "view-without-transpose",
            changed(split=wrong.split_by_view),
            "Right for a single token and for one head. Elsewhere a head of yours holds whole "
            "tokens in place of some columns of every token. What does cutting an axis in two do "
            "to the order of the numbers, and what would a transpose do?",
        ),
        Misconception(
            "merged-by-view",
            changed(finish=wrong.merge_by_view),
            "Right for a single token and for one head. Elsewhere a token of yours is put together "
            "from several tokens of one head. Which two axes must change places before heads and "
            "columns become one?",
        ),
        Misconception(
            "view-both-ways",
            changed(split=wrong.split_by_view, finish=wrong.merge_by_view),
            "Your way out undoes your way in, and yet a head of yours holds whole tokens in place "
            "of some columns of every token. May a causal mask let a later token through?",
        ),
        Misconception(
            "interleaved",
            changed(split=wrong.interleaved),
            "Your heads take turns in taking columns. Here the columns of a head stand next to "
            "each other, in the queries as in the last matrix. In which order do you cut a row?",
        ),
        Misconception(
            "scale-by-model-width",
            changed(look=wrong.scaled(lambda H, D: 1 / math.sqrt(H))),
            "Right for one head. With more, your softmax is too flat: you divide by the root of "
            "the width of the model. How many numbers does a score add up in one head?",
        ),
        Misconception(
            "scale-missing",
            changed(look=wrong.scaled(lambda H, D: math.sqrt(D))),
            "Your weights are too sharp: the scores are not scaled. What do they grow with?",
        ),
        Misconception(
            "scale-without-root",
            changed(look=wrong.scaled(lambda H, D: 1 / math.sqrt(D))),
            "Your softmax is too flat: you divide by the width of a head. Does a sum of so many "
            "numbers grow with their count or with its root?",
        ),
        Misconception(
            "output-forgotten",
            changed(finish=lambda self, mixed: out_of_heads(mixed)),
            "These are the heads side by side. Which matrix lets them be mixed?",
        ),
        Misconception(
            "output-per-head",
            changed(finish=wrong.output_per_head),
            "Each of your heads goes through a block of its own in the last matrix and fills only "
            "its own columns. Which columns of the output may a head write to?",
        ),
        Misconception(
            "heads-added",
            changed(finish=wrong.added_and_copied),
            "You add the heads to each other before the last matrix. Can it still treat them "
            "differently?",
        ),
        Misconception(
            "one-softmax-over-all-heads",
            changed(look=wrong.over_heads_too),
            "Right for one head. With more, the weights of all heads together add up to one. What "
            "should those of each head add up to?",
        ),
        Misconception(
            "softmax-over-heads",
            changed(look=wrong.over_heads),
            "Your heads compete for each token: the weights add up to one over the heads. Over "
            "what should they?",
        ),
        Misconception(
            "softmax-over-queries",
            changed(look=wrong.over_queries),
            "Your weights add up to one over the tokens that ask. Who shares out attention, the "
            "one that asks or the one that is asked?",
        ),
        Misconception(
            "softmax-over-queries-mask-first",
            changed(look=wrong.over_queries_that_see),
            "Your weights add up to one over the tokens that ask. Who shares out attention, the "
            "one that asks or the one that is asked?",
        ),
        Misconception(
            "heads-look-at-each-other",
            changed(split=wrong.unmoved, finish=wrong.merge_unmoved),
            "Inside each token, your heads look at each other. The last axis but one counts who "
            "looks and who is looked at: what stands there in your queries and keys?",
        ),
        Misconception(
            "heads-ignored",
            changed(split=wrong.uncut, finish=wrong.merge_uncut),
            "Right for one head. With more, your result does not depend on their number: each "
            "score runs over all columns. Over which columns does a score of one head run?",
        ),
        Misconception(
            "same-weights-in-all-heads",
            changed(look=wrong.first_for_all),
            "Right for one head. All of your heads look where the first one looks. What are the "
            "other queries and keys for?",
        ),
        Misconception(
            "weights-averaged",
            changed(look=wrong.mean_of_weights),
            "Right for one head. All of your heads use the mean of their weights. How many focuses "
            "does that leave?",
        ),
        Misconception(
            "input-split-among-heads",
            changed(project=wrong.input_cut),
            "Right for one head. Each of your heads sees only its own columns of the input. What "
            "is it that is cut: the token, or what the projection makes of the whole token?",
        ),
        Misconception(
            "mask-not-spread-over-heads",
            changed(spread=lambda self, mask: mask),
            "Right without a mask. With one, its first axis meets the heads, so sentence 1 masks "
            "head 1, or nothing fits. The scores have four axes: where is one missing in the mask?",
        ),
        Misconception(
            "mask-of-another-sentence",
            changed(spread=wrong.masks_in_turn),
            "Right where all sentences have the same mask. Elsewhere a head meets the mask of "
            "another sentence. In which order do the copies of your masks stand?",
        ),
        Misconception(
            "mask-ignored",
            changed(spread=lambda self, mask: None),
            "Right without a mask. With one, your result is the same as without. Where does it "
            "come in?",
        ),
        Misconception(
            "mask-inverted",
            changed(spread=lambda self, mask: None if mask is None else ~mask[:, None]),
            "With a mask you look exactly where it is forbidden. What does True mean in this book?",
        ),
        Misconception(
            "mask-after-softmax",
            changed(look=wrong.after_softmax),
            "With a mask your weights add up to less than one. Who gets what the hidden tokens "
            "leave behind?",
        ),
        Misconception(
            "zero-for-hidden",
            changed(look=wrong.zero_for_hidden),
            "Hidden tokens still get weight: their scores are 0. What is e to the power 0?",
        ),
        Misconception(
            "nan-where-nothing-is-visible",
            changed(look=wrong.nan),
            "All is right but for the query that may look nowhere: it is NaN. What is 0 divided "
            "by 0, and what should each head bring back there?",
        ),
        Misconception(
            "uniform-where-nothing-is-visible",
            changed(look=wrong.uniform),
            "All is right but for the query that may look nowhere: it gets the mean of everything. "
            "What should each head bring back there?",
        ),
        Misconception(
            "zeros-after-the-output",
            changed(forward=wrong.zeros_at_the_end),
            "All is right but for the query that may look nowhere: it gets zeros in the end. Zeros "
            "are what its heads bring back. What does the last layer make of them?",
        ),
        Misconception(
            "memory-ignored",
            changed(
                forward=lambda self, x, memory=None, mask=None: MultiHead.forward(
                    self, x, None, mask
                )
            ),
            "Your tokens look at each other even where there is a memory. Where do keys and values "
            "come from?",
        ),
        Misconception(
            "memory-asks",
            changed(
                forward=lambda self, x, memory=None, mask=None: MultiHead.forward(
                    self, x if memory is None else memory, None if memory is None else x, mask
                )
            ),
            "Your output has as many tokens as the memory. Who asks, and who is asked?",
        ),
        Misconception(
            "memory-looks-at-itself",
            changed(
                forward=lambda self, x, memory=None, mask=None: MultiHead.forward(
                    self, x if memory is None else memory, None, mask
                )
            ),
            "With a memory, queries, keys and values all come from it: your output has as many "
            "tokens as the memory. Who asks?",
        ),
        Misconception(
            "width-not-checked",
            changed(check=lambda self, width, heads: None),
            "All is right but for a width that does not divide. There your constructor is content, "
            "or raises another error. When is the mistake known, and which error was asked for?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
