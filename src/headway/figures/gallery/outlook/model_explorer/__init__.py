"""Figure: a look into a language model, from its tokens to its next word, with parts switched off.

One script serves two pages. That of `headway explore` asks a server; a page of the book brings
along the answers for one text, and says so where another one would be needed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive, as_json

MOST_TOKENS = 12  # positions at which the script shows the stream
PLAIN = {"temperature": 1, "top_k": None, "top_p": None}  # the filters at first
DIGITS = 4  # of a number that a page keeps; it shows three
MOST_BYTES = 60_000  # that a page takes along


def key_of(request: Mapping[str, object]) -> str:
    """A request as the script names its recorded answer: JSON with the names in order."""
    whole_ones = {
        name: int(given) if isinstance(given, float) and given.is_integer() else given
        for name, given in request.items()
    }
    return json.dumps(whole_ones, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def requests(facts: Mapping[str, object], text: str, ids: Sequence[int]) -> Iterator[dict]:
    """What the script asks while a reader looks around in one text, with everything switched on.

    Args:
        facts: of the model, its "layers" and "heads" among them.
        text: the text.
        ids: its T tokens as the model reads them.

    Raises:
        ValueError: if there are none, or more than 12.
    """
    T = len(ids)
    if not 1 <= T <= MOST_TOKENS:
        raise ValueError(f"a text on a page has 1 to {MOST_TOKENS} tokens, got {T}: {text!r}")
    about = {"text": text, "drawn": [], "off": []}
    yield {"ask": "tokens", **about}
    yield {"ask": "heads", **about}
    yield {"ask": "lens", "from": 0, "to": T, **about}
    yield from ({"ask": "neighbors", "id": token} for token in dict.fromkeys(ids))
    for layer in range(facts["layers"]):
        for head in range(facts["heads"]):
            yield {"ask": "pattern", "layer": layer, "head": head, **about}
    for at in range(T):
        yield {"ask": "lens-at", "at": at, **about}
        yield {"ask": "next", "at": at, **PLAIN, **about}
        yield from ({"ask": "to", "at": at, "to": to, **about} for to in range(at + 1))


def model_explorer(
    facts: Mapping[str, object],
    text: str,
    recorded: Mapping[str, Mapping],
    title: str,
    caption: str,
) -> Interactive:
    """A model opened on one text: its heads, what its stream says on its way, and its next word.

    Args:
        facts: of the model: "name", "parameters", "layers", "heads", "key_value_heads", "width",
            "head_width", "hidden", "vocabulary", "context", "longest", "position", "dtype",
            "bytes_per_token", "chat" and "template".
        text: what the model reads.
        recorded: answers by `key_of` their requests: those of `requests`, and perhaps more.
        title, caption: as printed.

    Raises:
        ValueError: if an answer is missing, the text has too many tokens, or the answers are more
            than a page may hold.
    """
    recorded = {key: shortened(answer) for key, answer in recorded.items()}
    about = {"text": text, "drawn": [], "off": []}
    tokens = answer_to({"ask": "tokens", **about}, recorded)
    for request in requests(facts, text, tokens["ids"]):
        answer_to(request, recorded)
    data = {"model": dict(facts), "text": text, "url": None, "recorded": recorded}
    if (size := len(as_json(data).encode())) > MOST_BYTES:
        raise ValueError(
            f"what is recorded about {text!r} takes {size:,} bytes, and a page holds "
            f"{MOST_BYTES:,}. Choose a shorter text or a model with fewer heads."
        )
    pieces, T = tokens["pieces"], len(tokens["ids"])
    layers = answer_to({"ask": "lens", "from": 0, "to": T, **about}, recorded)["layers"]
    last = answer_to({"ask": "lens-at", "at": T - 1, **about}, recorded)
    first = [layer["answer"]["rank"] for layer in last["layers"]].index(1)
    where = f"after block {first} of {len(layers) - 1}" if first else "before the first block"
    names = ["embedding", *(f"block {n}" for n in range(1, len(layers)))]
    said = [[cell["piece"] for cell in row] for row in layers]
    return Interactive(
        script="model_explorer",
        data=data,
        title=title,
        caption=caption,
        alt=f"What {facts['name']} would say after each token of “{text}” if it ended after each "
        f"of its layers. After “{pieces[-1]}” the answer is “{last['answer']['piece']}”, which "
        f"is first the likeliest {where}.",
        header=["after", *pieces],
        rows=[[name, *row] for name, row in zip(names, said, strict=True)],
        draw=lambda ax: draw_lens(ax, names, pieces, layers),
        width=1.1 + 0.7 * T,
        height=0.7 + 0.3 * len(layers),
    )


def answer_to(request: Mapping[str, object], recorded: Mapping[str, Mapping]) -> Mapping:
    """The recorded answer.

    Raises:
        ValueError: if there is none.
    """
    key = key_of(request)
    if key not in recorded:
        raise ValueError(f"the answer to {key} is not recorded; record all that `requests` names")
    return recorded[key]


def shortened(answer: object) -> object:
    """An answer with as many digits as a page needs."""
    if isinstance(answer, Mapping):
        return {name: shortened(part) for name, part in answer.items()}
    if isinstance(answer, list):
        return [shortened(part) for part in answer]
    return round(answer, DIGITS) if isinstance(answer, float) else answer


def draw_lens(ax, names: Sequence[str], pieces: Sequence[str], layers: Sequence) -> None:
    """The likeliest token by layer and position, in cells shaded by its probability."""
    p = np.array([[cell["p"] for cell in row] for row in layers])
    ax.imshow(p, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
    ax.grid(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(pieces)), map(cut, pieces), size=9)
    ax.set_yticks(range(len(names)), names, size=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    for layer, row in enumerate(layers):
        for at, cell in enumerate(row):
            ax.text(at, layer, cut(cell["piece"]), ha="center", va="center", size=9)


def cut(piece: str, most: int = 8) -> str:
    """A token as it fits into a cell."""
    return piece if len(piece) <= most else piece[: most - 1] + "…"
