"""The verdicts that the pages compute. A change here is a change of what the course says."""

import nbformat
import pytest

from headway.chapters import CHAPTERS
from headway.figures.parts.claim import CAVEAT, FAILS, HOLDS, MIME, MOSTLY_FAILS

VERDICTS = {
    "01-one-hot": {
        "average-is-acura": FAILS,
        "dot-is-cosine": CAVEAT,
        "signs": FAILS,
        "quadratic": MOSTLY_FAILS,
    },
    "02-markov": {
        "rows-sum-to-one": CAVEAT,
        "higher-order-counted": HOLDS,
        "higher-order-new": FAILS,
        "ones-doubt": CAVEAT,
        "ones-come": FAILS,
        "powers-settle": CAVEAT,
    },
    "03-skip-bigrams": {
        "whole-margin": CAVEAT,
        "ignore-order": CAVEAT,
        "masking-is-attention": MOSTLY_FAILS,
    },
    "04-soft-lookup": {
        "just-rescaling": FAILS,
        "learned-equals-handmade": MOSTLY_FAILS,
        "accuracy-shows-mask": FAILS,
    },
    "08-attention": {
        "hat-transposes": FAILS,
        "attends-to-one": MOSTLY_FAILS,
        "norm-of-weights": FAILS,
        "cancel-ignore": FAILS,
        "multiply-mask": MOSTLY_FAILS,
        "prevents-overfitting": FAILS,
        "no-parameters": MOSTLY_FAILS,
    },
    "09-many-heads": {
        "input-split": FAILS,
        "h-times-the-cost": MOSTLY_FAILS,
        "zero-in-slices": MOSTLY_FAILS,
        "redundant-heads": FAILS,
        "layers-for-heads": MOSTLY_FAILS,
    },
    "13-translator": {
        "no-keys-of-its-own": MOSTLY_FAILS,
        "fixed-length-vector": FAILS,
        "forcing-is-generation": CAVEAT,
        "decoder-parallel": CAVEAT,
        "smoothing": CAVEAT,
    },
    "15-kv-cache": {
        "cache-the-query": FAILS,
        "bit-for-bit": MOSTLY_FAILS,
        "linear": CAVEAT,
    },
}


@pytest.mark.book
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_claims_of_a_page_come_out_as_recorded(built_book, chapter):
    executed = built_book.parent / "jupyter_execute" / "book" / f"{chapter.name}.ipynb"
    notebook = nbformat.read(executed, as_version=4)
    claims = [
        output.data[MIME]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if MIME in output.get("data", {})
    ]
    assert {claim["id"]: claim["verdict"] for claim in claims} == VERDICTS[chapter.name]
    assert len(claims) == len(VERDICTS[chapter.name]) >= 2
