"""What the answers of assignment 16, graphs and the cost of attention, are held to."""

from headway.tasks.chapters.outlook.block_sparse import block_sparse_task
from headway.tasks.chapters.outlook.cost import cost_task
from headway.tasks.chapters.outlook.faulty_line import faulty_line
from headway.tasks.chapters.outlook.graph_attention import graph_attention_task
from headway.tasks.chapters.outlook.nodes import nodes_task
from headway.tasks.chapters.outlook.predict import crossing, friends, memory
from headway.tasks.chapters.outlook.recurrent import recurrent_task
from headway.tasks.chapters.outlook.repair import repair_task

TASKS = (
    friends,
    crossing,
    memory,
    graph_attention_task,
    block_sparse_task,
    cost_task,
    faulty_line,
    repair_task,
    nodes_task,
    recurrent_task,
)
