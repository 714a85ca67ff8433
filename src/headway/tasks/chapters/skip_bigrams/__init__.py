"""What the answers of assignment 03, skip-bigrams and masks, are held to."""

from headway.tasks.chapters.skip_bigrams.by_mask import by_mask
from headway.tasks.chapters.skip_bigrams.by_votes import by_votes
from headway.tasks.chapters.skip_bigrams.every_prefix import every_prefix
from headway.tasks.chapters.skip_bigrams.faulty_line import faulty_line
from headway.tasks.chapters.skip_bigrams.features import features
from headway.tasks.chapters.skip_bigrams.gain_mask import gain_mask
from headway.tasks.chapters.skip_bigrams.masked import masked
from headway.tasks.chapters.skip_bigrams.predict import add_votes, count_features, count_rows
from headway.tasks.chapters.skip_bigrams.table import table
from headway.tasks.chapters.skip_bigrams.voter import voter

TASKS = (
    count_features,
    count_rows,
    add_votes,
    features,
    table,
    masked,
    gain_mask,
    faulty_line,
    voter,
    by_votes,
    by_mask,
    every_prefix,
)
