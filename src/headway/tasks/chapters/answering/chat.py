"""Debug: a conversation in which the model has lost where its first answer ended."""

import numpy as np

from headway.tasks.chapters.answering.mistakes import TAKEN_FOR_GRANTED
from headway.tasks.chapters.answering.talker import Talker
from headway.tasks.engine.compare import Difference, equal
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.probe.asks import ask_and_note, ask_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

MARGIN = 0.02  # between the best score and the next: rounding shall not decide
CUT, NOTHING = "an answer that is cut off", "nothing to say"


def chat(model, questions, question, answer, end, most):
    """The answers to questions that are asked one after another."""
    row, answers = [], []
    for asked in questions:
        row = [*row, question, *asked, answer]
        said = []
        while len(said) < most:
            token = int(np.argmax(model(row + said)))
            if token == end:
                break
            said.append(token)
        row = row + said + [end]
        answers.append(said)
    return answers


PROMPT, KEPT = "row = [*row, question, *asked, answer]", "row = row + said + [end]"

# The faulty function that the notebook hands out.
(end_lost,) = changed(chat, KEPT, "row = row + said")
cut_left_open, empty_left_open = changed(
    chat,
    KEPT,
    "row = row + said + [end] * (len(said) < most)",
    "row = row + said + [end] * bool(said)",
)
forgotten = any_of(
    changed(chat, KEPT, "row = row + [end]", "pass"),
    changed(chat, PROMPT, "row = [question, *asked, answer]"),
)
other_ends = changed(
    chat,
    KEPT,
    "row = row + said + [answer]",
    "row = row + said + [end, end]",
    "row = row + [end] + said",
)
markers_lost = changed(
    chat,
    PROMPT,
    "row = [*row, question, *asked]",
    "row = [*row, *asked, answer]",
    "row = [*row, *([] if row else [question]), *asked, answer]",
)
(end_in_front,) = changed(chat, KEPT, "row = [end] + row + said + [end]")
FAULTS = (end_lost, *forgotten, *other_ends, *markers_lost, end_in_front)


def chat_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, lengths, most, suits, only=None, **options):
        def one():
            V = 11
            tables = np.round(rng.normal(size=(5, V, V)), 2)
            ids = [int(i) for i in rng.permutation(V)]
            question, answer, end, *words = ids
            tables[:, :, [question, answer]] -= 9
            tables[:, :, end] += rng.uniform(0.1, 0.5)
            asked = [[int(i) for i in rng.choice(words, n)] for n in lengths]
            return Talker(tables), asked, question, answer, end, most

        return Case(label, *draw_until(lambda drawn: clear(drawn, suits, only), one), **options)

    def ends(answers, longer, most):
        return all(0 < len(said) < most for said in answers)

    def is_cut(answers, longer, most):
        return answers[0] != longer[0] and all(answers) and min(map(len, answers)) < most

    def is_empty(answers, longer, most):
        return not answers[0] and any(answers) and max(map(len, answers)) < most

    return [
        draw("two questions", (3, 2), 7, ends, core=True),
        draw("three questions", (2, 3, 2), 7, ends, core=True),
        draw("one question", (3,), 7, ends),
        draw("four questions", (1, 2, 3, 1), 8, ends),
        draw(CUT, (2, 3, 2), 3, is_cut, cut_left_open),
        draw(NOTHING, (2, 2, 2), 6, is_empty, empty_left_open),
        draw("an empty question", (2, 0), 7, ends),
        arguments_kept(*draw("", (2, 2), 6, ends).inputs, verb=ask_then_look),
    ]


def clear(drawn, suits, only) -> bool:
    """Whether no choice hangs by a hair, each fault changes an answer, and the answers suit.

    Args:
        suits: (answers, those that may be a token longer, most) -> whether they do.
        only: a fault that only this case tells, which has to differ from all others here; or None.
    """
    model, questions, *rest = drawn
    gaps = []

    def watched(row):
        scores = model(row)
        best = np.sort(scores)[-2:]
        gaps.append(best[1] - best[0])
        return scores

    *special, most = rest
    answers = chat(watched, questions, *rest)
    longer = chat(model, questions, *special, most + 1)
    if min(gaps) < MARGIN or not suits(answers, longer, most):
        return False
    if len(questions) == 1:
        return True
    wrong = [fault(model, questions, *rest) for fault in FAULTS]
    return answers not in wrong and (
        only is None or only(model, questions, *rest) not in (answers, *wrong)
    )


def same_answers(got, expected, case) -> Difference | None:
    """As `equal`, however often the model was asked."""
    return equal()(got[0], expected[0], case)


def _after_no_end(got, expected, case) -> bool:
    """The first wrong answer comes after one that was cut off, or is empty."""
    at = [mine == right for mine, right in zip(got[0], expected[0], strict=True)].index(False)
    return any(len(said) in (0, case.inputs[-1]) for said in expected[0][:at])


chat_task = Task(
    id="17-answering/chat",
    title="Repair it",
    kind="debug",
    points=2,
    minutes=15,
    answer="chat",
    cases=chat_cases,
    reference=chat,
    given=end_lost,
    misconceptions=(
        seen(
            "end-in-the-answer",
            "The special token that ends an answer is handed back as one of its words. What does "
            "whoever asked want to read?",
            lambda got, expected, case: any(case.inputs[4] in said for said in got[0]),
        ),
        Misconception(
            "end-not-in-the-row",
            other_ends,
            "A next question comes behind an answer that has no end, or not the end it should "
            "have. What comes before a second question in training, even if an answer is empty or "
            "cut off?",
            shows=_after_no_end,
        ),
        TAKEN_FOR_GRANTED.by(only_at=(NOTHING,)),
        Misconception(
            "turns-forgotten",
            forgotten,
            "Only the first answer is right: what was said before is missing when the next "
            "question is read, or a part of it. What does a model know of a conversation but its "
            "row?",
        ),
        seen(
            "another-answer",
            "An answer isn't made of the likeliest tokens. Print the row that the "
            "model reads before the first such answer: could it have been in its training?",
            lambda got, expected, case: got[0] != expected[0],
        ),
    ),
    verb=ask_and_note,
    compare=same_answers,
)
