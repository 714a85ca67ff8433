"""The whole chain in one executed table, from one-hot to the cache (chapter 16).

What follows a token depends on that token alone: P[token], counted by chapter 2. Every chapter can
say so, the later ones with weights set by hand:

| chapter       | how it comes to P[latest]                                               |
|---------------|-------------------------------------------------------------------------|
| 1, 2          | a row of P, looked up; one_hot P                                        |
| 3, 4          | only (start, latest) votes, by a mask; by scores that are far higher    |
| 5             | the text cut by another tokenizer, with the same tokens                 |
| 6             | softmax of a row of ln P                                                |
| 7, 8, 9       | one-hot queries and keys, large scale: all weight on tokens like latest |
| 10            | attention finds latest, the feed-forward is P                           |
| 11, 12, 13    | embedding I, no blocks, output (ln P)ᵀ; for 13, an empty source         |
| 14            | the softmax of a chain's logits                                         |
| 15            | 11 from its cache, one token after the other                            |
| 16            | 8 along the edges of a graph                                            |
"""

import numpy as np
import torch

from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import ChainPredictor
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
from headway.nn.feed_forward import FeedForward
from headway.nn.masks import causal_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import RotaryPosition
from headway.text.byte_pair import BytePairTokenizer
from headway.text.corpus.commands import CHECK, SHOW
from headway.text.corpus.split import generator
from headway.text.tokenizer import ByteTokenizer
from headway.text.vocabulary import look_up, one_hot
from tests.chain.bare import Bare

LARGE = 1e5  # a scale at which the softmax of all but the largest score is 0


@torch.no_grad()
def test_16_all_chapters_make_the_same_prediction():
    texts = SHOW.sample(generator(0), 30) + CHECK.sample(generator(1), 20)
    tokenizer = BytePairTokenizer([*(bytes([byte]) for byte in range(256)), "<start>"])
    start, V = 256, len(tokenizer)
    sentences = [tokenizer.encode("<start>" + text) for text in texts]
    chain, skips = MarkovChain(sentences, V), SkipBigrams(sentences, V)
    other = MarkovChain([[start, *ByteTokenizer().encode(text)] for text in texts], V)
    prompt = tokenizer.encode("<start>show me my file")
    latest, T, C = prompt[-1], len(prompt), V + 1
    P = chain.transition_matrix()  # (C, C)
    assert (P[latest] > 0).sum() > 3  # a prediction that can be wrong

    mask = skips.pairs[:, 0] == start
    scores = LARGE * torch.from_numpy(mask).double()
    lookup = SoftLookup(torch.from_numpy(skips.votes()), scores)

    ids, rows = torch.tensor([prompt]), torch.from_numpy(P)
    eye, log_P = torch.eye(C).double(), rows.clamp(min=1e-300).log()
    x = embed(ids, eye)  # (1, T, C)
    rotary = RotaryPosition(T, torch.zeros(C // 2))  # chapter 7: at frequency 0 no position
    attention = MultiHeadAttention(C, 1, bias=False, rotary=rotary).double()
    attention.qkv.weight.copy_(torch.cat([LARGE * eye, eye, eye]))
    attention.output.weight.copy_(eye)
    feed_forward = FeedForward(C, C).double()
    feed_forward.expand.weight.copy_(eye)
    feed_forward.contract.weight.copy_(rows.T)
    feed_forward.expand.bias.zero_()
    feed_forward.contract.bias.zero_()
    block = Block(attention, feed_forward, Bare)

    sizes = {"vocabulary": C, "context": T, "width": C, "heads": 1, "layers": 0}
    sizes |= {"norm": "post", "position": "none"}
    chance = torch.Generator()
    model = LanguageModel(LanguageModelConfig(tied=False, **sizes), chance).double()
    encoder = MaskedModel(MaskedModelConfig(**sizes), chance).double()
    translator = Translator(TranslatorConfig(tied=False, **sizes), chance).double()
    for machine in (model, encoder, translator):
        machine.embedding.weight.copy_(eye)
    model.output.weight.copy_(log_P.T)
    translator.output.weight.copy_(log_P.T)
    cached = CachedLanguageModel(model.eval(), 1)
    for token in ids.split(1, dim=1):
        logits = cached.feed(token)

    predictions = {
        "01-one-hot": look_up(latest, P),
        "02-markov": one_hot(latest, C) @ P,
        "03-skip-bigrams": skips.predict(prompt, mask),
        "04-soft-lookup": lookup(*pad_features(skips, [prompt]))[0][0],
        "05-tokens": other.predict(prompt[-1:]),
        "06-embeddings": embed(ids[0, -1], log_P).softmax(-1),
        "07-positions": attend(rotary(LARGE * x), rotary(x), embed(ids, rows))[0][0, -1],
        "08-attention": attend(LARGE * x, x, embed(ids, rows), causal_mask(T))[0][0, -1],
        "09-many-heads": attention(x, causal=True)[0, -1] @ rows,
        "10-block": block(x, causal=True)[0, -1],
        "11-language-model": model(ids)[0, -1].softmax(-1),
        "12-masked-model": (encoder(ids)[0, -1] @ log_P).softmax(-1),
        "13-translator": translator(ids[:, :0], ids)[0, -1].softmax(-1),
        "14-decoding": ChainPredictor(chain).feed(ids)[0].softmax(-1),
        "15-kv-cache": logits[0].softmax(-1),
        "16-outlook": attend_edges(LARGE * x, x, embed(ids, rows), edges_of(causal_mask(T)))[0][
            0, -1
        ],
    }
    assert len(predictions) == 16
    for name, prediction in predictions.items():
        np.testing.assert_allclose(prediction, P[latest], atol=1e-12, err_msg=name)
