"""What the answers of assignment 17, from continuing to answering, are held to."""

from headway.tasks.chapters.answering.batch import batch_task
from headway.tasks.chapters.answering.best_of_n import best_of_n_task
from headway.tasks.chapters.answering.chat import chat_task
from headway.tasks.chapters.answering.dpo import dpo_task
from headway.tasks.chapters.answering.faulty_line import faulty_line
from headway.tasks.chapters.answering.low_rank import low_rank_task
from headway.tasks.chapters.answering.predict import adapter_size, counted, preference
from headway.tasks.chapters.answering.tune import tune_task

TASKS = (
    counted,
    adapter_size,
    preference,
    batch_task,
    low_rank_task,
    dpo_task,
    faulty_line,
    chat_task,
    tune_task,
    best_of_n_task,
)
