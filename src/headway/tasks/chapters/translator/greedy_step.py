"""Train, first part: one step of writing a translation, for a whole batch."""

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def greedy_step(logits, written, end, padding):
    """Appends the best next token (B, T + 1), or padding behind an end; and which rows are done."""
    return append(written, logits[:, -1].argmax(-1), end, padding)


def append(written, best, end, padding):
    done = (written == end).any(1)
    longer = torch.cat([written, best.masked_fill(done, padding)[:, None]], 1)
    return longer, (longer == end).any(1)


def greedy_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, V=8, end=2, padding=0, best=None):
        """`best` has the next token of each row; the others are drawn."""
        written = torch.tensor(rows)
        B, T = written.shape
        logits = draw_tensor(rng, B, T, V)
        words = [v for v in range(V) if v not in (end, padding)]
        for b in range(B):
            order = rng.permutation(words)[:T] if len(words) >= T else rng.choice(words, T)
            logits[b, torch.arange(T), torch.from_numpy(order)] += 9
            if best is not None and best[b] is not None:
                logits[b, -1, best[b]] += 20
        return logits, written, end, padding

    return [
        Case("nothing done yet", *draw([[1, 5, 3], [1, 4, 6]]), core=True),
        Case(
            "some rows done before, one by this token",
            *draw([[1, 5, 2, 0], [1, 4, 6, 5], [1, 3, 7, 4]], best=[5, 2, 6]),
            core=True,
        ),
        Case("the first word", *draw([[1], [1], [1]])),
        Case("all end with this token", *draw([[1, 5], [1, 6]], best=[2, 2])),
        Case("all done before", *draw([[1, 5, 2], [1, 2, 0]])),
        Case("a single sentence", *draw([[1, 3, 4, 5]])),
        Case(
            "other ids for end and padding",
            *draw([[1, 5, 0, 6], [1, 4, 3, 2]], end=0, padding=6),
        ),
        Case("another token nearly as likely", *close_calls(rng), core=True),
        Case("done long before", *draw([[1, 2, 0, 0, 0], [1, 5, 4, 3, 7]], best=[4, None])),
    ]


def close_calls(rng, B=12, T=3, V=40, end=2, padding=0):
    """Rows in which the best token is ahead by a little: who draws by chance takes another one."""
    logits = draw_tensor(rng, B, T, V)
    best = torch.from_numpy(rng.integers(3, V, (B, T)))[..., None]
    logits.scatter_(-1, best, logits.amax(-1, keepdim=True) + 0.05)
    return logits, torch.from_numpy(rng.integers(3, V, (B, T))), end, padding


def _changed(change):
    """Another step: change(logits, written, end, padding, best) -> longer, done."""
    return lambda logits, written, end, padding: change(
        logits, written, end, padding, logits[:, -1].argmax(-1)
    )


def _goes_on(logits, written, end, padding, best):
    longer = torch.cat([written, best[:, None]], 1)
    return longer, (longer == end).any(1)


def _forgets(logits, written, end, padding, best):
    longer, _ = append(written, best, end, padding)
    return longer, longer[:, -1] == end


def _knows_last_only(logits, written, end, padding, best):
    """Takes a row for done if its last token is the end: padding behind it is not seen."""
    done = written[:, -1] == end
    longer = torch.cat([written, best.masked_fill(done, padding)[:, None]], 1)
    return longer, (longer == end).any(1)


def _asks_last_only(logits, written, end, padding, best):
    """The last token decides before and after the step: padding counts for a word."""
    longer, _ = _knows_last_only(logits, written, end, padding, best)
    return longer, longer[:, -1] == end


def _asks_last_twice(logits, written, end, padding, best):
    """Done before this step by the last token, or by the new one."""
    longer, _ = _knows_last_only(logits, written, end, padding, best)
    return longer, (longer[:, -2:] == end).any(1)


def _all_appended(logits, written, end, padding, best):
    """All that is predicted behind what is written, not the last of it alone."""
    said = logits.argmax(-1).masked_fill((written == end).any(1)[:, None], padding)
    longer = torch.cat([written, said], 1)
    return longer, (longer == end).any(1)


def _repeats_end(logits, written, end, padding, best):
    done = (written == end).any(1)
    longer = torch.cat([written, best.masked_fill(done, end)[:, None]], 1)
    return longer, (longer == end).any(1)


def _done_before(logits, written, end, padding, best):
    return append(written, best, end, padding)[0], (written == end).any(1)


