"""What the answers of assignment 02, Markov chains, are held to."""

from headway.tasks.markov.chain import chain
from headway.tasks.markov.neighbors import faulty_line, neighbors
from headway.tasks.markov.next_word import beat_unigram
from headway.tasks.markov.predict import after, by_hand, sizes
from headway.tasks.markov.sample import sampling
from headway.tasks.markov.score import scoring
from headway.tasks.markov.stationary import stationary_task
from headway.tasks.markov.transitions import transitions_task
from headway.tasks.markov.unigram import unigram_task

TASKS = (
    after,
    sizes,
    by_hand,
    transitions_task,
    chain,
    scoring,
    sampling,
    faulty_line,
    neighbors,
    unigram_task,
    beat_unigram,
    stationary_task,
)
