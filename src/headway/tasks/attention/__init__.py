"""What the answers of assignment 08, scaled dot-product attention, are held to."""

from headway.tasks.attention.additive import additive
from headway.tasks.attention.attend import attend_task
from headway.tasks.attention.bump import bump
from headway.tasks.attention.head import head_task
from headway.tasks.attention.library import library
from headway.tasks.attention.masks import causal
from headway.tasks.attention.past import faulty_line, past
from headway.tasks.attention.predict import masked_rows, mixture, shapes
from headway.tasks.attention.recall import recall
from headway.tasks.attention.window import window

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
