"""Build the two sides of teacher forcing: what the decoder reads and what it is to say."""

import numpy as np
import torch

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def teacher_forcing(sentences, start, end, padding):
    """read (B, T) = start, words, padding and target (B, T) = words, end, padding."""
    read = fill([[start, *words] for words in sentences], padding)
    return read, fill([[*words, end] for words in sentences], padding)


def fill(rows, padding, left=False):
    """Rows of different lengths as (B, T), filled up on one side."""
    T = max(map(len, rows))
    gaps = ([padding] * (T - len(row)) for row in rows)
    full = [[*gap, *row] if left else [*row, *gap] for gap, row in zip(gaps, rows, strict=True)]
    return torch.tensor(full)


def shift_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, specials=(1, 2, 0)):
        return [rng.integers(3, 50, n).tolist() for n in lengths], *specials

    return [
        Case("sentences of different lengths", *draw(3, 5, 2), core=True),
        Case("a single sentence", *draw(4), core=True),
        Case("sentences of the same length", *draw(3, 3)),
        Case("sentences of one word", *draw(1, 1)),
        Case("an empty sentence beside others", *draw(2, 0, 4)),
        Case("an empty sentence alone", *draw(0)),
        Case("other ids for the special symbols", *draw(2, 4, 3, specials=(60, 0, 51))),
        Case("a word that repeats", [[7, 7, 7], [8, 7]], 1, 2, 0),
    ]


def _rows(read, target, left=False):
    """Other rows: read(words, start, end) and target(words, start, end), padded."""

    def pair(sentences, start, end, padding):
        return tuple(
            fill([make(words, start, end) for words in sentences], padding, left)
            for make in (read, target)
        )

    return pair


def _read(words, start, end):
    return [start, *words]


def _target(words, start, end):
    return [*words, end]


def _of_target(change):
    """What is read, made from the padded target: change(target, start)."""

    def pair(sentences, start, end, padding):
        _, target = teacher_forcing(sentences, start, end, padding)
        return change(target, start), target

    return pair


def _rolled(target, start):
    read = target.roll(1, dims=1)
    read[:, 0] = start
    return read


def _filled(read, target, extra=1):
    """Other rows, `extra` longer than the longest sentence: padding stands where they end."""

    def pair(sentences, start, end, padding):
        T = max(map(len, sentences)) + extra

        def full(make):
            rows = [make(words, start, end) for words in sentences]
            return torch.tensor([[*row, *[padding] * (T - len(row))] for row in rows])

        return full(read), full(target)

    return pair


def _end_behind_padding(sentences, start, end, padding):
    read, _ = teacher_forcing(sentences, start, end, padding)
    target = torch.full_like(read, padding)
    target[:, :-1] = read[:, 1:]
    target[:, -1] = end
    return read, target


shift = Task(
    id="13-translator/shift",
    title="Shift right",
    kind="build",
    points=1,
    minutes=10,
    answer="teacher_forcing",
    cases=shift_cases,
    reference=teacher_forcing,
    misconceptions=(
        Misconception(
            "shift-missing",
            _of_target(lambda target, start: target.clone()),
            "What is read equals what is to be said. A decoder can copy that without learning "
            "anything. Which word may it have read when it says the first one?",
        ),
        Misconception(
            "end-in-the-decoders-input",
            _of_target(_rolled),
            "Right for the longest sentences. In the shorter ones the end symbol stands in what is "
            "read. Is there anything to say after it?",
        ),
        Misconception(
            "both-symbols-in-the-input",
            _rows(lambda w, s, e: [s, *w, e], lambda w, s, e: [*w, e]),
            "What is read has one token more than what is to be said: start, words and end. After "
            "which of them is there nothing left to say?",
        ),
        Misconception(
            "both-symbols-in-the-input-filled",
            _filled(lambda w, s, e: [s, *w, e], _target, extra=2),
            "What is read holds start, words and end, so both sides are one place too long. After "
            "which of them is there nothing left to say?",
        ),
        Misconception(
            "both-symbols-on-both-sides",
            _rows(lambda w, s, e: [s, *w, e], lambda w, s, e: [s, *w, e]),
            "Both sides have start, words and end, unshifted. Who has to say the start symbol, and "
            "who reads the end?",
        ),
        Misconception(
            "start-dropped",
            _rows(lambda w, s, e: list(w), _target),
            "Nothing is read before the first word, so what is read is one token short. What does "
            "the decoder begin with?",
        ),
        Misconception(
            "start-dropped-and-filled",
            _filled(lambda w, s, e: list(w), _target),
            "What is read begins with the first word, so each word is read where it is to be said. "
            "What does the decoder begin with?",
        ),
        Misconception(
            "end-dropped",
            _rows(_read, lambda w, s, e: list(w)),
            "The end symbol is never to be said. How would a model that was trained on this know "
            "when to stop?",
        ),
        Misconception(
            "end-dropped-and-filled",
            _filled(_read, lambda w, s, e: list(w)),
            "The end symbol is never to be said: padding stands in its place. How would a model "
            "that was trained on this know when to stop?",
        ),
        Misconception(
            "end-dropped-and-last-word-unread",
            _rows(lambda w, s, e: [s, *w][: len(w)], lambda w, s, e: list(w)),
            "Both sides end with the last word but one or the last word. What is to be said after "
            "the last word?",
        ),
        Misconception(
            "shifted-twice",
            _rows(lambda w, s, e: [s, s, *w][: len(w) + 1], _target),
            "What is read lags behind by two tokens. When the second word is to be said, which one "
            "may have been read?",
        ),
        Misconception(
            "shifted-left",
            _of_target(lambda target, start: target.roll(-1, dims=1)),
            "What is read runs ahead: it shows the word after the one that is to be said. Which "
            "way do you shift to show the one before?",
        ),
        Misconception(
            "last-token-wraps-round",
            _of_target(lambda target, start: target.roll(1, dims=1)),
            "What falls off at the end comes back at the front. What should stand in the first "
            "place?",
        ),
        Misconception(
            "sides-swapped",
            lambda *args: teacher_forcing(*args)[::-1],
            "Both are right, in the other order. Which does the function return first?",
        ),
        Misconception(
            "padded-on-the-left",
            _rows(_read, _target, left=True),
            "You fill up in front of the sentences. On which side does the text ask for it?",
        ),
        Misconception(
            "padding-taken-for-zero",
            lambda sentences, start, end, padding: teacher_forcing(sentences, start, end, 0),
            "Right where the padding has the id 0. Here it has another one, and it is given.",
        ),
        Misconception(
            "end-behind-the-padding",
            _end_behind_padding,
            "Right for the longest sentences. In the others the end symbol comes after the "
            "padding. Where does a short sentence end?",
        ),
    ),
    compare=equal(same_kind=True),  # ids that are floats would stop the training
    alike=equal(),
)
