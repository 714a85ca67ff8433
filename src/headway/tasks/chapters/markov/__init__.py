"""What the answers of assignment 02, Markov chains, are held to."""

from headway.tasks.chapters.markov.after import after
from headway.tasks.chapters.markov.beat_unigram import beat_unigram
from headway.tasks.chapters.markov.by_hand import perplexity_by_hand
from headway.tasks.chapters.markov.chain import chain
from headway.tasks.chapters.markov.faulty_line import faulty_line
from headway.tasks.chapters.markov.neighbors import neighbors
from headway.tasks.chapters.markov.sample import sampling
from headway.tasks.chapters.markov.score import scoring
from headway.tasks.chapters.markov.sizes import sizes
from headway.tasks.chapters.markov.stationary import stationary_task
from headway.tasks.chapters.markov.transitions import transitions_task
from headway.tasks.chapters.markov.unigram import unigram_task

TASKS = (
    after,
    sizes,
    perplexity_by_hand,
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
