"""What the answers of assignment 11, a language model from its loss to its replies, are held to."""

from headway.tasks.chapters.language_model.assemble import assemble_task
from headway.tasks.chapters.language_model.batches import batches_task
from headway.tasks.chapters.language_model.docstrings import docstrings_task
from headway.tasks.chapters.language_model.faulty_line import faulty_line
from headway.tasks.chapters.language_model.generate import generate_task
from headway.tasks.chapters.language_model.loss import loss_task
from headway.tasks.chapters.language_model.predict import parameters, perplexity, positions
from headway.tasks.chapters.language_model.repair import repair_task
from headway.tasks.chapters.language_model.sort import sort_task

TASKS = (
    positions,
    parameters,
    perplexity,
    assemble_task,
    loss_task,
    batches_task,
    generate_task,
    faulty_line,
    repair_task,
    sort_task,
    docstrings_task,
)
