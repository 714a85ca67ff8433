"""What a student makes of the lines of chapter 12, and what is then still missing."""

from functools import partial

import numpy as np
import torch
from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.masked_model.sentiment_model import Reader


def hidden(file, nothing=-1):
    """The file's own `hide`, with its two names for the task's vocabulary."""

    def answer(ids, special, mask_id, size, seed, share=0.15):
        torch.manual_seed(seed)
        file.update(MASK=mask_id, WORDS=range(size))
        inputs, labels = file["hide"](torch.from_numpy(ids), share)
        return inputs.numpy(), labels.masked_fill(labels < 0, nothing).numpy()

    return answer


def hidden_without_special(file):
    """The same, and then the special tokens are put back."""

    def answer(ids, special, mask_id, size, seed, share=0.15):
        inputs, labels = hidden(file, -100)(ids, special, mask_id, size, seed, share)
        apart = np.isin(ids, special)
        return np.where(apart, ids, inputs), np.where(apart, -100, labels)

    return answer


def mean_of_words(file):
    """Chapter 12's classifier, in the task's layers."""

    class Classifier(nn.Module):
        def __init__(self, words, width, heads, classes, padding=0, pool="mean"):
            super().__init__()
            self.word = nn.Embedding(words, width)
            self.norm = nn.LayerNorm(width)
            self.attention = MultiHeadAttention(width, heads)
            self.output = nn.Linear(width, classes)
            self.pool = pool

        def forward(self, ids):
            x = self.word(ids)
            x = x + self.attention(self.norm(x))
            return self.output(x[:, 0] if self.pool == "first" else x.mean(dim=1))

    return Classifier


def cut_up(file):
    """Chapter 12's line for patches, for images whose channels come last."""

    class Patches:
        def __init__(self, p, q):
            self.p, self.q = p, q

        def cut(self, images):
            if images.shape[1] % self.p or images.shape[2] % self.q:
                raise ValueError("they do not divide")
            images = torch.from_numpy(np.array(images)).permute(0, 3, 1, 2)
            parts = images.unfold(2, self.p, self.p).unfold(3, self.q, self.q)
            return parts.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2).numpy()

        def join(self, patches, h, w):
            parts = np.reshape(
                patches, (len(patches), h // self.p, w // self.q, -1, self.p, self.q)
            )
            return parts.transpose(0, 1, 4, 2, 5, 3).reshape(len(patches), h, w, -1)

    return Patches


def mean_of_losses(file):
    """The file's `loss_of`, for logits that are there, batch by batch."""

    def answer(batches):
        losses = []
        for logits, labels in batches:
            file["batch_of"] = lambda texts, asked=labels: (None, asked.clamp(min=-1))
            losses.append(file["loss_of"](lambda inputs, said=logits: said, None))
        return sum(losses) / len(losses)

    return answer


def tuned(file, **arrangement):
    """The page's `tune`, on a few of the reviews."""

    def answer(ids, positive, vocabulary):
        torch.manual_seed(0)
        chosen = {"places": None, "sees": "all u", "pool": "mean of u"} | arrangement
        model = Reader(len(vocabulary), **chosen)
        optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
        for _ in range(100):
            loss = nn.functional.cross_entropy(model(ids[:200]), positive[:200])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return chosen, model.state_dict()

    return answer


ANSWERS = [
    ("12-masked-model/mask-tokens", hidden, "another-sign-for-nothing"),
    ("12-masked-model/mask-tokens", partial(hidden, nothing=-100), "special-tokens-chosen"),
    ("12-masked-model/mask-tokens", hidden_without_special, "random-word-drawn-wrongly"),
    ("12-masked-model/classify", mean_of_words, "padding-seen"),
    ("12-masked-model/patchify", cut_up, "channels-apart"),
    ("12-masked-model/repair", mean_of_losses, "mean-miscounted"),
    ("12-masked-model/sentiment", tuned, "order-unseen"),
]
