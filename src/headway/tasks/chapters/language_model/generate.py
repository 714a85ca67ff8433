"""Build: replies to prompts of several lengths, each up to its end symbol."""

import numpy as np
import torch

from headway.tasks.chapters.language_model.mistakes import ANOTHER_POSITION_READ, CONTEXT_OVERRUN
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

CONTEXT, END_IN_PROMPT = "a context that is full", "an end symbol in a prompt"
TRIES = 30  # at a prompt, before other votes are drawn
MARGIN = 0.05  # between the best score and the next: rounding shall not decide


def read(votes, ids):
    """Logits (B, T, V) for ids (B, T): votes[d, a] are the votes of a token a, d places back."""
    N, T = len(votes), ids.shape[1]
    if T > N:
        raise ValueError(f"{T} tokens do not fit into a context of {N}")
    logits = torch.zeros(*ids.shape, votes.shape[-1])
    for d in range(T):
        logits[:, d:] += votes[d, ids[:, : T - d]]
    return logits


def generate(votes, prompts, steps, end):
    """What the model replies to each prompt, token by token, without the end symbol."""
    replies = []
    for prompt in prompts:
        tokens = list(prompt)
        for _ in range(steps):
            logits = read(votes, torch.tensor([tokens[-len(votes) :]]))
            token = logits[0, -1].argmax().item()
            if token == end:
                break
            tokens.append(token)
        replies.append(tokens[len(prompt) :])
    return replies


def clear(votes, prompt, reply, end, steps) -> bool:
    """Whether no choice of a reply hangs by a hair."""
    for said in range(min(len(reply) + 1, steps)):
        tokens = [*prompt, *reply[:said]][-len(votes) :]
        best = read(votes, torch.tensor([tokens]))[0, -1].topk(2).values
        if best[0] - best[1] < MARGIN:
            return False
    return True


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(wanted, lengths, steps, N=12, V=7, end=1, within=False):
        """Votes and prompts whose replies have the lengths that are wanted.

        Args:
            within: whether the prompts hold an end symbol.
        """
        words = [v for v in range(V) if v != end]
        while True:
            votes = torch.from_numpy(np.round(rng.normal(size=(N, V, V)), 2)).float()
            votes *= 0.9 ** torch.arange(N)[:, None, None]
            prompts = []
            for length, said in zip(lengths, wanted, strict=True):
                for _ in range(TRIES):
                    prompt = rng.choice(words, length).tolist()
                    if within:
                        prompt[-2] = end
                    (reply,) = generate(votes, [prompt], steps, end)
                    apart = len(reply) < 3 or len(set(reply)) > 1
                    if len(reply) == said and apart and clear(votes, prompt, reply, end, steps):
                        prompts.append(prompt)
                        break
            if len(prompts) == len(lengths):
                return votes, prompts, steps, end

    def several():
        return Case("prompts of several lengths", *draw([3, 5, 2], [4, 2, 3], 5), core=True)

    return [
        draw_telling(generate_task, several, "steps-miscounted", "padding-read-as-words"),
        Case("a single prompt", *draw([4], [3], 6, end=0)),
        Case("the end at once", *draw([0, 3], [2, 4], 4)),
        Case("nobody ends", *draw([3, 3], [1, 3], 3)),
        Case("replies that outgrow the context", *draw([5, 6], [3, 2], 6, N=4), path=CONTEXT),
        Case("a prompt longer than the context", *draw([3, 2], [7, 5], 4, N=4), path=CONTEXT),
        Case("an end symbol in a prompt", *draw([3, 2], [4, 5], 4, within=True)),
        Case("no step to take", *draw([0, 0], [3, 2], 0), path="nothing to say"),
        Case("no prompt", *draw([], [], 3), path="nothing to say"),
    ]


def side_by_side(votes, prompts, steps, end, padding=0, left=False):
    """All prompts padded to the longest; the last place of the row is read."""
    longest = max(map(len, prompts), default=0)
    rows = [
        [padding] * (longest - len(p)) + p if left else p + [padding] * (longest - len(p))
        for p in prompts
    ]
    return generate(votes, rows, steps, end)


def in_step(votes, prompts, steps, end):
    """Right, but the loop ends for all when one row ends."""
    replies = generate(votes, prompts, steps, end)
    shortest = min(map(len, replies), default=0)
    return [reply[: shortest + 1] for reply in replies]


LATEST = "tokens[-len(votes) :]"
STOP = "if token == end:\n                break\n            tokens.append(token)"
CHOICE = "logits[0, -1].argmax().item()"
REPLY = "tokens[len(prompt) :]"
(never_stopped,) = changed(generate, STOP, "tokens.append(token)")
(endless,) = changed(never_stopped, LATEST, "tokens")  # as on the page


