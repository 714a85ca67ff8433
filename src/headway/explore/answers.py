"""Answers to what the page asks of a model: JSON in, JSON out.

A request is an object whose "ask" names one of `KINDS`; each method says what else it holds. All
but "neighbors" are about a text:

    "text"      what is read
    "drawn"     ids that come after it
    "off"       parts that are switched off (`headway.explore.switches`), but for "cache"

Places in the text, blocks and heads count from 0. Layer 0 of the stream is what enters block 0,
layer l what leaves block l − 1. A request that cannot be answered raises `RefusedError`.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping

import torch
from torch import Tensor

from headway.explore.asked import RefusedError, filters_of, ids_of, parts_off, whole
from headway.explore.reading import Reading
from headway.explore.subject import Subject
from headway.explore.switches import switched_off
from headway.figures.engine import pack
from headway.figures.gallery.outlook.model_explorer import key_of
from headway.inference.decoding import Sampling, greedy, stream
from headway.inference.kv_cache import CachedLanguageModel

KEPT = 3  # readings
PLACES = 12  # positions whose layers are read at once
NEAREST, LIKELIEST, NEXT = 10, 5, 12  # rows of an answer
DRAWN, WRITTEN = 20, 16  # tokens at most
ROWS = 8192  # of the embedding, compared at once


class Answers:
    """Answers about one model; the last few texts are read once each.

    Not for several threads at once: a run with parts switched off switches them off for all.

    Args:
        subject: what is explored.
    """

    def __init__(self, subject: Subject):
        self.subject, self.model = subject, subject.model
        self.readings: OrderedDict[tuple, Reading] = OrderedDict()

    def answer(self, request: object) -> dict:
        """The answer to a request, which JSON can hold.

        Raises:
            RefusedError: if there is none; the message is for the reader.
        """
        kind = request.get("ask") if isinstance(request, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise RefusedError(f"“ask” must be one of {', '.join(KINDS)}, got {kind!r:.40}.")
        return KINDS[kind](self, request)

    def tokens(self, request: Mapping) -> dict:
        """The tokens of the text, and what each cost in nats."""
        ids, given = ids_of(request, self.subject)
        reading = self.read(request)
        return {
            "ids": ids,
            "pieces": [self.subject.spell(i) for i in ids],
            "losses": [None, *(round(loss, 4) for loss in reading.losses)],
            "given": given,
            "ended": self.has_ended(ids, given),
        }

    def neighbors(self, request: Mapping) -> dict:
        """The rows of the embedding that point most nearly where the row of "id" does."""
        table = self.model.embedding.weight
        token = whole(request, "id", 0, len(table) - 1)
        row = table[token].float()
        pieces = (torch.cosine_similarity(piece.float(), row, dim=1) for piece in table.split(ROWS))
        cosines = torch.cat(list(pieces))  # (V,)
        cosines[token] = -torch.inf
        best = cosines.topk(min(NEAREST, len(table) - 1))
        return {
            "rows": [
                self.named(i) | {"cosine": round(cosine, 4)}
                for cosine, i in zip(*map(Tensor.tolist, best), strict=True)
            ]
        }

    def heads(self, request: Mapping) -> dict:
        """What each head looks at, on average, by block and head."""
        measures = self.read(request).measures
        return {name: found and rounded(found, 3) for name, found in measures.items()}

    def to(self, request: Mapping) -> dict:
        """The weight that "at" gives to "to" in each head, by block and head."""
        reading = self.read(request)
        at = whole(request, "at", 0, len(reading.ids) - 1)
        to = whole(request, "to", 0, at)
        return {"weights": rounded(reading.weights_at(at, to), 4)}

    def pattern(self, request: Mapping) -> dict:
        """All weights (T, T) of a "head" of the block "layer", packed in half precision."""
        reading, sizes = self.read(request), self.subject.sizes
        layer = whole(request, "layer", 0, sizes.layers - 1)
        head = whole(request, "head", 0, sizes.heads - 1)
        weights = reading.weights(layer)[head].cpu().numpy()
        return {"weights": pack({}, {"weights": weights})}

    def lens(self, request: Mapping) -> dict:
        """The likeliest token at each layer, for the positions "from" … "to" − 1."""
        reading = self.read(request)
        T = len(reading.ids)
        start = whole(request, "from", 0, T - 1)
        places = range(start, whole(request, "to", start + 1, min(start + PLACES, T)))
        layers = []
        for logits in reading.lens(places):
            best = logits.softmax(dim=-1).max(dim=-1)
            layers.append([self.said(i, p) for p, i in zip(*map(Tensor.tolist, best), strict=True)])
        return {"layers": layers}

    def lens_at(self, request: Mapping) -> dict:
        """The likeliest tokens at "at" for each layer, and the rank of the whole model's answer."""
        reading = self.read(request)
        at = whole(request, "at", 0, len(reading.ids) - 1)
        shares = [logits[0].softmax(dim=-1) for logits in reading.lens([at])]  # (V,) each
        answer, layers = int(shares[-1].argmax()), []
        for p in shares:
            best = p.topk(min(LIKELIEST, len(p)))
            rows = [self.said(i, p) for p, i in zip(*map(Tensor.tolist, best), strict=True)]
            rank = 1 + int((p > p[answer]).sum())
            layers.append({"rows": rows, "answer": {"p": small(p[answer]), "rank": rank}})
        return {"layers": layers, "answer": self.named(answer)}

    def next(self, request: Mapping) -> dict:
        """What may come after "at": p as the model says it, q as it is drawn from.

        "temperature", "top_k" and "top_p" are between the two; "whole" is p with nothing off.
        """
        reading = self.read(request)
        at, filters = whole(request, "at", 0, len(reading.ids) - 1), filters_of(request)
        logits = reading.logits(-1, [at])  # (1, V)
        p = logits[0].softmax(dim=-1)
        if filters is None:
            q = torch.zeros_like(p).index_fill(0, greedy(logits), 1.0)
        else:
            sampling = Sampling(generator=torch.Generator(), **filters)
            q = sampling.filtered(logits, logits)[0].softmax(dim=-1)
        whole_p = None
        if parts_off(request, self.subject):
            whole_p = self.read({**request, "off": []}).logits(-1, [at])[0].softmax(dim=-1)
        rows = [
            self.said(i, p[i])
            | {"q": small(q[i]), "whole": None if whole_p is None else small(whole_p[i])}
            for i in p.sort(descending=True, stable=True).indices[:NEXT].tolist()
        ]
        kept = q > 0
        mass = small(p[kept].sum())
        return {"rows": rows, "kept": int(kept.sum()), "mass": mass, "size": len(p)}

    def draw(self, request: Mapping) -> dict:
        """Up to "count" tokens after the text, drawn with "seed" through the filters of `next`."""
        ids, given = ids_of(request, self.subject)
        off, filters = parts_off(request, self.subject), filters_of(request)
        dice = torch.Generator().manual_seed(whole(request, "seed", 0, 2**53))
        choose = greedy if filters is None else Sampling(generator=dice, **filters)
        count, ends = self.room(ids, whole(request, "count", 1, DRAWN)), self.subject.ends
        if self.has_ended(ids, given):
            return {"ids": [], "ended": True}
        drawn = []
        with switched_off(self.model, off):
            cached = CachedLanguageModel(self.model, 1, len(ids) + count)
            steps = stream(cached, self.batch(ids), count, lambda x, ids: choose(x.float(), ids))
            for token in steps:
                drawn.append(token.item())
                if drawn[-1] in ends:
                    break
        return {"ids": drawn, "ended": drawn[-1] in ends}

    @torch.inference_mode()
    def cache(self, request: Mapping) -> dict:
        """The text goes on by "count" likeliest tokens, each timed with a cache and without."""
        ids, _ = ids_of(request, self.subject)
        count, size = self.room(ids, whole(request, "count", 1, WRITTEN)), self.subject.cache_bytes
        cached = CachedLanguageModel(self.model, 1, len(ids) + count)
        token, prompt = timed(lambda: cached.feed(self.batch(ids)))
        rows = []
        for _ in range(count):
            ids.append(token)
            _, without = timed(lambda: Reading(self.model, ids).logits(-1, [-1]))
            token, within = timed(lambda: cached.feed(self.batch(ids[-1:])))
            times = {"cached_ms": within, "uncached_ms": without}
            rows.append({"tokens": len(ids), "bytes": size(len(ids)), **times})
        return {"bytes_per_token": size(1), "prompt_ms": prompt, "rows": rows}

    def read(self, request: Mapping) -> Reading:
        """The text of a request as the model reads it, without the parts that are off."""
        ids, off = ids_of(request, self.subject)[0], parts_off(request, self.subject)
        key = tuple(ids), off
        if key not in self.readings:
            try:
                self.readings[key] = Reading(self.model, ids, off)
            except FloatingPointError as error:
                raise RefusedError(
                    f"{error}. Start headway explore with --dtype float32, which does."
                ) from error
        self.readings.move_to_end(key)
        if len(self.readings) > KEPT:
            self.readings.popitem(last=False)
        return self.readings[key]

    def room(self, ids: list[int], count: int) -> int:
        """How many of so many tokens fit behind the ids.

        Raises:
            RefusedError: if none does.
        """
        left = self.subject.longest - len(ids)
        if not left:
            raise RefusedError(
                f"The text has {len(ids)} tokens, the most that this page reads; nothing can "
                "follow. Shorten it."
            )
        return min(left, count)

    def has_ended(self, ids: list[int], given: int) -> bool:
        """Whether the last token was drawn and ends the text."""
        return len(ids) > given and ids[-1] in self.subject.ends

    def batch(self, ids: list[int]) -> Tensor:
        """Ids (1, T) where the model is."""
        return torch.tensor([ids], device=self.model.embedding.weight.device)

    def named(self, token: int) -> dict:
        """An id with its sign."""
        return {"id": token, "piece": self.subject.spell(token)}

    def said(self, token: int, p: Tensor | float) -> dict:
        """An id with its sign and a probability."""
        return self.named(token) | {"p": small(p)}


