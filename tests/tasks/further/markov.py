"""Wrong answers to assignment 02, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.markov.beat_unigram import next_word
from headway.tasks.chapters.markov.unigram import unigram


def columns_by_transposing(counts, smoothing):
    table = []
    for column in counts.T:
        smoothed = [c + smoothing for c in column]
        table.append([c / sum(smoothed) for c in smoothed])
    return np.array(table).T.reshape(counts.shape)


def shares_then_smoothed(counts, smoothing):
    P = []
    for row in counts.tolist():
        n = sum(row)
        shares = [c / n if n else 1 / len(row) for c in row]
        P.append([(p + smoothing) / (1 + len(row) * smoothing) for p in shares])
    return np.array(P).reshape(counts.shape)


def alpha_for_each_symbol(counts, smoothing):
    raised = counts + smoothing * counts.shape[1]
    raised[~raised.any(axis=1)] = 1
    return raised / raised.sum(axis=1, keepdims=True)


class TrigramsReadBackwards:
    def __init__(self, log, order):
        self.n, self.table = order, defaultdict(Counter)
        for words, times in log:
            history = ["<b>"] * order
            for word in [*words, "<b>"]:
                self.table[tuple(history)][word] += times
                history = [*history, word][1:] if order else []

    def __len__(self):
        return len(self.table)

    def predict(self, words):
        latest = [*reversed(words), *["<b>"] * self.n][: self.n]
        row = self.table.get(tuple(latest), Counter())
        return {word: times / row.total() for word, times in row.items()}


class CountsRightly:
    def __init__(self, log, order):
        self.n, self.table = order, defaultdict(Counter)
        for words, times in log:
            text = ["<b>"] * order + words + ["<b>"]
            for t in range(order, len(text)):
                self.table[tuple(text[t - order : t])][text[t]] += times

    def __len__(self):
        return len(self.table)

    def look_up(self, context):
        row = self.table.get(context, Counter())
        return {word: times / row.total() for word, times in row.items()}


class OneLongText:
    def __init__(self, log, order):
        self.order, self.text, self.times = order, ["<b>"] * order, [0] * order
        for words, times in log:
            self.text += [*words, "<b>"]
            self.times += [times] * (len(words) + 1)

    def places(self):
        return range(self.order, len(self.text))

    def __len__(self):
        return len({tuple(self.text[t - self.order : t]) for t in self.places()})

    def predict(self, words):
        history = (["<b>"] * self.order + list(words))[len(words) :]
        row = Counter()
        for t in self.places():
            if self.text[t - self.order : t] == history:
                row[self.text[t]] += self.times[t]
        return {word: times / row.total() for word, times in row.items()}


def bits_undone_by_exp(P, sentences):
    V = P.shape[0] - 1
    pairs = [(a, b) for s in sentences for a, b in zip([V, *s], [*s, V], strict=True)]
    logs = np.log2([P[pair] for pair in pairs])
    return logs.sum(), np.exp(-logs.mean())


def log_of_a_little_more(P, sentences):
    total, steps = 0, 0
    for sentence in sentences:
        text = [-1, *sentence, -1]
        for i in range(len(text) - 1):
            total += math.log(P[text[i]][text[i + 1]] + 1e-12)
            steps += 1
    return total, math.e ** (-total / steps)


def one_perplexity_each(P, sentences):
    total, each = 0, []
    for sentence in sentences:
        probability = 1
        for a, b in pairwise([-1, *sentence, -1]):
            probability *= P[a, b]
        total += np.log(probability)
        each.append(np.float64(probability) ** (-1 / (len(sentence) + 1)))
    return total, np.mean(each)


def logarithm_at_the_end(P, sentences):
    probability, steps = 1.0, 0
    for sentence in sentences:
        for a, b in pairwise([-1, *sentence, -1]):
            probability *= P[a, b]
            steps += 1
    if probability == 0:
        return -math.inf, math.inf
    return math.log(probability), probability ** (-1 / steps)


def alpha_once_below(counts, smoothing):
    P = np.full(counts.shape, 1 / counts.shape[1])
    for i, row in enumerate(counts):
        if row.sum() > 0:
            P[i] = (row + smoothing) / (row.sum() + smoothing)
    return P


class WithoutEnds(CountsRightly):
    def predict(self, words):
        text = ["<b>"] * self.n + words
        row = self.table.get(tuple(text[len(text) - self.n :]), Counter())
        del row["<b>"]
        return {word: times / row.total() for word, times in row.items()}


class FillsUpOnce(CountsRightly):
    def predict(self, words):
        text = words if len(words) >= self.n else ["<b>", *words]
        return self.look_up(tuple(text[len(text) - self.n :]))


class CutsWhenAsked(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple(words[-self.n :]))


class CutsWithBoundariesWhenAsked(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple((["<b>"] * self.n + words)[-self.n :]))


class CutsRightlyWithoutBoundaries(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple(words[-self.n :] if self.n else []))


def eigenvector_as_it_comes(P):
    values, vectors = np.linalg.eig(P.T)
    vector = np.real(vectors[:, np.argmin(abs(values - 1))])
    return -vector if vector[0] > 0 else vector  # either sign may come


def tickets_without_shares(counts, seed, count, longest):
    rng = np.random.default_rng(seed)
    made = []
    while len(made) < count:
        made.append([])
        at = counts.shape[0] - 1
        for _ in range(longest):
            u, at_next = rng.random(), 0
            reached = counts[at][0]
            while reached <= u:
                at_next += 1
                reached += counts[at][at_next]
            at = at_next
            if at == counts.shape[0] - 1:
                break
            made[-1].append(at)
    return made


def generator_inside(counts, seed, count, longest):
    def one():
        rng, words, at = np.random.default_rng(seed), [], len(counts) - 1
        for _ in range(longest):
            at = rng.choice(len(counts), p=counts[at] / counts[at].sum())
            if at == len(counts) - 1:
                return words
            words.append(int(at))
        return words

    return [one() for _ in range(count)]


def neighbors_that_begin_nowhere(sentences):
    counts = defaultdict(dict)
    for line in sentences:
        words = [*line.split(), "<b>"]
        for i in range(1, len(words)):
            counts[words[i - 1]][words[i]] = counts[words[i - 1]].get(words[i], 0) + 1
    return dict(counts)


def neighbors_cut_at_spaces(sentences):
    counts = {}
    for line in sentences:
        for a, b in pairwise(["<b>", *line.split(" "), "<b>"]):
            row = counts.setdefault(a, {})
            row[b] = row.get(b, 0) + 1
    return counts


def raised_shares(change):
    """Shares of counts that were changed in another way than by one more of each."""

    def answer(train, size):
        counts = np.bincount([w for s in train for w in [*s, size]], minlength=size + 1)
        changed = change(counts)
        return changed / changed.sum()

    return answer


def words_but_no_ends(train, size):
    seen = Counter(word for sentence in train for word in sentence)
    return [(seen[i] + 1) / (seen.total() + size + 1) for i in range(size + 1)]


def boundaries_put_into_the_prefixes(train, size, prefixes):
    for prefix in prefixes:
        prefix.insert(0, size)
    return next_word(train, size, [prefix[1:] for prefix in prefixes])


def pairs_plus_one(train, size, prefixes):
    after = defaultdict(Counter)
    for sentence in train:
        for a, b in zip([size, *sentence], [*sentence, size], strict=True):
            after[a][b] += 1
    rows = []
    for prefix in prefixes:
        row = after[prefix[-1] if prefix else size]
        rows.append([(row[j] + 1) / (row.total() + size + 1) for j in range(size + 1)])
    return np.array(rows)


def pairs_or_else_single_words(train, size, prefixes):
    """Falls back on the unigram share cell by cell; the rows sum to more than one."""
    share, after = unigram(train, size), np.zeros((size + 1, size + 1))
    for sentence in train:
        for a, b in pairwise([size, *sentence, size]):
            after[a, b] += 1
    P = after / np.maximum(after.sum(axis=1, keepdims=True), 1)
    rows = P[[prefix[-1] if prefix else size for prefix in prefixes]]
    return np.where(rows > 0, rows, share)


def pairs_and_a_little_of_all(train, size, prefixes):
    """Order 1, with ten more observations as the unigram model has them."""
    share, after = unigram(train, size), np.zeros((size + 1, size + 1))
    for sentence in train:
        np.add.at(after, ([size, *sentence], [*sentence, size]), 1)
    latest = [[size, *prefix][-1] for prefix in prefixes]
    return (after[latest] + 10 * share) / (after[latest].sum(axis=1) + 10)[:, None]


def found_in_a_longer_one(train, size, prefixes):
    """Reads what comes next out of prefixes that go on; single words where none does."""
    rows = np.tile(unigram(train, size), (len(prefixes), 1))
    for i, prefix in enumerate(prefixes):
        for other in prefixes:
            if len(other) == len(prefix) + 1 and other[:-1] == prefix:
                rows[i] = unigram(train, size) / 50
                rows[i, other[-1]] += 0.98
                break
    return rows


def triples_alone(train, size, prefixes):
    after = defaultdict(Counter)
    for sentence in train:
        text = [size, size, *sentence, size]
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            after[a, b][c] += 1
    rows = []
    for prefix in prefixes:
        row = after[tuple([size, size, *prefix][-2:])]
        rows.append([(row[j] + 0.05) / (row.total() + 0.05 * (size + 1)) for j in range(size + 1)])
    return np.array(rows)


def squared_twenty_times(P):
    for _ in range(20):
        P = P @ P
        P = P / P.sum(axis=1, keepdims=True)
    return P[0]


def largest_eigenvector_as_it_comes(P):
    values, vectors = np.linalg.eig(P.T)
    return abs(np.real(vectors[:, np.argmax(values.real)]))


class FallsBack(TrigramsReadBackwards):
    """Read forwards, but with shorter contexts where the long one is unknown."""

    def __init__(self, log, order):
        super().__init__(log, order)
        self.shorter = [TrigramsReadBackwards(log, n) for n in range(order)][::-1]

    def predict(self, words):
        text = ["<b>"] * self.n + words
        for chain in (self, *self.shorter):
            row = chain.table.get(tuple(text[len(text) - chain.n :]))
            if row:
                return {word: times / row.total() for word, times in row.items()}
        return {}


def both_boundaries_counted(P, sentences):
    total, symbols = 0, 0
    for sentence in sentences:
        text = [len(P) - 1, *sentence, len(P) - 1]
        total += sum(np.log(P[text[i - 1], text[i]]) for i in range(1, len(text)))
        symbols += len(text)
    return total, np.exp(-total / symbols)


def written_to_the_end(counts, seed, count, longest):
    rng, made, end = np.random.default_rng(seed), [], len(counts) - 1
    shares = (counts / counts.sum(axis=1, keepdims=True)).cumsum(axis=1)
    for _ in range(count):
        words = [end]
        while words[-1] != end or len(words) == 1:
            words.append(int(np.searchsorted(shares[words[-1]], rng.random(), side="right")))
        made.append(words[1:-1])
    return made


def many_numbers_at_once(counts, seed, count, longest):
    rng, made = np.random.default_rng(seed), []
    for numbers in rng.random((count, longest)):
        words, at = [], -1
        for u in numbers:
            at = int((counts[at].cumsum() / counts[at].sum() <= u).sum())
            if at == len(counts) - 1:
                break
            words.append(at)
        made.append(words)
    return made


def mean_after_a_while(P):
    return sum(np.linalg.matrix_power(P, 1000 + n)[0] for n in range(5)) / 5


def lazy_for_a_while(P):
    return np.linalg.matrix_power((P + np.eye(len(P))) / 2, 200).mean(axis=0)


def until_it_settles(P):
    pi = np.full(len(P), 1 / len(P))
    for _ in range(5000):
        pi = pi @ P
    return pi


def words_and_an_end_put_in(train, size):
    counts = np.ones(size + 1)
    for sentence in train:
        sentence.append(size)
        np.add.at(counts, sentence, 1)
    return counts / counts.sum()


def one_added_above_only(train, size):
    seen = Counter(word for sentence in train for word in [*sentence, size])
    return [(seen[i] + 1) / seen.total() for i in range(size + 1)]


def words_added_below(train, size):
    seen = Counter(word for sentence in train for word in [*sentence, size])
    return [(seen[i] + 1) / (seen.total() + size) for i in range(size + 1)]


class FillsUpWhatItIsGiven(CountsRightly):
    def predict(self, words):
        while len(words) < self.n:
            words.insert(0, "<b>")
        return self.look_up(tuple(words[len(words) - self.n :]))


class CutsFromTheFront(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple((["<b>"] * self.n + words)[: self.n]))


def transitions_in_a_list(counts, smoothing):
    rows = []
    for row in counts:
        total = row.sum() + smoothing * len(row)
        rows.append([(c + smoothing) / total if total else 1 / len(row) for c in row])
    return np.array(rows)


def written_to_the_end_then_cut(counts, seed, count, longest):
    rng, made = np.random.default_rng(seed), []
    for _ in range(count):
        words, at = [], len(counts) - 1
        while True:
            at = int((counts[at].cumsum() / counts[at].sum() <= rng.random()).sum())
            if at == len(counts) - 1:
                break
            words.append(at)
        made.append(words[:longest])
    return made


def boundaries_between_only(sentences):
    words, counts = " <b> ".join(sentences).split(), {}
    for a, b in pairwise(words):
        counts.setdefault(a, Counter())[b] += 1
    return counts


def first_column_of_eig(P):
    vector = abs(np.linalg.eig(P.T).eigenvectors[:, 0])
    return vector / vector.sum()


def triples_and_hardly_more(train, size, prefixes):
    after = defaultdict(lambda: np.full(size + 1, 0.01))
    for sentence in train:
        text = [size, size, *sentence, size]
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            after[a, b][c] += 1
    rows = [after[tuple([size, size, *prefix][-2:])] for prefix in prefixes]
    return np.array([row / row.sum() for row in rows])


def mean_of_sentence_means(P, sentences):
    V, likelihoods, means = len(P) - 1, [], []
    for sentence in sentences:
        text = [V, *sentence, V]
        steps = [P[a][b] for a, b in pairwise(text)]
        if min(steps) == 0:
            return -math.inf, math.inf
        likelihoods.append(sum(math.log(p) for p in steps))
        means.append(likelihoods[-1] / len(steps))
    return sum(likelihoods), math.exp(-sum(means) / len(means))


def mean_of_a_thousand_steps(P):
    P = np.asarray(P, dtype=float)
    x, total = np.zeros(len(P)), np.zeros(len(P))
    x[0] = 1.0
    for _ in range(1000):
        total += x
        x = x @ P
    return total / total.sum()


def latest_rows(P, size, prefixes):
    return P[[[size, *prefix][-1] for prefix in prefixes]]


def pair_shares(train, size, smoothing=0.05, padded=True):
    """Shares (V+1, V+1) of what comes after each word."""
    counts = np.full((size + 1, size + 1), smoothing)
    for sentence in train:
        for a, b in pairwise([size, *sentence, size] if padded else sentence):
            counts[a, b] += 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9)


def pairs_by(change=lambda train: train, **options):
    """Shares after the last word, from changed sentences or with other options."""

    def answer(train, size, prefixes):
        return latest_rows(pair_shares(change(train), size, **options), size, prefixes)

    return answer


def pairs_of_the_first_word(train, size, prefixes):
    return latest_rows(pair_shares(train, size), size, [prefix[:1] for prefix in prefixes])


def two_back(train, size, prefixes):
    """Shares after one word, with a part of those after two where the two were counted."""
    after = defaultdict(Counter)
    for sentence in train:
        text = [size, size, *sentence, size]
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            after[a, b][c] += 1
    rows = latest_rows(pair_shares(train, size), size, prefixes)
    for row, prefix in zip(rows, prefixes, strict=True):
        counted = after.get(tuple([size, size, *prefix][-2:]), Counter())
        row *= 0.7 if counted else 1
        for c, n in counted.items():
            row[c] += 0.3 * n / counted.total()
    return rows


def nothing_where_a_pair_is_new(train, size, prefixes):
    rows, known = two_back(train, size, prefixes), set()
    for sentence in train:
        known |= set(pairwise([size, size, *sentence]))
    rows[[tuple([size, size, *prefix][-2:]) not in known for prefix in prefixes]] = 0
    return rows


def a_little_of_two_back(train, size, prefixes):
    """One word back, and a part of what comes two words on, everywhere."""
    P = pair_shares(train, size)
    skipping = pair_shares([s[i::2] for s in train for i in (0, 1)], size)
    rows = latest_rows(P, size, prefixes)
    before = skipping[[[size, size, *prefix][-2] for prefix in prefixes]]
    return 0.95 * rows + 0.05 * before


FURTHER = {
    "mean of the sentences' means": ("score", mean_of_sentence_means, "predictions-miscounted"),
    "mean of a thousand steps": ("stationary", mean_of_a_thousand_steps, "periodic-limit"),
    "columns divided by transposing": ("transitions", columns_by_transposing, "columns-for-rows"),
    "shares that are smoothed afterwards": (
        "transitions",
        shares_then_smoothed,
        "probabilities-smoothed",
    ),
    "contexts read backwards": ("chain", TrigramsReadBackwards, "contexts-confused"),
    "one long text": ("chain", OneLongText, "counts-across-boundaries"),
    "shorter contexts for unknown ones": ("chain", FallsBack, "unseen-context-answered"),
    "smoothing added once below": ("transitions", alpha_once_below, "smoothing-miscounted"),
    "a cut from minus n when asked": ("chain", CutsWhenAsked, "boundary-missing"),
    "boundaries and a cut from minus n when asked": (
        "chain",
        CutsWithBoundariesWhenAsked,
        "minus-zero-slice",
    ),
    "no boundaries when asked": ("chain", CutsRightlyWithoutBoundaries, "boundary-missing"),
    "the logarithm of the product": ("score", logarithm_at_the_end, "product-underflows"),
    "the eigenvector of eigenvalue one as it comes": (
        "stationary",
        eigenvector_as_it_comes,
        "not-normalized",
    ),
    "both boundaries counted": ("score", both_boundaries_counted, "predictions-miscounted"),
    "bits undone by exp": ("score", bits_undone_by_exp, "bases-mixed"),
    "a little added before the logarithm": (
        "score",
        log_of_a_little_more,
        "impossible-step-mishandled",
    ),
    "a perplexity for each sentence": ("score", one_perplexity_each, "predictions-miscounted"),
    "counts met with a number below one": ("sample", tickets_without_shares, "not-normalized"),
    "a generator for each sentence": ("sample", generator_inside, "another-generator"),
    "all numbers drawn at once": ("sample", many_numbers_at_once, "random-numbers-thrown-away"),
    "sentences without a start": ("neighbors", neighbors_that_begin_nowhere, "boundary-missing"),
    "words and no ends": ("unigram", words_but_no_ends, "boundary-missing"),
    "pairs plus one": ("beat-unigram", pairs_plus_one, "one-for-any-smoothing"),
    "pairs and a little of all": ("beat-unigram", pairs_and_a_little_of_all, "one-word-back"),
    "found in a longer one": ("beat-unigram", found_in_a_longer_one, "reads-ahead"),
    "triples alone": ("beat-unigram", triples_alone, "order-too-high"),
    "single words where a pair is unknown": (
        "beat-unigram",
        pairs_or_else_single_words,
        "rows-not-distributions",
    ),
    "the matrix squared twenty times": ("stationary", squared_twenty_times, "periodic-limit"),
    "many steps from everywhere": ("stationary", until_it_settles, "periodic-limit"),
    "the largest eigenvector as it comes": (
        "stationary",
        largest_eigenvector_as_it_comes,
        "not-normalized",
    ),
    "an end put into the sentences": ("unigram", words_and_an_end_put_in, "argument-changed"),
    "one added above only": ("unigram", one_added_above_only, "smoothing-miscounted"),
    "V added below": ("unigram", words_added_below, "smoothing-miscounted"),
    "fills up what it is given": ("chain", FillsUpWhatItIsGiven, "argument-changed"),
    "cuts from the front": ("chain", CutsFromTheFront, "another-context"),
    "rows in a list": ("transitions", transitions_in_a_list, "no-rows-no-columns"),
    "written to the end, then cut": (
        "sample",
        written_to_the_end_then_cut,
        "random-numbers-thrown-away",
    ),
    "boundaries between only": ("neighbors", boundaries_between_only, "boundary-missing"),
    "the first column of eig": ("stationary", first_column_of_eig, "another-eigenvector"),
    "triples and hardly more": ("beat-unigram", triples_and_hardly_more, "order-too-high"),
    "alpha for each symbol": ("transitions", alpha_for_each_symbol, "smoothing-miscounted"),
    "divided by what was counted": (
        "transitions",
        lambda counts, smoothing: (counts + smoothing) / counts.sum(axis=1)[:, None],
        "smoothing-miscounted",
    ),
    "predictions without ends": ("chain", WithoutEnds, "boundary-missing"),
    "one boundary when asked": ("chain", FillsUpOnce, "boundary-missing"),
    "cut at each space": ("neighbors", neighbors_cut_at_spaces, "cut-elsewhere"),
    "zeros raised to one": (
        "unigram",
        raised_shares(lambda counts: counts.clip(1)),
        "smoothing-miscounted",
    ),
    "one added to shares": (
        "unigram",
        raised_shares(lambda counts: counts / counts.sum() + 1),
        "probabilities-smoothed",
    ),
    "one shared by all": (
        "unigram",
        raised_shares(lambda counts: counts + 1 / len(counts)),
        "smoothing-miscounted",
    ),
    "boundaries put into the prefixes": (
        "beat-unigram",
        boundaries_put_into_the_prefixes,
        "argument-changed",
    ),
    "never cut off": ("sample", written_to_the_end, "longest-missed"),
    "a mean after a while": ("stationary", mean_after_a_while, "periodic-limit"),
    "lazy for a while": ("stationary", lazy_for_a_while, None),
    "ends of all sentences": ("after", [3 / 4, 1 / 5], "not-normalized"),
    "word by word only": ("sizes", ((9, 10), (729, 10)), "boundary-missing"),
    "an axis for each order": ("sizes", ((10, 10), (10, 10, 10, 10)), "table-miscounted"),
    "new pairs left out": (
        "beat-unigram",
        nothing_where_a_pair_is_new,
        "rows-without-counts",
    ),
    "words alone": (
        "beat-unigram",
        lambda train, size, prefixes: np.tile(unigram(train, size), (len(prefixes), 1)),
        "context-ignored",
    ),
    "pairs as they were counted": ("beat-unigram", pairs_by(smoothing=0.0), "not-smoothed"),
    "pairs within sentences": ("beat-unigram", pairs_by(padded=False), "boundary-missing"),
    "pairs from behind": (
        "beat-unigram",
        pairs_by(lambda train: [s[::-1] for s in train]),
        "columns-for-rows",
    ),
    "pairs after the first word": ("beat-unigram", pairs_of_the_first_word, "another-context"),
    "two words where they were counted": ("beat-unigram", two_back, "lost-after-unseen-pairs"),
    "a little of what comes two words on": (
        "beat-unigram",
        a_little_of_two_back,
        "gained-too-little",
    ),
    "squares of that": (
        "beat-unigram",
        lambda *given: (lambda rows: rows**5 / (rows**5).sum(axis=1, keepdims=True))(
            a_little_of_two_back(*given)
        ),
        "worse-than-words-alone",
    ),
}
