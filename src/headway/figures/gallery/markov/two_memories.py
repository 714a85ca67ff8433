"""Drawing: one sentence walked through two chains, one that looks back further than the other."""

from collections import Counter
from collections.abc import Sequence

from headway.figures.core.page import number
from headway.figures.gallery.markov.chain_road import DOT, Memory, Road, road, segments
from headway.figures.gallery.markov.memory_panels import COUNTED, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped


def two_memories(
    chains: Sequence[Memory],
    sentence: Sequence[int],
    symbols: Sequence[str],
    title: str,
    caption: str,
) -> Stepped:
    """The drawing: for each chain a step for its graph, one a choice, and one for the end.

    Args:
        chains: two of different orders, 1 to 3.
        sentence: T ids, which both chains can write.
        symbols: V names.
        title, caption: as printed.

    Raises:
        ValueError: if the sentence cannot come, a word can come back in a sentence, or there is
            too much to read.
    """
    orders = [chain.order for chain in chains]
    if len(set(orders)) != 2 or not set(orders) <= set(COUNTED):
        raise ValueError(f"two chains of different orders from 1 to 3 can be drawn, got {orders}")
    roads = [road(chain, sentence, symbols) for chain in chains]
    said = [symbols[i] for i in sentence]
    alt = f"“{' '.join(said)}”, walked through two chains. " + " ".join(
        f"With {COUNTED[n]} of memory its words and its end have the probabilities "
        f"{', '.join(number(p, 2) for p in one.factors)}; multiplied up {number(one.products[-1])},"
        f" perplexity {number(one.perplexity, 2)}."
        for n, one in zip(orders, roads, strict=True)
    )
    steps = [step for n, one in zip(orders, roads, strict=True) for step in told(n, one)]
    return stepped(
        draw(orders, roads, alt),
        steps=steps,
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *(f"order {n}: {what}" for n in orders for what in ("alone", "so far"))],
        rows=[
            *(
                [word, *(number(x[t], 3) for one in roads for x in (one.factors, one.products))]
                for t, word in enumerate([*said, "(end)"])
            ),
            ["perplexity", *(x for one in roads for x in ("", number(one.perplexity, 3)))],
        ],
        upright=draw(orders, roads, alt, upright=True),
    )


def told(order: int, one: Road) -> list[str]:
    """What happens at each step that belongs to a chain."""
    last = Counter(name[-1] for name in one.names[:-1])
    split = [f"“{name}”" for name, times in last.items() if times > 1 and name != DOT]
    graph = (
        f"Order {order}: a box is what the chain remembers, the last "
        f"{'word' if order == 1 else COUNTED[order]}, and arrows lead to what may come next. The "
        "dot is the boundary."
    )
    if split:
        graph += f" Look for {' and '.join(split)}: each of them is in more than one box now."
    steps = [graph]
    for _, after in segments(one.factors)[:-1]:
        t = after - 1
        context, word = one.names[one.path[t]], one.names[one.path[after]][-1]
        steps.append(
            f"After “{' '.join(context)}” it has a choice, and “{word}” has a probability of "
            f"{number(one.factors[t], 2)}. Multiplied up so far: {number(one.products[t], 3)}."
        )
    rest = "The rest is certain. " if one.factors[-1] == 1 else ""
    return [
        *steps,
        f"{rest}Multiplied up, the {len(one.factors)} predictions come to "
        f"{number(one.products[-1], 3)}, so the perplexity is {number(one.perplexity, 2)}.",
    ]
