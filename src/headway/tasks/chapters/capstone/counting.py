"""A right answer that is quickly fitted: counts of runs of bytes, and what a name stands for.

Counts of four bytes know the words. What they cannot know is looked up in the story: the name that
was drawn for it, and the noun that came with the name. Nouns are of two kinds, which the counts
tell apart by the verbs behind them, and there are counts for each kind. A Transformer learns all of
this; it takes some ten seconds to fit, and this takes one.
"""

from collections import Counter, defaultdict

import numpy as np

ORDER, DISCOUNT, SIZE = 3, 0.75, 32
MOST = (2_000, 600)  # runs of four bytes that are kept: of all, and of each kind
LONGEST = 12  # letters of a noun
SURE, LIKELY = 0.97, 0.7  # of the name's next letter, and that a sentence begins with the name


def fit(text, seed):
    """How often runs of one to four bytes come, and runs of four bytes for each kind of noun."""
    symbols, ids = np.unique(text, return_inverse=True)
    numbers, runs = {"symbols": symbols.astype(np.float32)}, np.zeros(len(ids), dtype=np.int64)
    for n in range(ORDER + 1):
        runs = runs[: len(runs) - (n > 0)] * SIZE + ids[n:]
        keep(numbers, f" {n}", runs, MOST[0] if n == ORDER else len(runs))
    kinds = kinds_of_nouns(bytes(text).decode())
    of_kind = np.array(kinds_of_bytes(bytes(text).decode(), kinds))
    for kind in (0, 1):
        last = np.flatnonzero(of_kind == kind)
        last = last[last >= ORDER]
        keep(numbers, f" of {kind}", runs[last - ORDER], MOST[1])
        nouns = [noun.ljust(LONGEST) for noun, its in kinds.items() if its == kind]
        letters = np.frombuffer("".join(nouns).encode(), dtype=np.uint8)
        numbers[f"nouns of {kind}"] = letters.astype(np.float16)
    return numbers


def keep(numbers, name, runs, most):
    """The runs that came most often, in order, and how often."""
    found, counts = np.unique(runs, return_counts=True)
    kept = np.sort(np.argsort(-counts, kind="stable")[:most])
    numbers[f"runs{name}"] = found[kept].astype(np.float32)
    numbers[f"counts{name}"] = counts[kept].clip(max=60_000).astype(np.float16)


def kinds_of_nouns(text):
    """0 or 1 for each noun: of kind 0 is the most frequent, and all that share a verb with it."""
    verbs = defaultdict(set)  # that follow each noun at once, and end their sentence
    stories = text.split("\n")[:-1]
    frequency = Counter(story.split(" ")[0] for story in stories)
    for line in stories:
        first, *later = line.split(". ")
        noun, _, *words = first.split(" ")
        for subject, *rest in ([noun, *words], *(sentence.split(" ") for sentence in later)):
            if len(rest) == 1 and subject in frequency:
                verbs[subject].add(rest[0].rstrip("."))
    most = max(frequency, key=frequency.get)
    return {noun: int(not verbs[noun] & verbs[most]) for noun in frequency if len(noun) <= LONGEST}


def kinds_of_bytes(text, kinds):
    """The kind that each byte of a text has to agree with, or −1."""
    found = []
    for line in text.split("\n"):
        found += [-1] if found else []
        noun = line.split(" ")[0]
        for place, sentence in enumerate(line.split(". ")):
            found += [-1, -1] if place else []
            subject = sentence.split(" ")[0]
            start = len(subject) + 1
            if not place:  # the name comes before the verb
                start = len(" ".join(sentence.split(" ")[:2])) + 1
            kind = kinds.get(noun if subject[:1].isupper() else subject, -1)
            found += [-1] * min(start, len(sentence)) + [kind] * max(0, len(sentence) - start)
    return found


def predict(numbers, seen):
    """The probabilities of the next byte (B, 256) after the bytes that were seen (B, T)."""
    symbols = numbers["symbols"].astype(int)
    P = np.zeros((len(seen), 256))
    P[:, symbols] = agreeing(numbers, seen, counted(numbers, seen))
    for b, row in enumerate(seen):
        P[b] = remembered(P[b], bytes(row.astype(np.uint8)))
    return P


def agreeing(numbers, seen, P):
    """P (B, V) by the counts of a kind, behind a noun of this kind or a name that stands for it."""
    kinds = {}
    for kind in (0, 1):
        letters = bytes(numbers[f"nouns of {kind}"].astype(np.uint8)).decode()
        kinds |= {letters[i : i + LONGEST].strip(): kind for i in range(0, len(letters), LONGEST)}
    stories = [bytes(row.astype(np.uint8)).decode().split("\n")[-1] for row in seen]
    asked = np.array([kinds_of_bytes(f"{story}?", kinds)[-1] for story in stories])
    for kind in (0, 1):
        rows = np.flatnonzero(asked == kind)
        if len(rows) and seen.shape[1] >= ORDER:
            P[rows] = mixed(numbers, f" of {kind}", seen[rows], P[rows], ORDER)
    return P


def counted(numbers, seen, order=ORDER):
    """P of each symbol (B, V) by counts of runs, the shorter ones smoothing the longer."""
    V = len(numbers["symbols"])
    P = np.full((len(seen), V), 1 / V)
    for n in range(min(order, seen.shape[1]) + 1):
        P = mixed(numbers, f" {n}", seen, P, n)
    return P


def mixed(numbers, name, seen, P, n):
    """P (B, V) by the counts of a table of runs, with P before it for what was not counted."""
    ids = np.searchsorted(numbers["symbols"], seen)
    runs, counts = numbers[f"runs{name}"], numbers[f"counts{name}"].astype(float)
    context = np.zeros(len(seen), dtype=np.int64)
    for place in range(n, 0, -1):
        context = context * SIZE + ids[:, -place]
    keys = context[:, None] * SIZE + np.arange(P.shape[1])
    at = np.searchsorted(runs, keys).clip(max=len(runs) - 1)
    count = np.where(runs[at] == keys, counts[at], 0)
    total, kinds = count.sum(1, keepdims=True), (count > 0).sum(1, keepdims=True)
    kept = np.maximum(count - DISCOUNT, 0) + DISCOUNT * kinds * P
    return np.where(total > 0, kept / np.maximum(total, 1), P)


def remembered(P, read, sure=SURE, likely=LIKELY):
    """P (256,) with what the story has told: its name, the first word with a capital."""
    story = read[read.rfind(b"\n") + 1 :]
    *before, word = story.split(b" ")
    name = next((w for w in before if w[:1].isupper()), None)
    if name is None or not name.startswith(word):
        return P
    known, begins = (name + b" ")[len(word)], story.endswith(b". ")
    if not word and not begins:
        return P
    share = likely if begins else sure
    told = np.zeros(256)
    told[known] = 1
    return share * told + (1 - share) * P
