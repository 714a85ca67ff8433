"""Build one step of beam search, and let the caches follow the beams."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def beam_step(scores, log_probabilities, keys, values):
    """tokens and scores (B, K) of the best continuations, and the caches of their parents."""
    parents, tokens, best = choose(scores, log_probabilities)
    rows = rows_of(parents)
    return tokens, best, keys[:, rows], values[:, rows]


def choose(scores, log_probabilities):
    """Which beam of its sentence each of the best K extends, by which token, to which score."""
    B, K, V = log_probabilities.shape
    best, places = (scores[:, :, None] + log_probabilities).reshape(B, K * V).topk(K, dim=1)
    return places // V, places % V, best


def rows_of(parents):
    """Rows of the batch, b·K + k, as int64 (B·K,)."""
    B, K = parents.shape
    return (torch.arange(B)[:, None] * K + parents).flatten()


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
        Case("two sentences", *draw(2, 3, 7, parents=[1, 2, 0]), core=True),
        Case("a beam with two children", *draw(2, 3, 6, parents=[2, 1, 2])),
        Case("all children of one beam", *draw(3, 2, 5, parents=[1, 1])),
        Case("beams that stay where they are", *draw(2, 3, 6, parents=[0, 1, 2])),
        Case("one beam", *draw(3, 1, 5)),
        Case("more layers than rows", *draw(1, 2, 4, L=4, parents=[1, 0])),
        Case("nothing held yet", *draw(2, 2, 5, S=0, parents=[1, 0])),
    ]


def _rows(change):
    """Other rows of the caches: change(rows, tokens, B, K)."""

    def step(scores, log_probabilities, keys, values):
        parents, tokens, best = choose(scores, log_probabilities)
        rows = change(parents, *parents.shape)
        return tokens, best, keys[:, rows], values[:, rows]

    return step


def _overwritten(scores, log_probabilities, keys, values):
    parents, tokens, best = choose(scores, log_probabilities)
    for cache in (keys, values):
        for row, parent in enumerate(rows_of(parents).tolist()):
            cache[:, row] = cache[:, parent]
    return tokens, best, keys, values


def _keys_only(scores, log_probabilities, keys, values):
    tokens, best, moved, _ = beam_step(scores, log_probabilities, keys, values)
    return tokens, best, moved, values


def _chosen(change):
    """Other scores to choose by: change(scores, log_probabilities), (B, K, V)."""

    def step(scores, log_probabilities, keys, values):
        summed = change(scores, log_probabilities)
        parents, tokens, best = choose(torch.zeros_like(scores), summed)
        rows = rows_of(parents)
        return tokens, best, keys[:, rows], values[:, rows]

    return step


def _by_the_last_token(then=lambda best, places: (best, places)):
    """Chooses by the token's own probability, and hands back the score of the whole."""

    def step(scores, log_probabilities, keys, values):
        K, V = log_probabilities.shape[1:]
        places = log_probabilities.flatten(1).topk(K).indices
        whole = (scores[:, :, None] + log_probabilities).flatten(1)
        best, places = then(whole.gather(1, places), places)
        rows = rows_of(places // V)
        return places % V, best, keys[:, rows], values[:, rows]

    return step


def _sorted(best, places):
    best, order = best.sort(1, descending=True)
    return best, places.gather(1, order)


def _best_of_each(scores, log_probabilities, keys, values):
    found, tokens = (scores[:, :, None] + log_probabilities).max(2)
    best, parents = found.sort(1, descending=True)
    rows = rows_of(parents)
    return tokens.gather(1, parents), best, keys[:, rows], values[:, rows]


def _over_all_sentences(scores, log_probabilities, keys, values):
    (B, K, V), n = log_probabilities.shape, scores.numel()
    best, places = (scores[:, :, None] + log_probabilities).flatten().topk(n)
    rows = places // V
    return (places % V).view(B, K), best.view(B, K), keys[:, rows], values[:, rows]


def _places(scores, log_probabilities, keys, values):
    """The place in the row of K·V candidates is taken for the token."""
    parents, tokens, best = choose(scores, log_probabilities)
    rows = rows_of(parents)
    return parents * log_probabilities.shape[2] + tokens, best, keys[:, rows], values[:, rows]


def _children_of(parents, B, K):
    """Each beam's cache is sent to where its child goes, which is the other direction."""
    return rows_of(parents.argsort(dim=1, stable=True))


def _to_the_parents_row(scores, log_probabilities, keys, values):
    """Row n of the cache is written where the parent of row n was: the last child stays."""
    parents, tokens, best = choose(scores, log_probabilities)
    caches = keys.clone(), values.clone()
    for row, parent in enumerate(rows_of(parents).tolist()):
        caches[0][:, parent], caches[1][:, parent] = keys[:, row], values[:, row]
    return tokens, best, *caches


beams_task = Task(
    id="15-kv-cache/beams",
    title="Caches that follow their beams",
    kind="build",
    points=2,
    minutes=15,
    answer="beam_step",
    cases=beams_cases,
    reference=beam_step,
    misconceptions=(
        Misconception(
            "cache-not-reordered",
            _rows(lambda parents, B, K: torch.arange(B * K)),
            "Right where beams stay in their places. Otherwise a beam goes on with the keys of "
            "another one. Which beginning has each of the chosen tokens?",
        ),
        Misconception(
            "values-not-reordered",
            _keys_only,
            "The keys have moved and the values have not. What is mixed then?",
        ),
        Misconception(
            "rows-of-the-first-sentence",
            _rows(lambda parents, B, K: parents.flatten()),
            "Right for one sentence. In a batch all of them go on with the rows of the first. "
            "Where do the rows of sentence b begin?",
        ),
        Misconception(
            "overwritten-while-copying",
            _overwritten,
            "Some rows are copies of rows that had been overwritten by then. What if beam 0 takes "
            "the place of beam 1, and beam 1 that of beam 0?",
        ),
        Misconception(
            "moved-the-other-way",
            _rows(_children_of),
            "Each cache goes to where its beam went by a permutation read backwards. Does a new "
            "row ask where it comes from, or where it goes?",
        ),
        Misconception(
            "written-to-the-parents-row",
            _to_the_parents_row,
            "You write what stands in a beam's row into the row of its parent. Which of these two "
            "rows is the one to read, and which the one to write?",
        ),
        Misconception(
            "best-child-of-each-beam",
            _best_of_each,
            "Each beam gets one child. May a beam have two, and another none?",
        ),
        Misconception(
            "beginnings-not-scored",
            _chosen(lambda scores, log_p: log_p),
            "You choose by the last token alone. What is the probability of the whole?",
        ),
        Misconception(
            "chosen-by-the-last-token",
            _by_the_last_token(),
            "Your scores are sums, and you choose by the last token alone. Which of two texts is "
            "the likelier one?",
        ),
        Misconception(
            "sorted-by-the-sum-too-late",
            _by_the_last_token(_sorted),
            "You choose by the last token alone, and then sort what you chose by the sums. Which "
            "continuations never came so far?",
        ),
        Misconception(
            "scores-multiplied",
            _chosen(lambda scores, log_p: scores[:, :, None] * log_p),
            "You multiply the scores, which are logarithms. What do logarithms of factors do?",
        ),
        Misconception(
            "sentences-compete",
            _over_all_sentences,
            "Right for one sentence. In a batch the best rows of all sentences fill the places. "
            "Among which candidates does a sentence choose?",
        ),
        Misconception(
            "place-taken-for-token",
            _places,
            "Your tokens run beyond the vocabulary. A place among all candidates says two things: "
            "which beam, and which token. How do you part them?",
        ),
    ),
    compare=CLOSE,
)