def _end_never_written(logits, written, end, padding, best):
    """A row is asked whether it is done after the step, and gets padding before it is."""
    done = (written == end).any(1) | (best == end)
    return torch.cat([written, best.masked_fill(done, padding)[:, None]], 1), done


def _all_predictions(logits, written, end, padding, best):
    """The start symbol and all that is predicted: earlier words are written anew."""
    said = logits.argmax(-1)
    done = (written == end).any(1)
    said[:, -1] = said[:, -1].masked_fill(done, padding)
    longer = torch.cat([written[:, :1], said], 1)
    return longer, (longer == end).any(1)


greedy = Task(
    id="13-translator/greedy-step",
    title="Write one more word",
    kind="train",
    points=2,
    minutes=12,
    answer="greedy_step",
    cases=greedy_cases,
    reference=greedy_step,
    misconceptions=(
        Misconception(
            "first-position-read",
            _changed(
                lambda logits, written, end, padding, best: append(
                    written, logits[:, 0].argmax(-1), end, padding
                )
            ),
            "You append what was predicted at the first position, right after the start symbol. "
            "Which position predicts the next token?",
        ),
        Misconception(
            "all-predictions-taken",
            _changed(_all_predictions),
            "You replace what has been written by what is predicted at each place. The model has "
            "read what was written: can that be changed afterwards?",
        ),
        Misconception(
            "goes-on-after-the-end",
            _changed(_goes_on),
            "Rows that have ended get more words. What should stand behind an end symbol?",
        ),
        Misconception(
            "only-the-last-token-checked",
            _changed(_knows_last_only),
            "A row stays done for one step only: once padding stands behind its end symbol, words "
            "come again. Where may the end symbol stand?",
        ),
        Misconception(
            "only-the-last-token-checked-twice",
            _changed(_asks_last_only),
            "You ask the last token alone, before the step and after it. Once padding stands "
            "behind an end symbol, the row no longer counts as done. Where may the end symbol "
            "stand?",
        ),
        Misconception(
            "only-the-last-two-tokens-checked",
            _changed(_asks_last_twice),
            "A row counts as done if its last token was the end, or the new one is. What of a row "
            "that ended earlier, and has had padding since?",
        ),
        Misconception(
            "all-predictions-appended",
            _changed(_all_appended),
            "You append what is predicted at every position. All but the last of these tokens "
            "stand in the row already. How much longer should a row be after a step?",
        ),
        Misconception(
            "end-never-written",
            _changed(_end_never_written),
            "A row that ends now gets padding where its end symbol should stand, so later nobody "
            "can tell that it has ended. Which rows get padding: those that were done before the "
            "step, or after it?",
        ),
        Misconception(
            "end-repeated",
            _changed(_repeats_end),
            "You fill rows that are done with the end symbol. What does the text ask for?",
        ),
        Misconception(
            "done-forgotten",
            _changed(_forgets),
            "The tokens are right. Rows that ended earlier no longer count as done, so a loop that "
            "waits for all would not stop. When is a row done?",
        ),
        Misconception(
            "done-one-step-late",
            _changed(_done_before),
            "The tokens are right. A row that ends with this token does not count as done yet. Of "
            "what do you ask whether it holds an end symbol?",
        ),
        Misconception(
            "written-not-kept",
            _changed(
                lambda logits, written, end, padding, best: (
                    append(written, best, end, padding)[0][:, -1:],
                    append(written, best, end, padding)[1],
                )
            ),
            "You return the new token alone. What will the decoder read in the next step?",
        ),
        Misconception(
            "written-over",
            _changed(
                lambda logits, written, end, padding, best: (
                    append(written[:, :-1], best, end, padding)[0],
                    append(written, best, end, padding)[1],
                )
            ),
            "The new token stands in the place of the last one. How much longer should a row be "
            "after a step?",
        ),
        Misconception(
            "least-likely",
            lambda logits, *args: greedy_step(-logits, *args),
            "You append the token with the lowest score. Which one is greedy?",
        ),
        Misconception(
            "done-inverted",
            lambda *args: (greedy_step(*args)[0], ~greedy_step(*args)[1]),
            "The tokens are right. Is True asked for rows that have ended or for those that go on?",
        ),
        Misconception(
            "special-ids-guessed",
            lambda logits, written, end, padding: greedy_step(logits, written, 2, 0),
            "Right where the end has the id 2 and the padding 0. Here they have others, and both "
            "are given.",
        ),
    ),
    compare=equal(same_kind=True),  # the next step looks these ids up
    alike=equal(),
)