def then(replies, change):
    """Replies that are changed when all is said: change(prompt, reply, end)."""

    def other(votes, prompts, steps, end):
        made = replies(votes, prompts, steps, end)
        return [change(prompt, reply, end) for prompt, reply in zip(prompts, made, strict=True)]

    return other


def up_to_the_end(prompt, reply, end):
    return reply[: reply.index(end)] if end in reply else reply


def endless_side_by_side(votes, prompts, steps, end, padding=0):
    """The page's loop on one tensor of all prompts."""
    longest = max(map(len, prompts))
    rows = [prompt + [padding] * (longest - len(prompt)) for prompt in prompts]
    return endless(votes, rows, steps, end)


generate_task = Task(
    id="11-language-model/generate",
    title="Reply until the end",
    kind="build",
    points=2,
    minutes=15,
    answer="generate",
    cases=cases,
    reference=generate,
    misconceptions=(
        ANOTHER_POSITION_READ.by(
            side_by_side,
            lambda *given: side_by_side(*given, padding=given[-1]),
            *(
                one
                for rows in (
                    endless_side_by_side,
                    lambda *given: endless_side_by_side(*given, padding=given[-1]),
                )
                for one in (rows, then(rows, up_to_the_end))
            ),
            changed(
                generate,
                CHOICE,
                "logits[0, 0].argmax().item()",
                "logits[0].sum(0).argmax().item()",
                "logits[0, max(len(tokens[-len(votes) :]) - 2, 0)].argmax().item()",
            ),
        ),
        Misconception(
            "padding-read-as-words",
            any_of(
                lambda *given: side_by_side(*given, left=True),
                lambda *given: side_by_side(*given, padding=given[-1], left=True),
            ),
            "Your shorter prompts are read with something before them that nobody said. Which "
            "tokens should a reply depend on?",
        ),
        Misconception(
            "reply-cut-out-wrongly",
            any_of(
                changed(
                    generate,
                    STOP,
                    "tokens.append(token)\n            if token == end:\n                break",
                ),
                changed(
                    generate,
                    REPLY,
                    "tokens",
                    "tokens[len(prompt) - 1 :]",
                    "tokens[len(prompt) + 1 :]",
                ),
                then(endless, lambda prompt, reply, end: [*prompt, *reply]),
            ),
            "Your replies hold a token that is not theirs, or lack their first. Where does a reply "
            "begin, and is the end symbol part of it?",
        ),
        Misconception(
            "never-stops",
            any_of(
                never_stopped,
                endless,
                lambda *given: [
                    [token for token in reply if token != given[-1]]
                    for reply in never_stopped(*given)
                ],
            ),
            "Your replies go on behind their end, up to the last step. What does it mean when the "
            "model says the end symbol?",
        ),
        Misconception(
            "ended-by-another-end",
            any_of(
                in_step,
                then(
                    endless,
                    lambda prompt, reply, end: (
                        [] if end in prompt else up_to_the_end(prompt, reply, end)
                    ),
                ),
                lambda *given: [
                    reply[: min(map(len, generate(*given)))] for reply in generate(*given)
                ],
                changed(generate, "break", "return [*replies, tokens[len(prompt) :]]"),
                changed(generate, "break", "return replies"),
                changed(generate, "range(steps)", "range(0 if end in prompt else steps)"),
                changed(
                    generate, REPLY, "tokens[: tokens.index(end)] if end in tokens else " + REPLY
                ),
            ),
            "A reply of yours ends, or is changed, by an end symbol that is not its own. Whose end "
            "does a reply wait for?",
        ),
        CONTEXT_OVERRUN.by(
            changed(generate, LATEST, "tokens[: len(votes)]", "tokens", "tokens[1 - len(votes) :]"),
            changed(generate, "tokens = list(prompt)", "tokens = list(prompt)[: len(votes)]"),
            changed(generate, "range(steps)", "range(min(steps, len(votes) - len(tokens)))"),
            changed(
                generate,
                f"{LATEST}]))",
                f"{LATEST}]))\n            if len(tokens) >= len(votes):\n                break",
            ),
        ),
        Misconception(
            "own-words-not-read",
            changed(generate, LATEST, "prompt[-len(votes) :]", "tokens[-1:]"),
            "Your model reads the prompt only, or the last token only. What does the choice of a "
            "reply's third token depend on?",
        ),
        Misconception(
            "another-choice",
            changed(
                generate,
                CHOICE,
                "logits[0, -1].argmin().item()",
                "logits[0, -1].topk(2).indices[1].item()",
            ),
            "Your next token is not the one with the highest score. How is it chosen here?",
        ),
        Misconception(
            "steps-miscounted",
            changed(
                generate,
                "range(steps)",
                "range(steps + 1)",
                "range(steps - 1)",
                "range(max(steps - len(prompt), 0))",
            ),
            "Your replies are cut after another number of tokens. What do the steps count, and "
            "does the prompt take any of them?",
        ),
    ),
    compare=equal(),
)
