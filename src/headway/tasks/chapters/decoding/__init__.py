"""What the answers of assignment 14, choosing the next word, are held to."""

from headway.tasks.chapters.decoding.beam import beam_task
from headway.tasks.chapters.decoding.exact import exact_task
from headway.tasks.chapters.decoding.faulty_line import faulty_line
from headway.tasks.chapters.decoding.predict import beams, sequence, support
from headway.tasks.chapters.decoding.repair import repair_task
from headway.tasks.chapters.decoding.sample import sample_task
from headway.tasks.chapters.decoding.strategy import strategy_task
from headway.tasks.chapters.decoding.top_k import top_k_task
from headway.tasks.chapters.decoding.top_p import top_p_task

TASKS = (
    sequence,
    support,
    beams,
    top_k_task,
    top_p_task,
    sample_task,
    beam_task,
    faulty_line,
    repair_task,
    strategy_task,
    exact_task,
)
