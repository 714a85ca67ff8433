"""Drawing: one word asks, all words answer, and what it hears is the mean of their values."""

from headway.figures.gallery.attention.asking import Asking, check
from headway.figures.gallery.attention.six_words_forms import upright, wide
from headway.figures.gallery.shared.drawn import shown
from headway.figures.gallery.shared.stepped import Stepped, stepped


def six_words(asking: Asking, title: str, caption: str) -> Stepped:
    """The drawing, in seven steps.

    Args:
        asking: the numbers; few words and few numbers each, so that one can read them.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there are more than eight words or more
            than two numbers in a query or in a value.
    """
    check(asking)
    words, asker = asking.words, asking.words[asking.asks]
    best = int(asking.weights.argmax())
    answer, sure = asking.says[0]
    query = ", ".join(shown(x, 1) for x in asking.query)
    alt = f"“{asker}” asks {len(words)} words with the query {query}. " + "; ".join(
        f"{word}: key {', '.join(shown(x, 1) for x in key)}, score {shown(score, 2)}, weight "
        f"{weight:.2f}"
        for word, key, score, weight in zip(
            words, asking.keys, asking.scores, asking.weights, strict=True
        )
    )
    alt += f". The mixture of the values says {answer} with probability {sure:.2f}."
    return stepped(
        wide(asking, alt),
        steps=[
            f"“{asker}” has a question for every word of the sentence.",
            f"“{asker}” makes a query: what it is looking for, in two numbers.",
            "Every word makes a key: what it has to offer, in two numbers.",
            "Query times key, divided by √2, is a score: how well the two fit.",
            f"The softmax turns scores into weights that sum to one; “{words[best]}” gets "
            f"{asking.weights[best]:.0%}.",
            "Every word also has a value: what it says if it is listened to.",
            f"The values, each times its weight, add up to what “{asker}” hears: “{answer}”.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        upright=upright(asking, alt),
        header=["word", "key", "q · k", "score", "weight", "value"],
        rows=[
            [
                word,
                ", ".join(shown(x, 2) for x in key),
                shown(product, 2),
                shown(score, 2),
                f"{weight:.2f}",
                ", ".join(shown(x, 2) for x in value),
            ]
            for word, key, product, score, weight, value in zip(
                words,
                asking.keys,
                asking.products,
                asking.scores,
                asking.weights,
                asking.values,
                strict=True,
            )
        ],
    )
