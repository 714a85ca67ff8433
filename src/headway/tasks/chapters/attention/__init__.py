"""What the answers of assignment 08, scaled dot-product attention, are held to."""

from headway.tasks.chapters.attention.additive import additive
from headway.tasks.chapters.attention.attend import attend_task
from headway.tasks.chapters.attention.bump import bump
from headway.tasks.chapters.attention.head import head_task
from headway.tasks.chapters.attention.library import library
from headway.tasks.chapters.attention.masks import causal
from headway.tasks.chapters.attention.past import faulty_line, past
from headway.tasks.chapters.attention.predict import masked_rows, mixture, shapes
from headway.tasks.chapters.attention.recall import recall
from headway.tasks.chapters.attention.window import window

TASKS = (
    shapes,
    mixture,
    masked_rows,
    library,
    attend_task,
    causal,
    window,
    additive,
    faulty_line,
    past,
    head_task,
    recall,
    bump,
)
