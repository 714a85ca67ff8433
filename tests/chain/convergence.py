"""How near training comes to the probabilities of chapter 2: what links 6 and 11 share."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from headway.ngram.markov import MarkovChain
from headway.text.corpus.commands import CHECK, SHOW
from headway.text.corpus.split import generator
from headway.text.vocabulary import Vocabulary
from headway.training.loss import summed_cross_entropy
from headway.training.optimizer import adamw
from headway.training.trainer import Trainer


def commands() -> tuple[list[np.ndarray], MarkovChain]:
    """Sentences as ids, and the first-order chain that was counted in them."""
    texts = SHOW.sample(generator(0), 60) + CHECK.sample(generator(1), 40)
    words = Vocabulary(" ".join(texts).split(), specials=())
    sentences = [words.encode(text) for text in texts]
    return sentences, MarkovChain(sentences, len(words))


def with_boundaries(sentences: Sequence[np.ndarray], boundary: int) -> list[np.ndarray]:
    """Each sentence with the boundary before and after it, as the chain counts them."""
    return [np.concatenate([[boundary], sentence, [boundary]]) for sentence in sentences]


def errors_while_training(
    model: nn.Module, inputs: Tensor, following: Tensor, P: np.ndarray, steps: Sequence[int]
) -> list[float]:
    """The largest |softmax(logits) − P|, all words and all next words, after so many steps.

    Args:
        model: inputs → logits (..., V).
        inputs: the examples, all in one batch: (n,) or (n, 1).
        following: the word after each, of the same shape.
        P: (V, V).
        steps: ascending.
    """

    def loss(model, batch):
        return summed_cross_entropy(model(batch[0]), batch[1])

    trainer = Trainer(model, loss, lambda step: (inputs, following), adamw(model, 0.03, 0.0))
    every_word = torch.arange(len(P)).view(-1, *[1] * (inputs.dim() - 1))
    errors = []
    for until in steps:
        trainer.train(until, progress=False)
        with torch.no_grad():
            learned = model(every_word).softmax(dim=-1).view(len(P), -1).numpy()
        errors.append(float(np.abs(learned - P).max()))
    return errors


def falls(errors: Sequence[float]) -> bool:
    """Whether each is smaller than the one before it."""
    return all(after < before for before, after in pairwise(errors))
