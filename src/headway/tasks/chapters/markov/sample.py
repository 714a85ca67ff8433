"""Build the writer: sentences drawn step by step from a table of counts."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def first_above(row, u):
    """The first symbol whose share, with those of all before it, is greater than u."""
    reached = np.cumsum(row) / row.sum()
    return int(np.searchsorted(reached, u, side="right"))


def sample(counts, seed, count, longest):
    """`count` sentences from one generator; one number is drawn for each step."""
    rng = np.random.default_rng(seed)
    return [_walk(counts, rng.random, longest) for _ in range(count)]


def _walk(counts, random, longest, pick=first_above, start=None, end=None):
    """Draw a sentence; `start` is the symbol that stands before it, the boundary as a rule."""
    boundary = len(counts) - 1
    now, end = (boundary if start is None else start), (boundary if end is None else end)
    sentence = []
    while len(sentence) < longest:
        now = pick(counts[now], random())
        if now == end:
            break
        sentence.append(now)
    return sentence


def sample_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size, end=2):
        counts = rng.integers(1, 6, (size + 1, size + 1)) * rng.integers(0, 2, (size + 1, size + 1))
        counts[np.arange(size + 1), rng.permutation(size + 1)] += 1
        counts[:, 0] += 1
        counts[0, 1:3] += 2
        counts[:, -1] = end
        return counts

    def seed():
        return int(rng.integers(1, 10_000))

    ring = np.zeros((4, 4), dtype=int)
    ring[[3, 0, 1, 2], [0, 1, 2, 0]] = rng.integers(1, 5, 4)
    rare = draw(3, end=1)
    rare[:, 1] = 60
    return [
        Case("five sentences", draw(5), seed(), 5, 2000, core=True),
        Case("many sentences", draw(3), seed(), 30, 2000, core=True),
        Case("one sentence", draw(6), seed(), 1, 2000),
        Case("counts that differ much", rare, seed(), 6, 2000),
        Case("sentences cut off", draw(4, end=1), seed(), 12, 3),
        Case("sentences that never end", ring, seed(), 2, 7),
        Case("no sentence", draw(3), seed(), 0, 10),
    ]


def _drawn(counts, seed, count, longest, **change):
    rng = np.random.default_rng(seed)
    return [_walk(counts, rng.random, longest, **change) for _ in range(count)]


def _reseeded(counts, seed, count, longest):
    return [_walk(counts, np.random.default_rng(seed).random, longest) for _ in range(count)]


def _same_number(counts, seed, count, longest):
    """A generator made anew, or a number drawn once, for all steps."""
    return [_walk(counts, lambda: np.random.default_rng(seed).random(), longest)] * count


def _global_state(counts, seed, count, longest):
    random = np.random.RandomState(seed).random_sample  # the stream of np.random.seed
    return [_walk(counts, random, longest) for _ in range(count)]


def _from_counts(row, u):
    return int(np.argmax(np.cumsum(row) > u))


def _uniform(row, u):
    seen = np.flatnonzero(row)
    return int(seen[int(u * len(seen))])


def _start_at_zero(counts, seed, count, longest):
    rng = np.random.default_rng(seed)
    return [[0, *_walk(counts, rng.random, longest - 1, start=0)] for _ in range(count)]


def _zero_before(counts, seed, count, longest):
    return _drawn(counts, seed, count, longest, start=0)


def _end_kept(counts, seed, count, longest):
    rng, end = np.random.default_rng(seed), len(counts) - 1
    sentences = []
    for _ in range(count):
        sentence = []
        while len(sentence) < longest and sentence[-1:] != [end]:
            sentence.append(first_above(counts[[end, *sentence][-1]], rng.random()))
        sentences.append(sentence)
    return sentences


def _start_kept(counts, seed, count, longest):
    return [[len(counts) - 1, *sentence] for sentence in sample(counts, seed, count, longest)]


def _without_memory(counts, seed, count, longest):
    rng, end = np.random.default_rng(seed), len(counts) - 1
    sentences = []
    for _ in range(count):
        sentence = []
        while len(sentence) < longest:
            following = first_above(counts[end], rng.random())
            if following == end:
                break
            sentence.append(following)
        sentences.append(sentence)
    return sentences


def _one_chain(counts, seed, count, longest):
    """Goes on from the last word where a sentence was cut off."""
    rng, end = np.random.default_rng(seed), len(counts) - 1
    sentences, now = [], end
    for _ in range(count):
        sentence = _walk(counts, rng.random, longest, start=now)
        now = sentence[-1] if len(sentence) == longest and sentence else end
        sentences.append(sentence)
    return sentences


def _drawn_after_cut(counts, seed, count, longest):
    """Draws the next symbol, and only then looks at the length."""
    rng = np.random.default_rng(seed)
    sentences = [_walk_and_look(counts, rng.random, longest) for _ in range(count)]
    return sentences


def _walk_and_look(counts, random, longest):
    sentence, end = [], len(counts) - 1
    now = first_above(counts[end], random())
    while now != end and len(sentence) < longest:
        sentence.append(now)
        now = first_above(counts[now], random())
    return sentence


def _of_everything(counts, seed, count, longest):
    shares = counts / counts.sum()

    def pick(row, u):
        return min(int(np.searchsorted(np.cumsum(row), u, side="right")), len(counts) - 1)

    return _drawn(shares, seed, count, longest, pick=pick)


def _in_advance(counts, seed, count, longest):
    rng = np.random.default_rng(seed)
    return [_walk(counts, iter(rng.random(longest)).__next__, longest) for _ in range(count)]


sampling = Task(
    id="02-markov/sample",
    title="Sentences drawn from counts",
    kind="build",
    points=2,
    minutes=15,
    answer="sample",
    cases=sample_cases,
    reference=sample,
    misconceptions=(
        Misconception(
            "sampled-from-counts",
            lambda *case: _drawn(*case, pick=_from_counts),
            "Your number between 0 and 1 is compared with sums of counts, so the first symbol "
            "that was seen at all is drawn every time. What must become of counts first?",
        ),
        Misconception(
            "most-frequent-always",
            lambda *case: _drawn(*case, pick=lambda row, u: int(row.argmax())),
            "You take the most frequent symbol each time, so all sentences are alike. Where does "
            "chance come in?",
        ),
        Misconception(
            "all-equally-likely",
            lambda *case: _drawn(*case, pick=_uniform),
            "You draw among the symbols that were seen, each equally likely. Is one that was seen "
            "nine times not more likely than one that was seen once?",
        ),
        Misconception(
            "divided-by-everything",
            _of_everything,
            "You divide by all counts of the table, so the sums of a row stop far below 1. What "
            "should the probabilities of a row sum to?",
        ),
        Misconception(
            "drawn-in-advance",
            _in_advance,
            "For each sentence you draw as many numbers as it may have words. How many does a "
            "sentence of two words use, and which numbers are left for the next one?",
        ),
        Misconception(
            "generator-made-anew",
            _reseeded,
            "All your sentences are the same. How often do you make a generator from the seed?",
        ),
        Misconception(
            "one-number-for-all-steps",
            _same_number,
            "Each step of yours uses the same random number. How often do you draw one?",
        ),
        Misconception(
            "global-state",
            _global_state,
            "You draw from NumPy's global generator, which other code draws from as well. Which "
            "generator does the text name?",
        ),
        Misconception(
            "transposed",
            lambda counts, *case: sample(counts.T, *case),
            "You draw from a column of the table: from what came before. Which numbers say what "
            "comes next?",
        ),
        Misconception(
            "starts-with-word-0",
            _start_at_zero,
            "Every sentence of yours starts with word 0. Which row holds the first words?",
        ),
        Misconception(
            "word-0-before-the-first",
            _zero_before,
            "Your first words are drawn as if word 0 had come before. Which symbol stands before "
            "the first word?",
        ),
        Misconception(
            "end-kept",
            _end_kept,
            "The boundary stands at the end of your sentences. Is it one of their words?",
        ),
        Misconception(
            "start-kept",
            _start_kept,
            "The boundary stands at the start of your sentences. Is it one of their words?",
        ),
        Misconception(
            "without-memory",
            _without_memory,
            "Every word of yours is drawn from the same row. What changes when a word has been "
            "drawn?",
        ),
        Misconception(
            "goes-on-after-a-cut",
            _one_chain,
            "After a sentence that was cut off, your next one goes on from its last word. What "
            "stands before the first word of a sentence?",
        ),
        Misconception(
            "drawn-after-the-cut",
            _drawn_after_cut,
            "When a sentence has reached its greatest length, you draw once more and throw the "
            "result away. Do the sentences after it still get the same numbers?",
        ),
    ),
    compare=equal(),
)
