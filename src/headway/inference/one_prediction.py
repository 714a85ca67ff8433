"""One prediction in nineteen ways: what follows a word, by the object of each chapter.

What follows the latest word is counted by chapter 2, a row of P. Every chapter can say it, the
later ones with weights set by hand:

| chapter       | how it comes to P[latest]                                                 |
|---------------|---------------------------------------------------------------------------|
| 1, 2          | a row of P, looked up; one_hot P                                          |
| 3, 4          | only (start, latest) votes, by a mask; by a score that is far higher      |
| 5             | the chain is counted from byte pairs, merged until they are words         |
| 6             | softmax of a row of ln P                                                  |
| 7, 8, 9       | one-hot queries and keys, large scale: all weight on words like latest    |
| 10            | attention finds latest, the feed-forward is P                             |
| 11, 12        | attention finds latest, behind skips and norms; the output reads ln P     |
| 13            | the same, but the cross-attention finds it in the source                  |
| 14            | the distribution that sampling draws from, of chapter 2's chain           |
| 15            | 11 from its cache, one token after the other                              |
| 16            | 8 along the edges of a graph                                              |
| 17            | 11, its output an adapter beside a matrix of zeros                        |
| 18            | 10, with an expert for each word, which holds this word's row of P        |
| 19            | 8 by a running softmax, one key at a time                                 |
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.inference.decoding import Sampling
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import ChainPredictor
from headway.models.by_hand import LARGE, Bare, copy_latest, copying_width, reading, signed
from headway.models.graph import attend_edges, edges_of
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.translator import Translator, TranslatorConfig
from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.ngram.soft_lookup import SoftLookup, pad_features
from headway.nn.attention import attend
from headway.nn.block import Block
from headway.nn.embedding import embed
from headway.nn.experts import MixtureOfExperts
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.nn.low_rank import LowRank
from headway.nn.masks import causal_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import RotaryPosition
from headway.nn.running_softmax import attend_in_blocks
from headway.text.byte_pair import BytePairTokenizer
from headway.text.vocabulary import Vocabulary, look_up, one_hot


class OnePrediction:
    """The objects of nineteen chapters, ready to say what follows the last word of a prompt.

    Args:
        texts: what is counted; words with spaces between them.
        prompt: how such a text begins. All that follows a word depends on this word alone.

    Attributes:
        P: float64 (C, C), chapter 2's transition matrix; the last symbol is the boundary.
        latest: id of the prompt's last word.
        ids: int64 (1, T), the boundary and the prompt.
        language_model, masked_model, translator: machines of one block, set by hand.
    """

    def __init__(self, texts: Sequence[str], prompt: str):
        self.texts = texts
        self.words = Vocabulary.from_text(" ".join(texts), specials=())
        self.sentences = [self.words.encode(text).tolist() for text in texts]
        self.chain = MarkovChain(self.sentences, len(self.words))
        self.P = torch.from_numpy(self.chain.transition_matrix())
        self.log_P = self.P.log().clamp(min=-1e4)  # finite, and still exp(−10⁴) = 0
        self.ids = torch.tensor([[self.chain.boundary, *self.words.encode(prompt)]])
        self.latest = int(self.ids[0, -1])
        V, T = len(self.P), self.ids.shape[1]
        sizes: dict[str, Any] = {"vocabulary": V, "context": T, "heads": 1, "layers": 1}
        sizes |= {"width": copying_width(V), "epsilon": 0.0, "position": "none"}
        chance = torch.Generator()
        self.language_model = LanguageModel(LanguageModelConfig(tied=False, **sizes), chance)
        self.masked_model = MaskedModel(MaskedModelConfig(**sizes), chance)
        self.translator = Translator(TranslatorConfig(tied=False, **sizes), chance)
        for model, attention in self.searching():
            copy_latest(model, attention)
        self.language_model.output.weight.copy_(reading(self.log_P))
        self.translator.output.weight.copy_(reading(self.log_P))

    def searching(self) -> list[tuple[nn.Module, MultiHeadAttention]]:
        """Each machine with the attention that does its work."""
        return [
            (self.language_model, self.language_model.stack.blocks[0].attention),
            (self.masked_model, self.masked_model.stack.blocks[0].attention),
            (self.translator, self.translator.decoder.stack.blocks[0].cross_attention),
        ]

    @torch.no_grad()
    def predictions(self) -> list[np.ndarray]:
        """What follows, says each chapter in turn: 19 arrays (C,) of probabilities."""
        ways = [
            *self.by_looking_up(),
            *self.by_pieces(),
            *self.by_machines(),
            *self.by_todays_machines(),
        ]
        return [np.asarray(way) for way in ways]

    def by_looking_up(self) -> list:
        """Chapters 1 to 4."""
        P, C, prompt = self.P.numpy(), len(self.P), self.ids[0].tolist()
        # With the boundary as a word, each sentence has a pair of it and its latest word.
        pairs = SkipBigrams([[self.chain.boundary, *ids] for ids in self.sentences], C)
        starts = pairs.pairs[:, 0] == self.chain.boundary
        scores = LARGE * torch.from_numpy(starts).double()
        lookup = SoftLookup(torch.from_numpy(pairs.votes()), scores)
        return [
            look_up(self.latest, P),
            one_hot(self.latest, C) @ P,
            pairs.predict(prompt, starts)[:C],
            lookup(*pad_features(pairs, [prompt]))[0][0, :C],
        ]

    def by_pieces(self) -> list[Tensor]:
        """Chapters 5 to 10."""
        C, T = len(self.P), self.ids.shape[1]
        tokenizer = BytePairTokenizer.train(self.texts, size=100_000, min_count=1)
        coded = [
            [self.words.id(tokenizer.decode([token]).strip()) for token in tokenizer.encode(text)]
            for text in self.texts
        ]
        x, rows = embed(self.ids, torch.eye(C).double()), embed(self.ids, self.P)  # (1, T, C)
        pairs = embed(self.ids, signed(C))  # (1, T, 2C), of which rotary positions turn halves
        still = RotaryPosition(T, torch.zeros(C))
        attention = self.finding_latest()
        feed_forward = FeedForward(C, C).double()
        for parameter in feed_forward.parameters():
            parameter.zero_()
        feed_forward.expand.weight.copy_(torch.eye(C))
        feed_forward.contract.weight.copy_(self.P.T)
        return [
            MarkovChain(coded, len(self.words)).predict([self.latest]),
            embed(self.ids[0, -1], self.log_P).softmax(-1),
            attend(still(LARGE * pairs), still(pairs), rows)[0][0, -1],
            attend(LARGE * x, x, rows, causal_mask(T))[0][0, -1],
            attention(x, causal=True)[0, -1] @ self.P,
            Block(attention, feed_forward, Bare)(x, causal=True)[0, -1],
        ]

    def by_machines(self) -> list[Tensor]:
        """Chapters 11 to 16."""
        ids, T = self.ids, self.ids.shape[1]
        hidden = self.masked_model(ids)[0, -1]
        sampling = Sampling(generator=torch.Generator())
        cached = CachedLanguageModel(self.language_model, 1)
        for token in ids.split(1, dim=1):
            continued = cached.feed(token)
        x, rows = embed(ids, torch.eye(len(self.P)).double()), embed(ids, self.P)
        logits = [
            self.language_model(ids)[0, -1],
            functional.linear(hidden, reading(self.log_P)),
            self.translator(ids, ids)[0, -1],
            sampling.filtered(ChainPredictor(self.chain).feed(ids), ids)[0],
            continued[0],
        ]
        graph = edges_of(causal_mask(T))  # from each token to itself and to all that come later
        return [
            *(each.softmax(-1) for each in logits),
            attend_edges(LARGE * x, x, rows, graph)[0][0, -1],
        ]

    def by_todays_machines(self) -> list[Tensor]:
        """Chapters 17 to 19."""
        C, ids = len(self.P), self.ids
        x, rows = embed(ids, torch.eye(C).double()), embed(ids, self.P)  # (1, T, C)

        adapted, table = deepcopy(self.language_model), reading(self.log_P)  # (C, width)
        nothing = nn.Linear(table.shape[1], C, bias=False).double()
        nothing.weight.zero_()
        adapter = LowRank(nothing, rank=C, alpha=C, generator=torch.Generator())
        adapter.A.copy_(table)
        adapter.B.copy_(torch.eye(C))
        adapted.set_submodule("output", adapter)

        experts = MixtureOfExperts(C, 1, experts=C, active=1, activation=functional.relu).double()
        experts.router.weight.copy_(torch.eye(C))
        for word, expert in enumerate(experts.experts):
            assert isinstance(expert, GatedFeedForward)
            expert.expand.weight.copy_(torch.eye(C)[[word, word]])
            expert.contract.weight.copy_(self.P[word, :, None])
        return [
            adapted(ids)[0, -1].softmax(-1),
            Block(self.finding_latest(), experts, Bare)(x, causal=True)[0, -1],
            attend_in_blocks(LARGE * x[:, -1:], x, rows, block=1)[0, -1],
        ]

    def finding_latest(self) -> MultiHeadAttention:
        """An attention over one-hot rows (1, T, C) that finds the words like the latest."""
        identity = torch.eye(len(self.P))
        attention = MultiHeadAttention(len(self.P), 1, bias=False).double()
        attention.qkv.weight.copy_(torch.cat([LARGE * identity, identity, identity]))
        attention.output.weight.copy_(identity)
        return attention
