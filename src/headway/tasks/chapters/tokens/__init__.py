"""What the answers of assignment 05, from text to tokens, are held to."""

from headway.tasks.chapters.tokens.best_split import best_split_task
from headway.tasks.chapters.tokens.count_pairs import count_pairs_task
from headway.tasks.chapters.tokens.decode import decode_task
from headway.tasks.chapters.tokens.encode import encode_task
from headway.tasks.chapters.tokens.faulty_line import faulty_line
from headway.tasks.chapters.tokens.merge import merge_task
from headway.tasks.chapters.tokens.predict import byte_length, pair_count, sizes
from headway.tasks.chapters.tokens.repair import repair_task
from headway.tasks.chapters.tokens.train import train_task
from headway.tasks.chapters.tokens.vocabulary_size import vocabulary_size_task

TASKS = (
    pair_count,
    sizes,
    byte_length,
    count_pairs_task,
    merge_task,
    train_task,
    encode_task,
    decode_task,
    faulty_line,
    repair_task,
    vocabulary_size_task,
    best_split_task,
)
