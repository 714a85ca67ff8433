"""What the answers of assignment 01, words as vectors, are held to."""

from headway.tasks.chapters.one_hot.by_code import by_code
from headway.tasks.chapters.one_hot.by_one_hot import by_one_hot
from headway.tasks.chapters.one_hot.encoder import encoder
from headway.tasks.chapters.one_hot.faulty_line import faulty_line
from headway.tasks.chapters.one_hot.lookup import lookup
from headway.tasks.chapters.one_hot.matmul import matmul
from headway.tasks.chapters.one_hot.one_hot import one_hot_task
from headway.tasks.chapters.one_hot.pairs import pairs
from headway.tasks.chapters.one_hot.predict import dot, mixture, shapes
from headway.tasks.chapters.one_hot.vocabulary import vocabulary

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
