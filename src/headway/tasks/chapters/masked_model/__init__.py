"""What the answers of assignment 12, masked models, are held to."""

from headway.tasks.chapters.masked_model.classify import classify_task
from headway.tasks.chapters.masked_model.faulty_line import faulty_line
from headway.tasks.chapters.masked_model.mask_tokens import mask_tokens_task
from headway.tasks.chapters.masked_model.patchify import patchify_task
from headway.tasks.chapters.masked_model.predict import drawn, labels, patches
from headway.tasks.chapters.masked_model.repair import repair_task
from headway.tasks.chapters.masked_model.sentiment import sentiment_task
from headway.tasks.chapters.masked_model.span import span_task

TASKS = (
    drawn,
    labels,
    patches,
    mask_tokens_task,
    classify_task,
    patchify_task,
    faulty_line,
    repair_task,
    sentiment_task,
    span_task,
)
