"""A chain out of dictionaries, and the wrong ones that students write."""

BOUNDARY = "<b>"


class CountedChain:
    """Counts of what follows each context, the contexts as tuples of n words."""

    def __init__(self, sentences, order):
        self.order, self.counts = order, {}
        for sentence in sentences:
            self.read(sentence)

    def read(self, sentence):
        text = [*sentence, BOUNDARY]
        for t, word in enumerate(text):
            self.add(self.context(text[:t]), word)

    def add(self, context, word):
        row = self.counts.setdefault(context, {})
        row[word] = row.get(word, 0) + 1

    def context(self, words):
        padded = [BOUNDARY] * self.order + list(words)
        return tuple(padded[len(padded) - self.order :])

    def row(self, words):
        return self.counts.get(self.context(words), {})

    def __len__(self):
        return len(self.counts)

    def predict(self, words):
        row = self.row(words)
        return {word: count / self.total(row) for word, count in row.items()}

    def total(self, row):
        return sum(row.values())


class Swapped(CountedChain):
    def add(self, context, word):
        super().add(context[::-1], word)


class StartLost(CountedChain):
    def add(self, context, word):
        if BOUNDARY not in context:
            super().add(context, word)


class OneStart(CountedChain):
    """One boundary before each sentence, whatever the order; shorter contexts are not counted."""

    def read(self, sentence):
        text = [BOUNDARY, *sentence, BOUNDARY]
        for t in range(max(self.order, 1), len(text)):
            self.add(tuple(text[t - self.order : t]), text[t])

    def context(self, words):
        text = [BOUNDARY, *words]
        return tuple(text[max(len(text) - self.order, 0) :])


class TailLost(CountedChain):
    def add(self, context, word):
        if word != BOUNDARY:
            super().add(context, word)


class EndOfTextOnly(CountedChain):
    def __init__(self, sentences, order):
        self.last = sentences[-1]
        super().__init__(sentences, order)

    def read(self, sentence):
        text = [*sentence, BOUNDARY] if sentence is self.last else sentence
        for t, word in enumerate(text):
            self.add(self.context(text[:t]), word)


class ManyEnds(CountedChain):
    def read(self, sentence):
        text = [*sentence, *[BOUNDARY] * max(self.order, 1)]
        for t, word in enumerate(text):
            self.add(self.context(text[:t]), word)


class AcrossBoundaries(CountedChain):
    def __init__(self, sentences, order):
        self.before = [BOUNDARY] * order
        super().__init__(sentences, order)

    def read(self, sentence):
        start, self.before = len(self.before), [*self.before, *sentence, BOUNDARY]
        for t in range(start, len(self.before)):
            self.add(self.context(self.before[:t]), self.before[t])


class Glued(CountedChain):
    def context(self, words):
        return "".join(super().context(words))


class Unordered(CountedChain):
    def context(self, words):
        return tuple(sorted(super().context(words)))


class MinusZero(CountedChain):
    def context(self, words):
        return tuple([BOUNDARY] * self.order + list(words))[-self.order :]


class MinusZeroWhenAsked(CountedChain):
    def row(self, words):
        return self.counts.get(tuple([BOUNDARY] * self.order + list(words))[-self.order :], {})


class NotFilledUpWhenAsked(CountedChain):
    def row(self, words):
        return self.counts.get(tuple(words[max(len(words) - self.order, 0) :]), {})


class LastWordsOnly(CountedChain):
    """Cuts from minus n, which is minus zero for order 0, and puts no boundaries before."""

    def row(self, words):
        return self.counts.get(tuple(words[-self.order :]), {})


class FirstWords(CountedChain):
    def row(self, words):
        return self.counts.get(self.context(words[: self.order]), {})


class WholePrefix(CountedChain):
    def row(self, words):
        return self.counts.get((*[BOUNDARY] * (self.order - len(words)), *words), {})


class Counts(CountedChain):
    def predict(self, words):
        return self.row(words)


class OfEverything(CountedChain):
    def total(self, row):
        return sum(sum(row.values()) for row in self.counts.values())


class Greedy(CountedChain):
    def predict(self, words):
        row = self.row(words)
        return {max(row, key=row.get): 1.0} if row else {}


class UnseenRaises(CountedChain):
    def row(self, words):
        return self.counts[self.context(words)]


class UnseenUniform(CountedChain):
    def row(self, words):
        symbols = {word for row in self.counts.values() for word in row}
        return super().row(words) or dict.fromkeys(symbols, 1)


class BacksOff(CountedChain):
    """Looks a context that it does not know up in the chain of the order below."""

    def __init__(self, sentences, order):
        super().__init__(sentences, order)
        self.below = BacksOff(sentences, order - 1) if order else None

    def row(self, words):
        return super().row(words) or (self.below.row(words) if self.below else {})


class GrowsWhenAsked(CountedChain):
    def row(self, words):
        return self.counts.setdefault(self.context(words), {})


class CellsForContexts(CountedChain):
    def __len__(self):
        return sum(map(len, self.counts.values()))


class OneTooFew(CountedChain):
    def __init__(self, sentences, order):
        super().__init__(sentences, max(order - 1, 0))


class FirstOrder(CountedChain):
    def __init__(self, sentences, order):
        super().__init__(sentences, min(order, 1))