KINDS: dict[str, Callable[[Answers, Mapping], dict]] = {
    "tokens": Answers.tokens,
    "neighbors": Answers.neighbors,
    "heads": Answers.heads,
    "to": Answers.to,
    "pattern": Answers.pattern,
    "lens": Answers.lens,
    "lens-at": Answers.lens_at,
    "next": Answers.next,
    "draw": Answers.draw,
    "cache": Answers.cache,
}


def small(p: Tensor | float) -> float:
    """A probability with as many digits as a page may show."""
    return round(float(p), 6)


def rounded(rows: Iterable[Iterable[float]], digits: int) -> list[list[float]]:
    """A matrix with so many digits behind the point."""
    return [[round(x, digits) for x in row] for row in rows]


def timed(feed: Callable[[], Tensor]) -> tuple[int, float]:
    """The likeliest token of the logits that a call gives, and the milliseconds it took."""
    began = time.perf_counter()
    token = feed().argmax().item()  # waits for a GPU too
    return token, round(1000 * (time.perf_counter() - began), 2)


def record(subject: Subject, requests: Iterable[Mapping]) -> dict[str, dict]:
    """The answers to some requests by their keys, for a page without a server.

    Raises:
        RefusedError: if one of them has no answer.
    """
    answers = Answers(subject)
    return {key_of(request): answers.answer(request) for request in requests}
