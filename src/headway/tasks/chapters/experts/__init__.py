"""What the answers of assignment 18, a mixture of experts, are held to."""

from headway.tasks.chapters.experts.absorbed import absorbed_task
from headway.tasks.chapters.experts.balance import balance_task
from headway.tasks.chapters.experts.choose import choose_task
from headway.tasks.chapters.experts.facts import facts_task
from headway.tasks.chapters.experts.faulty_line import faulty_line
from headway.tasks.chapters.experts.mixture import mixture_task
from headway.tasks.chapters.experts.predict import cache, parameters, weights
from headway.tasks.chapters.experts.repair import repair_task

TASKS = (
    weights,
    parameters,
    cache,
    choose_task,
    mixture_task,
    balance_task,
    faulty_line,
    repair_task,
    facts_task,
    absorbed_task,
)
