"""Build one step of beam search, and let the caches follow the beams."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor
from headway.tasks.chapters.kv_cache.mistakes import (
    KEYS_AND_VALUES_SWAPPED,
    RESULTS_IN_ANOTHER_ORDER,
    TEXTS_MIXED_UP,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def beam_step(scores, log_probabilities, keys, values):
    """tokens and scores (B, K) of the best continuations, and the caches of their parents."""
    B, K, V = log_probabilities.shape
    summed = (scores[:, :, None] + log_probabilities).flatten(1)  # (B, K·V)
    best, places = summed.topk(K)
    parents, tokens = places // V, places % V
    rows = (torch.arange(B)[:, None] * K + parents).flatten()
    return tokens, best, keys[:, rows], values[:, rows]


def beams_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, K, V, L=2, H=1, S=3, D=2, parents=None):
        """`parents` are the beams that the best continuations of every sentence extend.

        Beams lie so far apart that a token's own probability says little. One more continuation,
        of the worst beam, has a likely token and is as a whole not likely enough.
        """
        parents = parents or [0] * K
        scores = np.stack([-2.0 * rng.permutation(K) - 1 for _ in range(B)])
        log_p = -rng.permutation(B * K * V).reshape(B, K, V) / (B * K * V) - 9
        for b in range(B):
            taken = set()
            for rank, parent in enumerate([*parents, int(scores[b].argmin())]):
                free = [v for v in range(V) if (parent, v) not in taken]
                token = int(rng.choice(free))
                taken.add((parent, token))
                log_p[b, parent, token] = -7.0 - 0.37 * rank - scores[b, parent]
        caches = (draw_tensor(rng, L, B * K, H, S, D) for _ in "kv")
        return torch.from_numpy(scores).float(), torch.from_numpy(log_p).float(), *caches

    return [
        Case("one sentence, beams change places", *draw(1, 3, 9, parents=[2, 0, 1]), core=True),
        Case(
            "two sentences, beams with two children",
            *draw(2, 3, 6, parents=[2, 1, 2]),
            core=True,
        ),
        Case("two sentences, a child for each beam", *draw(2, 3, 7, parents=[1, 2, 0])),
        Case("all children of one beam", *draw(3, 2, 5, parents=[1, 1])),
        Case("beams that stay where they are", *draw(2, 3, 6, parents=[0, 1, 2])),
        Case("one beam", *draw(3, 1, 5)),
        Case("more layers than rows", *draw(1, 2, 4, L=4, parents=[1, 0])),
        Case("nothing held yet", *draw(2, 2, 5, S=0, parents=[1, 0])),
    ]


SUMMED = "scores[:, :, None] + log_probabilities"
CHOSEN = "best, places = summed.topk(K)"
ROWS = "(torch.arange(B)[:, None] * K + parents).flatten()"
MOVED = "return tokens, best, keys[:, rows], values[:, rows]"

overwritten = changed(
    beam_step,
    MOVED,
    """
    for cache in (keys, values):
        for row, parent in enumerate(rows):
            cache[:, row] = cache[:, parent]
    return tokens, best, keys, values""",
)
written_to_the_parents_row = changed(
    beam_step,
    MOVED,
    """
    old_keys, old_values, keys, values = keys, values, keys.clone(), values.clone()
    for row, parent in enumerate(rows):
        keys[:, parent], values[:, parent] = old_keys[:, row], old_values[:, row]
    return tokens, best, keys, values""",
)
best_child_of_each = changed(
    beam_step,
    CHOSEN,
    """
    best, children = summed.view(B, K, V).max(2)
    best, order = best.sort(1, descending=True)
    places = order * V + children.gather(1, order)""",
    """
    best, children = summed.view(B, K, V).max(2)
    places = torch.arange(K) * V + children""",
)
children_of_the_best = changed(
    beam_step,
    CHOSEN,
    """
    parent = scores.argmax(1, keepdim=True)
    best, children = summed.view(B, K, V)[torch.arange(B), parent[:, 0]].topk(K)
    places = parent * V + children""",
)
chosen_by_the_last_token = changed(
    beam_step,
    CHOSEN,
    """
    places = log_probabilities.flatten(1).topk(K).indices
    best = summed.gather(1, places)""",
    """
    places = log_probabilities.flatten(1).topk(K).indices
    best, order = summed.gather(1, places).sort(1, descending=True)
    places = places.gather(1, order)""",
)
(sentences_together,) = changed(
    beam_step, CHOSEN, "best, places = (part.view(B, K) for part in summed.flatten().topk(B * K))"
)

beams_task = Task(
    id="15-kv-cache/beams",
    title="Caches that follow their beams",
    kind="build",
    points=2,
    minutes=22,
    answer="beam_step",
    cases=beams_cases,
    reference=beam_step,
    misconceptions=(
        Misconception(
            "caches-of-other-beams",
            any_of(
                changed(beam_step, ROWS, "torch.arange(B * K)"),
                changed(beam_step, "values[:, rows]", "values"),
                changed(beam_step, "keys[:, rows]", "keys"),
                overwritten,
                written_to_the_parents_row,
                changed(beam_step, "+ parents", "+ parents.argsort(dim=1, stable=True)"),
            ),
            "Some beams go on with keys or values of another beam than their parent. If beams 0 "
            "and 1 change places, which rows of the cache should come out, and which do?",
        ),
        TEXTS_MIXED_UP.by(
            changed(beam_step, ROWS, "parents.flatten()"),
            changed(sentences_together, ROWS, "parents.flatten()"),  # and they compete
        ),
        Misconception(
            "likelier-texts-lost",
            any_of(
                best_child_of_each,
                children_of_the_best,
                changed(beam_step, SUMMED, "log_probabilities"),
                chosen_by_the_last_token,
                changed(
                    beam_step,
                    "summed.topk(K)",
                    "summed.topk(K, largest=False)",
                    "(part[:, :K] for part in summed.sort(1))",
                ),
            ),
            "The continuations that you keep are not the likeliest ones of their sentence. Among "
            "which ones does it choose, and by which score?",
        ),
        Misconception(
            "scores-not-summed",
            any_of(
                changed(beam_step, SUMMED, "scores[:, :, None] * log_probabilities"),
                changed(
                    beam_step,
                    "tokens, best",
                    "tokens, log_probabilities.flatten(1).gather(1, places)",
                    "tokens, scores.gather(1, parents)",
                    "tokens, best.exp()",
                ),
            ),
            "The scores that you hand back are not the sums that they should be. What is the "
            "score of a text that has become one token longer?",
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(beam_step, "return tokens, best", "return best, tokens")
        ),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(beam_step, MOVED, "return tokens, best, values[:, rows], keys[:, rows]")
        ),
        Misconception(
            "place-misread",
            any_of(
                changed(beam_step, "V, places % V", "V, places"),
                changed(
                    beam_step,
                    "places // V, places % V",
                    "places % K, places // K",
                    "places // K, places % K",
                    "places % V % K, places // V",
                    "places // V, places // V",
                    "places // V, places % K",
                    "places % K, places % V",
                ),
            ),
            "Your tokens or parents are not those of the continuations that you chose. In which "
            "order do all the candidates of a sentence lie in its row?",
        ),
    ),
    compare=CLOSE,
)
