"""What the answers of assignment 01, words as vectors, are held to."""

from headway.tasks.chapters.one_hot.arrays import lookup, matmul, one_hot_task
from headway.tasks.chapters.one_hot.encoder import encoder, faulty_line
from headway.tasks.chapters.one_hot.pairs import pairs
from headway.tasks.chapters.one_hot.predict import dot, mixture, shapes
from headway.tasks.chapters.one_hot.prices import by_code, by_one_hot
from headway.tasks.chapters.one_hot.words import vocabulary

TASKS = (
    dot,
    shapes,
    mixture,
    vocabulary,
    one_hot_task,
    matmul,
    lookup,
    faulty_line,
    encoder,
    by_code,
    by_one_hot,
    pairs,
)
