"""What the answers of assignment 09, multi-head attention, are held to."""

from headway.tasks.chapters.many_heads.attention import attention
from headway.tasks.chapters.many_heads.bound import bound
from headway.tasks.chapters.many_heads.by_roles import by_hand_roles
from headway.tasks.chapters.many_heads.counts import counts
from headway.tasks.chapters.many_heads.faulty_line import faulty_line
from headway.tasks.chapters.many_heads.learn import learn
from headway.tasks.chapters.many_heads.look_back import previous
from headway.tasks.chapters.many_heads.merge import merge
from headway.tasks.chapters.many_heads.r_squared import measure
from headway.tasks.chapters.many_heads.repair import repair
from headway.tasks.chapters.many_heads.rotary import rotary
from headway.tasks.chapters.many_heads.shapes import shapes
from headway.tasks.chapters.many_heads.split import split
from headway.tasks.chapters.many_heads.two_heads_by_hand import two_heads

TASKS = (
    shapes,
    counts,
    two_heads,
    split,
    merge,
    attention,
    previous,
    rotary,
    faulty_line,
    repair,
    measure,
    learn,
    bound,
    by_hand_roles,
)
