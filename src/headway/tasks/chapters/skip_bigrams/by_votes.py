"""Train: the next word, chosen by the votes of all pairs."""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    made_up_words,
    parts,
    rows_of,
    share_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.chapters.skip_bigrams.mistakes import (
    COUNTS_FOR_VOTES,
    NEIGHBORS_ONLY,
    PRODUCT,
    REPEATS_COUNTED,
    TYPED_IN,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import RUN_DOWN, check_logs

WRONG_AT_MOST = 0.1  # of the words chosen
TIES = 0.1  # of the words, and one at least, another order of counting may choose


def choose_words(sentences, prefixes):
    """For each prefix the word with the most votes of all pairs that are present."""
    rows = rows_of(sentences, prefixes[0][-1])  # the prefixes end with one word
    chosen = []
    for prefix in prefixes:
        votes = votes_of(rows, set(prefix[:-1]))
        chosen.append(max(sorted(votes), key=votes.get, default=""))
    return chosen


def vote_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, made_up in (("new sentences", False), ("made-up words", True)):
        texts, held_out = check_logs(rng, 600, run_down=0.49), check_logs(rng, 100)
        sentences, prefixes, truth, _ = parts(rng, texts, held_out, made_up)
        cases.append(Case(label, sentences, prefixes, truth=truth, core=not made_up))
    return [*cases, _outvoted(rng), _repeated(rng)]


def _outvoted(rng: np.random.Generator) -> Case:
    """A word is chosen though one of the voters has never seen it come next."""
    *often, sure, latest, one, other = made_up_words(rng, 8)
    sentences = [[word, latest, one] for word in often for _ in range(4)]
    sentences += [[word, latest, other] for word in often] + [[sure, latest, other]] * 3
    sentences = [sentences[place] for place in rng.permutation(len(sentences))]
    voters = [often, [*often, sure], [*often[1:], sure, often[0]], [sure], often[2:]]
    # Who hears the latest voter only is wrong more than once, unlike who counts heads.
    voters += [[*often[:3], sure], [*often[1:], sure]]
    truth = [one, one, one, other, one, one, one]
    return Case(
        "a voter against four", sentences, [[*some, latest] for some in voters], truth=truth
    )


def _repeated(rng: np.random.Generator) -> Case:
    """Words that come twice and more often, before the latest word of a sentence or a prefix."""
    loud, b, c, learned, latest, one, other = made_up_words(rng, 7)
    # Seen so often that its counts outvote two others whose shares it does not.
    sentences = [[loud, latest, one]] * 12 + [[loud, latest, other]] * 4
    sentences += [[word, latest, other] for word in (b, c) for _ in range(4)]
    sentences += [[word, latest, one] for word in (b, c)]
    sentences += [[learned] * 5 + [latest, one]] + [[learned, latest, other]] * 2
    sentences = [list(sentences[place]) for place in rng.permutation(len(sentences))]
    voters = [[loud] * 3 + [b, c], [b, *[loud] * 4, c], [c, *[loud] * 3, b], [learned]]
    voters += [[learned, learned], [b], [loud]]
    truth = [*[other] * 6, one]
    return Case(
        "words that come several times", sentences, [[*v, latest] for v in voters], truth=truth
    )


def _few_wrong(got, expected, case) -> Difference | None:
    """At most a tenth of the words are not those of the held-out sentences."""
    if not isinstance(got, list) or not all(isinstance(word, str) for word in got):
        return Difference("this is not a list of words.")
    if len(got) != len(case.truth):
        return Difference(f"{len(got)} words for {len(case.truth)} prefixes.")
    wrong = sum(mine != right for mine, right in zip(got, case.truth, strict=True))
    if wrong <= WRONG_AT_MOST * len(got):
        return None
    allowed = f"{WRONG_AT_MOST * len(got):.0f}"
    return Difference(f"{wrong} of {len(got)} words are wrong; at most {allowed} may be.")


def _but_for_ties(got, wrong, case) -> Difference | None:
    """The same words, but for some: counts are whole numbers, and who wins a tie is open."""
    if not isinstance(got, list) or len(got) != len(wrong):
        return Difference("this is not a list of as many words.")
    others = sum(mine != other for mine, other in zip(got, wrong, strict=True))
    return Difference(f"{others} words differ.") if others > max(1, TIES * len(wrong)) else None


EARLIER = "set(prefix[:-1])"


def successors(sentences, latest):
    """What came right behind each word, whatever the latest one is."""
    rows = defaultdict(Counter)
    for sentence in sentences:
        for word, following in pairwise(sentence):
            rows[word][following] += 1
    return rows


def most_frequent(sentences, prefixes):
    counts = Counter(word for sentence in sentences for word in sentence)
    return [max(sorted(counts), key=counts.get)] * len(prefixes)


def product_of_rows(sentences, prefixes):
    """The word whose shares have the largest product."""
    rows = rows_of(sentences, prefixes[0][-1])
    words = sorted({word for row in rows.values() for word in row})
    chosen = []
    for prefix in prefixes:
        voters = [rows[word] for word in set(prefix[:-1]) if word in rows]
        shares = {word: np.prod([share_of(row[word], row) for row in voters]) for word in words}
        chosen.append(max(words, key=shares.get))
    return chosen


def at_one_place(place, elsewhere=False, order=sorted):
    """The votes of the word at one place only; in training it may stand elsewhere.

    `order` of the words that are counted decides who wins a tie.
    """

    def answer(sentences, prefixes):
        latest = prefixes[0][-1]
        rows = rows_of(sentences, latest)
        if not elsewhere:
            cut = [[(s + s)[place], latest, s[s.index(latest) + 1]] for s in sentences]
            rows = rows_of(cut, latest)
        everything = sum(rows.values(), Counter())
        chosen = []
        for prefix in prefixes:
            votes = votes_of(rows, prefix[:-1][place : place + 1]) or everything
            chosen.append(max(order(votes), key=votes.get, default=""))
        return chosen

    return answer


(over_places,) = changed(choose_words, EARLIER, "prefix[:-1]")


def counted_by_places(choose):
    """An answer that counts a pair as often as its earlier word stands before the latest."""

    def chosen(sentences, prefixes):
        latest = prefixes[0][-1]
        each = []
        for sentence in sentences:
            for t in range(1, len(sentence) - 1):
                if sentence[t] == latest:
                    each += [[earlier, latest, sentence[t + 1]] for earlier in sentence[:t]]
        return choose(each, prefixes)

    return chosen


def one_vote_each(sentences, prefixes):
    """Each pair gives its vote to the word that followed most often."""
    rows = rows_of(sentences, prefixes[0][-1])
    best = {word: Counter([max(row, key=row.get)]) for word, row in rows.items()}
    chosen = []
    for prefix in prefixes:
        votes = votes_of(best, set(prefix[:-1]))
        chosen.append(max(sorted(votes), key=votes.get, default=""))
    return chosen


def nouns_typed_in(sentences, prefixes):
    return ["please" if set(RUN_DOWN).isdisjoint(prefix) else "down" for prefix in prefixes]


by_votes = Task(
    id="03-skip-bigrams/by-votes",
    title="A word chosen by votes",
    kind="train",
    points=2,
    minutes=15,
    answer="choose_words",
    cases=vote_cases,
    reference=choose_words,
    misconceptions=(
        NEIGHBORS_ONLY.by(changed(choose_words, EARLIER, "prefix[-2:-1]", "set(prefix[-3:-1])")),
        COUNTS_FOR_VOTES.by(changed(choose_words, EARLIER, f"{EARLIER}, lambda count, row: count")),
        Misconception(
            "own-successors",
            changed(
                *changed(choose_words, EARLIER, "set(prefix)"),
                "rows_of(",
                "successors(",
            ),
            "Each word votes for what comes right after itself. After which word of the prefix "
            "will the next one come?",
        ),
        PRODUCT.by(product_of_rows),
        REPEATS_COUNTED.by(
            over_places, counted_by_places(over_places), counted_by_places(choose_words)
        ),
        WINNER_TAKES_ALL.by(one_vote_each),
        Misconception(
            "one-place-only",
            any_of(*(at_one_place(2, *more) for more in ((), (True,), (False, list)))),
            "Only the word at one place has a vote. Is the word that decides at the same place in "
            "all sentences?",
        ),
        Misconception(
            "most-frequent-word",
            most_frequent,
            "You give the most frequent word of all, whatever the prefix is. Which pairs does the "
            "prefix contain?",
        ),
        Misconception(
            "fewest-votes",
            changed(choose_words, "max(", "min("),
            "You choose the word with the fewest votes. Who wins a vote?",
        ),
        TYPED_IN.by(verb_typed_in(choose_words), nouns_typed_in),
    ),
    compare=_few_wrong,
    alike=_but_for_ties,
)
