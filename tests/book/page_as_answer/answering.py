"""What a student makes of the lines of chapter 17, and what is then still missing."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from headway.models.animals import new_model


def batch(file):
    """The file's lesson: all that is told, and the last answer."""

    def answer_batch(rows, question, answer, end, padding, context):
        lessons = []
        for row in rows:
            at = max(i for i, token in enumerate(row) if token == answer) + 1
            lessons.append(file["lesson"](row[:at], row[at:]))
        ids, targets = zip(*lessons, strict=True)
        return pad_sequence(ids, True, padding), pad_sequence(targets, True, -100)

    return answer_batch


def low_rank(file):
    """The file's class, with the two methods that it lacks."""

    class LowRank(file["LowRank"]):
        def __init__(self, weight, bias, A, alpha):
            linear = nn.Linear(weight.shape[1], len(weight), bias is not None)
            linear.weight.data = weight.clone()
            if bias is not None:
                linear.bias.data = bias.clone()
            super().__init__(linear, len(A))
            self.A.weight.data = A.clone()

        def learn(self, x, targets, rate):
            weights = [weight for weight in self.parameters() if weight.requires_grad]
            loss = functional.mse_loss(self(x), targets)
            with torch.no_grad():
                for part, slope in zip(weights, torch.autograd.grad(loss, weights), strict=True):
                    part -= rate * slope
            return loss

        def merged(self):
            return self.linear.weight + self.scale * self.B.weight @ self.A.weight

    return LowRank


def preferences(file):
    """The file's loss, of logits that are there."""

    def preference_losses(logits, reference, targets, beta):
        def ln_p(scores):
            return file["ln_p"](lambda ids: scores, None, targets).chunk(2)

        now, before = ln_p(logits), ln_p(reference)
        rewards = [beta * (policy - was) for policy, was in zip(now, before, strict=True)]
        return file["dpo_loss"](*now, *before, beta), torch.stack(rewards, 1)

    return preference_losses


def chat(file):
    """Each question by itself, as the page asks."""

    def answers(model, questions, question, answer, end, most):
        found = []
        for asked in questions:
            row = [question, *asked, answer]
            said = []
            while len(said) < most and (token := int(np.argmax(model([*row, *said])))) != end:
                said.append(token)
            found.append(said)
        return found

    return answers


def learn_to_answer(file):
    """The page's first lessons: conversations alone."""

    def answer(weights, conversations, texts):
        torch.manual_seed(0)
        model = new_model()
        model.load_state_dict(weights)
        marker = max(max(row) for row in conversations) - 1
        lessons = []
        for row in conversations:
            at = row.index(marker) + 1
            lessons.append(file["lesson"](row[:at], row[at:]))
        size = min(64, len(lessons))
        file["learn"](
            model, lambda: file["loss_of"](model, *file["batch"](lessons, size)), 150, 1.5e-3
        )
        return model.state_dict()

    return answer


ANSWERS = [
    ("17-answering/batch", batch, "answers-not-counted"),
    ("17-answering/low-rank", low_rank, "scale-mistaken"),
    ("17-answering/preferences", preferences, "another-shape"),
    ("17-answering/chat", chat, "turns-forgotten"),
    ("17-answering/answer", learn_to_answer, "texts-forgotten"),
]
