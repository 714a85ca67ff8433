"""Build: which token may look at which, told for blocks of tokens."""

import numpy as np
import torch

from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    EDGES_UNUSED,
    FUTURE_MISREAD,
    LAST_BLOCK,
    ONLY_ONE,
    WAY_BACK_FORGOTTEN,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed, seen
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


def told(tell):
    """A predicate of a mask's pairs of blocks.

    Args:
        tell: (mask (T, T), the right one, the one without causality, the block of each token (T,),
            whether it is causal) → bool.
    """

    def shows(got, expected, case) -> bool:
        T, block, pairs, causal = (*case.inputs, False)[:4]
        mask, right = np.asarray(got, dtype=bool), np.asarray(expected)
        whole = block_sparse(T, block, pairs).numpy()
        return mask.shape == right.shape and bool(
            tell(mask, right, whole, np.arange(T) // block, causal)
        )

    return shows


def _own_block_hidden(mask, right, whole, of, causal) -> bool:
    return (right | ~mask).all() and ((mask == right) | (of[:, None] == of)).all()


def _future_by_blocks(mask, right, whole, of, causal) -> bool:
    own = of[:, None] == of
    return causal and ((mask == right) | own).all() and (mask[own].all() or not mask[own].any())


def _future_misread(mask, right, whole, of, causal) -> bool:
    """Whether only the future differs, or there is none where a text is read both ways."""
    if not causal:
        return (np.tril(mask, -1) == np.tril(right, -1)).all() and not np.triu(mask, 1).any()
    return (np.tril(mask, -1) == np.tril(right, -1)).all() or (mask == np.triu(whole)).all()


def _turned(mask, right, whole, of, causal) -> bool:
    return (mask == (np.tril(whole.T) if causal else whole.T)).all()


def _both_ways(mask, right, whole, of, causal) -> bool:
    both = whole | whole.T
    return (mask == (np.tril(both) if causal else both)).all()


def _inverted(mask, right, whole, of, causal) -> bool:
    return ((mask != whole) | (np.triu(np.ones_like(mask), 1) & causal)).all()


def _by_blocks(mask, right, whole, of, causal) -> bool:
    """Whether all tokens of a block see the same of another one, and not all that they may."""
    leaks = causal and np.triu(mask, 1).any()
    more = (mask | ~right).all()
    return not leaks and not more and not _in_part(mask, right, whole, of, causal)


def _in_part(mask, right, whole, of, causal) -> bool:
    """Whether some tokens of a block see some of another one, and others that may do not."""
    past = np.tril(np.ones_like(mask)) if causal else np.ones_like(mask)
    each = np.eye(of[-1] + 1)[of]  # (T, blocks)
    seen, most = (each.T @ pairs @ each for pairs in (mask & past, past))
    return ((seen > 0) & (seen < most)).any()


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
            "future-by-blocks",
            other((RETURN, "return sees.tril()[of][:, of] if causal else mask")),
            "You hide the future block by block, so within a block a token sees what comes after "
            "it, or nothing at all. When is one token in the future of another?",
            shows=told(_future_by_blocks),
        ),
        FUTURE_MISREAD.by(other((RETURN, "return mask")), shows=told(_future_misread)),
        LAST_BLOCK.by(
            other((BLOCKS, "T // block")),
            only_at=(
                "a shorter last block",
                "a last block of one token",
                "without the future, a shorter last block",
                "a block larger than the text",
            ),
            shows=lambda got, expected, case: case.inputs[0] % case.inputs[1] > 0,
        ),
        seen(
            "listed-again",
            "This goes wrong where the list has a pair twice, or a block's pair with itself. What "
            "does a line add that says what is so already?",
            only_at=("an own block in the list, and a pair twice",),
        ),
        ONLY_ONE.by(only_at=("no pairs", "blocks of one token", "one token")),
        Misconception(
            "own-block-hidden",
            other((OWN, FALSE)),
            "Some tokens do not see all that they may of their own block, and the rest is right. "
            "What does a token always see?",
            shows=told(_own_block_hidden),
        ),
        DIRECTION_TURNED.by(other((SEES, "sees[j, i] = True")), shows=told(_turned)),
        WAY_BACK_FORGOTTEN.by(
            other((SEES, "sees[i, j] = sees[j, i] = True")), shows=told(_both_ways)
        ),
        Misconception(
            "mask-inverted",
            other((RETURN, "return ~mask.tril() if causal else ~mask")),
            "Your mask is True where nobody may look. What does True in a mask stand for in this "
            "course?",
            shows=told(_inverted),
        ),
        EDGES_UNUSED.by(other((SEES, "pass")), shows=told(_by_blocks)),
        Misconception(
            "blocks-for-tokens",
            any_of(
                other((OF, "(torch.arange(T) + 1) // block"), (BLOCKS, "-(-T // block) + 1")),
                other((OF, "torch.arange(T)"), (BLOCKS, "T")),
                other((OF, "torch.arange(T) % block"), (BLOCKS, "max(-(-T // block), block)")),
            ),
            "Your mask is one of blocks, or its blocks begin at other tokens than the text's. To "
            "which block does token number 7 belong, with blocks of 4?",
            shows=lambda got, expected, case: (
                len(got) == -(-case.inputs[0] // case.inputs[1]) < case.inputs[0]
            ),
        ),
        seen(
            "blocks-in-part",
            "Some tokens see what others of the same block do not. What does one pair say of all "
            "tokens of its blocks, and to which block does token 7 belong, with blocks of 4?",
            told(_in_part),
        ),
    ),
    compare=equal(),
)
