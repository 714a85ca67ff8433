"""Build: which token may look at which, told for blocks of tokens."""

import numpy as np
import torch

from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    EDGES_UNUSED,
    FUTURE_MISREAD,
    LAST_BLOCK,
    WAY_BACK_FORGOTTEN,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

CAUSAL = "a causal mask besides"


def block_sparse(T, block, pairs, causal=False):
    """The mask (T, T) of a graph of blocks: an edge lets all tokens of one see those of another."""
    blocks = -(-T // block)
    sees = torch.eye(blocks, dtype=torch.bool)
    for i, j in pairs:
        sees[i, j] = True
    of = torch.arange(T) // block
    mask = sees[of][:, of]
    return mask.tril() if causal else mask


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, blocks, block, over, count, *causal, **options):
        """Pairs of different blocks; the last block is `over` tokens shorter than the others."""
        pairs = [(i, j) for i in range(blocks) for j in range(blocks) if i != j]
        chosen = rng.permutation(len(pairs))[:count]
        listed = [pairs[place] for place in chosen]
        return Case(label, blocks * block - over, block, listed, *causal, **options)

    block = int(rng.integers(3, 6))
    many = draw("an own block in the list, and a pair twice", 4, 3, 0, 4)
    many.inputs[2].extend([(2, 2), many.inputs[2][0]])
    return [
        draw("whole blocks", 5, block, 0, 6, core=True),
        draw("no pairs", 3, 4, 0, 0),
        draw("a shorter last block", 4, 5, 3, 4, path="a shorter last block"),
        draw("a last block of one token", 4, 4, 3, 6, path="a shorter last block"),
        draw("without the future", 4, 4, 0, 6, True, path=CAUSAL),
        draw("without the future, a shorter last block", 4, 5, 2, 6, True, path=CAUSAL),
        many,
        draw("blocks of one token", 6, 1, 0, 9),
        draw("a block larger than the text", 1, 9, 4, 0),
        draw("one token", 1, 1, 0, 0),
    ]


OWN, SEES = "torch.eye(blocks, dtype=torch.bool)", "sees[i, j] = True"
BLOCKS, OF = "-(-T // block)", "torch.arange(T) // block"
RETURN = "return mask.tril() if causal else mask"
FALSE = "torch.zeros(blocks, blocks, dtype=torch.bool)"


def other(*changes: tuple[str, str]) -> AnyOf:
    """Masks with other code in one place or several."""
    wrong = AnyOf([block_sparse])
    for at, becomes in changes:
        wrong = changed(*wrong, at, becomes)
    return wrong


block_sparse_task = Task(
    id="16-outlook/block-sparse",
    title="A mask of blocks",
    kind="build",
    points=3,
    minutes=12,
    answer="block_sparse",
    cases=cases,
    reference=block_sparse,
    misconceptions=(
        Misconception(
            "own-block-hidden",
            any_of(
                other((OWN, FALSE)),
                other((OWN, FALSE), (RETURN, RETURN + " | torch.eye(T, dtype=torch.bool)")),
                other(
                    (OWN, FALSE),
                    (RETURN, "mask = mask | torch.eye(T, dtype=torch.bool); " + RETURN),
                ),
            ),
            "A token does not see all of its own block unless the list says so. What does a token "
            "always see?",
        ),
        DIRECTION_TURNED.by(other((SEES, "sees[j, i] = True"))),
        WAY_BACK_FORGOTTEN.by(other((SEES, "sees[i, j] = sees[j, i] = True"))),
        Misconception(
            "future-by-blocks",
            any_of(
                other((RETURN, "return sees.tril()[of][:, of] if causal else mask")),
                other((RETURN, "return mask & (of[None] <= of[:, None]) if causal else mask")),
                other((RETURN, "return mask & (of[None] < of[:, None]) if causal else mask")),
                other((RETURN, "return sees.tril(-1)[of][:, of] if causal else mask")),
            ),
            "You hide the future block by block, so within a block a token sees what comes after "
            "it, or nothing at all. When is one token in the future of another?",
        ),
        FUTURE_MISREAD.by(
            other((RETURN, "return mask")),
            other((RETURN, "return mask.triu() if causal else mask")),
            other((RETURN, "return mask.tril()")),
            other((RETURN, "return mask.tril(-1) if causal else mask")),
            other((RETURN, "return mask.tril(1) if causal else mask")),
        ),
        LAST_BLOCK.by(
            other(
                (BLOCKS, "max(T // block, 1)"),
                (OF, "(torch.arange(T) // block).clamp(max=blocks - 1)"),
            ),
            other((BLOCKS, "T // block")),
            other((BLOCKS, "T // block"), (OF, "torch.arange(T // block * block) // block")),
            other((OF, "torch.arange(blocks * block) // block")),
        ),
        Misconception(
            "blocks-for-tokens",
            any_of(
                other((OF, "(torch.arange(T) + 1) // block"), (BLOCKS, "-(-T // block) + 1")),
                other((OF, "(torch.arange(T) - 1).clamp(min=0) // block")),
                other((OF, "(T - 1) // block - torch.arange(T) // block")),
                other((OF, "torch.arange(T) * blocks // T")),
                other((OF, "torch.arange(T)"), (BLOCKS, "T")),
                other((RETURN, "return sees.tril() if causal else sees")),
                other((OF, "torch.arange(T).clamp(max=blocks - 1)")),
                other((OF, "torch.arange(T) % blocks")),
                other((OF, "torch.arange(T) % block"), (BLOCKS, "max(-(-T // block), block)")),
            ),
            "Your mask is one of blocks, or its blocks begin at other tokens than the text's. To "
            "which block does token number 7 belong, with blocks of 4?",
        ),
        Misconception(
            "mask-inverted",
            any_of(
                other((RETURN, "return ~mask.tril() if causal else ~mask")),
                other((RETURN, "return (~mask).tril() if causal else ~mask")),
            ),
            "Your mask is True where nobody may look. What does True in a mask stand for in this "
            "course?",
        ),
        EDGES_UNUSED.by(
            other((SEES, "pass")),
            other((SEES, "sees[:] = True")),
            other((SEES, "sees[i] = True")),
            other((SEES, "sees[:, j] = True")),
            other((SEES, "sees[i] = False; sees[i, [i, j]] = True")),
        ),
    ),
    compare=equal(),
)
